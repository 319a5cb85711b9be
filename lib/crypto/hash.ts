/** Hashes and comparisons. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Keyed hash (HMAC-SHA-256), hexadecimal. */
export function hmac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [sha256(a), sha256(b)]
  return timingSafeEqual(left, right)
}

/**
 * An id for a person of a provider where no database gives one: the same at each sign-in, and different for each
 * (provider, account), so two providers that use the same subject never meet in one user. A UUID (RFC 9562 §5.8).
 */
export function accountUuid(provider: string, providerAccountId: string): string {
  const bytes = sha256(JSON.stringify(['server-auth user', provider, providerAccountId])).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
