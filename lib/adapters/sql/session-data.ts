/**
 * The table of what applications put into sessions (`session.data`). It is the same with every preset, since no other library has it.
 * A row goes with its session where this process has used the table; else it is found no more, and `prune` removes it.
 */
import { sql } from 'kysely'
import type { AdapterSessionData } from '../../types/adapter.js'
import type { Database } from './database.js'
import { dataTable, type Layout } from './layout.js'
import { matches, toKeys } from './rows.js'
import type { Schema } from './schema.js'

/** The statements that make the table. */
export function sessionData({ table, types }: Schema): readonly string[] {
  const data = table(dataTable)
    .addColumn('sessionToken', types.key, (column) => column.notNull().primaryKey())
    .addColumn('data', types.text, (column) => column.notNull())
    .compile().sql
  return [data]
}

/** Whether an adapter's owner uses the table: it need not be there else, and no statement is spent on it. */
export interface DataUse {
  /** Whether statements are spent on the table. */
  isOn: boolean
}

/** What is done with the table. */
export function createSessionData(db: Database, layout: Layout, use: DataUse) {
  return {
    use,
    async writeSessionData({ sessionToken, data, previous }: AdapterSessionData): Promise<boolean> {
      use.isOn = true
      if (previous === null) return insert(db, layout, sessionToken, data)
      const query = db.updateTable(dataTable).set({ data }).where('sessionToken', '=', sessionToken)
      const { numUpdatedRows } = await query.where('data', '=', previous).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Tokens of sessions that are about to be removed; none where the table is not used. */
    async tokensOf(userId: string): Promise<readonly string[]> {
      const keys = use.isOn ? toKeys(layout, 'sessions', { userId }) : undefined
      if (!keys) return []
      const rows = await db
        .selectFrom(layout.tables.sessions)
        .select('sessionToken')
        .where(matches(layout, keys))
        .execute()
      return rows.map(({ sessionToken }) => String(sessionToken))
    },
    /** Removes the data of sessions that have been removed. */
    async removeData(sessionTokens: readonly string[]): Promise<void> {
      if (!use.isOn) return
      for (let at = 0; at < sessionTokens.length; at += batch) {
        const some = sessionTokens.slice(at, at + batch)
        await db.deleteFrom(dataTable).where('sessionToken', 'in', some).execute()
      }
    },
  }
}

const batch = 500

/** Of a session that is there. A row that is there already stays as it is. */
async function insert(db: Database, layout: Layout, sessionToken: string, data: string): Promise<boolean> {
  const { sessions } = layout.tables
  const keys = toKeys(layout, 'sessions', { sessionToken })
  if (!keys) return false
  const session = db
    .selectFrom(sessions)
    .select([`${sessions}.sessionToken`, sql<string>`${data}`.as('data')])
    .where(matches(layout, keys))
  const query = db.insertInto(dataTable).columns(['sessionToken', 'data']).expression(session)
  const unless = layout.dialect === 'mysql' ? query.ignore() : query.onConflict((conflict) => conflict.doNothing())
  const { numInsertedOrUpdatedRows = 0n } = await unless.executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}
