/** The descriptions of the tables that stores keep records in. Drivers, guards, migrations, pruning and contract suites follow them. */
import type { ColumnType, RecordLease, RecordTable } from '../types/store.js'

/** Second factors, remembered browsers, and sign-ins that wait for a second factor. Secrets in `data` are sealed or hashed. */
export const factorsTable = {
  name: 'auth_factors',
  key: ['userId', 'id'],
  by: 'userId',
  columns: {
    userId: 'id',
    id: 'id',
    type: 'text',
    name: 'text?',
    data: 'longText',
    createdAt: 'time',
    usedAt: 'time?',
    expiresAt: 'time?',
  },
  version: true,
  expires: 'expiresAt',
  order: ['createdAt', 'id'],
} as const satisfies RecordTable

/** Hashes of passwords. `changedAt` is when the user set the password: hashing the same password again leaves it. */
export const passwordsTable = {
  name: 'auth_passwords',
  key: ['userId'],
  by: 'userId',
  columns: { userId: 'id', hash: 'text', changedAt: 'time' },
  version: true,
} as const satisfies RecordTable

/**
 * Passwords that are pending until their owner verifies an email address, and links to set a new one. `tokenHash` is a hash of a secret that
 * only the mail has. Anybody can make such records.
 */
export const passwordAttemptsTable = {
  name: 'auth_password_attempts',
  key: ['tokenHash'],
  columns: { tokenHash: 'id', identifier: 'text', data: 'text', expires: 'time' },
  version: false,
  expires: 'expires',
  evict: 'identifier',
} as const satisfies RecordTable

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
} as const satisfies RecordTable

/** All tables of records. */
export const recordTables: readonly RecordTable[] = [
  factorsTable,
  passwordsTable,
  passwordAttemptsTable,
  providerTokensTable,
]

/* ---- types ---------------------------------------------------------------------------------------------------- */

interface Values {
  readonly id: string
  readonly text: string
  readonly longText: string
  readonly number: number
  readonly boolean: boolean
  readonly time: Date
}

type ValueOf<C extends ColumnType> = C extends keyof Values
  ? Values[C]
  : C extends `${infer Base extends keyof Values}?`
    ? Values[Base] | null
    : never

/** A record to be written to a table. */
export type NewRecord<T extends RecordTable> = { readonly [C in keyof T['columns']]: ValueOf<T['columns'][C]> }

/** A record of a table, as it is stored. */
export type RecordOf<T extends RecordTable> = NewRecord<T> &
  (T['version'] extends true ? { readonly version: number } : unknown)

/** The key of a record. */
export type KeyOf<T extends RecordTable> = { readonly [C in T['key'][number]]: string }

/** A table whose methods answer in time, or reject with `AdapterError` (`store/guard`). Their results have the types that the description names. */
export interface Records<T extends RecordTable> {
  find(key: KeyOf<T>): Promise<RecordOf<T> | null>
  /** Returns the records that have not expired, in the order of the description. */
  list(by: string): Promise<ReadonlyArray<RecordOf<T>>>
  write(record: NewRecord<T>, previous: number): Promise<boolean>
  take(key: KeyOf<T>): Promise<RecordOf<T> | null>
  /** Removes the records with these values: of `by`, of the key, or of both. Returns their number. */
  remove(where: Where<T>): Promise<number>
  lease(key: KeyOf<T>, lease: RecordLease): Promise<boolean>
  release(key: KeyOf<T>, leaseId: string): Promise<void>
}

/** The columns by which records are removed. Further properties are ignored. */
type Where<T extends RecordTable> = { readonly [C in T['key'][number] | NonNullable<T['by']>]?: string }

/** A second factor, or what is pending beside it. */
export type StoredFactor = RecordOf<typeof factorsTable>
/** A second factor to be written. */
export type NewFactor = NewRecord<typeof factorsTable>
/** The password of a user. The hash is `!` where the password was removed: no password has this hash. */
export type StoredPassword = RecordOf<typeof passwordsTable>
/** A pending password, or the newest link to set one. */
export type PasswordAttempt = RecordOf<typeof passwordAttemptsTable>
/** The tokens of one account at a provider. */
export type StoredTokens = RecordOf<typeof providerTokensTable>
