/** The second factor of an authenticator app. */
import { randomBytes } from 'node:crypto'
import type { FactorKindOf } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import { changeRow, rowsOf, type Scene, writeRow } from './subject.js'
import { base32, keyUri, secretLength, stepOf, toCode } from './totp.js'

/** A person may have two phones, and no more: each one more is one more code that is right. */
const most = 3

/**
 * Whether the code is right and was not used before (RFC 6238 §5.2): the step that it is of is written, and none that is not newer is
 * taken again.
 */
export async function checkTotp(scene: Scene, typed: unknown, now = Date.now()): Promise<boolean> {
  const code = toCode(typed)
  if (code === undefined) return false
  for (const { id } of rowsOf(scene, 'totp')) {
    const isRight = await changeRow(scene, id, (payload) => {
      const step = stepOf(secretIn(payload), code, now)
      const { last } = payload
      return step === undefined || (typeof last === 'number' && step <= last) ? undefined : { ...payload, last: step }
    })
    if (isRight) return true
  }
  return false
}

/** What a person sees who adds an app. */
export interface TotpSetup {
  readonly id: string
  /** Base32, in groups of four: for who cannot scan. */
  readonly secret: string
  /** What the QR code says. */
  readonly uri: string
}

/** A new secret. Nothing is stored until a code of it comes. */
export function createTotp(): { id: string; key: string } {
  return { id: randomText(12), key: randomBytes(secretLength).toString('base64url') }
}

/** How it is shown. */
export function showTotp(
  { context: { config, urls } }: Pick<Scene, 'context'>,
  { issuer }: FactorKindOf<'totp'>,
  { id, key, account }: { id: string; key: string; account: string },
): TotpSetup {
  const bytes = Buffer.from(key, 'base64url')
  const uri = keyUri(bytes, { issuer: issuer ?? config.theme.name ?? urls.host, account })
  return { id, secret: base32(bytes).replace(/(.{4})(?=.)/g, '$1 '), uri }
}

/** Stores the secret whose code came. Its step counts as used. @returns `false` for a wrong code, or where there are too many. */
export async function addTotp(
  scene: Scene,
  { id, key }: { id: string; key: string },
  { typed, name, now = Date.now() }: { typed: unknown; name: string | null; now?: number },
): Promise<boolean> {
  const code = toCode(typed)
  const step = code === undefined ? undefined : stepOf(Buffer.from(key, 'base64url'), code, now)
  if (step === undefined || rowsOf(scene, 'totp').length >= most) return false
  return writeRow(scene, { id, type: 'totp', payload: { key, last: step }, name, usedAt: new Date() })
}

function secretIn({ key }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(typeof key === 'string' ? key : '', 'base64url')
}
