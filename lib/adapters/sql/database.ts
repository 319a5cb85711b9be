/** The database as this room sees it: a Kysely instance whose tables are named at run time, and one of three dialects. */
import type { Kysely } from 'kysely'

/** A row, by column. */
export type Row = Readonly<Record<string, unknown>>

/** A Kysely instance. Which tables and columns there are says the layout, not the type. */
export type Database = Kysely<Record<string, Record<string, unknown>>>

/** MariaDB speaks `mysql`. */
export type Dialect = 'mysql' | 'postgres' | 'sqlite'

export const dialects: readonly Dialect[] = ['mysql', 'postgres', 'sqlite']

/**
 * The Kysely instance without its types.
 *
 * @throws {TypeError} When it is none.
 */
export function toDatabase(db: unknown): Database {
  if (isDatabase(db)) return db
  throw new TypeError('The first argument must be a Kysely instance, such as `connect(url)` makes one.')
}

/** Not `instanceof`: the application may have loaded the CommonJS twin of the package. */
function isDatabase(db: unknown): db is Database {
  return typeof db === 'object' && db !== null && 'selectFrom' in db && 'getExecutor' in db && 'connection' in db
}

/**
 * The dialect that the instance speaks, by the SQL that it writes.
 *
 * @throws {TypeError} When it is none of ours, or when a plugin renames columns.
 */
export function detectDialect(db: Database): Dialect {
  const { sql } = db.selectFrom('probe').select('sessionToken').where('id', '=', 1).compile()
  if (!sql.includes('sessionToken')) {
    throw new TypeError('A plugin of the Kysely instance renames columns. Give the adapter one without it.')
  }
  if (sql.includes('`id` = ?')) return 'mysql'
  if (sql.includes('"id" = $1')) return 'postgres'
  if (sql.includes('"id" = ?')) return 'sqlite'
  throw new TypeError('The dialect of the Kysely instance is none of SQLite, PostgreSQL and MySQL.')
}
