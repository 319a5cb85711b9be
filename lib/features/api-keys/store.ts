/** The records of API keys, and the keys that this process has revoked. */
import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import type { ResolvedApiKeys, ResolvedConfig } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { InvalidConfiguration } from '../../errors.js'
import { guardRecords } from '../../store/guard.js'
import type { Records } from '../../types/records.js'
import { apiKeysTable, type StoredApiKey } from './description.js'
import type { ApiKeyEntry } from './types.js'

/**
 * Returns the option `apiKeys`.
 *
 * @param caller The function or option that needs it, as it is written in messages.
 * @throws {@link InvalidConfiguration} without the option.
 */
export function requireApiKeysOption({ apiKeys }: ResolvedConfig, caller: string): ResolvedApiKeys {
  if (apiKeys) return apiKeys
  throw new InvalidConfiguration(
    `${caller} needs \`apiKeys\`. Set \`apiKeys: { store: true, prefix: 'acme', scopes: ['read'] }\`.`,
  )
}

/** Returns the records, behind the guard. */
export const keyRecordsOf = perOwner(
  ({ store, timeout }: ResolvedApiKeys): Records<typeof apiKeysTable> =>
    guardRecords(store, apiKeysTable, { keeps: 'API keys', timeout }),
)

/** Returns the hashes of a key, one for each secret. The first one is stored. */
export function keyHashes(config: ResolvedConfig, key: string): string[] {
  return keyedHashes(config, 'api key', [key])
}

/**
 * The ids of the keys that this process has revoked, for longer than a check is used again. A check that began before the
 * revocation must not bring a key back.
 */
export const revokedKeysOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 10 * 60_000, capacity: 100_000, hashOf: (id) => id }),
)

/** Returns the public values of a record. */
export function toEntry({
  id,
  name,
  scopes,
  organizationId,
  createdAt,
  expiresAt,
  lastUsedAt,
}: StoredApiKey): ApiKeyEntry {
  return {
    id,
    name,
    scopes: scopes.split(' '),
    organization: organizationId,
    createdAt,
    expires: expiresAt,
    lastUsedAt,
  }
}
