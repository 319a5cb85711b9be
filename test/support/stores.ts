/** Records of stores as tests look at them: typed, and without the guard of the engine. */
import { factorsTable, type NewFactor, type StoredFactor } from '../../lib/features/factors/description.js'
import {
  type PasswordAttempt,
  passwordAttemptsTable,
  passwordsTable,
  type StoredPassword,
} from '../../lib/features/passwords/description.js'
import { providerTokensTable, type StoredTokens } from '../../lib/features/tokens/description.js'
import type { AccountKey } from '../../lib/types/identity.js'
import type { NewRecord } from '../../lib/types/records.js'
import type { RecordLease, RecordStore, Store } from '../../lib/types/store.js'

type WithRecords = Pick<Store, 'records'>

/** The second factors in a store. */
export function factorsIn({ records }: WithRecords) {
  return {
    list: async (userId: string) => (await records.list(factorsTable, userId)) as readonly StoredFactor[],
    write: async (factor: NewFactor, previous: number) => records.write(factorsTable, factor, previous),
    remove: async (userId: string, id?: string) =>
      records.remove(factorsTable, id === undefined ? { userId } : { userId, id }),
  }
}

/** The passwords in a store, and those that are pending. */
export function passwordsIn({ records }: WithRecords) {
  return {
    find: async (userId: string) => (await records.find(passwordsTable, { userId })) as StoredPassword | null,
    write: async (password: NewRecord<typeof passwordsTable>, previous: number) =>
      records.write(passwordsTable, password, previous),
    remove: async (userId: string) => records.remove(passwordsTable, { userId }),
    keepAttempt: async (attempt: PasswordAttempt) => records.write(passwordAttemptsTable, attempt, 0),
    findAttempt: async (tokenHash: string) =>
      (await records.find(passwordAttemptsTable, { tokenHash })) as PasswordAttempt | null,
    takeAttempt: async (tokenHash: string) =>
      (await records.take(passwordAttemptsTable, { tokenHash })) as PasswordAttempt | null,
  }
}

/** The tokens of providers in a store. */
export function tokensIn({ records }: WithRecords) {
  const keyOf = ({ provider, providerAccountId }: AccountKey) => ({ provider, providerAccountId })
  return {
    find: async (key: AccountKey) => (await records.find(providerTokensTable, keyOf(key))) as StoredTokens | null,
    findByUser: async (userId: string, provider?: string) => {
      const rows = (await records.list(providerTokensTable, userId)) as readonly StoredTokens[]
      return rows.filter((row) => provider === undefined || row.provider === provider)
    },
    write: async (row: NewRecord<typeof providerTokensTable>, previous: number) =>
      records.write(providerTokensTable, row, previous),
    lease: async (key: AccountKey, lease: RecordLease) => records.lease(providerTokensTable, keyOf(key), lease),
    release: async (key: AccountKey, leaseId: string) => records.release(providerTokensTable, keyOf(key), leaseId),
    remove: async (key: AccountKey, userId: string) => records.remove(providerTokensTable, { ...keyOf(key), userId }),
  }
}

export type FactorRecords = ReturnType<typeof factorsIn>
export type TokenRecords = ReturnType<typeof tokensIn>

/** The store with other methods for its records. */
export function withRecords<S extends WithRecords>(store: S, methods: Partial<RecordStore>): S {
  return { ...store, records: { ...store.records, ...methods } }
}
