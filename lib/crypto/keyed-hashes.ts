/** Keyed hashes of stored secrets, such as those of email links. */
import { perName } from '../base/memory.js'
import { equalText, hmac } from './hash.js'
import { macKeys } from './keys.js'

const keysOf = perName(macKeys)

/** Returns the hashes of the texts, one for each secret, with a key for this use only. The first one is stored. */
export function keyedHashes(
  { secrets }: { readonly secrets: readonly string[] },
  use: string,
  texts: readonly string[],
  hash = hmac,
): string[] {
  const text = JSON.stringify(texts)
  return secrets.map((secret) => hash(keysOf(use)(secret), text))
}

/** Checks whether a stored hash is one of these. */
export function includesHash(hashes: readonly string[], stored: string): boolean {
  return hashes.some((hash) => equalText(hash, stored))
}
