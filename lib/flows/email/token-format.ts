/** The format of the token of an email link, and of its stored hash. */
import type { ResolvedEmailProvider } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'

/** The minimum length of a token. All shorter ones could be tried. */
export const minTokenLength = 6
export const maxTokenLength = 512
/** The length from which a token is treated as long. So many random characters have over 60 bits in any alphabet. */
const longTokenLength = 20

/** Checks whether a value can be a token at all. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= minTokenLength && value.length <= maxTokenLength
}

/** Checks whether a token is short enough for a user to type, and so for a stranger to guess. */
export function isShortCode(token: string): boolean {
  return token.length < longTokenLength
}

/**
 * Returns the hashes of a token, one for each secret. The token is valid for this provider and address only.
 *
 * @param stamp The value of the user's security stamp. A link that was sent before the stamp changed is no longer
 *   valid.
 */
export function tokenHashes(provider: ResolvedEmailProvider, address: string, token: string, stamp = ''): string[] {
  return keyedHashes(provider, 'email token', [provider.id, address, token, ...(stamp === '' ? [] : [stamp])])
}
