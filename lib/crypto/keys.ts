/** Keys: one for each (secret, purpose, salt), derived once by HKDF-SHA-256 (RFC 5869). A key never serves two purposes. */
import { hkdfSync } from 'node:crypto'
import { base64url, calculateJwkThumbprint } from 'jose'
import { BoundedMap } from '../memory.js'
import type { ContentEncryption } from './jwe.js'

/** A derived symmetric key. */
export interface DerivedKey {
  readonly bytes: Uint8Array
  /** RFC 7638 thumbprint, the `kid` of tokens under this key. */
  readonly thumbprint: Promise<string>
}

/** Enough for every purpose, salt and secret of many configurations. */
const derived = new BoundedMap<string, DerivedKey>(512)

/** The key for a purpose. `label` is HKDF's `info`. Lengths are bytes. */
export function deriveKey(secret: string, label: string, options: { salt?: string; length: 32 | 64 }): DerivedKey {
  const { salt = '', length } = options
  const name = JSON.stringify([secret, label, salt, length])
  const known = derived.get(name)
  if (known) return known
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, label, length))
  const thumbprint = calculateJwkThumbprint(
    { kty: 'oct', k: base64url.encode(bytes) },
    length === 64 ? 'sha512' : 'sha256',
  )
  const key: DerivedKey = Object.freeze({ bytes, thumbprint })
  derived.set(name, key)
  return key
}

/** The key of session tokens under a salt (the cookie's name). */
export function sessionKey(secret: string, salt: string): DerivedKey {
  return deriveKey(secret, `server-auth session key (${salt})`, { salt, length: 64 })
}

/** The key of session tokens that Auth.js issued, read while an application moves over (`jwt.legacy`). */
export function legacySessionKey(secret: string, salt: string, encryption: ContentEncryption): DerivedKey {
  const length = encryption === 'A256CBC-HS512' ? 64 : 32
  return deriveKey(secret, `Auth.js Generated Encryption Key (${salt})`, { salt, length })
}
