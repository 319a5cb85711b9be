/** `connect`: creates a Kysely instance from a URL. Drivers are loaded on first use. */
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { isCloudflareWorkers } from '../../base/runtime.js'
import { type DirectReads, registerDirectRead, WatchedSqliteDialect } from './direct-read.js'
import { openMysql, openPostgres, openSqlite, type PoolOptions } from './drivers.js'

/** The options of {@link connect}. */
export interface ConnectOptions {
  /** The number of connections. Default 10. SQLite has one. */
  maxConnections?: number
  /** Seconds to wait for a connection, or in SQLite for another process that writes. Default 5. */
  timeout?: number
  /**
   * PostgreSQL: the seconds after which a statement without a response is abandoned and its connection closed.
   * Otherwise a server that stops responding would keep the connection. Statements that change tables (`create`,
   * `alter`, `drop`) have no limit. Default 30.
   */
  statementTimeout?: number
  /**
   * PostgreSQL: prepares each statement once in each connection, which saves much of its work. Do not use it with a
   * pooler that assigns connections by transaction and does not support prepared statements (PgBouncer before 1.21).
   * Default `false`. SQLite always prepares statements.
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
 * It connects on the first query, and reconnects when a database is available again. A new SQLite file gets mode 0600;
 * the mode of an existing file is kept. Close it with `db.destroy()`.
 *
 * @throws {TypeError} When the URL or an option is invalid. The message never contains the URL.
 * @example
 * ```ts
 * const db = connect('sqlite:data/app.db')
 * ```
 */
export function connect<Tables = unknown>(url: string, options: ConnectOptions = {}): Kysely<Tables> {
  const pool = readConnectOptions(options)
  if (!url)
    throw new TypeError(
      '`connect` got no URL. Check that the environment variable is set, and that the file with it is loaded.',
    )
  const scheme = /^[a-z]+:/i.exec(url)?.[0].toLowerCase()
  switch (url === ':memory:' ? 'sqlite:' : scheme) {
    case 'postgres:':
    case 'postgresql:': {
      return connectPostgres(readServer(url).href, pool)
    }
    case 'mysql:':
    case 'mariadb:': {
      const { href: uri, pathname } = readServer(url.replace(/^mariadb:/i, 'mysql:'))
      if (pathname.length < 2) throw new TypeError('The URL contains no database name. Use mysql://host/database.')
      return new Kysely({ dialect: new MysqlDialect({ pool: () => openMysql(uri, pool) }) })
    }
    case 'sqlite:':
    case 'file:': {
      if (isCloudflareWorkers()) {
        throw new TypeError('Cloudflare Workers have no SQLite files. Use `d1Adapter` of server-auth/adapters/d1.')
      }
      return connectSqlite(readPath(url), pool)
    }
    default:
      throw new TypeError('The URL of a database must begin with postgres://, mysql://, mariadb://, sqlite: or file:.')
  }
}

function connectPostgres<Tables>(url: string, options: PoolOptions): Kysely<Tables> {
  let opened: DirectReads | undefined
  const pool = async () => {
    const made = await openPostgres(url, options)
    opened = made
    return made
  }
  return registerDirectRead(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), () => opened?.first)
}

function connectSqlite<Tables>(path: string, options: PoolOptions): Kysely<Tables> {
  let opened: DirectReads | undefined
  const database = async () => {
    const made = await openSqlite(path, options)
    opened = made
    return made
  }
  const dialect = new WatchedSqliteDialect({ database })
  return registerDirectRead(new Kysely<Tables>({ dialect }), () => (dialect.isFree ? opened?.first : undefined))
}

function readConnectOptions(options: ConnectOptions): PoolOptions {
  const { maxConnections = 10, timeout = 5, statementTimeout = 30, prepare = false } = options
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw new TypeError('`maxConnections` must be a whole number above 0.')
  }
  return {
    maxConnections,
    milliseconds: readSeconds('timeout', timeout),
    statementMilliseconds: readSeconds('statementTimeout', statementTimeout),
    prepare,
  }
}

/** Returns milliseconds, limited to the maximum of a timer. */
function readSeconds(name: string, seconds: number): number {
  if (typeof seconds !== 'number' || !(seconds > 0))
    throw new TypeError(`\`${name}\` must be a number of seconds above 0.`)
  return Math.min(seconds * 1000, 2 ** 31 - 1)
}

function readServer(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.hostname || parsed?.searchParams.has('host')) return parsed
  throw new TypeError('The URL of the database is invalid. Percent-encode characters such as @ and / in the password.')
}

/** Returns the path: relative in `sqlite:a.db`, absolute in `sqlite:///a.db`. */
function readPath(url: string): string {
  const path = url.replace(/^(?:sqlite|file):(?:\/\/)?/i, '')
  if (path === '' || path === '/') throw new TypeError('The URL of the database contains no file name.')
  if (path.includes('?')) throw new TypeError('The URL of an SQLite database cannot have parameters. Remove them.')
  return /^file:\/\//i.test(url) ? decodeURIComponent(path) : path
}
