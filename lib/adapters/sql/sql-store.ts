/** `sqlStore`: a store in one database. */
import type { LogStore, Store } from '../../types/store.js'
import { createSqlCounter } from './counter.js'
import { type AnyKysely, type Database, type Dialect, detectDialect, toDatabase } from './database.js'
import { readDialect } from './layout.js'
import { createSqlLog } from './log.js'
import { createSqlRecords, type SqlRecordsOptions } from './record-store.js'

/** The options of {@link sqlStore}. */
export interface SqlStoreOptions {
  /** The dialect, if it cannot be detected from the Kysely instance. */
  dialect?: Dialect
}

/** The store of {@link sqlStore}. */
export interface SqlStore extends Store {
  /** The log of ended sessions, with all methods. */
  readonly log: Required<LogStore>
}

/**
 * Creates a store in a database, which all processes share. {@link migrate} creates its tables. Create it once, like
 * the Kysely instance. The database may differ from that of the adapter.
 *
 * `deleteUser` of {@link sqlAdapter} removes the records of a user in its own database. Expired records are removed
 * every hour, expired counts and ended sessions every ten minutes.
 *
 * @throws {TypeError} When an option is invalid.
 * @example
 * ```ts
 * const config = { providers: [Google], rateLimit: { store: sqlStore(db) } }
 * ```
 */
export function sqlStore(db: AnyKysely, options: SqlStoreOptions = {}): SqlStore {
  const database = toDatabase(db)
  return createSqlStore(database, readDialect(options.dialect) ?? detectDialect(database))
}

/** Creates the store for a known dialect. */
export function createSqlStore(db: Database, dialect: Dialect, options?: SqlRecordsOptions): SqlStore {
  return {
    records: createSqlRecords(db, dialect, options),
    counter: createSqlCounter(db, dialect),
    log: createSqlLog(db, dialect),
  }
}
