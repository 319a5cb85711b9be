/** Caches prepared statements: preparing one often costs more than running it. */
import { createHash } from 'node:crypto'
import type { PostgresPool, SqliteDatabase } from 'kysely'
import type { DirectReads, FirstRow, RowValues } from './direct-read.js'

/**
 * The number of cached statements. Without it, an application that writes values into its SQL would fill the memory.
 */
const mostStatements = 200
const changesTables = /^\s*(?:alter|create|drop)\b/i
/** The message of `pg` for a timeout, which has no error code. */
const readTimeout = 'Query read timeout'

/** The methods used of the SQLite drivers. */
export interface SqliteConnection {
  prepare(sql: string): KyselyStatement & SqliteRead
  close(): void
}

/** The methods that Kysely uses. */
type KyselyStatement = ReturnType<SqliteDatabase['prepare']>

/** The methods of direct reads. */
interface SqliteRead {
  get(parameters: readonly unknown[]): unknown
  /** Lets the statement return rows as arrays of values. */
  raw(): unknown
}

/** Caches the statements that were used last. */
export function withSqliteStatements(database: SqliteConnection): SqliteDatabase & DirectReads {
  const statements = new StatementCache((sql) => askedOnce(database.prepare(sql)))
  const reads = new StatementCache((sql): SqliteRead => {
    const statement = database.prepare(sql)
    statement.raw()
    return statement
  })
  function clear(): void {
    statements.clear()
    reads.clear()
  }
  // One call of the driver; `all` would take three.
  let first: FirstRow | undefined = (sql, parameters) => reads.of(sql).get(parameters) as RowValues | undefined
  return {
    prepare(sql) {
      // The columns that statements return may change.
      if (changesTables.test(sql)) clear()
      return statements.of(sql)
    },
    get first() {
      return first
    },
    close() {
      first = undefined
      clear()
      database.close()
    },
  }
}

/** The statements that were used last, by their SQL. */
class StatementCache<Statement> {
  readonly #prepare: (sql: string) => Statement
  readonly #statements = new Map<string, Statement>()
  #latest: { readonly sql: string; readonly statement: Statement } | undefined

  constructor(prepare: (sql: string) => Statement) {
    this.#prepare = prepare
  }

  of(sql: string): Statement {
    if (this.#latest?.sql === sql) return this.#latest.statement
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    // The last entry of the Map was used last.
    this.#statements.delete(sql)
    this.#statements.set(sql, statement)
    const [oldest] = this.#statements.keys()
    if (this.#statements.size > mostStatements && oldest !== undefined) this.#statements.delete(oldest)
    this.#latest = { sql, statement }
    return statement
  }

  clear(): void {
    this.#statements.clear()
    this.#latest = undefined
  }
}

/** Reads once whether a statement returns rows: it is used at each query and does not change. */
function askedOnce(statement: KyselyStatement): KyselyStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => statement.iterate(parameters),
  }
}

/** The methods used of the pool of `pg`. */
interface PgPool {
  connect(): Promise<PgClient>
  query(query: PgQuery, values: readonly unknown[]): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

interface PgClient {
  query(query: unknown, values?: readonly unknown[]): Promise<unknown>
  /**
   * Returns the client to the pool.
   *
   * @param broken Whether to close the connection instead.
   */
  release(broken?: boolean): void
}

interface PgQuery {
  readonly name: string | undefined
  readonly text: string
  /** Rows as arrays of values. Default: as objects. */
  readonly rowMode: 'array' | undefined
  /** Milliseconds. `pg` then rejects, but the connection still waits for the response. */
  readonly query_timeout: number | undefined
}

/** The options for statements. */
export interface StatementOptions {
  /**
   * True if to name the first statements. `pg` prepares a named statement once in each connection. The name is a hash
   * of the text, so behind a pooler other processes use it for the same statement.
   */
  readonly prepare: boolean
  /** The time limit of a statement, in milliseconds. */
  readonly statementMilliseconds: number
}

/**
 * Wraps the pool and adds a direct read. A connection whose server stops responding during a statement (a firewall that
 * dropped it, a machine that is gone) is closed. Otherwise the pool would lose it, and finally no sign-in would work.
 */
export function withPostgresStatements(
  pool: PgPool,
  { prepare, statementMilliseconds }: StatementOptions,
): PostgresPool & DirectReads {
  const names = new Map<string, string>()
  const clients = new WeakMap<PgClient, Client>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostStatements) return known
    const name = hash(text)
    names.set(text, name)
    return name
  }

  function toQuery(text: string, hasParameters: boolean, rowMode?: 'array'): PgQuery {
    const name = prepare && hasParameters ? nameOf(text) : undefined
    // A migration of a large table has no time limit.
    const limit = changesTables.test(text) ? undefined : statementMilliseconds
    return { name, text, query_timeout: limit, rowMode }
  }

  const reads = new StatementCache((text) => toQuery(text, true, 'array'))
  let first: FirstRow | undefined = (text, parameters) => {
    // `pg` copies each own property of a query, which takes longer than inheriting them.
    const query: PgQuery = Object.create(reads.of(text))
    // The pool closes a connection whose query failed here.
    return pool.query(query, parameters).then(({ rows: [row] }) => row as RowValues | undefined)
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

/**
 * Wraps a connection. After a statement without a response it runs nothing more, because even a rollback would wait
 * behind that statement.
 */
function wrap(client: PgClient, toQuery: (text: string, hasParameters: boolean) => PgQuery): Client {
  let silence: Error | undefined
  return {
    async query(text, parameters) {
      if (silence) throw silence
      // A cursor, for Kysely's `stream`.
      if (typeof text !== 'string') return client.query(text)
      try {
        return await client.query(toQuery(text, parameters.length > 0), parameters)
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
