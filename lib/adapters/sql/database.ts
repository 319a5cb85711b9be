/** The types of a database: a Kysely instance with tables named at run time, and one of three dialects. */
import type { Kysely } from 'kysely'

/** A row, by column. */
export type Row = Readonly<Record<string, unknown>>

/**
 * A Kysely instance with any tables. The type has one of its methods: comparing the types of whole instances costs a
 * compiler 10,000 type instantiations.
 */
export type AnyKysely = Pick<Kysely<unknown>, 'getExecutor'>

/** A Kysely instance. The layout, not the type, defines its tables and columns. */
export type Database = Kysely<Record<string, Record<string, unknown>>>

/** The dialect of a database. MariaDB uses `mysql`. */
export type Dialect = 'mysql' | 'postgres' | 'sqlite'

export const dialects: readonly Dialect[] = ['mysql', 'postgres', 'sqlite']

/**
 * Returns the Kysely instance without its types.
 *
 * @throws {TypeError} When it is not a Kysely instance.
 */
export function toDatabase(db: unknown): Database {
  if (isDatabase(db)) return db
  throw new TypeError('The first argument is not a Kysely instance. Pass one, such as `connect(url)`.')
}

/**
 * Checks by properties, not `instanceof`, because the application may have loaded the CommonJS build of the package.
 */
function isDatabase(db: unknown): db is Database {
  return typeof db === 'object' && db !== null && 'selectFrom' in db && 'getExecutor' in db && 'connection' in db
}

/**
 * Detects the dialect of the instance by the SQL that it writes.
 *
 * @throws {TypeError} When the dialect is not supported, or when a plugin renames columns.
 */
export function detectDialect(db: Database): Dialect {
  const { sql } = db.selectFrom('probe').select('sessionToken').where('id', '=', 1).compile()
  if (!sql.includes('sessionToken')) {
    throw new TypeError('A plugin of the Kysely instance renames columns. Pass an instance without it.')
  }
  if (sql.includes('`id` = ?')) return 'mysql'
  if (sql.includes('"id" = $1')) return 'postgres'
  if (sql.includes('"id" = ?')) return 'sqlite'
  throw new TypeError('The dialect of the Kysely instance is not supported. Use SQLite, PostgreSQL or MySQL.')
}
