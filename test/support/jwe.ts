/** Makes JWEs that no well-behaved library makes: authentic, with any header and any payload (RFC 7516 §5.1, RFC 7518 §5.2.2). */
import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The key of session tokens, derived as the documentation says: independent of `lib/crypto/keys.ts`. */
export function documentedKey(secret: string, salt: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, `server-auth session key (${salt})`, 64))
}

/** An authentic A256CBC-HS512 token (`alg: dir` unless the header says otherwise). A string payload is taken as bytes. */
export function forge(key: Uint8Array, payload: unknown, header: Record<string, unknown> = {}): string {
  const protectedHeader = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', ...header })).toString(
    'base64url',
  )
  const plaintext = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key.subarray(32), iv)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const aad = Buffer.from(protectedHeader)
  const aadBits = Buffer.alloc(8)
  aadBits.writeBigUInt64BE(BigInt(aad.length * 8))
  const tag = createHmac('sha512', key.subarray(0, 32))
    .update(Buffer.concat([aad, iv, ciphertext, aadBits]))
    .digest()
    .subarray(0, 32)
  return [protectedHeader, '', ...[iv, ciphertext, tag].map((part) => part.toString('base64url'))].join('.')
}

/** The token with one bit of a part's bytes flipped. */
export function flipBit(token: string, part: number, bit = 0): string {
  const parts = token.split('.')
  const bytes = Buffer.from(parts[part] ?? '', 'base64url')
  const at = bit >> 3
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
  parts[part] = bytes.toString('base64url')
  return parts.join('.')
}
