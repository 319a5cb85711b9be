/**
 * A statement that runs at every request goes straight to the driver: for each query Kysely makes a dozen promises and objects
 * around it. Only where `connect` opened the database: a Kysely instance of the application's own may have plugins and a log.
 * A transaction is an instance of its own, and has no such way.
 */
import { type DatabaseConnection, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from 'kysely'
import type { Row } from './database.js'

/** Runs a statement, and gives its first row. */
export type FirstRow = (sql: string, parameters: readonly unknown[]) => Promise<Row | undefined>

/** A database with such a way. */
export interface Direct {
  /** `undefined` once it is closed. */
  readonly first: FirstRow | undefined
}

const ways = new WeakMap<object, () => FirstRow | undefined>()

/** The Kysely instance, with a direct way to its database. @param way Asked before each use: is it open, is it free. */
export function withDirectWay<Instance extends object>(db: Instance, way: () => FirstRow | undefined): Instance {
  ways.set(db, way)
  return db
}

/** The direct way to the database of a Kysely instance; `undefined` where there is none now. */
export function directWay(db: object): FirstRow | undefined {
  return ways.get(db)?.()
}

/** Kysely's dialect of SQLite, which also says whether somebody has its one connection. */
export class WatchedSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  #driver: WatchedDriver | undefined

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  /** Inside a transaction of somebody's one would see what may be undone. */
  get isFree(): boolean {
    return this.#driver?.users === 0
  }

  override createDriver(): SqliteDriver {
    this.#driver = new WatchedDriver(this.#config)
    return this.#driver
  }
}

class WatchedDriver extends SqliteDriver {
  /** Who has the connection, or waits for it. */
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
