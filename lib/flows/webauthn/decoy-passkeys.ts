/**
 * Made-up passkeys for addresses without any: a stranger who types somebody's address must not learn from the answer whether
 * that person has an account (WebAuthn Level 3 §14.6.2).
 */
import type { ResolvedConfig } from '../../contracts/index.js'
import { hmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'

/** Lengths of ids in bytes, as often as they occur: most passkeys are on phones and in password managers, with short ids. */
const lengths = [16, 20, 32, 16, 20, 32, 48, 64, 80, 96]

/** Ids in base64url; the same for the same address each time. */
export function decoyPasskeys({ secrets }: ResolvedConfig, provider: string, address: string): string[] {
  // The oldest secret: a new one in front would change all made-up ids at once, while real ones stay the same.
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
