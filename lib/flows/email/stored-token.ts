/** Where the tokens of mailed links are kept: of each place the newest counts, and once. */

import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { ResolvedConfig, ResolvedEmailProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { Verification } from '../../errors.js'
import { storeOf } from '../../store/store-of.js'

/** Stores the hash of a token. Older ones of the identifier end. */
export async function keepToken(
  config: ResolvedConfig,
  provider: ResolvedEmailProvider,
  { identifier, hash, expires }: { identifier: string; hash: string; expires: Date },
): Promise<void> {
  const store = storeOf(config)
  if (store.can.deleteTokens) await store.deleteVerificationTokens(identifier)
  await store.createVerificationToken({ identifier, token: hash, expires })
  newestOf(config.memory).set(placeOf(provider, identifier), hash)
}

/**
 * Uses a token up.
 *
 * @param hashes As it may be stored: one for each secret.
 * @throws {@link Verification} when there is none like it, or it is too old.
 */
export async function spendToken(
  config: ResolvedConfig,
  provider: ResolvedEmailProvider,
  { identifier, hashes }: { identifier: string; hashes: readonly string[] },
): Promise<void> {
  const store = storeOf(config)
  const newest = newestOf(config.memory).get(placeOf(provider, identifier))
  for (const hash of hashes) {
    // Where the adapter cannot delete older tokens, at least this process knows better.
    if (newest !== undefined && newest !== hash && !store.can.deleteTokens) continue
    const used = await store.useVerificationToken({ identifier, token: hash })
    if (!used || used.identifier !== identifier || used.token !== hash) continue
    if (used.expires.getTime() <= Date.now()) throw new Verification('The link is too old.')
    if (store.can.deleteTokens) await store.deleteVerificationTokens(identifier)
    return
  }
  throw new Verification('There is no such link: it was used, replaced by a newer one, or never sent.')
}

/** The newest token's hash, by provider and identifier. */
const newestOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(10_000))

function placeOf({ id }: ResolvedEmailProvider, identifier: string): string {
  return shortHash(JSON.stringify([id, identifier]))
}
