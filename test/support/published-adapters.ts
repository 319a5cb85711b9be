/**
 * The published adapters that the library takes unmodified, each on a real database with the schema that its own
 * documentation gives, in a schema, database or key prefix of its own.
 *
 * ```ts
 * for (const { name, open } of publishedAdapters) describe(name, () => {
 *   let database: PublishedDatabase
 *   before(async function () { database = await openOrSkip(this, open) })
 *   afterEach(() => database?.clear())
 *   after(() => database?.close())
 * })
 * ```
 */
import { randomBytes } from 'node:crypto'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { type Database, KyselyAdapter } from '@auth/kysely-adapter'
import PostgresAdapter from '@auth/pg-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { getTableConfig as mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { getTableConfig as postgresTable } from 'drizzle-orm/pg-core'
import { getTableConfig as sqliteTable } from 'drizzle-orm/sqlite-core'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import { Redis } from 'ioredis'
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import Sqlite from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createStorage, type Driver, type Storage } from 'unstorage'
import memoryDriver from 'unstorage/drivers/memory'
import redisDriver from 'unstorage/drivers/redis'
import type { ServerAuthConfig } from '../../lib/index.js'
// The tables that the adapter uses if it is given none. They are not in its `exports`.
import { defineTables as mysqlTables } from '../../node_modules/@auth/drizzle-adapter/lib/mysql.js'
import { defineTables as postgresTables } from '../../node_modules/@auth/drizzle-adapter/lib/pg.js'
import { defineTables as sqliteTables } from '../../node_modules/@auth/drizzle-adapter/lib/sqlite.js'
import { createTables, type TableConfig } from './drizzle-tables.js'
import { kyselySchema, pgSchema } from './published-schemas.js'
import { skip } from './skip.js'

/** A row as the database has it. */
export type Row = Readonly<Record<string, unknown>>
/** The records that sign-ins write. */
export type Kind = 'users' | 'accounts' | 'sessions' | 'tokens'

/** An adapter on its database. */
export interface PublishedDatabase {
  readonly adapter: NonNullable<ServerAuthConfig['adapter']>
  /** Returns the stored rows, read without the adapter. */
  rows(kind: Kind): Promise<Row[]>
  /** Deletes all rows. */
  clear(): Promise<void>
  /** Drops all, and ends the connections. */
  close(): Promise<void>
}

/** A published adapter. */
export interface PublishedAdapter {
  readonly name: string
  /** Opens it; a text says why it cannot be: the server is missing. */
  open(): Promise<PublishedDatabase | string>
}

/** All of them. */
export const publishedAdapters: readonly PublishedAdapter[] = [
  { name: '@auth/pg-adapter', open: openPg },
  { name: '@auth/kysely-adapter on PostgreSQL', open: openKyselyPostgres },
  { name: '@auth/kysely-adapter on SQLite', open: openKyselySqlite },
  { name: '@auth/drizzle-adapter on PostgreSQL', open: openDrizzlePostgres },
  { name: '@auth/drizzle-adapter on MariaDB', open: openDrizzleMysql },
  { name: '@auth/drizzle-adapter on SQLite', open: openDrizzleSqlite },
  { name: '@auth/unstorage-adapter on Redis', open: openUnstorageRedis },
  { name: '@auth/unstorage-adapter in memory', open: openUnstorageMemory },
]

/** Opens an adapter, or skips the suite from its `before`. */
export async function openOrSkip(context: Mocha.Context, open: PublishedAdapter['open']): Promise<PublishedDatabase> {
  const opened = await open()
  return typeof opened === 'string' ? skip(context, opened) : opened
}

/* ---- SQL ---------------------------------------------------------------------------------------------------- */

type Query = (sql: string) => Promise<unknown>
type Tables = Readonly<Record<Kind, string>>

const pgTables: Tables = { users: 'users', accounts: 'accounts', sessions: 'sessions', tokens: 'verification_token' }
const kyselyTables: Tables = { users: 'User', accounts: 'Account', sessions: 'Session', tokens: 'VerificationToken' }
const drizzleTables: Tables = { users: 'user', accounts: 'account', sessions: 'session', tokens: 'verificationToken' }

/** Reads and empties tables. Users last: the others refer to them. */
function inTables(query: Query, tables: Tables, quote = '"'): Pick<PublishedDatabase, 'rows' | 'clear'> {
  const quoted = (kind: Kind) => `${quote}${tables[kind]}${quote}`
  return {
    async rows(kind) {
      const found = await query(`select * from ${quoted(kind)}`)
      return Array.isArray(found) ? found : []
    },
    async clear() {
      for (const kind of ['sessions', 'accounts', 'tokens', 'users'] as const)
        await query(`delete from ${quoted(kind)}`)
    },
  }
}

async function openPg(): Promise<PublishedDatabase | string> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return opened
  const { pool, query, close } = opened
  await query(pgSchema)
  return { adapter: PostgresAdapter(pool), ...inTables(query, pgTables), close }
}

async function openKyselyPostgres(): Promise<PublishedDatabase | string> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return opened
  const { pool, query, close } = opened
  return openKysely(new PostgresDialect({ pool }), query, close)
}

