/** The application's own columns of the users' table: adds them, and checks at the start that they exist. */
import { setTimeout as pause } from 'node:timers/promises'
import { type ColumnDefinitionBuilder, type Expression, sql } from 'kysely'
import type { UserFieldDescription } from '../../types/user-fields.js'
import type { Database, Dialect } from './database.js'
import { fieldKinds, type Layout } from './layout.js'
import { mysqlNameColumn } from './list-users.js'
import { type Schema, tableColumns } from './schema.js'

/** Returns the declared columns that the users' table lacks. Without the table, it lacks all of them. */
export async function missingUserColumns(db: Database, layout: Layout): Promise<readonly string[]> {
  const declared = Object.keys(layout.userFields)
  if (declared.length === 0) return declared
  const there = await tableColumns(db, layout.dialect, layout.tables.users)
  return declared.filter((name) => !there.has(name))
}

/**
 * Returns the statements that add these columns.
 *
 * @throws {Error} For the table of another library, whose migrations own its columns.
 */
export function userColumnStatements(schema: Schema, names: readonly string[]): string[] {
  const { userFields, tables, preset, dialect } = schema.layout
  if (preset !== 'default' && names.length > 0) throw new Error(missingColumnsText(schema.layout, names, []))
  return Object.entries(userFields).flatMap(([name, field]) =>
    names.includes(name)
      ? [schema.addColumn(tables.users, name, schema.types[fieldKinds[field.type]], withDefault(dialect, field))]
      : [],
  )
}

function withDefault(dialect: Dialect, { default: initial }: UserFieldDescription) {
  return (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    initial === undefined ? column : column.notNull().defaultTo(literal(dialect, initial))
}

/** Returns the default as SQL. MySQL accepts a default of a text column only as an expression in parentheses. */
function literal(dialect: Dialect, value: string | number | boolean): Expression<unknown> {
  if (typeof value === 'boolean') return sql.lit(dialect === 'postgres' ? value : Number(value))
  if (typeof value === 'number' || dialect !== 'mysql') return sql.lit(value)
  return sql`(${sql.lit(value)})`
}

/* ---- the check at the start ---------------------------------------------------------------------------------- */

/** The migrations of this process that are in progress, by their database. */
const migrations = new WeakMap<object, Promise<unknown>>()

/** Notes a migration, so that {@link checkUserColumns} waits for it. */
export function noteMigration<T>(db: object, work: Promise<T>): Promise<T> {
  migrations.set(db, work)
  return work
}

/** The milliseconds after which a missing column is looked for again: the application may be migrating. */
const patience = 1000

/** Returns the declared columns that the users' table lacks, with the fix; `undefined` if it has all of them. */
export async function checkUserColumns(db: Database, layout: Layout): Promise<string | undefined> {
  if ((await missingAfterMigration(db, layout)).length === 0) return undefined
  // A check must not keep a process alive.
  await pause(patience, undefined, { ref: false })
  const missing = await missingAfterMigration(db, layout)
  if (missing.length === 0) return undefined
  const there = await tableColumns(db, layout.dialect, layout.tables.users)
  const others = [...there].filter((name) => !isOwnColumn(layout, name))
  return missingColumnsText(layout, missing, others)
}

/** Returns whether this library uses the column of the users' table, or has added it. */
function isOwnColumn({ columns, dialect, preset }: Layout, name: string): boolean {
  if (Object.hasOwn(columns.users, name)) return true
  return name === mysqlNameColumn && dialect === 'mysql' && preset === 'default'
}

async function missingAfterMigration(db: Database, layout: Layout): Promise<readonly string[]> {
  // Its failure is reported to its caller.
  await migrations.get(db)?.catch(() => {})
  return missingUserColumns(db, layout)
}

function missingColumnsText({ preset, tables }: Layout, missing: readonly string[], others: readonly string[]): string {
  const columns = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${missing.join(', ')}`
  const add =
    preset === 'default'
      ? 'Add what is missing with `await adapter.migrate()` or `npx server-auth migrate --config <file>`'
      : 'Add what is missing by the migrations of the library that owns the table'
  const correct = others.length > 0 ? `, or correct the name: the table also has ${others.join(', ')}` : ''
  return `The table ${tables.users} does not have ${columns}, which \`user\` of sqlAdapter declares. ${add}${correct}.`
}
