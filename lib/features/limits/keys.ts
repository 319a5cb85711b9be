/** The keys of counts: keyed hashes, so that a dump of a store shows no address and no name, and nobody can work a key out. */
import type { ResolvedConfig } from '../../contracts/index.js'
import { shortHmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'

/** @param what What is counted, and whom for. */
export function keyOf({ secrets }: Pick<ResolvedConfig, 'secrets'>, what: readonly string[]): string {
  return shortHmac(deriveKey(secrets[0], 'server-auth limits key', { length: 32 }).bytes, JSON.stringify(what))
}
