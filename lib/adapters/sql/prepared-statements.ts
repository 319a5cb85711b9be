/** Statements that the database prepares once: preparing one often costs more than running it. */
import { createHash } from 'node:crypto'
import type { PostgresPool, SqliteDatabase } from 'kysely'
import type { Row } from './database.js'
import type { Direct, FirstRow } from './direct.js'

/** How many statements are kept. An application that writes values into its SQL would otherwise fill the memory. */
const mostStatements = 200
const changesTables = /^\s*(?:alter|create|drop)\b/i
/** What `pg` says when there is no answer in time: it has no code for it. */
const readTimeout = 'Query read timeout'

/** What is used of the drivers of SQLite. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement
  close(): void
}

type SqliteStatement = ReturnType<SqliteDatabase['prepare']> & { get(parameters: readonly unknown[]): unknown }

/** Keeps the statements that were used last. */
export function withSqliteStatements(database: SqliteConnection): SqliteDatabase & Direct {
  const statements = new Map<string, SqliteStatement>()
  let latest: { readonly sql: string; readonly statement: SqliteStatement } | undefined

  function prepare(sql: string): SqliteStatement {
    if (latest?.sql === sql) return latest.statement
    // Columns that statements return may be others afterwards.
    if (changesTables.test(sql)) statements.clear()
    const statement = statements.get(sql) ?? askedOnce(database.prepare(sql))
    // What stands last in the Map was used last.
    statements.delete(sql)
    statements.set(sql, statement)
    const [oldest] = statements.keys()
    if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest)
    latest = { sql, statement }
    return statement
  }

  // One call of the driver; `all` would be three.
  let first: FirstRow | undefined = async (sql, parameters) => prepare(sql).get(parameters) as Row | undefined
  return {
    prepare,
    get first() {
      return first
    },
    close() {
      first = undefined
      statements.clear()
      latest = undefined
      database.close()
    },
  }
}

/** Whether a statement returns rows is asked at each query, and does not change. */
function askedOnce(statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    get: (parameters) => statement.get(parameters),
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => statement.iterate(parameters),
  }
}

/** What is used of the pool of `pg`. */
interface PgPool {
  connect(): Promise<PgClient>
  query(query: PgQuery): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

interface PgClient {
  query(query: unknown): Promise<unknown>
  /** @param broken Whether the connection is closed, and not used again. */
  release(broken?: boolean): void
}

interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  /** Milliseconds. `pg` then rejects, and the connection still waits for the answer. */
  readonly query_timeout?: number
}

/** How statements are run. */
export interface StatementOptions {
  /**
   * Name the first statements that are seen: `pg` prepares what has a name, once in each connection. The name comes from the
   * text, so that behind a pooler no other process can mean something else by it.
   */
  readonly prepare: boolean
  /** Milliseconds for an answer. */
  readonly statementMilliseconds: number
}

/**
 * The pool, with a direct way to it. A connection whose server fell silent in the middle of a statement (a firewall that forgot
 * it, a machine that is gone) is closed: it would be lost to the pool, and after the last of them nobody could sign in any more.
 */
export function withPostgresStatements(
  pool: PgPool,
  { prepare, statementMilliseconds }: StatementOptions,
): PostgresPool & Direct {
  const names = new Map<string, string>()
  const clients = new WeakMap<PgClient, Client>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostStatements) return known
    const name = hash(text)
    names.set(text, name)
    return name
  }

  function toQuery(text: string, parameters: readonly unknown[]): PgQuery {
    const values = [...parameters]
    const name = prepare && values.length > 0 ? nameOf(text) : undefined
    // A migration of a large table takes as long as it takes.
    const limit = changesTables.test(text) ? {} : { query_timeout: statementMilliseconds }
    return name === undefined ? { text, values, ...limit } : { name, text, values, ...limit }
  }

  let first: FirstRow | undefined = async (text, parameters) => {
    // The pool itself closes a connection whose query failed here.
    const { rows } = await pool.query(toQuery(text, parameters))
    return rows[0] as Row | undefined
  }
  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? wrap(client, toQuery)
      clients.set(client, wrapped)
      return wrapped as Awaited<ReturnType<PostgresPool['connect']>>
    },
    get first() {
      return first
    },
    end() {
      first = undefined
      return pool.end()
    },
  }
}

/** A connection that runs nothing more once a statement got no answer: it would wait behind that, a rollback too. */
function wrap(client: PgClient, toQuery: (text: string, parameters: readonly unknown[]) => PgQuery): Client {
  let silence: Error | undefined
  return {
    async query(text, parameters) {
      if (silence) throw silence
      // A cursor, for Kysely's `stream`.
      if (typeof text !== 'string') return client.query(text)
      try {
        return await client.query(toQuery(text, parameters))
      } catch (error) {
        if (error instanceof Error && error.message === readTimeout) silence = error
        throw error
      }
    },
    release: () => client.release(silence !== undefined),
  }
}

function hash(text: string): string {
  return `server_auth_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

interface Client {
  query(text: unknown, parameters: readonly unknown[]): Promise<unknown>
  release(): void
}
