/** `migrate`: updates the tables once, even if several processes run it at the same time. */
import { sql } from 'kysely'
import type { UserFields } from '../../types/user-fields.js'
import { type AnyKysely, type Database, type Dialect, detectDialect, toDatabase } from './database.js'
import { type Layout, type LayoutOptions, readDialect, resolveLayout } from './layout.js'
import { type MigrationStep, migrationSteps } from './migration-steps.js'
import { createSchema, type Schema, tableExists } from './schema.js'
import { type Batch, batchOf, runTransaction } from './transaction.js'
import { missingUserColumns, noteMigration, userColumnStatements } from './user-columns.js'

/** The options of {@link migrate}. */
export interface MigrateOptions extends Pick<LayoutOptions, 'dialect' | 'preset'> {
  /** True if to only return the planned changes. Default `false`. */
  dryRun?: boolean
  /**
   * The application's own fields of users, as passed to `sqlAdapter`: columns that `auth_users` lacks are added.
   * `adapter.migrate()` takes them from the adapter. Default: none.
   */
  user?: UserFields | undefined
}

/** The result of {@link migrate}, or with `dryRun` its plan. */
export interface Migration {
  /** The names of the steps and of added columns (`auth_users.role`); empty when the tables are up to date. */
  readonly applied: readonly string[]
  /** The statements, in order, without semicolons. */
  readonly sql: readonly string[]
}

/**
 * Creates the tables that the adapter needs, or updates them, and adds the columns of `user`. It can be called repeatedly, and in several processes at
 * once. Applied steps are recorded in the table `auth_migrations`.
 *
 * With a `preset` the tables are those of another library and must exist. It adds missing indexes and unique
 * constraints, and the tables that other libraries lack. It changes no column and no row, and rejects if rows violate a
 * constraint.
 *
 * @throws {TypeError} When an option is invalid.
 * @example
 * ```ts
 * await migrate(db)
 * const { sql } = await migrate(db, { dryRun: true })
 * ```
 */
export async function migrate(db: AnyKysely, options: MigrateOptions = {}): Promise<Migration> {
  const database = toDatabase(db)
  const { preset = 'default', dryRun = false, user } = options
  const layout = resolveLayout(readDialect(options.dialect) ?? detectDialect(database), { preset, user })
  return migrateLayout(database, layout, dryRun)
}

/** Updates the tables of a layout. */
export function migrateLayout(database: Database, layout: Layout, dryRun: boolean): Promise<Migration> {
  if (dryRun) return plan(database, layout)
  const batch = batchOf(database)
  if (batch) return noteMigration(database, migrateByBatch(database, layout, batch))
  const work = runAlone(database, layout.dialect, async (connection) => {
    const migration = await plan(connection, layout)
    for (const statement of migration.sql) await execute(connection, statement)
    return migration
  })
  return noteMigration(database, work)
}

const journal = 'auth_migrations'

/**
 * Runs the pending steps together. Of processes that migrate at once, one writes the journal, and the statements of the
 * others have no effect.
 */
async function migrateByBatch(db: Database, layout: Layout, batch: Batch): Promise<Migration> {
  const migration = await plan(db, layout)
  if (migration.sql.length === 0) return migration
  try {
    await batch(migration.sql)
    return migration
  } catch (error) {
    const left = await plan(db, layout)
    if (left.sql.length === 0) return left
    throw error
  }
}

/** Returns the pending steps. */
async function plan(db: Database, layout: Layout): Promise<Migration> {
  const hasJournal = await tableExists(db, layout.dialect, journal)
  const rows = hasJournal ? await db.selectFrom(journal).select('name').execute() : []
  const done = new Set(rows.map(({ name }) => String(name)))
  const steps = migrationSteps(layout.preset).filter(({ name }) => !done.has(name))
  const columns = await missingUserColumns(db, layout)
  if (steps.length === 0 && columns.length === 0) return { applied: [], sql: [] }
  await assertTables(db, layout)
  const schema = await createSchema(db, layout)
  const begin = hasJournal ? [] : [journalTable(schema)]
  const stepStatements = steps.flatMap((step) => [...step.statements(schema), journalEntry(schema, step)])
  return {
    applied: [...steps.map(({ name }) => name), ...columns.map((name) => `${layout.tables.users}.${name}`)],
    sql: [...begin, ...stepStatements, ...userColumnStatements(schema, columns)],
  }
}

function journalTable({ table, types }: Schema): string {
  return table(journal)
    .addColumn('name', types.key, (column) => column.primaryKey())
    .addColumn('appliedAt', types.timestamp, (column) => column.notNull().defaultTo(sql`current_timestamp`))
    .compile().sql
}

function journalEntry({ db }: Schema, { name }: MigrationStep): string {
  return db
    .insertInto(journal)
    .columns(['name'])
    .expression(sql`select ${sql.lit(name)}`)
    .compile().sql
}

/** Asserts that the tables of another library exist: they are not created here. */
async function assertTables(db: Database, { dialect, preset, tables, hasAuthenticators }: Layout): Promise<void> {
  if (preset === 'default') return
  const missing: string[] = []
  for (const [name, table] of Object.entries(tables)) {
    if (name === 'authenticators' && !hasAuthenticators) continue
    if (!(await tableExists(db, dialect, table))) missing.push(table)
  }
  if (missing.length === 0) return
  throw new Error(`The preset "${preset}" needs the tables of its adapter. Missing: ${missing.join(', ')}.`)
}

/* ---- one at a time ------------------------------------------------------------------------------------------ */

/** An arbitrary number that is the same in every process. */
const lockNumber = 5_224_011_771
const lockSeconds = 60

/** Waits until no other process migrates. On PostgreSQL and SQLite all statements take effect together. */
async function runAlone<T>(db: Database, dialect: Dialect, work: (db: Database) => Promise<T>): Promise<T> {
  if (dialect === 'mysql') return db.connection().execute((connection) => withNamedLock(connection, work))
  return runTransaction(db, dialect, async (transaction) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(lockNumber)})`.execute(transaction)
    return work(transaction)
  })
}

/** Runs work under a lock. MySQL commits at each change of a table, so steps that were partly applied run again. */
async function withNamedLock<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const name = sql`sha1(concat('auth_migrations ', database()))`
  const { rows } = await sql<{ got: unknown }>`select get_lock(${name}, ${sql.lit(lockSeconds)}) as got`.execute(db)
  if (rows[0]?.got === null) throw new Error('The connection has no database. Add its name to the URL.')
  if (Number(rows[0]?.got) !== 1) throw new Error(`Another process has been migrating for over ${lockSeconds} seconds.`)
  try {
    return await work(db)
  } finally {
    await sql`select release_lock(${name})`.execute(db)
  }
}

async function execute(db: Database, statement: string): Promise<void> {
  try {
    await sql.raw(statement).execute(db)
  } catch (error) {
    if (!alreadyExists(error)) throw error
  }
}

/**
 * Checks whether an index or column exists already. MySQL has no `if not exists` for indexes and columns, SQLite none
 * for columns.
 */
function alreadyExists(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  const isColumn = error.code === 'SQLITE_ERROR' && error.message.startsWith('duplicate column name')
  return isColumn || error.code === 'ER_DUP_KEYNAME' || error.code === 'ER_DUP_FIELDNAME'
}
