/** The application's private keys, as Web Crypto has them. */

import type { webcrypto } from 'node:crypto'
import { importJWK } from 'jose'
import { InvalidConfiguration } from '../../errors.js'
import type { PrivateJwk } from '../../types/protocol.js'

/** A key, ready for use. */
export interface ImportedKey {
  readonly key: webcrypto.CryptoKey
  readonly kid: string
  readonly alg: string
}

const imported = new WeakMap<PrivateJwk, Promise<ImportedKey>>()

/** Imports a key, once. @throws {@link InvalidConfiguration} for members that make no key. */
export function importKey(jwk: PrivateJwk): Promise<ImportedKey> {
  const known = imported.get(jwk) ?? importNow(jwk)
  imported.set(jwk, known)
  return known
}

async function importNow(jwk: PrivateJwk): Promise<ImportedKey> {
  const { kid, alg } = jwk
  try {
    // What else a file of keys says (`use`, `key_ops`) may be about another purpose.
    const { use: _use, key_ops: _operations, ext: _extractable, ...members } = jwk
    return { key: (await importJWK(members, alg)) as webcrypto.CryptoKey, kid, alg }
  } catch {
    // Its message may quote what is in the key.
    throw new InvalidConfiguration(
      `The private key "${kid}" cannot be imported for ${alg}: its members make no such key.`,
    )
  }
}
