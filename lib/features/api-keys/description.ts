/** The description of API keys. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { apiKeyRules } from './functions.js'

/**
 * API keys. `hash` is a keyed hash of the whole key, so that a copy of the table makes no key. `scopes` are separated by spaces. A
 * revoked key has no record, so that a concurrent write of `lastUsedAt` cannot restore it.
 */
export const apiKeysTable = {
  name: 'auth_api_keys',
  key: ['id'],
  by: 'userId',
  columns: {
    id: 'id',
    userId: 'id',
    hash: 'text',
    name: 'text',
    scopes: 'text',
    organizationId: 'text?',
    createdAt: 'time',
    expiresAt: 'time',
    lastUsedAt: 'time?',
  },
  version: true,
  expires: 'expiresAt',
  order: ['createdAt', 'id'],
  exported: ['id', 'name', 'scopes', 'organizationId', 'createdAt', 'expiresAt', 'lastUsedAt'],
} as const satisfies RecordTable

/** An API key, as it is stored. */
export type StoredApiKey = RecordOf<typeof apiKeysTable>

/** API keys. */
export const apiKeys = { tables: [apiKeysTable], functions: apiKeyRules } as const satisfies Description
