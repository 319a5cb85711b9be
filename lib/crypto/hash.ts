/** Hashes and comparisons. */
import { nodeCrypto } from './platform.js'

/** Keyed hash (HMAC-SHA-256), hexadecimal. */
export function hmac(key: Uint8Array, text: string): string {
  return nodeCrypto().createHmac('sha256', key).update(text).digest('hex')
}

/** Keyed hash, its first 128 bits: 22 characters of base64url. */
export function shortHmac(key: Uint8Array, text: string): string {
  return nodeCrypto().createHmac('sha256', key).update(text).digest().toString('base64url', 0, 16)
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [sha256(a), sha256(b)]
  return nodeCrypto().timingSafeEqual(left, right)
}

/** SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return nodeCrypto().hash('sha256', text, 'buffer')
}

/** SHA-256 of a text's UTF-8 bytes, hexadecimal in lower case. */
export function sha256Hex(text: string): string {
  return nodeCrypto().hash('sha256', text, 'hex')
}

/** SHA-256 of a text, 43 characters of base64url. */
export function shortHash(text: string): string {
  return sha256(text).toString('base64url')
}

/**
 * The hash by which an id_token names another token: the left half, by the hash of the signature's algorithm (OpenID
 * Connect Core §3.1.3.6). `undefined` for an algorithm whose hash we do not know.
 */
export function tokenHash(algorithm: string, token: string): string | undefined {
  const bits = /^(?:EdDSA|Ed25519)$/.test(algorithm) ? '512' : /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(algorithm)?.[1]
  if (bits === undefined) return undefined
  const digest = nodeCrypto().createHash(`sha${bits}`).update(token).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
