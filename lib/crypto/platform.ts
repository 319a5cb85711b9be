/**
 * Cryptography of the platform: Node's where it is there, else Web Cryptography for the little that reading a session in an
 * encrypted token takes. Asked for at run time, so that a bundler for an edge runtime finds no
 * import that it cannot resolve, and a runtime that has Node's modules needs no build of its own.
 */
import type { Awaitable } from '../types/identity.js'

type NodeCrypto = typeof import('node:crypto')

const found = findNodeCrypto()

/** An edge sandbox may show Node's functions and throw when they are called, as that of Next.js does. */
function findNodeCrypto(): NodeCrypto | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:crypto')
  } catch {
    return undefined
  }
}

/** Whether {@link nodeCrypto} has something to return. */
export const hasNodeCrypto = found !== undefined

/** Node's `crypto`. @throws Error on a runtime without it, which says what works there. */
export function nodeCrypto(): NodeCrypto {
  if (found) return found
  throw new Error(
    'This part of server-auth needs Node.js. An edge runtime can read JWT sessions with `auth()` and `getToken()`; sign-in, sign-out and database sessions run on the Node.js runtime.',
  )
}

/** Bytes as base64url text without padding (RFC 4648 §5). */
export function toBase64url(bytes: Uint8Array): string {
  if (found) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The bytes of base64url text. What is no base64url is the caller's to refuse, before. */
export function fromBase64url(text: string): Uint8Array {
  if (found) return Buffer.from(text, 'base64url')
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** HKDF-SHA-256 (RFC 5869). `length` is bytes. At once in Node. */
export function hkdf(secret: string, salt: string, label: string, length: number): Awaitable<Uint8Array> {
  return found
    ? new Uint8Array(found.hkdfSync('sha256', secret, salt, label, length))
    : hkdfByWeb(secret, salt, label, length)
}

/** HMAC-SHA-256 (RFC 2104), 43 characters of base64url. At once in Node. */
export function macOf(key: Uint8Array, text: string): Awaitable<string> {
  return found ? found.createHmac('sha256', key).update(text).digest('base64url') : macByWeb(key, text)
}

async function macByWeb(bytes: Uint8Array, text: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new Uint8Array(bytes), hmac, false, ['sign'])
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}

async function hkdfByWeb(secret: string, salt: string, label: string, length: number): Promise<Uint8Array> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  const params = { name: 'HKDF', hash: 'SHA-256', salt: bytes(salt), info: bytes(label) }
  return new Uint8Array(await crypto.subtle.deriveBits(params, key, length * 8))
}
