/** `connect`: a Kysely instance from a URL, with drivers that are loaded when they are needed first. */
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { type Direct, WatchedSqliteDialect, withDirectWay } from './direct.js'
import { openMysql, openPostgres, openSqlite, type PoolOptions } from './drivers.js'

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** How many connections are open at once. Default 10. SQLite has one. */
  maxConnections?: number
  /** Seconds to wait for a connection, or in SQLite for another process that is writing. Default 5. */
  timeout?: number
  /**
   * PostgreSQL: seconds after which a statement without an answer is given up, and its connection closed. A server that fell
   * silent would otherwise keep the connection for good. What changes tables (`create`, `alter`, `drop`) has no limit.
   * Default 30.
   */
  statementTimeout?: number
  /**
   * PostgreSQL prepares each statement once in each connection, which takes much of its work away. Not through a pooler
   * that hands out connections by transaction and does not know prepared statements (PgBouncer before 1.21). Default
   * `false`. SQLite always does.
   */
  prepare?: boolean
}

/**
 * Opens a database by its URL:
 *
 * | URL | Driver to install |
 * |---|---|
 * | `postgres://user:password@host:5432/database`, `postgresql://…` | `pg` |
 * | `mysql://user:password@host:3306/database`, `mariadb://…` | `mysql2` |
 * | `sqlite:data/app.db`, `file:data/app.db`, `:memory:` | `better-sqlite3` or `libsql` |
 *
 * Nothing is opened before the first query. A new SQLite file is made for its owner alone (mode 0600); one that is there keeps
 * its mode. A database that was away is used again as soon as it is back. End it with
 * `db.destroy()`.
 *
 * @throws {TypeError} When the URL or an option is wrong. The message never holds the URL.
 * @example
 * ```ts
 * const db = connect('sqlite:data/app.db')
 * ```
 */
export function connect<Tables = unknown>(url: string, options: ConnectOptions = {}): Kysely<Tables> {
  const pool = readOptions(options)
  if (!url) throw new TypeError('`connect` got no URL. Is the variable set, and was the file read that sets it?')
  const scheme = /^[a-z]+:/i.exec(url)?.[0].toLowerCase()
  switch (url === ':memory:' ? 'sqlite:' : scheme) {
    case 'postgres:':
    case 'postgresql:': {
      return connectPostgres(readServer(url).href, pool)
    }
    case 'mysql:':
    case 'mariadb:': {
      const { href: uri, pathname } = readServer(url.replace(/^mariadb:/i, 'mysql:'))
      if (pathname.length < 2) throw new TypeError('The URL names no database: mysql://host/database.')
      return new Kysely({ dialect: new MysqlDialect({ pool: () => openMysql(uri, pool) }) })
    }
    case 'sqlite:':
    case 'file:': {
      return connectSqlite(readPath(url), pool)
    }
    default:
      throw new TypeError('The URL of a database begins with postgres://, mysql://, mariadb://, sqlite: or file:.')
  }
}

function connectPostgres<Tables>(url: string, options: PoolOptions): Kysely<Tables> {
  let opened: Direct | undefined
  const pool = async () => {
    const made = await openPostgres(url, options)
    opened = made
    return made
  }
  return withDirectWay(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), () => opened?.first)
}

function connectSqlite<Tables>(path: string, options: PoolOptions): Kysely<Tables> {
  let opened: Direct | undefined
  const database = async () => {
    const made = await openSqlite(path, options)
    opened = made
    return made
  }
  const dialect = new WatchedSqliteDialect({ database })
  return withDirectWay(new Kysely<Tables>({ dialect }), () => (dialect.isFree ? opened?.first : undefined))
}

function readOptions(options: ConnectOptions): PoolOptions {
  const { maxConnections = 10, timeout = 5, statementTimeout = 30, prepare = false } = options
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw new TypeError('`maxConnections` is a whole number above 0.')
  }
  return {
    maxConnections,
    milliseconds: readSeconds('timeout', timeout),
    statementMilliseconds: readSeconds('statementTimeout', statementTimeout),
    prepare,
  }
}

/** In milliseconds, and no more than a timer can wait. */
function readSeconds(name: string, seconds: number): number {
  if (typeof seconds !== 'number' || !(seconds > 0)) throw new TypeError(`\`${name}\` is a number of seconds above 0.`)
  return Math.min(seconds * 1000, 2 ** 31 - 1)
}

function readServer(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.hostname || parsed?.searchParams.has('host')) return parsed
  throw new TypeError(
    'The URL of the database cannot be read. Characters like @ and / in a password are percent-encoded.',
  )
}

/** `sqlite:a.db` and `sqlite:///a.db` as one reads them: relative, absolute. */
function readPath(url: string): string {
  const path = url.replace(/^(?:sqlite|file):(?:\/\/)?/i, '')
  if (path === '' || path === '/') throw new TypeError('The URL of the database names no file.')
  if (path.includes('?')) throw new TypeError('The URL of an SQLite database takes no parameters.')
  return /^file:\/\//i.test(url) ? decodeURIComponent(path) : path
}
