/** Statements that the database prepares once: preparing one often costs more than running it. */
import { createHash } from 'node:crypto'
import type { PostgresPool, SqliteDatabase } from 'kysely'
import type { Row } from './database.js'
import type { Direct, FirstRow } from './direct.js'

/** How many statements are kept. An application that writes values into its SQL would otherwise fill the memory. */
const mostStatements = 200

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
    if (/^\s*(?:alter|create|drop)\b/i.test(sql)) statements.clear()
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
  query(query: PgQuery): Promise<unknown>
  release(): void
}

interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/**
 * The pool, with a direct way to it.
 *
 * @param prepare Name the first statements that are seen: `pg` prepares what has a name, once in each connection. The name comes
 * from the text, so that behind a pooler no other process can mean something else by it.
 */
export function withPostgresStatements(pool: PgPool, prepare: boolean): PostgresPool & Direct {
  const names = new Map<string, string>()
  const clients = new WeakMap<PgClient, Client | PgClient>()

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
    return name === undefined ? { text, values } : { name, text, values }
  }

  function wrap(client: PgClient): Client {
    return {
      query: (text, parameters) => client.query(toQuery(text, parameters)),
      release: () => client.release(),
    }
  }

  let first: FirstRow | undefined = async (text, parameters) => {
    const { rows } = await pool.query(toQuery(text, parameters))
    return rows[0] as Row | undefined
  }
  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? (prepare ? wrap(client) : client)
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

function hash(text: string): string {
  return `server_auth_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

interface Client {
  query(text: string, parameters: readonly unknown[]): Promise<unknown>
  release(): void
}
