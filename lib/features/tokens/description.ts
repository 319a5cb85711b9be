/** The description of provider tokens. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { tokenRules } from './functions.js'

/**
 * Tokens of providers. `sealed` is the token set, encrypted and bound to the three ids. `expiresAt` is in seconds since the epoch. With
 * `needsConsent` the provider issues no more tokens until the user agrees again. No record is deleted by its age: a consent may last for years.
 */
export const providerTokensTable = {
  name: 'auth_provider_tokens',
  key: ['provider', 'providerAccountId'],
  by: 'userId',
  columns: {
    provider: 'id',
    providerAccountId: 'id',
    userId: 'id',
    sealed: 'longText',
    expiresAt: 'number?',
    scope: 'text?',
    needsConsent: 'boolean',
  },
  version: true,
  lease: true,
  exported: ['provider', 'providerAccountId', 'expiresAt', 'scope'],
} as const satisfies RecordTable

/** The tokens of one account at a provider. */
export type StoredTokens = RecordOf<typeof providerTokensTable>

/** Provider tokens. */
export const tokens = { tables: [providerTokensTable], functions: tokenRules } as const satisfies Description