async function openKyselySqlite(): Promise<PublishedDatabase> {
  const { database, query } = openSqlite()
  return openKysely(new SqliteDialect({ database }), query, async () => void database.close())
}

async function openKysely(
  dialect: Dialect,
  query: Query,
  close: PublishedDatabase['close'],
): Promise<PublishedDatabase> {
  const db = new Kysely<Database>({ dialect })
  await kyselySchema(db)
  return { adapter: KyselyAdapter(db), ...inTables(query, kyselyTables), close }
}

async function openDrizzlePostgres(): Promise<PublishedDatabase | string> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return opened
  const { pool, query, close } = opened
  await create(query, Object.values(postgresTables()).map(postgresTable))
  return { adapter: DrizzleAdapter(drizzlePostgres(pool)), ...inTables(query, drizzleTables), close }
}

async function openDrizzleMysql(): Promise<PublishedDatabase | string> {
  const name = isolated()
  const server = { host: '127.0.0.1', port: 3306, user: 'root' }
  const admin = await mysql.createConnection(server).catch(() => undefined)
  if (!admin) return 'no MariaDB at 127.0.0.1:3306'
  await admin.query(`create database ${name}`)
  const pool = mysql.createPool({ ...server, database: name })
  const query: Query = async (sql) => (await pool.query(sql))[0]
  await create(query, Object.values(mysqlTables()).map(mysqlTable), '`')
  const close = async () => {
    await pool.end()
    await admin.query(`drop database ${name}`)
    await admin.end()
  }
  return { adapter: DrizzleAdapter(drizzleMysql(pool)), ...inTables(query, drizzleTables, '`'), close }
}

async function openDrizzleSqlite(): Promise<PublishedDatabase> {
  const { database, query } = openSqlite()
  await create(query, Object.values(sqliteTables()).map(sqliteTable))
  // Drizzle's own drivers want other packages; by its proxy it speaks to any.
  const db = drizzleProxy(async (sql, params, method) => {
    const statement = database.prepare(sql)
    if (method === 'run') {
      statement.run(...params)
      return { rows: [] }
    }
    statement.raw(true)
    // For `get` Drizzle wants the row itself, or nothing, whatever its type says.
    return { rows: (method === 'get' ? statement.get(...params) : statement.all(...params)) as unknown[] }
  })
  return { adapter: DrizzleAdapter(db), ...inTables(query, drizzleTables), close: async () => void database.close() }
}

async function create(query: Query, tables: readonly TableConfig[], quote?: string): Promise<void> {
  for (const statement of createTables(tables, quote)) await query(statement)
}

/** A schema of our own on the machine's PostgreSQL. */
async function openPostgres() {
  const name = isolated()
  const connectionString = 'postgres://postgres@127.0.0.1:5432/test'
  const pool = new pg.Pool({ connectionString, options: `-c search_path=${name}`, connectionTimeoutMillis: 10_000 })
  const query: Query = async (sql) => (await pool.query(sql)).rows
  const isThere = await query(`create schema ${name}`).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await pool.end()
    return 'no PostgreSQL at 127.0.0.1:5432'
  }
  const close = async () => {
    await query(`drop schema ${name} cascade`)
    await pool.end()
  }
  return { pool, query, close }
}

function openSqlite() {
  const database = new Sqlite(':memory:')
  database.exec('pragma foreign_keys = on')
  const query: Query = async (sql) => {
    const statement = database.prepare(sql)
    return statement.reader ? statement.all() : statement.run()
  }
  return { database, query }
}

/* ---- keys and values ---------------------------------------------------------------------------------------- */

async function openUnstorageRedis(): Promise<PublishedDatabase | string> {
  const server = { host: '127.0.0.1', port: 6379 }
  const probe = new Redis({ ...server, lazyConnect: true, retryStrategy: () => null })
  probe.on('error', () => {})
  const isThere = await probe.ping().then(
    () => true,
    () => false,
  )
  probe.disconnect()
  if (!isThere) return 'no Redis at 127.0.0.1:6379'
  return openUnstorage(redisDriver({ ...server, base: isolated() }))
}

async function openUnstorageMemory(): Promise<PublishedDatabase> {
  return openUnstorage(memoryDriver())
}

/** The adapter on any storage. */
export function openUnstorage(driver: Driver): PublishedDatabase {
  const storage = createStorage({ driver })
  return {
    adapter: UnstorageAdapter(storage),
    rows: (kind) => rowsOf(storage, kind),
    clear: () => storage.clear(),
    async close() {
      await storage.clear()
      await storage.dispose()
    },
  }
}

const keys: Readonly<Record<Kind, RegExp>> = {
  users: /^user:[^:]+$/,
  accounts: /^user:account:(?!by-user-id:)/,
  sessions: /^user:session:(?!by-user-id:)/,
  tokens: /^user:token:/,
}

async function rowsOf(storage: Storage, kind: Kind): Promise<Row[]> {
  const found = (await storage.getKeys()).filter((key) => keys[kind].test(key))
  const values = await Promise.all(found.map((key) => storage.getItem<Row>(key)))
  return values.filter((value) => value !== null)
}

/** Returns a unique name. */
function isolated(): string {
  return `published_${randomBytes(6).toString('hex')}`
}
