/** Codes of authenticator apps (RFC 6238, on RFC 4226): SHA-1, six digits, thirty seconds, as all apps know them. */
import { createHmac } from 'node:crypto'
import { equalText } from '../../crypto/hash.js'

const digits = 6
/** Seconds. */
const period = 30
/** Bytes of a secret: as many as the hash has (RFC 4226 §4, R6). */
export const secretLength = 20

/** The step that a time is in. @param now Milliseconds since the epoch. */
export function stepAt(now: number): number {
  return Math.floor(now / 1000 / period)
}

/** The code of a step (RFC 4226 §5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The step whose code it is: of now, or of the one before or after, for clocks that are a little off (RFC 6238 §5.2). All three are
 * compared, however early one is the same.
 */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  const current = stepAt(now)
  const found = [current, current - 1, current + 1].filter((step) => equalText(codeAt(secret, step), code))
  return found[0]
}

/** What a person typed, without the spaces that apps show; `undefined` where it cannot be a code. */
export function toCode(typed: unknown): string | undefined {
  const code = typeof typed === 'string' && typed.length <= 32 ? typed.replace(/[\s-]/g, '') : ''
  return /^\d{6}$/.test(code) ? code : undefined
}

/** What the QR code says (Key Uri Format). Apps show the issuer, and tell accounts apart by the name. */
export function keyUri(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  // A colon divides both.
  const label = [issuer, account].map((text) => encodeURIComponent(text.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${period}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
