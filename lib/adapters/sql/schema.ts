/** Builds the statements of migrations. */
import { type ColumnDefinitionBuilder, type Expression, sql } from 'kysely'
import type { Database, Dialect } from './database.js'
import type { Layout } from './layout.js'

/** The column types of a dialect. */
export type Types = Readonly<
  Record<
    | 'boolean'
    | 'credentialId'
    | 'date'
    | 'decimal'
    | 'key'
    | 'longText'
    | 'name'
    | 'number'
    | 'text'
    | 'times'
    | 'timestamp',
    Expression<unknown>
  >
>

/** Adds constraints and a default to a column. */
type BuildColumn = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

export type Schema = Awaited<ReturnType<typeof createSchema>>

/**
 * Creates the builders of a database.
 *
 * @throws {Error} When the database cannot compare exactly.
 */
export async function createSchema(db: Database, layout: Layout) {
  const { dialect } = layout
  const ending = dialect === 'mysql' ? await mysqlTableOptions(db) : undefined
  return {
    db,
    layout,
    types: columnTypes[dialect],
    table(name: string) {
      const builder = db.schema.createTable(name).ifNotExists()
      return ending ? builder.modifyEnd(ending) : builder
    },
    /** Returns the statement that adds a column. If the column exists, it fails in dialects without `if not exists`. */
    addColumn(name: string, column: string, type: Expression<unknown>, build: BuildColumn = (built) => built): string {
      const alter = db.schema.alterTable(name)
      const added = alter.addColumn(column, type, (built) =>
        build(dialect === 'postgres' ? built.ifNotExists() : built),
      )
      return added.compile().sql
    },
    /** Returns the statement that creates an index. `columns` are names, or expressions in parentheses. */
    index(name: string, table: string, columns: ReadonlyArray<string | Expression<unknown>>, unique = false): string {
      const named = db.schema.createIndex(name).on(table)
      const builder = (dialect === 'mysql' ? named : named.ifNotExists()).expression(
        sql.join(columns.map(columnExpression)),
      )
      return (unique ? builder.unique() : builder).compile().sql
    },
  }
}

function columnExpression(column: string | Expression<unknown>) {
  return typeof column === 'string' ? sql.ref(column) : column
}

const textType = sql`text`
const integerType = sql`integer`

const columnTypes: Readonly<Record<Dialect, Types>> = {
  postgres: {
    boolean: sql`boolean`,
    credentialId: textType,
    date: sql`timestamptz(3)`,
    decimal: sql`double precision`,
    key: textType,
    longText: textType,
    name: textType,
    number: sql`bigint`,
    text: textType,
    times: textType,
    timestamp: sql`timestamptz`,
  },
  sqlite: {
    boolean: integerType,
    credentialId: textType,
    // Milliseconds since 1970.
    date: integerType,
    decimal: sql`real`,
    key: textType,
    longText: textType,
    name: textType,
    number: integerType,
    text: textType,
    times: textType,
    timestamp: textType,
  },
  mysql: {
    boolean: sql`boolean`,
    // The longest credential id fits into an index only with one byte for each character.
    credentialId: sql`varchar(1364) character set ascii collate ascii_bin`,
    // UTC.
    date: sql`datetime(3)`,
    decimal: sql`double`,
    key: sql`varchar(255)`,
    // `nonEmptyText` is limited to 64 KiB.
    longText: sql`mediumtext`,
    // Names that this library makes: one byte for each character.
    name: sql`varchar(64) character set ascii collate ascii_bin`,
    number: sql`bigint`,
    text: textType,
    // Not `nonEmptyText`: MariaDB 10.11 reads freed memory when a row is updated from its own and a proposed `nonEmptyText`.
    times: sql`varchar(32000) character set ascii collate ascii_bin`,
    timestamp: sql`timestamp`,
  },
}

/** The collations in which `a`, `A` and `a ` are three texts, of MariaDB and MySQL. */
const exactCollations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']

async function mysqlTableOptions(db: Database) {
  const query = sql<{ name: string }>`
    select collation_name as name from information_schema.collations where collation_name in (${sql.join(exactCollations)})`
  const [found] = (await query.execute(db)).rows
  if (!found)
    throw new Error('The database has no collation that compares exactly. Use MariaDB 10.2 or MySQL 8.0.17, or later.')
  return sql`engine = InnoDB character set utf8mb4 collate ${sql.raw(found.name)}`
}

/** Checks whether queries find the table. */
export async function tableExists(db: Database, dialect: Dialect, name: string): Promise<boolean> {
  const { rows } = await existence[dialect](name).execute(db)
  return rows.length > 0
}

const existence = {
  postgres: (name: string) => sql`select 1 from (select 1) x where to_regclass(${`"${name}"`}) is not null`,
  sqlite: (name: string) => sql`select 1 from sqlite_master where type = 'table' and name = ${name}`,
  mysql: (name: string) =>
    sql`select 1 from information_schema.tables where table_schema = database() and table_name = ${name}`,
} satisfies Record<Dialect, (name: string) => unknown>

/** The names of a table's columns. SQLite and MySQL ignore their case. */
export interface ColumnNames extends Iterable<string> {
  readonly size: number
  has(name: string): boolean
}

/** Returns the columns of a table; none if there is no such table. */
export async function tableColumns(db: Database, dialect: Dialect, table: string): Promise<ColumnNames> {
  const { rows } = await columnNames[dialect](table).execute(db)
  const names = rows.map(({ name }) => name)
  const fold = (name: string) => (dialect === 'postgres' ? name : name.toLowerCase())
  const folded = new Set(names.map(fold))
  return { size: names.length, has: (name) => folded.has(fold(name)), [Symbol.iterator]: () => names.values() }
}

interface Named {
  readonly name: string
}

const columnNames = {
  postgres: (table: string) =>
    sql<Named>`select attname as name from pg_attribute where attrelid = to_regclass(${`"${table}"`}) and attnum > 0 and not attisdropped`,
  sqlite: (table: string) => sql<Named>`select name from pragma_table_info(${table})`,
  mysql: (table: string) =>
    sql<Named>`select column_name as name from information_schema.columns where table_schema = database() and table_name = ${table}`,
} satisfies Record<Dialect, unknown>
