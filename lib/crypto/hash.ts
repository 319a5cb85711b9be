/** Hashes and constant-time comparisons. */
import type { KeyObject } from 'node:crypto'
import { firstBytesOf, nodeCrypto } from './platform.js'

/** Returns a keyed hash (HMAC-SHA-256) in hexadecimal. */
export function hmac(key: KeyObject, text: string): string {
  return nodeCrypto().createHmac('sha256', key).update(text).digest('hex')
}

/** Returns the first 128 bits of a keyed hash: 22 characters of base64url. */
export function shortHmac(key: KeyObject, text: string): string {
  // As text: a digest in a Buffer costs as much as the hash.
  return firstBytesOf(nodeCrypto().createHmac('sha256', key).update(text).digest('base64url'), 16)
}

/** Compares two texts in constant time. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [sha256(a), sha256(b)]
  return nodeCrypto().timingSafeEqual(left, right)
}

/** Returns SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return nodeCrypto().hash('sha256', text, 'buffer')
}

/** Returns SHA-256 of a text's UTF-8 bytes in lower-case hexadecimal. */
export function sha256Hex(text: string): string {
  return nodeCrypto().hash('sha256', text, 'hex')
}

/** Returns SHA-256 of a text as 43 characters of base64url. */
export function shortHash(text: string): string {
  return nodeCrypto().hash('sha256', text, 'base64url')
}

/**
 * Returns the hash by which an id_token refers to another token: the left half, by the hash of the signature's
 * algorithm (OpenID Connect Core §3.1.3.6). Returns `undefined` for an unknown algorithm.
 */
export function tokenHash(algorithm: string, token: string): string | undefined {
  const bits = /^(?:EdDSA|Ed25519)$/.test(algorithm) ? '512' : /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(algorithm)?.[1]
  if (bits === undefined) return undefined
  const digest = nodeCrypto().createHash(`sha${bits}`).update(token).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
