/**
 * Sends the statement of every request directly to the driver: Kysely creates a dozen promises and objects for each
 * query. Only for databases that `connect` opened, because an application's own Kysely instance may have plugins and a
 * log. A transaction is a separate instance without this shortcut.
 */
import { type DatabaseConnection, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from 'kysely'
import type { Awaitable } from '../../types/identity.js'

/** The values of a row in the order of the statement's columns. An object with their names costs drivers more. */
export type RowValues = readonly unknown[]

/** Runs a statement and returns its first row: at once if the driver is synchronous. */
export type FirstRow = (sql: string, parameters: readonly unknown[]) => Awaitable<RowValues | undefined>

/** A database with direct reads. */
export interface DirectReads {
  /** The direct read; `undefined` once the database is closed. */
  readonly first: FirstRow | undefined
}

const directReads = new WeakMap<object, () => FirstRow | undefined>()

/**
 * Registers a direct read for a Kysely instance.
 *
 * @param way Called before each use. Returns the read if the database is open and free.
 */
export function registerDirectRead<Instance extends object>(db: Instance, way: () => FirstRow | undefined): Instance {
  directReads.set(db, way)
  return db
}

/** Returns the direct read of a Kysely instance; `undefined` when there is none now. */
export function directReadOf(db: object): FirstRow | undefined {
  return directReads.get(db)?.()
}

/** Kysely's SQLite dialect, which also shows whether its one connection is in use. */
export class WatchedSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  #driver: WatchedDriver | undefined

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  /** Checks whether the connection is free. During a transaction, a direct read would see changes that may be undone. */
  get isFree(): boolean {
    return this.#driver?.users === 0
  }

  override createDriver(): SqliteDriver {
    this.#driver = new WatchedDriver(this.#config)
    return this.#driver
  }
}

class WatchedDriver extends SqliteDriver {
  /** The number of users that have the connection or wait for it. */
  users = 0

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.users += 1
    try {
      return await super.acquireConnection()
    } catch (error) {
      this.users -= 1
      throw error
    }
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    this.users -= 1
  }
}
