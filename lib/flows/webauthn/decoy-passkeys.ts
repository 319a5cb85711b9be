/**
 * Made-up passkeys for email addresses without any, so that the response does not reveal whether an address has an
 * account (WebAuthn Level 3 §14.6.2).
 */
import type { ResolvedConfig } from '../../contracts/index.js'
import { hmac } from '../../crypto/hash.js'
import { macKeys } from '../../crypto/keys.js'

const decoyKey = macKeys('passkey lookalike')

/**
 * The lengths of ids in bytes, as often as they occur: most passkeys are on phones and in password managers, with short
 * ids.
 */
const lengths = [16, 20, 32, 16, 20, 32, 48, 64, 80, 96]

/** Returns ids in base64url, always the same ones for the same address. */
export function decoyPasskeys({ secrets }: ResolvedConfig, provider: string, address: string): string[] {
  // The oldest secret is used. A new one in front would change all made-up ids at once, while real ones stay the same.
  const secret = secrets.at(-1) ?? ''
  const key = decoyKey(secret)
  const digest = (part: string) => Buffer.from(hmac(key, JSON.stringify([provider, address, part])), 'hex')
  const choice = digest('kind')
  // Most users have one passkey, some two.
  const count = (choice[0] ?? 0) < 64 ? 2 : 1
  return Array.from({ length: count }, (_, at) => {
    const length = lengths[(choice[at + 1] ?? 0) % lengths.length]
    const bytes = ['id', 'more', 'most'].map((part) => digest(`${part} ${at}`))
    return Buffer.concat(bytes).subarray(0, length).toString('base64url')
  })
}
