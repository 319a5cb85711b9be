/**
 * Finds, lists, inserts, changes and removes rows. Properties of a record that are not columns are ignored. Keys that
 * no row can have are not queried.
 */
import type { Database, Row } from './database.js'
import type { Layout, TableName } from './layout.js'
import type { RowRecords } from './records.js'
import { createDecoder, decodeRow, type KeyCondition, keysEqual, readAll, toKeys, toValues } from './rows.js'

/** The tables of one database, or of one transaction. */
export type TableStore = Basics & Changes

interface Changes {
  /** Stores a row and returns it as the database stored it. */
  insert<Table extends TableName>(table: Table, record: Row): Promise<RowRecords[Table]>
  /** Changes the given columns and returns the row; `null` when there is none. */
  change<Table extends TableName>(table: Table, where: Row, patch: Row): Promise<RowRecords[Table] | null>
  /** Removes one row and returns it. Of concurrent calls exactly one gets it. */
  take<Table extends TableName>(table: Table, where: Row): Promise<RowRecords[Table] | null>
}

export function createTableStore(db: Database, layout: Layout): TableStore {
  const basics = createBasics(db, layout)
  return { ...basics, ...(layout.dialect === 'mysql' ? rereading : returning)(db, layout, basics) }
}

type Basics = ReturnType<typeof createBasics>

function createBasics(db: Database, layout: Layout) {
  const { tables } = layout
  const select = (table: TableName, keys: readonly KeyCondition[]) =>
    db.selectFrom(tables[table]).select(readAll(layout, table)).where(keysEqual(layout, keys))
  return {
    async find<Table extends TableName>(table: Table, where: Row): Promise<RowRecords[Table] | null> {
      const keys = toKeys(layout, table, where)
      const row = keys && (await select(table, keys).limit(1).executeTakeFirst())
      return row ? decodeRow(layout, table, row) : null
    },
    async list<Table extends TableName>(table: Table, where: Row, order: string): Promise<Array<RowRecords[Table]>> {
      const keys = toKeys(layout, table, where)
      const rows = keys ? await select(table, keys).orderBy(order).execute() : []
      const decode = createDecoder(layout, table)
      return rows.map((row) => decode(row))
    },
    /** Stores a row without reading it back. */
    async add(table: TableName, record: Row): Promise<void> {
      await db
        .insertInto(tables[table])
        .values(toValues(layout, table, record))
        .execute()
    },
    /** Removes all matching rows and returns their number. */
    async remove(table: TableName, where: Row): Promise<number> {
      const keys = toKeys(layout, table, where)
      if (!keys) return 0
      const query = db.deleteFrom(tables[table]).where(keysEqual(layout, keys))
      return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
}

/** The changes on PostgreSQL and SQLite, where a write returns the row. */
function returning(db: Database, layout: Layout, { find }: Basics): Changes {
  const nameOf = (table: TableName): string => layout.tables[table]
  return {
    async insert(table, record) {
      const query = db.insertInto(nameOf(table)).values(toValues(layout, table, record))
      return decodeRow(layout, table, await query.returning(readAll(layout, table)).executeTakeFirstOrThrow())
    },
    async change(table, where, patch) {
      const keys = toKeys(layout, table, where)
      const values = toValues(layout, table, patch)
      if (!keys || Object.keys(values).length === 0) return find(table, where)
      const query = db.updateTable(nameOf(table)).set(values).where(keysEqual(layout, keys))
      const row = await query.returning(readAll(layout, table)).executeTakeFirst()
      return row ? decodeRow(layout, table, row) : null
    },
    async take(table, where) {
      const keys = toKeys(layout, table, where)
      if (!keys) return null
      const query = db.deleteFrom(nameOf(table)).where(keysEqual(layout, keys))
      const row = await query.returning(readAll(layout, table)).executeTakeFirst()
      return row ? decodeRow(layout, table, row) : null
    },
  }
}

/** The changes on MySQL, where a write returns a count. */
function rereading(db: Database, layout: Layout, { add, find, remove }: Basics): Changes {
  const nameOf = (table: TableName): string => layout.tables[table]
  return {
    async insert(table, record) {
      await add(table, record)
      const { id, credentialID } = record
      const row = await find(table, table === 'users' ? { id } : { credentialID })
      if (!row) throw new Error(`A row of ${nameOf(table)} was removed while it was stored.`)
      return row
    },
    async change(table, where, patch) {
      const keys = toKeys(layout, table, where)
      const values = toValues(layout, table, patch)
      if (keys && Object.keys(values).length > 0) {
        // The count is not used: a driver may count only the rows with a changed value.
        await db.updateTable(nameOf(table)).set(values).where(keysEqual(layout, keys)).execute()
      }
      return find(table, where)
    },
    async take(table, where) {
      // Several calls may read the row; the count shows which one removed it.
      const row = await find(table, where)
      return row && (await remove(table, where)) > 0 ? row : null
    },
  }
}
