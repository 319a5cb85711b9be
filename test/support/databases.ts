/**
 * Fresh databases for tests: SQLite in a temporary file, PostgreSQL and MariaDB (or MySQL) on loopback, each database
 * with a random name and gone when it is closed.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { connect } from '../../lib/adapters/sql/index.js'
import { extent } from './extent.js'
import { skip } from './skip.js'

export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql'

/** A quick run knows no servers. */
export const databaseKinds: readonly DatabaseKind[] = extent === 'quick' ? ['sqlite'] : ['sqlite', 'postgres', 'mysql']

/** Tables of any name with columns of any name. */
export type AnyTables = Record<string, Record<string, unknown>>

/** An empty database. */
export interface TestDatabase {
  readonly kind: DatabaseKind
  readonly db: Kysely<AnyTables>
  /** For `connect`, other drivers and other processes. */
  readonly url: string
  /** Ends `db` and removes the database, with all connections to it. */
  close(): Promise<void>
}

const servers = {
  postgres: process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  mysql: process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test',
}

/**
 * Opens a fresh, empty database. It rejects when the server is not there; see {@link requireDatabase}.
 *
 * @example
 * ```ts
 * const { db, url, close } = await openDatabase('postgres')
 * ```
 */
export async function openDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === 'sqlite') return openFile()
  const name = `server_auth_${randomBytes(6).toString('hex')}`
  await onServer(kind, `create database ${name}`)
  const url = new URL(servers[kind])
  url.pathname = `/${name}`
  const db = connect<AnyTables>(url.href)
  return {
    kind,
    db,
    url: url.href,
    async close() {
      await db.destroy()
      // PostgreSQL waits 5 seconds for connections that are about to end. Cutting those off would alarm their pools.
      await onServer(kind, `drop database if exists ${name}`).catch((error: unknown) => {
        if (kind !== 'postgres') throw error
        return onServer(kind, `drop database if exists ${name} with (force)`)
      })
    },
  }
}

/**
 * Opens a fresh database for a `before` hook or a test, which is skipped when the server is not there.
 *
 * @example
 * ```ts
 * before(async function () {
 *   database = await requireDatabase(this, 'mysql')
 * })
 * ```
 */
export async function requireDatabase(context: Mocha.Context, kind: DatabaseKind): Promise<TestDatabase> {
  try {
    return await openDatabase(kind)
  } catch (error) {
    return skip(context, `no ${kind} server (${error instanceof Error ? error.message : error})`)
  }
}

async function openFile(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-sqlite-'))
  const url = `sqlite:${join(folder, 'test.db')}`
  const db = connect<AnyTables>(url)
  return {
    kind: 'sqlite',
    db,
    url,
    async close() {
      await db.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onServer(kind: 'mysql' | 'postgres', statement: string): Promise<void> {
  const server = connect(servers[kind], { maxConnections: 1 })
  try {
    await sql.raw(statement).execute(server)
  } finally {
    await server.destroy()
  }
}
