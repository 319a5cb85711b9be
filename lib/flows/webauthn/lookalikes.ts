/** Passkeys that nobody has, for addresses that nobody has: an answer must not tell who has an account (WebAuthn Level 3 §14.6.2). */
import type { ResolvedConfig } from '../../context.js'
import { hmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'

/** A passkey as it is named to a browser. */
export interface NamedCredential {
  readonly id: string
  readonly transports: string[]
}

/** Lengths of ids in bytes, and transports, as they occur together. */
const kinds: ReadonlyArray<{ readonly length: number; readonly transports: string[] }> = [
  { length: 20, transports: ['hybrid', 'internal'] },
  { length: 16, transports: ['hybrid', 'internal'] },
  { length: 32, transports: ['internal'] },
  { length: 64, transports: ['usb'] },
  { length: 48, transports: ['nfc', 'usb'] },
]

/** The same for the same address each time. */
export function lookalikesOf({ secrets }: ResolvedConfig, provider: string, address: string): NamedCredential[] {
  // The oldest secret: a new one in front must not change what stays the same for people who are there.
  const secret = secrets.at(-1) ?? ''
  const { bytes: key } = deriveKey(secret, 'server-auth passkey lookalike key', { length: 32 })
  const digest = (part: string) => Buffer.from(hmac(key, JSON.stringify([provider, address, part])), 'hex')
  const choice = digest('kind')
  // Most people have one passkey, some two.
  const count = (choice[0] ?? 0) < 64 ? 2 : 1
  return Array.from({ length: count }, (_, at) => {
    const kind = kinds[(choice[at + 1] ?? 0) % kinds.length] ?? { length: 32, transports: [] }
    const bytes = Buffer.concat([digest(`id ${at}`), digest(`more ${at}`)]).subarray(0, kind.length)
    return { id: bytes.toString('base64url'), transports: [...kind.transports] }
  })
}
