/** Deletes expired rows. */
import { sql } from 'kysely'
import type { Database } from './database.js'
import { removeExpired } from './housekeeping.js'
import { dataTable, type Layout, linksTable } from './layout.js'
import { pruneRecords } from './record-store.js'
import { tableExists } from './schema.js'
import { toColumnValue } from './values.js'

/** The options of `prune`. */
export interface PruneOptions {
  /** The maximum number of rows that one statement removes. Default 1000. */
  limit?: number
}

/** The numbers of rows that `prune` removed. */
export interface Pruned {
  /** Expired sessions. */
  sessions: number
  /** Expired tokens of email links. */
  verificationTokens: number
}

/**
 * Removes expired rows in small statements, so that locks are held briefly.
 *
 * @throws {RangeError} When `limit` is not a whole number above 0.
 */
export async function prune(db: Database, layout: Layout, { limit = 1000 }: PruneOptions = {}): Promise<Pruned> {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('`limit` must be a whole number above 0.')
  const { dialect, tables } = layout
  const ended = { column: 'expires', now: toColumnValue(layout, 'expires', 'date', new Date()) }
  const pruned = {
    sessions: await removeExpired(db, dialect, { table: tables.sessions, ...ended }, limit),
    verificationTokens: await removeExpired(db, dialect, { table: tables.verificationTokens, ...ended }, limit),
  }
  await pruneRecords(db, dialect, limit)
  for (const table of [linksTable, dataTable]) await removeOrphans(db, layout, table, limit)
  return pruned
}

/** Removes rows of deleted sessions in small statements. A database that was not migrated may lack the table. */
async function removeOrphans(db: Database, { dialect, tables }: Layout, table: string, limit: number): Promise<void> {
  if (!(await tableExists(db, dialect, table))) return
  const session = db
    .selectFrom(`${tables.sessions} as session`)
    .select(sql`1`.as('one'))
    .whereRef('session.sessionToken', '=', `${table}.sessionToken`)
  const chosen = db
    .selectFrom(table)
    .select('sessionToken')
    .where(({ not, exists }) => not(exists(session)))
    .limit(limit)
  for (;;) {
    const orphans = (await chosen.execute()).map(({ sessionToken }) => String(sessionToken))
    if (orphans.length > 0) await db.deleteFrom(table).where('sessionToken', 'in', orphans).execute()
    if (orphans.length < limit) return
  }
}
