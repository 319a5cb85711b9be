/** Inspects the tables for `npx server-auth doctor`. It changes nothing. */
import { sql } from 'kysely'
import type { StoreInspection } from '../../types/store.js'
import { clocks } from './clock.js'
import type { Database, Dialect } from './database.js'
import type { Columns, Layout, TableName } from './layout.js'
import { migrate } from './migrate.js'
import { type ColumnNames, tableColumns } from './schema.js'

/** Inspects the tables. Rejects when the database cannot be queried. */
export async function inspectTables(db: Database, layout: Layout): Promise<StoreInspection> {
  const { dialect, preset } = layout
  const { rows } = await sql<{ now: unknown }>`select ${clocks[dialect]} as now`.execute(db)
  const { applied } = await migrate(db, { dialect, preset, dryRun: true })
  const there = await databaseColumns(db, layout)
  const inexact = await inexactColumns[dialect](db)
  const wanted = tablesOf(layout)
  const missing = wanted.flatMap(([table, columns]) => {
    const found = there.get(table)
    // A missing table needs a migration step, which is reported instead.
    return found ? Object.keys(columns).flatMap((name) => (found.has(name) ? [] : [`${table}.${name}`])) : []
  })
  const compared = wanted.flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([name, kind]) => (exactKinds.has(kind) ? [`${table}.${name}`] : [])),
  )
  return {
    kind: dialect,
    now: Number(rows[0]?.now),
    due: applied,
    missing,
    inexact: compared.filter((name) => inexact.has(name)),
  }
}

/**
 * The columns that are searched by exact text. Addresses are not among them, because the engine writes them in lower
 * case.
 */
const exactKinds: ReadonlySet<string> = new Set(['id', 'key'])

function tablesOf({ tables, columns, hasAuthenticators }: Layout): Array<[table: string, columns: Columns]> {
  const names = (Object.keys(tables) as TableName[]).filter((name) => name !== 'authenticators' || hasAuthenticators)
  return names.map((name) => [tables[name], columns[name]])
}

/** Returns the columns of the layout's tables in the database. */
async function databaseColumns(db: Database, layout: Layout): Promise<ReadonlyMap<string, ColumnNames>> {
  const found = new Map<string, ColumnNames>()
  for (const [table] of tablesOf(layout)) {
    const columns = await tableColumns(db, layout.dialect, table)
    if (columns.size > 0) found.set(table, columns)
  }
  return found
}

interface Placed {
  readonly name: string
  readonly place: string
}

/** The columns in which different texts may be equal, as `table.column`. */
const inexactColumns: Readonly<Record<Dialect, (db: Database) => Promise<ReadonlySet<string>>>> = {
  async postgres(db) {
    const { rows } = await sql<Placed>`
      select c.relname as place, a.attname as name from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      where pg_table_is_visible(c.oid) and a.attnum > 0 and (t.typname = 'citext' or l.collisdeterministic = false)`.execute(
      db,
    )
    return qualifiedNames(rows)
  },
  /** Reads the statement that created the table: no pragma shows a column's collation. */
  async sqlite(db) {
    const { rows } =
      await sql<Placed>`select name as place, sql as name from sqlite_master where type = 'table'`.execute(db)
    const columns = rows.flatMap(({ place, name: statement }) =>
      foldingColumns(statement).map((name) => ({ place, name })),
    )
    return qualifiedNames(columns)
  },
  async mysql(db) {
    const { rows } = await sql<Placed>`
      select table_name as place, column_name as name from information_schema.columns
      where table_schema = database() and collation_name is not null
      and collation_name not like ${'%\\_bin'} and collation_name not like ${'%\\_cs'}`.execute(db)
    return qualifiedNames(rows)
  },
}

/** Returns such columns of an SQLite CREATE TABLE. Each part between two commas is a column or a constraint. */
function foldingColumns(statement: string): string[] {
  const parts = statement.slice(statement.indexOf('(') + 1).match(/(?:[^,()]|\([^)]*\))+/g) ?? []
  const folding = parts.filter((part) => /\bcollate\s+["'`]?(?:nocase|rtrim)\b/i.test(part))
  return folding.flatMap((part) => /^\s*["'`[]?(\w+)/.exec(part)?.[1] ?? [])
}

function qualifiedNames(rows: readonly Placed[]): ReadonlySet<string> {
  return new Set(rows.map(({ place, name }) => `${place}.${name}`))
}
