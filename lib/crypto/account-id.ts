/** Account ids, and user ids that are derived from them. */
import { sha256 } from './hash.js'

/** The longest id, in characters: OpenID Connect Core §8 allows 255 for a subject. */
const maxAccountIdLength = 255

/**
 * Converts an account id to text: a non-empty string or an integer. Returns `undefined` for other values, which must
 * not become ids.
 */
export function toAccountId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxAccountIdLength ? value : undefined
}

/**
 * Returns the id of a provider's user where no database assigns one. It is the same at each sign-in and differs for
 * each (provider, account), so two providers with the same subject do not share a user. A UUID (RFC 9562 §5.8).
 */
export function accountUuid(provider: string, providerAccountId: string): string {
  const bytes = sha256(JSON.stringify(['server-auth user', provider, providerAccountId])).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Checks whether a text may be an {@link accountUuid}. */
export function isAccountUuid(text: string | undefined): text is string {
  return text !== undefined && /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(text)
}
