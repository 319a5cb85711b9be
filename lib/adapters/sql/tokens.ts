/**
 * Provider tokens in a table, `auth_provider_tokens`. Each change is one statement, which asks for the version it was made for: so of
 * processes at once one writes and one renews. A lease ends by the database's clock.
 */
import { type Kysely, sql } from 'kysely'
import type { AccountKey } from '../../types/adapter.js'
import type { StoredTokens, TokenLease, TokenStore } from '../../types/tokens.js'
import { clocks } from './clock.js'
import { type Database, type Dialect, detectDialect, type Row, toDatabase } from './database.js'
import { readDialect } from './layout.js'
import { withAdvice } from './missing-table.js'
import { insertFirst } from './own-rows.js'
import { tokensTable as table } from './tokens-table.js'
import { fromColumn, isStorableId } from './values.js'

/** Options of {@link sqlTokens}. */
export interface SqlTokensOptions {
  /** The dialect, where it cannot be told from the Kysely instance. */
  dialect?: Dialect
}

/**
 * Keeps provider tokens in a database, for `tokens.store`, so that all processes use and renew the same ones. {@link migrate} makes its
 * table. Make it once, as the Kysely instance. The database need not be that of the adapter.
 *
 * `deleteUser` of {@link sqlAdapter} removes the rows of a user in its own database. No row is removed because it is old: a provider's
 * consent may last for years.
 *
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const config = { providers: [Google], adapter: sqlAdapter(db), tokens: { store: sqlTokens(db) } }
 * ```
 */
export function sqlTokens<Tables>(db: Kysely<Tables>, options: SqlTokensOptions = {}): TokenStore {
  const database = toDatabase(db)
  return createTokens(database, readDialect(options.dialect) ?? detectDialect(database))
}

/** The same where the dialect is known, or in a transaction. */
export function createTokens(db: Database, dialect: Dialect): TokenStore {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default', ownColumns: true })
  return {
    find: advised(async (key: AccountKey) => {
      if (!isStorable(key)) return null
      const row = await db.selectFrom(table).select(columns).where(isOf(key)).executeTakeFirst()
      return row ? toStored(row) : null
    }),
    findByUser: advised(async (userId: string, provider?: string) => {
      if (!isStorableId(userId) || (provider !== undefined && !isStorableId(provider))) return []
      const query = db.selectFrom(table).select(columns).where('userId', '=', userId)
      const chosen = provider === undefined ? query : query.where('provider', '=', provider)
      return (await chosen.orderBy('provider').orderBy('providerAccountId').execute()).map(toStored)
    }),
    write: advised(async (row: Omit<StoredTokens, 'version'>, previous: number) => {
      // The values stay out of the message: an id may be an address.
      if (!isStorable(row) || !isStorableId(row.userId)) throw new TypeError('An id cannot be stored exactly.')
      return previous === 0 ? insert(db, dialect, row) : update(db, dialect, row, previous)
    }),
    lease: advised(async (key: AccountKey, { version, leaseId, seconds }: TokenLease) => {
      if (!isStorable(key)) return false
      const now = clocks[dialect]
      const until = sql`${now} + ${sql.lit(Math.ceil(seconds * 1000))}`
      const query = db.updateTable(table).set({ leaseId, leaseUntil: until }).where(isOf(key))
      // Whoever holds it extends it.
      const isFree = sql<boolean>`(${sql.ref('leaseUntil')} <= ${now} or ${sql.ref('leaseId')} = ${leaseId})`
      const free = query.where('version', '=', version).where(isFree)
      return (await free.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    }),
    release: advised(async (key: AccountKey, leaseId: string) => {
      if (!isStorable(key)) return
      await db.updateTable(table).set(noLease).where(isOf(key)).where('leaseId', '=', leaseId).execute()
    }),
    remove: advised(async (key: AccountKey, userId: string) => {
      if (!isStorable(key) || !isStorableId(userId)) return
      await db.deleteFrom(table).where(isOf(key)).where('userId', '=', userId).execute()
    }),
  }
}

const columns = [
  'provider',
  'providerAccountId',
  'userId',
  'sealed',
  'version',
  'expiresAt',
  'scope',
  'needsConsent',
] as const

const noLease = { leaseId: null, leaseUntil: 0 }

function isStorable({ provider, providerAccountId }: AccountKey): boolean {
  return isStorableId(provider) && isStorableId(providerAccountId)
}

function isOf({ provider, providerAccountId }: AccountKey) {
  return sql<boolean>`${sql.ref('provider')} = ${provider} and ${sql.ref('providerAccountId')} = ${providerAccountId}`
}

async function insert(db: Database, dialect: Dialect, row: Omit<StoredTokens, 'version'>): Promise<boolean> {
  const { provider, providerAccountId } = row
  const values = { provider, providerAccountId, ...valuesOf(dialect, row), ...noLease, version: 1 }
  return insertFirst(db, dialect, { into: table, keys: ['provider', 'providerAccountId'], row: values })
}

async function update(
  db: Database,
  dialect: Dialect,
  row: Omit<StoredTokens, 'version'>,
  previous: number,
): Promise<boolean> {
  const change = { ...valuesOf(dialect, row), version: previous + 1 }
  const query = db.updateTable(table).set(change).where(isOf(row)).where('version', '=', previous)
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

function valuesOf(dialect: Dialect, { userId, sealed, expiresAt, scope, needsConsent }: Omit<StoredTokens, 'version'>) {
  return {
    userId,
    sealed,
    expiresAt: expiresAt === null ? null : Math.trunc(expiresAt),
    scope,
    needsConsent: dialect === 'postgres' ? needsConsent : Number(needsConsent),
    updatedAt: clocks[dialect],
  }
}

function toStored(row: Row): StoredTokens {
  return {
    provider: String(row.provider),
    providerAccountId: String(row.providerAccountId),
    userId: String(row.userId),
    sealed: String(row.sealed),
    version: Number(row.version),
    expiresAt: row.expiresAt === null ? null : Number(row.expiresAt),
    scope: row.scope === null ? null : String(row.scope),
    needsConsent: fromColumn('boolean', row.needsConsent) === true,
  }
}
