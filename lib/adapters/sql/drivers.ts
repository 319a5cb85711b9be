/**
 * Loads and configures the drivers. A connection that breaks while idle must not end the process. Bundlers are told to
 * keep the imports, because an application installs only one driver.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { MysqlPool, PostgresPool, SqliteDatabase } from 'kysely'
import { isMissingPackage, throwAgain } from '../../base/runtime.js'
import type { DirectReads } from './direct-read.js'
import { type SqliteConnection, withPostgresStatements, withSqliteStatements } from './prepared-statements.js'

/** The limits of a pool. */
export interface PoolOptions {
  readonly maxConnections: number
  /** The time to wait for a connection or a lock. */
  readonly milliseconds: number
  /** PostgreSQL only: the time limit of a statement. */
  readonly statementMilliseconds: number
  /** PostgreSQL only. */
  readonly prepare: boolean
}

export async function openPostgres(url: string, options: PoolOptions): Promise<PostgresPool & DirectReads> {
  const { default: pg } = await loadDriver('pg', () => import(/* webpackIgnore: true */ 'pg').catch(throwAgain))
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: options.milliseconds,
    keepAlive: true,
  })
  // A lost connection emits `error` on the pool and on the client; without a listener Node.js ends the process. The
  // running query rejects as well.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return withPostgresStatements(pool, options)
}

/**
 * Opens MySQL with UTC and a strict mode. Otherwise MySQL truncates long values, and two accounts could become one.
 * `NO_BACKSLASH_ESCAPES` is off, so the driver's escaping of values is safe.
 */
export async function openMysql(url: string, { maxConnections, milliseconds }: PoolOptions): Promise<MysqlPool> {
  const { default: mysql } = await loadDriver('mysql2', () =>
    import(/* webpackIgnore: true */ 'mysql2').catch(throwAgain),
  )
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: maxConnections,
    connectTimeout: milliseconds,
    enableKeepAlive: true,
  })
  pool.on('connection', (connection) => {
    connection.on('error', ignore)
    connection.query("set session time_zone = '+00:00', session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'")
  })
  return pool
}

/** Opens SQLite with one connection. It waits for writers in other processes; readers never wait. */
export async function openSqlite(path: string, { milliseconds }: PoolOptions): Promise<SqliteDatabase & DirectReads> {
  const Database = await loadSqlite()
  // Checked here because the drivers' messages differ, and one is only a number.
  const folder = dirname(path)
  if (!existsSync(folder))
    throw new Error(`The folder ${resolve(folder)} of the SQLite file does not exist. Create it: mkdir -p ${folder}`)
  if (path !== ':memory:' && !existsSync(path)) createPrivately(path)
  const database = new Database(path)
  const pragmas = [
    `busy_timeout = ${Math.ceil(milliseconds)}`,
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'foreign_keys = ON',
  ]
  for (const pragma of pragmas) await retryWhileBusy(() => database.exec(`pragma ${pragma}`), milliseconds)
  return withSqliteStatements(database)
}

/**
 * Creates the empty database file with access for its owner only. SQLite would use the umask, which usually lets every
 * user of the machine read it. Its other files (`-wal`, `-shm`) get the same mode.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process created it first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/**
 * Retries work while the file is locked. Processes that open a new file at once all change its journal, and SQLite does
 * not wait there.
 */
async function retryWhileBusy(work: () => unknown, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!code.startsWith('SQLITE_BUSY') || Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

interface SqliteFile extends SqliteConnection {
  exec(sql: string): unknown
}

async function loadSqlite(): Promise<new (path: string) => SqliteFile> {
  try {
    return (await import(/* webpackIgnore: true */ 'better-sqlite3')).default
  } catch (error) {
    if (!isMissingPackage(error, 'better-sqlite3')) throw error
  }
  try {
    return (await import(/* webpackIgnore: true */ 'libsql')).default
  } catch (error) {
    if (!isMissingPackage(error, 'libsql')) throw error
    throw new Error('SQLite needs a driver: npm install better-sqlite3 (or libsql).', { cause: error })
  }
}

async function loadDriver<Module>(name: string, from: () => Promise<Module>): Promise<Module> {
  try {
    return await from()
  } catch (error) {
    if (!isMissingPackage(error, name)) throw error
    throw new Error(`The database needs a driver: npm install ${name}`, { cause: error })
  }
}

function ignore(): void {}
