/** The second factor of an authenticator app. */
import { randomBytes } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { changeRow, rowsOf, type Scene, writeRow } from './subject.js'
import { base32, keyUri, secretLength, stepOf, toCode } from './totp.js'

/** A person may have two phones, and no more: each one more is one more code that is right. */
const most = 3

/**
 * Whether the code is right and was not used before (RFC 6238 §5.2): the step that it is of is written, and none that is not newer is
 * taken again.
 */
export async function checkTotp(scene: Scene, typed: unknown): Promise<boolean> {
  const code = toCode(typed)
  if (code === undefined) return false
  for (const { id } of rowsOf(scene, 'totp')) {
    const isRight = await changeRow(scene, { id }, (payload) => {
      const step = stepOf(secretIn(payload), code, Date.now())
      const { last } = payload
      return step === undefined || (typeof last === 'number' && step <= last) ? undefined : { ...payload, last: step }
    })
    if (isRight) return true
  }
  return false
}

/** What is sealed of an authenticator app that is being added. */
export interface TotpSecret {
  readonly id: string
  readonly key: string
}

/** A new secret. Nothing is stored until a code of it comes. */
export function createTotp(): TotpSecret {
  return { id: randomText(12), key: randomBytes(secretLength).toString('base64url') }
}

/** How it is shown: the secret in groups of four, for who cannot scan, and the URI that the QR code says. */
export function showTotp(
  { context: { config, urls } }: Pick<Scene, 'context'>,
  { issuer }: FactorKindOf<'totp'>,
  { key, account }: { key: string; account: string },
) {
  const bytes = Buffer.from(key, 'base64url')
  const uri = keyUri(bytes, { issuer: issuer ?? config.theme.name ?? urls.host, account })
  return { secret: base32(bytes).replace(/(.{4})(?=.)/g, '$1 '), uri }
}

/** Stores the secret whose code came. Its step counts as used. @returns `false` for a wrong code, or where there are too many. */
export async function addTotp(
  scene: Scene,
  { id, key }: TotpSecret,
  typed: { readonly code?: unknown; readonly name?: unknown },
): Promise<boolean> {
  const code = toCode(typed.code)
  const step = code === undefined ? undefined : stepOf(Buffer.from(key, 'base64url'), code, Date.now())
  if (step === undefined || rowsOf(scene, 'totp').length >= most) return false
  return writeRow(scene, {
    id,
    type: 'totp',
    payload: { key, last: step },
    name: toName(typed.name),
    usedAt: new Date(),
  })
}

/** What its owner calls it, on one line; `null` where that is nothing. */
function toName(typed: unknown): string | null {
  const text = typeof typed === 'string' ? typed.replace(/\p{Cc}+/gu, ' ').trim() : ''
  return text === '' ? null : [...text].slice(0, 64).join('')
}

function secretIn({ key }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(typeof key === 'string' ? key : '', 'base64url')
}
