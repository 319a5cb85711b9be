/** Passkeys that nobody has, for addresses that nobody has: an answer must not tell who has an account (WebAuthn Level 3 §14.6.2). */
import type { ResolvedConfig } from '../../contracts/index.js'
import { hmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'

/** Lengths of ids in bytes, as they occur. Phones and password managers have the short ones, and most passkeys. */
const lengths = [16, 20, 32, 16, 20, 32, 48, 64, 80, 96]

/** Ids in base64url; the same for the same address each time. */
export function lookalikesOf({ secrets }: ResolvedConfig, provider: string, address: string): string[] {
  // The oldest secret: a new one in front must not change what stays the same for people who are there.
  const secret = secrets.at(-1) ?? ''
  const { bytes: key } = deriveKey(secret, 'server-auth passkey lookalike key', { length: 32 })
  const digest = (part: string) => Buffer.from(hmac(key, JSON.stringify([provider, address, part])), 'hex')
  const choice = digest('kind')
  // Most people have one passkey, some two.
  const count = (choice[0] ?? 0) < 64 ? 2 : 1
  return Array.from({ length: count }, (_, at) => {
    const length = lengths[(choice[at + 1] ?? 0) % lengths.length]
    const bytes = ['id', 'more', 'most'].map((part) => digest(`${part} ${at}`))
    return Buffer.concat(bytes).subarray(0, length).toString('base64url')
  })
}
