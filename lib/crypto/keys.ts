/** Derives one key for each (secret, purpose, salt) by HKDF-SHA-256 (RFC 5869), once. No key has two purposes. */

import type { KeyObject } from 'node:crypto'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { BoundedMap, cachedSecrets, perName } from '../base/memory.js'
import type { Awaitable } from '../types/identity.js'
import { loadJose } from './jose.js'
import { hasNodeCrypto, hkdf, importMacKey, type MacKey, nodeCrypto, toBase64url } from './platform.js'

/** The content encryptions in use (RFC 7518 §5). */
export type ContentEncryption = 'A256CBC-HS512' | 'A256GCM'

/** The encryption of session tokens. */
export const sessionEncryption = 'A256CBC-HS512'

/** A derived symmetric key. */
export interface DerivedKey {
  readonly bytes: Uint8Array
  /** The RFC 7638 thumbprint: the `kid` of tokens under this key. */
  readonly thumbprint: Awaitable<string>
}

/** The inputs of a derivation. `label` is HKDF's `info`; `length` is in bytes. */
interface Derivation {
  readonly secret: string
  readonly label: string
  readonly salt: string
  readonly length: 32 | 64
}

/** Large enough for the purposes, salts and secrets of many configurations. */
const derivedKeyCache = new BoundedMap<string, DerivedKey>(512)
const sessionKeyCache = new BoundedMap<string, Awaitable<DerivedKey>>(512)

/**
 * Derives the key of a purpose. Needs Node.
 *
 * @param label HKDF's `info`.
 * @param options `length` is in bytes.
 */
export function deriveKey(secret: string, label: string, options: { salt?: string; length: 32 | 64 }): DerivedKey {
  const { salt = '', length } = options
  return deriveOnce(derivedKeyCache, { secret, label, salt, length }, () =>
    toDerivedKey(new Uint8Array(nodeCrypto().hkdfSync('sha256', secret, salt, label, length))),
  )
}

/** Creates the function that returns the HMAC key of a purpose by secret. Each key is derived once. Needs Node. */
export function macKeys(purpose: string): (secret: string) => KeyObject {
  return perSecret((secret) => {
    const { bytes } = deriveKey(secret, `server-auth ${purpose} key`, { length: 32 })
    return nodeCrypto().createSecretKey(bytes)
  })
}

/** Creates one key for each secret, on first use. */
function perSecret<Key extends object>(make: (secret: string) => Key): (secret: string) => Key {
  return perName(make, cachedSecrets)
}

/**
 * Derives the key of session tokens. Synchronous in Node, asynchronous on edge runtimes.
 *
 * @param salt The name of the session cookie.
 */
export function sessionKey(secret: string, salt: string): Awaitable<DerivedKey> {
  return deriveSessionKey({ secret, label: `server-auth session key (${salt})`, salt, length: 64 })
}

/** Creates a function that returns the keys of session tokens under a salt and caches them. */
export function sessionKeys(
  salt: string,
): (secret: string, used: ContentEncryption) => Awaitable<DerivedKey> | undefined {
  const keyOf = perSecret((secret) => sessionKey(secret, salt))
  return (secret, used) => (used === sessionEncryption ? keyOf(secret) : undefined)
}

/** Derives the key of session tokens that Auth.js issued, for migrating applications (`jwt.legacy`). */
export function legacySessionKey(secret: string, salt: string, encryption: ContentEncryption): Awaitable<DerivedKey> {
  const length = encryption === 'A256CBC-HS512' ? 64 : 32
  return deriveSessionKey({ secret, label: `Auth.js Generated Encryption Key (${salt})`, salt, length })
}

/**
 * Returns the key by which a browser proves that a session started in it. Synchronous in Node, asynchronous on edge
 * runtimes.
 */
export const sessionProofKey: (secret: string) => Awaitable<MacKey> = perSecret((secret) =>
  mapMaybePromise(hkdf(secret, '', 'server-auth session proof key', 32), importMacKey),
)

function deriveSessionKey(derivation: Derivation): Awaitable<DerivedKey> {
  const { secret, label, salt, length } = derivation
  return deriveOnce(sessionKeyCache, derivation, () => {
    const bytes = hkdf(secret, salt, label, length)
    return bytes instanceof Uint8Array ? toDerivedKey(bytes) : bytes.then(toDerivedKey)
  })
}

function deriveOnce<T>(keys: Map<string, T>, { secret, label, salt, length }: Derivation, derive: () => T): T {
  // The lengths mark where each text ends.
  const name = `${label.length} ${salt.length} ${length} ${label}${salt}${secret}`
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = derive()
  keys.set(name, key)
  return key
}

function toDerivedKey(bytes: Uint8Array): DerivedKey {
  return Object.freeze({ bytes, thumbprint: thumbprintOf(bytes) })
}

/** Returns the RFC 7638 thumbprint: the hash of the key's required members in their order. */
function thumbprintOf(bytes: Uint8Array): Awaitable<string> {
  const digest = bytes.length === 64 ? 'sha512' : 'sha256'
  const k = toBase64url(bytes)
  if (!hasNodeCrypto) return loadJose().then((jose) => jose.calculateJwkThumbprint({ kty: 'oct', k }, digest))
  return nodeCrypto()
    .createHash(digest)
    .update(JSON.stringify({ k, kty: 'oct' }))
    .digest('base64url')
}
