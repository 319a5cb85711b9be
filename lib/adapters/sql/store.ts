/**
 * What the adapter's methods do with a table: find, list, insert, change, remove. Rows go in and come out as records have
 * them; what a record has beside the columns is ignored.
 */
import type { Database, Row } from './database.js'
import type { Layout, TableName } from './layout.js'
import { decode, decodeFound, matches, readAll, toKeys, toValues } from './rows.js'

/** The tables of one database, or of one transaction. */
export interface Store extends Basics, Changes {
  list(table: TableName, where: Row, order: string): Promise<Row[]>
}

interface Basics {
  find(table: TableName, where: Row): Promise<Row | null>
  /** Stores a row, and does not ask what became of it. */
  add(table: TableName, record: Row): Promise<void>
  /** Removes all such rows, and says how many. */
  remove(table: TableName, where: Row): Promise<number>
}

interface Changes {
  /** Stores a row and returns what the database made of it. */
  insert(table: TableName, record: Row): Promise<Row>
  /** Changes the columns that are given, and returns the row; `null` when there is none. */
  change(table: TableName, where: Row, patch: Row): Promise<Row | null>
  /** Removes one row and returns it. Of many calls at once exactly one gets it. */
  take(table: TableName, where: Row): Promise<Row | null>
}

export function createStore(db: Database, layout: Layout): Store {
  const { dialect, tables } = layout
  const basics = createBasics(db, layout)
  return {
    ...basics,
    ...(dialect === 'mysql' ? rereading(db, layout, basics) : returning(db, layout, basics)),
    async list(table, where, order) {
      const keys = toKeys(layout, table, where)
      if (!keys) return []
      const query = db.selectFrom(tables[table]).select(readAll(layout, table)).where(matches(layout, keys))
      return (await query.orderBy(order).execute()).map((row) => decode(layout, table, row))
    },
  }
}

function createBasics(db: Database, layout: Layout): Basics {
  const { tables } = layout
  return {
    async find(table, where) {
      const keys = toKeys(layout, table, where)
      if (!keys) return null
      const query = db.selectFrom(tables[table]).select(readAll(layout, table)).where(matches(layout, keys)).limit(1)
      return decodeFound(layout, table, await query.executeTakeFirst())
    },
    async add(table, record) {
      await db
        .insertInto(tables[table])
        .values(toValues(layout, table, record))
        .execute()
    },
    async remove(table, where) {
      const keys = toKeys(layout, table, where)
      if (!keys) return 0
      const query = db.deleteFrom(tables[table]).where(matches(layout, keys))
      return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
}

/** PostgreSQL and SQLite: a statement that writes returns the row. */
function returning(db: Database, layout: Layout, { find }: Basics): Changes {
  const { tables } = layout
  return {
    async insert(table, record) {
      const query = db.insertInto(tables[table]).values(toValues(layout, table, record))
      return decode(layout, table, await query.returning(readAll(layout, table)).executeTakeFirstOrThrow())
    },
    async change(table, where, patch) {
      const keys = toKeys(layout, table, where)
      const values = toValues(layout, table, patch)
      if (!keys || Object.keys(values).length === 0) return find(table, where)
      const query = db.updateTable(tables[table]).set(values).where(matches(layout, keys))
      return decodeFound(layout, table, await query.returning(readAll(layout, table)).executeTakeFirst())
    },
    async take(table, where) {
      const keys = toKeys(layout, table, where)
      if (!keys) return null
      const query = db.deleteFrom(tables[table]).where(matches(layout, keys)).returning(readAll(layout, table))
      return decodeFound(layout, table, await query.executeTakeFirst())
    },
  }
}

/** MySQL: a statement that writes returns a count. */
function rereading(db: Database, layout: Layout, { add, find, remove }: Basics): Changes {
  const { tables } = layout
  return {
    async insert(table, record) {
      await add(table, record)
      const { id, credentialID } = record
      const row = await find(table, table === 'users' ? { id } : { credentialID })
      if (!row) throw new Error(`A row of ${tables[table]} was removed while it was stored.`)
      return row
    },
    async change(table, where, patch) {
      const keys = toKeys(layout, table, where)
      const values = toValues(layout, table, patch)
      if (keys && Object.keys(values).length > 0) {
        // The count is no answer: a driver may count only the rows in which something changed.
        await db.updateTable(tables[table]).set(values).where(matches(layout, keys)).execute()
      }
      return find(table, where)
    },
    async take(table, where) {
      // Many may see the row; the database tells one of them that it was the one who removed it.
      const row = await find(table, where)
      return row && (await remove(table, where)) > 0 ? row : null
    },
  }
}
