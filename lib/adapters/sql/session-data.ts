/**
 * The table of the application's session data (`session.data`). It is the same with every preset, because no other
 * library has it. A row is removed with its session if this process has used the table. Otherwise it is no longer
 * found, and `prune` removes it.
 */
import { sql } from 'kysely'
import type { AdapterSessionData } from '../../types/adapter.js'
import type { Database } from './database.js'
import { dataTable, type Layout } from './layout.js'
import { keysEqual, toKeys } from './rows.js'
import { type Schema, tableExists } from './schema.js'

/** Returns the statements that create the table. */
export function sessionDataStatements({ table, types }: Schema): readonly string[] {
  const data = table(dataTable)
    .addColumn('sessionToken', types.key, (column) => column.notNull().primaryKey())
    .addColumn('data', types.text, (column) => column.notNull())
    .compile().sql
  return [data]
}

/** True if the application uses the table. Otherwise the table may be missing, and no statement uses it. */
export interface DataUse {
  /** True if statements use the table. */
  isOn: boolean
}

/** Creates the operations on the table. */
export function createSessionData(db: Database, layout: Layout, use: DataUse) {
  return {
    use,
    async writeSessionData({ sessionToken, data, previous }: AdapterSessionData): Promise<boolean> {
      use.isOn = true
      if (previous === null) return insertSessionData(db, layout, sessionToken, data)
      const query = db.updateTable(dataTable).set({ data }).where('sessionToken', '=', sessionToken)
      const { numUpdatedRows } = await query.where('data', '=', previous).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Uses the table from now on if it exists, for changes that must not leave data behind. */
    async detect(): Promise<void> {
      use.isOn ||= await tableExists(db, layout.dialect, dataTable)
    },
    /** Returns the tokens of sessions that are about to be removed; none when the table is not used. */
    async tokensOf(userId: string): Promise<readonly string[]> {
      const keys = use.isOn ? toKeys(layout, 'sessions', { userId }) : undefined
      if (!keys) return []
      const rows = await db
        .selectFrom(layout.tables.sessions)
        .select('sessionToken')
        .where(keysEqual(layout, keys))
        .execute()
      return rows.map(({ sessionToken }) => String(sessionToken))
    },
    /** Removes the data of sessions that have been removed. */
    async removeData(sessionTokens: readonly string[]): Promise<void> {
      if (!use.isOn) return
      for (let at = 0; at < sessionTokens.length; at += dataBatchSize) {
        const some = sessionTokens.slice(at, at + dataBatchSize)
        await db.deleteFrom(dataTable).where('sessionToken', 'in', some).execute()
      }
    },
  }
}

const dataBatchSize = 500

/** Inserts the data of an existing session. An existing row is not changed. */
async function insertSessionData(db: Database, layout: Layout, sessionToken: string, data: string): Promise<boolean> {
  const { sessions } = layout.tables
  const keys = toKeys(layout, 'sessions', { sessionToken })
  if (!keys) return false
  const session = db
    .selectFrom(sessions)
    .select([`${sessions}.sessionToken`, sql<string>`${data}`.as('data')])
    .where(keysEqual(layout, keys))
  const query = db.insertInto(dataTable).columns(['sessionToken', 'data']).expression(session)
  const unless = layout.dialect === 'mysql' ? query.ignore() : query.onConflict((conflict) => conflict.doNothing())
  const { numInsertedOrUpdatedRows = 0n } = await unless.executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}
