/** What the token of a mailed link looks like in the mail, and what is stored of it. */
import type { ResolvedEmailProvider } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'

/** Characters of a token. Shorter ones could be found by trying them all. */
export const minLength = 6
export const maxLength = 512
/** Characters from which on a token counts as long. So many random ones have over 60 bits in any alphabet. */
const lengthOfLong = 20

/** Whether a value can be a token at all. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= minLength && value.length <= maxLength
}

/** Whether a token is short enough for a person to type, and so for a stranger to guess. */
export function isShortCode(token: string): boolean {
  return token.length < lengthOfLong
}

/**
 * Returns the hashes of a token, one for each secret: it is good for this provider and address only.
 *
 * @param stamp The value of the user's security stamp. A link that was sent before it changed is none any more.
 */
export function hashes(provider: ResolvedEmailProvider, address: string, token: string, stamp = ''): string[] {
  return keyedHashes(provider, 'email token', [provider.id, address, token, ...(stamp === '' ? [] : [stamp])])
}
