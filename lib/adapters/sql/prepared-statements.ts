/** Statements that the database prepares once: preparing one often costs more than running it. */
import { createHash } from 'node:crypto'
import type { PostgresPool, SqliteDatabase } from 'kysely'

/** How many statements are kept. An application that writes values into its SQL would otherwise fill the memory. */
const mostStatements = 200

/** Keeps the statements that were used last. */
export function withSqliteStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  return {
    prepare(sql) {
      // Columns that statements return may be others afterwards.
      if (/^\s*(?:alter|create|drop)\b/i.test(sql)) statements.clear()
      const statement = statements.get(sql) ?? database.prepare(sql)
      // What stands last in the Map was used last.
      statements.delete(sql)
      statements.set(sql, statement)
      const [oldest] = statements.keys()
      if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest)
      return statement
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

/** What is used of the pool of `pg`. */
interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
}

interface PgClient {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<unknown>
  release(): void
}

/**
 * Names the first statements that it sees: `pg` prepares what has a name, once in each connection. The name comes from the
 * text, so that behind a pooler no other process can mean something else by it.
 */
export function withPostgresStatements(pool: PgPool): PostgresPool {
  const names = new Map<string, string>()
  const clients = new WeakMap<PgClient, Client>()

  function nameOf(text: string): string | undefined {
    const name = names.get(text) ?? (names.size < mostStatements ? hash(text) : undefined)
    if (name !== undefined) names.set(text, name)
    return name
  }

  function wrap(client: PgClient): Client {
    return {
      query(text: string, parameters: readonly unknown[]) {
        const values = [...parameters]
        const name = values.length > 0 ? nameOf(text) : undefined
        return client.query(name === undefined ? { text, values } : { name, text, values })
      },
      release: () => client.release(),
    }
  }

  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? wrap(client)
      clients.set(client, wrapped)
      return wrapped as Awaited<ReturnType<PostgresPool['connect']>>
    },
    end: () => pool.end(),
  }
}

function hash(text: string): string {
  return `server_auth_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

interface Client {
  query(text: string, parameters: readonly unknown[]): Promise<unknown>
  release(): void
}
