/** Removing expired rows, now and then. */
import { sql } from 'kysely'
import type { Database, Dialect } from './database.js'

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
