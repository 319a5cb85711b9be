/**
 * `A256CBC-HS512` in compact JWE with a shared key (`alg: dir`; RFC 7516 §3.1, RFC 7518 §5.2.5), by Node's
 * cryptography: the codec of session tokens, which are decrypted on every request.
 *
 * A token is `header..iv.ciphertext.tag`, each part in base64url. The key is 64 bytes: the first half authenticates,
 * the second encrypts. The tag is the first half of HMAC-SHA-512 over the header's text, the IV, the ciphertext and the
 * length of the header's text in bits. It is compared in constant time before anything is decrypted. All failures look
 * the same, so an attacker who changes a token learns nothing about its padding.
 */
import type { Hmac, KeyObject } from 'node:crypto'
import { base64urlAlphabet, firstBytesOf, nodeCrypto, toBase64url } from './platform.js'
import { randomBytes } from './random.js'

/** The two halves of a key, ready for use. */
export interface CbcHmacKey {
  readonly authentication: KeyObject
  readonly encryption: KeyObject
}

const ivBytes = 16
const blockBytes = 16
const tagBytes = 32

/** Prepares a key of 64 bytes. @throws RangeError for another length. */
export function prepareKey(bytes: Uint8Array): CbcHmacKey {
  if (bytes.length !== 64) throw new RangeError('A key of A256CBC-HS512 has 64 bytes.')
  const { createSecretKey } = nodeCrypto()
  return {
    authentication: createSecretKey(bytes.subarray(0, 32)),
    encryption: createSecretKey(bytes.subarray(32)),
  }
}

/** Encrypts a text under a protected header that is already in base64url. */
export function sealText(header: string, text: string, key: CbcHmacKey): string {
  const iv = randomBytes(ivBytes)
  const cipher = nodeCrypto().createCipheriv('aes-256-cbc', key.encryption, iv)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  // As text: a digest in a Buffer costs as much as the hash.
  const tag = firstBytesOf(authenticate(key, header, iv, ciphertext).digest('base64url'), tagBytes)
  return `${header}..${toBase64url(iv)}.${ciphertext.toString('base64url')}.${tag}`
}

/**
 * Decrypts a compact JWE whose header is known to name this encryption.
 *
 * @returns The plaintext as UTF-8 text; `null` for every token that was not encrypted under this key.
 */
export function openText(token: string, key: CbcHmacKey): string | null {
  const [header = '', encryptedKey, iv64 = '', ciphertext64 = '', tag64 = '', ...others] = token.split('.')
  if (encryptedKey !== '' || others.length > 0 || Buffer.byteLength(token) !== token.length) return null
  const iv = decodePart(iv64)
  const ciphertext = decodePart(ciphertext64)
  const tag = decodePart(tag64)
  if (iv?.length !== ivBytes || tag?.length !== tagBytes || !ciphertext) return null
  const expected = authenticate(key, header, iv, ciphertext).digest().subarray(0, tagBytes)
  if (!nodeCrypto().timingSafeEqual(tag, expected)) return null
  // The token was made with the key, so failures from here on reveal nothing to an attacker.
  if (ciphertext.length === 0 || ciphertext.length % blockBytes !== 0) return null
  try {
    const decipher = nodeCrypto().createDecipheriv('aes-256-cbc', key.encryption, iv)
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

/**
 * Decodes a part. Returns `null` for another spelling of the same bytes (RFC 7515 §2: no padding, one alphabet).
 *
 * Node accepts both alphabets, stops at padding, skips other characters and drops leftover bits. Each of these shows in
 * the length, in the characters or in the last character.
 */
function decodePart(part: string): Buffer | null {
  if (part.includes('+') || part.includes('/')) return null
  const bytes = Buffer.from(part, 'base64url')
  const isWhole = bytes.length === Math.floor((part.length * 3) / 4)
  return isWhole && (finalCharacters[part.length % 4]?.includes(part.charAt(part.length - 1)) ?? false) ? bytes : null
}

/** The last characters that leave no bits over, by the number of characters beyond a multiple of four. */
const finalCharacters = [base64urlAlphabet, undefined, 'AQgw', 'AEIMQUYcgkosw048']

/** Returns the HMAC whose first half is the tag. */
function authenticate({ authentication }: CbcHmacKey, header: string, iv: Uint8Array, ciphertext: Buffer): Hmac {
  const hmac = nodeCrypto().createHmac('sha512', authentication)
  // The header is ASCII: each character is one byte.
  const headerBits = Buffer.alloc(8)
  headerBits.writeUInt32BE(header.length * 8, 4)
  return hmac.update(header, 'latin1').update(iv).update(ciphertext).update(headerBits)
}
