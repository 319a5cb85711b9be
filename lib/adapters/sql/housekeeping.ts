/** Removes expired rows from time to time. */
import { sql } from 'kysely'
import type { Database, Dialect } from './database.js'

/** The expired rows of a table. */
export interface Expiring {
  readonly table: string
  readonly column: string
  /** The current time, as the column stores it. */
  readonly now: unknown
}

/** Removes expired rows and returns their number. */
export async function removeExpired(
  db: Database,
  dialect: Dialect,
  { table, column, now }: Expiring,
  limit: number,
): Promise<number> {
  // The condition is checked again, so a session that was extended meanwhile is kept.
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

/** Removes expired rows from time to time, without making a request wait. */
export interface Housekeeping {
  tick(): void
}

/** Seconds. A process prunes only some time after its start: many may start at once, with requests waiting. */
const firstAfter = 60

/** Creates housekeeping that runs at most once in `seconds`; 0 is never. */
export function createHousekeeping(seconds: number, work: () => Promise<unknown>): Housekeeping {
  let due = seconds === 0 ? Number.POSITIVE_INFINITY : Date.now() + Math.min(seconds, firstAfter) * 1000
  return {
    tick() {
      if (Date.now() < due) return
      due = Date.now() + seconds * 1000
      // When it fails, the rows are kept until the next run. Expired rows sign no user in, because the engine checks
      // their dates.
      work().catch(() => {})
    },
  }
}

/**
 * Reads the option.
 *
 * @throws {RangeError} When it is not a number of seconds.
 */
export function readPruneEvery(seconds: number = 3600): number {
  if (typeof seconds === 'number' && seconds >= 0) return seconds
  throw new RangeError('`pruneEvery` must be a number of seconds, 0 or more.')
}
