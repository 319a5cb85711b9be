/**
 * The platform's cryptography: Node's if available, else Web Cryptography, which covers only reading a session from an
 * encrypted token. It is looked up at run time, so bundlers for edge runtimes find no import that they cannot resolve,
 * and one build works everywhere.
 */
import type { KeyObject, webcrypto } from 'node:crypto'
import type { Awaitable } from '../types/identity.js'

type NodeCrypto = typeof import('node:crypto')

const platformCrypto = findNodeCrypto()

/**
 * Finds Node's `crypto`. Edge sandboxes such as that of Next.js may expose Node's functions and throw when they are
 * called.
 */
function findNodeCrypto(): NodeCrypto | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:crypto')
  } catch {
    return undefined
  }
}

/** True if {@link nodeCrypto} is available. */
export const hasNodeCrypto = platformCrypto !== undefined

/**
 * Returns Node's `crypto`.
 *
 * @throws Error on a runtime without it. The message says which functions work there.
 */
export function nodeCrypto(): NodeCrypto {
  if (platformCrypto) return platformCrypto
  throw new Error(
    'This part of server-auth needs Node.js. An edge runtime can read JWT sessions with `auth()` and `getToken()`; sign-in, sign-out and database sessions run on the Node.js runtime.',
  )
}

/** The characters of base64url by their value (RFC 4648 §5). */
export const base64urlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns the base64url of the first bytes of what a text encodes. */
export function firstBytesOf(text: string, bytes: number): string {
  const last = Math.ceil((bytes * 4) / 3) - 1
  const unusedBits = (last + 1) * 6 - bytes * 8
  const value = base64urlAlphabet.indexOf(text.charAt(last))
  return text.slice(0, last) + base64urlAlphabet.charAt((value >> unusedBits) << unusedBits)
}

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
export function toBase64url(bytes: Uint8Array): string {
  if (platformCrypto) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Decodes base64url. The caller must have rejected other text. */
export function fromBase64url(text: string): Uint8Array {
  if (platformCrypto) return Buffer.from(text, 'base64url')
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/**
 * Derives a key by HKDF-SHA-256 (RFC 5869). Synchronous in Node.
 *
 * @param length Bytes.
 */
export function hkdf(secret: string, salt: string, label: string, length: number): Awaitable<Uint8Array> {
  return platformCrypto
    ? new Uint8Array(platformCrypto.hkdfSync('sha256', secret, salt, label, length))
    : hkdfByWebCrypto(secret, salt, label, length)
}

/** An imported key for HMAC-SHA-256. Importing costs more than one hash, on Node 24 five times as much. */
export type MacKey = KeyObject | webcrypto.CryptoKey

/** Imports a key for {@link hmacBase64url}. Synchronous in Node. */
export function importMacKey(bytes: Uint8Array): Awaitable<MacKey> {
  if (platformCrypto) return platformCrypto.createSecretKey(bytes)
  return crypto.subtle.importKey('raw', new Uint8Array(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Returns HMAC-SHA-256 (RFC 2104) as 43 characters of base64url. Synchronous in Node. */
export function hmacBase64url(key: MacKey, text: string): Awaitable<string> {
  return 'usages' in key
    ? hmacByWebCrypto(key, text)
    : nodeCrypto().createHmac('sha256', key).update(text).digest('base64url')
}

async function hmacByWebCrypto(key: webcrypto.CryptoKey, text: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}

async function hkdfByWebCrypto(secret: string, salt: string, label: string, length: number): Promise<Uint8Array> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  const params = { name: 'HKDF', hash: 'SHA-256', salt: bytes(salt), info: bytes(label) }
  return new Uint8Array(await crypto.subtle.deriveBits(params, key, length * 8))
}
