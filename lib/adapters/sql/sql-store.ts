/** `sqlStore`: the contracts of stores on one database. */
import type { Kysely } from 'kysely'
import type { LogStore, Store } from '../../types/store.js'
import { createCounter } from './counter.js'
import { type Database, type Dialect, detectDialect, toDatabase } from './database.js'
import { readDialect } from './layout.js'
import { createLog } from './log.js'
import { createRecords } from './record-store.js'

/** Options of {@link sqlStore}. */
export interface SqlStoreOptions {
  /** The dialect, where it cannot be told from the Kysely instance. */
  dialect?: Dialect
}

/** The store that {@link sqlStore} makes. */
export interface SqlStore extends Store {
  /** Keeps the ends of sessions, with all methods. */
  readonly log: Required<LogStore>
}

/**
 * Makes a store in a database, which all processes share. {@link migrate} makes its tables. Make it once, as the Kysely instance. The
 * database need not be that of the adapter.
 *
 * `deleteUser` of {@link sqlAdapter} removes the records of a user in its own database. Expired records are removed once an hour, expired
 * counts and ends of sessions every ten minutes.
 *
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const config = { providers: [Google], rateLimit: { store: sqlStore(db) } }
 * ```
 */
export function sqlStore<Tables>(db: Kysely<Tables>, options: SqlStoreOptions = {}): SqlStore {
  const database = toDatabase(db)
  return createSqlStore(database, readDialect(options.dialect) ?? detectDialect(database))
}

/** Makes the store where the dialect is known. @param pruneEvery Seconds after which expired records are removed again; 0: never. */
export function createSqlStore(db: Database, dialect: Dialect, pruneEvery?: number): SqlStore {
  return {
    records: createRecords(db, dialect, pruneEvery),
    counter: createCounter(db, dialect),
    log: createLog(db, dialect),
  }
}
