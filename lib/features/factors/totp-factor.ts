/** The second factor of an authenticator app. */
import { createHmac, randomBytes } from 'node:crypto'
import type { FactorKindOf } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { type FactorContext, factorRecordsOf, updateFactorRecord, writeFactorRecord } from './factor-context.js'

/** The most apps of a user, for several phones. Each further app makes one more code valid at a time. */
const maxTotpApps = 3

/**
 * Checks whether the code is right and was not used before (RFC 6238 §5.2). The time step of the code is stored, and
 * only later steps are accepted.
 */
export async function checkTotpCode(factorContext: FactorContext, typed: unknown): Promise<boolean> {
  const code = normalizeNumericCode(typed)
  if (code === undefined) return false
  for (const { id } of factorRecordsOf(factorContext, 'totp')) {
    const isRight = await updateFactorRecord(factorContext, { id }, (payload) => {
      const step = matchingTotpStep(secretIn(payload), code, Date.now())
      const { last } = payload
      return step === undefined || (typeof last === 'number' && step <= last) ? undefined : { ...payload, last: step }
    })
    if (isRight) return true
  }
  return false
}

/** The sealed secret of an authenticator app that is being added. */
export interface TotpSecret {
  readonly id: string
  readonly key: string
}

/** Creates a secret. Nothing is stored until the user enters its first code. */
export function createTotpSecret(): TotpSecret {
  return { id: randomText(12), key: randomBytes(secretLength).toString('base64url') }
}

/** Returns the secret in groups of four, for users who cannot scan, and the URI of the QR code. */
export function describeTotp(
  { context: { config, urls } }: Pick<FactorContext, 'context'>,
  { issuer }: FactorKindOf<'totp'>,
  { key, account }: { key: string; account: string },
) {
  const bytes = Buffer.from(key, 'base64url')
  const uri = totpKeyUri(bytes, { issuer: issuer ?? config.theme.name ?? urls.host, account })
  return { secret: base32(bytes).replace(/(.{4})(?=.)/g, '$1 '), uri }
}

/**
 * Stores the secret if its code is right. The step of the code is then used. @returns `false` for a wrong code, or if
 * the user has too many apps.
 */
export async function addTotpFactor(
  factorContext: FactorContext,
  { id, key }: TotpSecret,
  typed: { readonly code?: unknown; readonly name?: unknown },
): Promise<boolean> {
  const code = normalizeNumericCode(typed.code)
  const step = code === undefined ? undefined : matchingTotpStep(Buffer.from(key, 'base64url'), code, Date.now())
  if (step === undefined || factorRecordsOf(factorContext, 'totp').length >= maxTotpApps) return false
  return writeFactorRecord(factorContext, {
    id,
    type: 'totp',
    payload: { key, last: step },
    name: normalizeFactorName(typed.name),
    usedAt: new Date(),
  })
}

/** Normalizes the name that the user gave, to one line; `null` if it is empty. */
function normalizeFactorName(typed: unknown): string | null {
  const text = typeof typed === 'string' ? typed.replace(/\p{Cc}+/gu, ' ').trim() : ''
  return text === '' ? null : [...text].slice(0, 64).join('')
}

function secretIn({ key }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(typeof key === 'string' ? key : '', 'base64url')
}

/* TOTP. */

// Codes of authenticator apps (RFC 6238, RFC 4226): SHA-1, six digits, thirty seconds, as all apps support them.

const digits = 6
/** Seconds. */
const period = 30
/** Bytes of a secret: the length of the hash (RFC 4226 §4, R6). */
export const secretLength = 20

/** Returns the step of a time. @param now Milliseconds since the epoch. */
export function totpStepAt(now: number): number {
  return Math.floor(now / 1000 / period)
}

/** Returns the code of a step (RFC 4226 §5.3). */
export function totpCodeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the step that a code belongs to: the current one or a neighbour, for clocks that differ (RFC 6238 §5.2). All
 * three are always compared, so that the time taken reveals nothing.
 */
export function matchingTotpStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const current = totpStepAt(now)
  const found = [current, current - 1, current + 1].filter((step) => equalText(totpCodeAt(secret, step), code))
  return found[0]
}

/** Normalizes a typed code, without spaces and hyphens; `undefined` if it cannot be a code. */
export function normalizeNumericCode(typed: unknown): string | undefined {
  const code = typeof typed === 'string' && typed.length <= 32 ? typed.replace(/[\s-]/g, '') : ''
  return /^\d{6}$/.test(code) ? code : undefined
}

/** Returns the URI of the QR code (Key Uri Format). Apps show the issuer, and distinguish accounts by name. */
export function totpKeyUri(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  // A colon separates issuer and account.
  const label = [issuer, account].map((text) => encodeURIComponent(text.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes by RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
