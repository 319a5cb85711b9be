/** What the tables of small stores have in common: rows of a user, written by their version, with times as numbers. */
import type { Database, Dialect, Row } from './database.js'
import { factorsTable } from './factors-table.js'
import { passwordsTable } from './passwords-table.js'
import { tableExists } from './schema.js'
import { tokensTable } from './tokens-table.js'
import { isStorableId } from './values.js'

/** A row that is there already stays as it is, and the transaction goes on. Says whether there was none. */
export async function insertFirst(
  db: Database,
  dialect: Dialect,
  { into, keys, row }: { readonly into: string; readonly keys: readonly string[]; readonly row: Row },
): Promise<boolean> {
  const query = db.insertInto(into).values(row)
  if (dialect === 'mysql') {
    // Not `insert ignore`: that would cut what is too long, and store it.
    return query.execute().then(() => true, refuseAnother)
  }
  const { numInsertedOrUpdatedRows = 0n } = await query
    .onConflict((conflict) => conflict.columns(keys).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

function refuseAnother(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY') return false
  throw error
}

/** Milliseconds since 1970. @throws {TypeError} for what is no time: a database could store it as none at all. */
export function toTime(date: Date): number {
  const time = date.getTime()
  if (Number.isNaN(time)) throw new TypeError('A date is needed.')
  return time
}

/** Reads what `toTime` wrote. Drivers give large numbers as text. */
export function fromTime(value: unknown): Date {
  return new Date(Number(value))
}

/** Removes what a user has there. Tables that were not migrated since have no such tables. */
export async function removeRowsOf(db: Database, dialect: Dialect, userId: string): Promise<void> {
  if (!isStorableId(userId)) return
  for (const table of [tokensTable, factorsTable, passwordsTable]) {
    // Looked for first: on PostgreSQL a statement that fails would end the transaction of the caller.
    if (await tableExists(db, dialect, table)) await db.deleteFrom(table).where('userId', '=', userId).execute()
  }
}
