/** SQL that creates the tables of a Drizzle schema, for the few things that the schemas of the tests use. */
import { getTableName, type Table } from 'drizzle-orm'

interface Column {
  readonly name: string
  readonly notNull: boolean
  readonly primary: boolean
  readonly isUnique: boolean
  getSQLType(): string
}

/** The description of a table by Drizzle, in any of its dialects. */
export interface TableConfig {
  readonly name: string
  readonly columns: readonly Column[]
  readonly primaryKeys: ReadonlyArray<{ readonly columns: ReadonlyArray<{ readonly name: string }> }>
  readonly foreignKeys: ReadonlyArray<{
    readonly onDelete?: string | undefined
    reference(): {
      readonly columns: ReadonlyArray<{ readonly name: string }>
      readonly foreignColumns: ReadonlyArray<{ readonly name: string }>
      readonly foreignTable: Table
    }
  }>
}

/** One statement for each table, in their order. */
export function createTables(tables: readonly TableConfig[], quote = '"'): string[] {
  const quoted = (name: string) => `${quote}${name}${quote}`
  const list = (columns: ReadonlyArray<{ readonly name: string }>) => columns.map(({ name }) => quoted(name)).join(', ')
  return tables.map(({ name, columns, primaryKeys, foreignKeys }) => {
    const parts = [
      ...columns.map((column) => `${quoted(column.name)} ${column.getSQLType()}${constraintsOf(column)}`),
      ...primaryKeys.map((key) => `primary key (${list(key.columns)})`),
      ...foreignKeys.map((key) => {
        const { columns: own, foreignColumns, foreignTable } = key.reference()
        const target = `${quoted(getTableName(foreignTable))} (${list(foreignColumns)})`
        return `foreign key (${list(own)}) references ${target} on delete ${key.onDelete ?? 'no action'}`
      }),
    ]
    return `create table ${quoted(name)} (${parts.join(', ')})`
  })
}

function constraintsOf({ primary, notNull, isUnique }: Column): string {
  return `${primary ? ' primary key' : ''}${notNull ? ' not null' : ' null'}${isUnique ? ' unique' : ''}`
}
