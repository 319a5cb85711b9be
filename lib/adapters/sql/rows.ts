/** Parts of queries: the columns to read, the conditions, the values to write. */
import { type ExpressionBuilder, sql } from 'kysely'
import { type DescribedFields, readField } from '../../base/user-fields.js'
import type { Row } from './database.js'
import type { RowValues } from './direct-read.js'
import type { ColumnKind, Layout, TableName } from './layout.js'
import { type RowRecords, toRecord } from './records.js'
import { fromColumn, readable, toColumnValue, toKeyValue } from './values.js'

/* ---- reading ------------------------------------------------------------------------------------------------ */

/** Returns all columns of the table in the layout, for `select` and `returning`. */
export function readAll(layout: Layout, table: TableName) {
  return Object.entries(layout.columns[table]).map(([name, kind]) =>
    readable(layout, `${layout.tables[table]}.${name}`, kind, name),
  )
}

/** Converts a row of the driver to a record. */
export function decodeRow<Table extends TableName>(layout: Layout, table: Table, row: Row): RowRecords[Table] {
  return createDecoder(layout, table)(row)
}

/** Creates a function that converts rows, for tables that are read often. */
export function createDecoder<Table extends TableName>(layout: Layout, table: Table): (row: Row) => RowRecords[Table] {
  const names = Object.keys(layout.columns[table])
  const decode = createValuesDecoder(layout, table)
  return (row) => decode(names.map((name) => row[name]))
}

/** Does the same for rows that begin with the values of {@link readAll}, in that order. */
export function createValuesDecoder<Table extends TableName>(
  layout: Layout,
  table: Table,
): (row: RowValues) => RowRecords[Table] {
  const fields = fieldsOf(layout, table)
  const columns = Object.entries(layout.columns[table]).map(([name, kind]) => ({ name, kind, field: fields[name] }))
  return (row) => {
    const values: Record<string, unknown> = {}
    let at = 0
    for (const { name, kind, field } of columns) {
      const value = row[at]
      values[name] = field ? readField(name, field, value) : fromColumn(kind, value)
      at += 1
    }
    assertIds(layout, table, values)
    return toRecord[table](values)
  }
}

/** Returns the application's own columns, whose values are checked. */
function fieldsOf(layout: Layout, table: TableName): DescribedFields {
  return table === 'users' ? layout.userFields : {}
}

/**
 * Checks ids. With the wrong option `ids` the adapter would read users, but not find them by the ids that it returned.
 */
function assertIds(layout: Layout, table: TableName, { id }: Row): void {
  if (table !== 'users' || layout.ids === 'text' || toKeyValue(layout, 'id', 'id', id) !== undefined) return
  throw new TypeError(`The users' ids in ${layout.tables.users} are not of the type "${layout.ids}": set \`ids\`.`)
}

/* ---- finding ------------------------------------------------------------------------------------------------ */

/** A column and the text that it must have. */
export interface KeyCondition {
  readonly column: string
  readonly kind: ColumnKind
  readonly value: string
}

/** Returns the keys of a condition; `undefined` when no row can match. */
export function toKeys(layout: Layout, table: TableName, where: Row): readonly KeyCondition[] | undefined {
  const keys: KeyCondition[] = []
  for (const [column, asked] of Object.entries(where)) {
    const kind = layout.columns[table][column] ?? 'key'
    const value = toKeyValue(layout, column, kind, asked)
    if (value === undefined) return undefined
    keys.push({ column: `${layout.tables[table]}.${column}`, kind, value })
  }
  return keys
}

type ConditionBuilder = ExpressionBuilder<Record<string, Record<string, unknown>>, string>

/** Returns the condition that all keys are exactly equal. */
export function keysEqual(layout: Layout, keys: readonly KeyCondition[]) {
  return ({ eb, and }: ConditionBuilder) =>
    and(
      keys.flatMap(({ column, kind, value }) => {
        const equal = eb(column, '=', value)
        return layout.comparesExactly || kind === 'email' ? [equal] : [equal, sameBytes(column, value)]
      }),
    )
}

/** Compares bytes. `=` uses the index with the column's collation; this keeps only exact matches. */
function sameBytes(column: string, value: string) {
  const bytes = (text: unknown) => sql`cast(convert(${text} using utf8mb4) as binary)`
  return sql<boolean>`${bytes(sql.ref(column))} = ${bytes(value)}`
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

/** Returns the columns that the record has. The caller has checked declared fields, by `writeFields`. */
export function toValues(layout: Layout, table: TableName, record: Row): Record<string, unknown> {
  const given = Object.entries(layout.columns[table]).filter(
    ([column]) => Object.hasOwn(record, column) && record[column] !== undefined,
  )
  const fields = fieldsOf(layout, table)
  return Object.fromEntries(
    given.map(([column, kind]) => {
      const value = record[column]
      const isUnset = value === null && Object.hasOwn(fields, column)
      return [column, isUnset ? null : toColumnValue(layout, column, kind, value)]
    }),
  )
}
