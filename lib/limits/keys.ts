/** The keys of counts: keyed hashes, so that a dump of a store shows no address and no name, and nobody can work a key out. */
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHmac } from '../crypto/hash.js'
import { deriveKey } from '../crypto/keys.js'

/** @param what What is counted, and whom for. */
export function keyOf({ secrets }: Pick<ResolvedConfig, 'secrets'>, what: readonly string[]): string {
  return shortHmac(deriveKey(secrets[0], 'server-auth limits key', { length: 32 }).bytes, JSON.stringify(what))
}

/**
 * One spelling for all that an application or its database may take for the same name. Otherwise each way to write a name would
 * have a count of its own: letters in upper case, full width or with accents (which most collations of MySQL ignore), `ß` for `ss`,
 * and spaces and marks that nobody sees. That two people share a count by it, whose names are so alike, does no harm.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}\s]/gu, '')
}
