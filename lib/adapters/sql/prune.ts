/** Housekeeping: what has expired is deleted. */
import { sql } from 'kysely'
import type { Database, Dialect } from './database.js'
import { factorsTable } from './factors-table.js'
import { dataTable, type Layout, linksTable } from './layout.js'
import { attemptsTable } from './passwords-table.js'
import { tableExists } from './schema.js'
import { toColumn } from './values.js'

/** Options of `prune`. */
export interface PruneOptions {
  /** How many rows one statement removes at the most. Default 1000. */
  limit?: number
}

/** How many rows `prune` removed. */
export interface Pruned {
  /** Sessions whose time was over. */
  sessions: number
  /** Tokens of mailed links whose time was over. */
  verificationTokens: number
}

/**
 * Removes what has expired, in small statements: each holds its locks for a short time.
 *
 * @throws {RangeError} When `limit` is not a whole number above 0.
 */
export async function prune(db: Database, layout: Layout, { limit = 1000 }: PruneOptions = {}): Promise<Pruned> {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('`limit` is a whole number above 0.')
  const { dialect, tables } = layout
  const ended = { column: 'expires', now: toColumn(layout, 'expires', 'date', new Date()) }
  const pruned = {
    sessions: await removeExpired(db, dialect, { table: tables.sessions, ...ended }, limit),
    verificationTokens: await removeExpired(db, dialect, { table: tables.verificationTokens, ...ended }, limit),
  }
  const now = Date.now()
  const own = [
    { table: factorsTable, column: 'expiresAt', now },
    { table: attemptsTable, column: 'expires', now },
  ]
  for (const expiring of own) {
    // Tables that were not migrated since have no such tables.
    if (await tableExists(db, dialect, expiring.table)) await removeExpired(db, dialect, expiring, limit)
  }
  for (const table of [linksTable, dataTable]) await removeOrphans(db, layout, table, limit)
  return pruned
}

/** Which rows of a table have expired. */
export interface Expiring {
  readonly table: string
  readonly column: string
  /** As the column has it. */
  readonly now: unknown
}

/** Says how many there were. */
export async function removeExpired(
  db: Database,
  dialect: Dialect,
  { table, column, now }: Expiring,
  limit: number,
): Promise<number> {
  // A session that was extended meanwhile stays: the row itself is asked again.
  const expired = db.deleteFrom(table).where(column, '<', now)
  const query = dialect === 'mysql' ? expired.orderBy(column).limit(limit) : expired.where(isChosen())
  let removed = 0
  for (;;) {
    const { numDeletedRows } = await query.executeTakeFirstOrThrow()
    removed += Number(numDeletedRows)
    if (numDeletedRows < BigInt(limit)) return removed
  }

  function isChosen() {
    const row = sql.ref(dialect === 'postgres' ? 'ctid' : 'rowid')
    const chosen = db.selectFrom(table).select(sql`${row}`.as('row')).where(column, '<', now).limit(limit)
    return dialect === 'postgres' ? sql<boolean>`${row} = any(array(${chosen}))` : sql<boolean>`${row} in ${chosen}`
  }
}

/** Removes rows whose sessions are gone, in small statements. Tables that were not migrated since have no such table. */
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

/** Prunes now and then. No request waits for it. */
export interface Housekeeping {
  tick(): void
}

/** Seconds. A process that was just started prunes later: many may start at once, and all have requests waiting. */
const firstAfter = 60

/** At most once in `seconds`; 0 is never. */
export function createHousekeeping(seconds: number, work: () => Promise<unknown>): Housekeeping {
  let due = seconds === 0 ? Number.POSITIVE_INFINITY : Date.now() + Math.min(seconds, firstAfter) * 1000
  return {
    tick() {
      if (Date.now() < due) return
      due = Date.now() + seconds * 1000
      // When it fails, the rows stay until the next time. Expired rows sign nobody in: the engine looks at their dates.
      work().catch(() => {})
    },
  }
}

/** @throws {RangeError} When it is not a number of seconds. */
export function readPruneEvery(seconds: number = 3600): number {
  if (typeof seconds === 'number' && seconds >= 0) return seconds
  throw new RangeError('`pruneEvery` is a number of seconds, 0 or more.')
}
