/** Pieces of queries: which columns are read, which rows are meant, what is written. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Row } from './database.js'
import type { Kind, Layout, TableName } from './layout.js'
import { type Records, toRecord } from './records.js'
import { fromColumn, readable, toColumn, toKey } from './values.js'

/* ---- reading ------------------------------------------------------------------------------------------------ */

/** All columns of the table that the layout knows, for `select` and `returning`. */
export function readAll(layout: Layout, table: TableName) {
  return Object.entries(layout.columns[table]).map(([name, kind]) =>
    readable(layout, `${layout.tables[table]}.${name}`, kind, name),
  )
}

/** A row of the driver as a record. */
export function decode<Table extends TableName>(layout: Layout, table: Table, row: Row): Records[Table] {
  return decoder(layout, table)(row)
}

/** The same, for a table that is read often. */
export function decoder<Table extends TableName>(layout: Layout, table: Table): (row: Row) => Records[Table] {
  const columns = Object.entries(layout.columns[table])
  return (row) => {
    const values: Record<string, unknown> = {}
    for (const [name, kind] of columns) values[name] = fromColumn(kind, row[name])
    assertIds(layout, table, values)
    return toRecord[table](values)
  }
}

/** With the wrong `ids` the adapter would read users, and then not find them by the ids that it gave. */
function assertIds(layout: Layout, table: TableName, { id }: Row): void {
  if (table !== 'users' || layout.ids === 'text' || toKey(layout, 'id', 'id', id) !== undefined) return
  throw new TypeError(`The users' ids in ${layout.tables.users} are not of the type "${layout.ids}": set \`ids\`.`)
}

/* ---- finding ------------------------------------------------------------------------------------------------ */

/** A column's name, and the text that it must have. */
export interface Key {
  readonly column: string
  readonly kind: Kind
  readonly value: string
}

/** The keys of a condition; `undefined` when no row can have them. */
export function toKeys(layout: Layout, table: TableName, where: Row): readonly Key[] | undefined {
  const keys: Key[] = []
  for (const [column, asked] of Object.entries(where)) {
    const kind = layout.columns[table][column] ?? 'key'
    const value = toKey(layout, column, kind, asked)
    if (value === undefined) return undefined
    keys.push({ column: `${layout.tables[table]}.${column}`, kind, value })
  }
  return keys
}

type Where = ExpressionBuilder<Record<string, Record<string, unknown>>, string>

/** All keys are the same, letter for letter. */
export function matches(layout: Layout, keys: readonly Key[]) {
  return ({ eb, and }: Where) =>
    and(
      keys.flatMap(({ column, kind, value }) => {
        const equal = eb(column, '=', value)
        return layout.comparesExactly || kind === 'email' ? [equal] : [equal, sameBytes(column, value)]
      }),
    )
}

/** `=` finds the rows by their index, in the collation of the column; this leaves those that are really the same. */
function sameBytes(column: string, value: string) {
  const bytes = (text: unknown) => sql`cast(convert(${text} using utf8mb4) as binary)`
  return sql<boolean>`${bytes(sql.ref(column))} = ${bytes(value)}`
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

/** The columns that the record has. */
export function toValues(layout: Layout, table: TableName, record: Row): Record<string, unknown> {
  const given = Object.entries(layout.columns[table]).filter(
    ([column]) => Object.hasOwn(record, column) && record[column] !== undefined,
  )
  return Object.fromEntries(given.map(([column, kind]) => [column, toColumn(layout, column, kind, record[column])]))
}
