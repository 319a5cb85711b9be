/** What the token of a mailed link looks like, in the mail and where it is stored. */
import type { ResolvedEmailProvider } from '../../contracts/index.js'
import { hmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'

/** Characters. Fewer could be tried out. */
export const minLength = 6
export const maxLength = 512
/** Characters. As many, at random, are over 60 bits in any alphabet; fewer may be few enough to be guessed. */
const lengthOfLong = 20

/** Whether a value can be a token at all. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= minLength && value.length <= maxLength
}

/** Whether a token is one that a person can type, and a stranger guess. */
export function isShortCode(token: string): boolean {
  return token.length < lengthOfLong
}

/** As it is stored, under each secret: good for this provider and address only. */
export function hashes({ id, secrets }: ResolvedEmailProvider, address: string, token: string): string[] {
  const text = JSON.stringify([id, address, token])
  return secrets.map((secret) => hmac(deriveKey(secret, 'server-auth email token key', { length: 32 }).bytes, text))
}
