/**
 * Counts attempts in the table `auth_limits`. Each attempt is one statement, which decides by the current row and
 * stores the decision, so concurrent attempts in several processes cannot exceed the limit. Times are those of the
 * database's clock.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Consumed, Consumption, CounterStore, KeyedConsumption } from '../../types/store.js'
import { clocks } from './clock.js'
import type { Database, Dialect, Row } from './database.js'
import { createHousekeeping } from './housekeeping.js'
import { limitsTable as table } from './limits-table.js'
import { withAdvice } from './missing-table.js'

/** Seconds after which expired counts are removed again. */
const pruneEvery = 600
/** The digits of a time in `times`. */
const digits = 13
/** The most times in a row, limited by MySQL. Higher limits are treated as this one. */
const maxTimes = 2400
/** The longest wait after failures in milliseconds, and the number of doublings after which it is reached. */
const longestDelay = 15 * 60_000
const doublings = 10
/** Milliseconds. */
const clockTolerance = 60_000

/**
 * Creates the counter of a database. An attempt takes one statement on PostgreSQL, and one for each key on SQLite,
 * MySQL and MariaDB.
 */
export function createSqlCounter(db: Database, dialect: Dialect): CounterStore {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default' })
  const housekeeping = createHousekeeping(pruneEvery, () => pruneCounts(db, dialect))
  const noted = <T>(value: T): T => {
    housekeeping.tick()
    return value
  }
  return {
    consume: advised(async (key: string, consumption: Consumption) => {
      const count = bounded({ key, ...consumption })
      if (count.cost === 0) return toConsumed(await queryWait(db, dialect, count))
      return noted(toConsumed(dialect === 'mysql' ? await countOnMysql(db, count) : await countOne(db, dialect, count)))
    }),
    refund: advised(async (key: string, { limit }: Consumption) => {
      const left = sql`${countTerm('times', dialect)} - 1`
      // The order matters: MySQL's assignments use the values written by earlier ones.
      const change = {
        next: sql`case when ${left} < ${sql.lit(limit)} then 0 else ${sql.ref('next')} end`,
        times: sql`substr(${sql.ref('times')}, ${sql.lit(digits + 1)})`,
      }
      await db.updateTable(table).set(change).where('key', '=', key).execute()
    }),
    ...(dialect === 'postgres' && {
      consumeInTurn: advised(async (counts: readonly KeyedConsumption[]) =>
        noted(await countInTurn(db, counts.map(bounded))),
      ),
    }),
  }
}

function bounded(count: KeyedConsumption): KeyedConsumption {
  return { ...count, limit: Math.min(count.limit, maxTimes) }
}

/* ---- one attempt ------------------------------------------------------------------------------------------------ */

/** Reads the wait without counting. */
async function queryWait(db: Database, dialect: Dialect, count: KeyedConsumption): Promise<unknown> {
  const row = rowTerms(dialect, undefined)
  const query = db
    .selectFrom(table)
    .select(waitTerm(row, count, clocks[dialect]).as('wait'))
    .where('key', '=', count.key)
  return (await query.executeTakeFirst())?.wait
}

async function countOne(db: Database, dialect: Dialect, count: KeyedConsumption): Promise<unknown> {
  const insert = db.insertInto(table).values(newRowTerms(dialect, count))
  const query = insert.onConflict((conflict) => conflict.column('key').doUpdateSet(changeTerms(dialect, count)))
  return (await query.returning('wait').executeTakeFirst())?.wait
}

/**
 * Counts on MySQL, whose INSERT returns no rows. The result is the value of `last_insert_id`, which is never 0 here: 1
 * is "counted".
 */
async function countOnMysql(db: Database, count: KeyedConsumption): Promise<unknown> {
  const insert = db.insertInto(table).values(newRowTerms('mysql', count))
  const { insertId } = await insert.onDuplicateKeyUpdate(changeTerms('mysql', count)).executeTakeFirstOrThrow()
  return insertId === undefined || insertId === 0n ? 0 : insertId - 1n
}

/** Counts several attempts in one statement: each is evaluated only if the one before it was counted. */
async function countInTurn(db: Database, counts: readonly KeyedConsumption[]): Promise<readonly Consumed[]> {
  const parts = counts.map((count, at) => {
    const { key, times, next, until, wait } = newRowTerms('postgres', count)
    const before = at === 0 ? sql`` : sql` from ${sql.ref(`part${at - 1}`)} where ${sql.ref(`part${at - 1}.wait`)} = 0`
    const change = Object.entries(changeTerms('postgres', count)).map(
      ([name, value]) => sql`${sql.ref(name)} = ${value}`,
    )
    const names = sql.join(['key', 'times', 'next', 'until', 'wait'].map((name) => sql.ref(name)))
    return sql`${sql.ref(`part${at}`)} as (insert into ${sql.table(table)} (${names})
      select cast(${key} as text), ${times}, ${next}, ${until}, cast(${wait} as bigint)${before}
      on conflict (${sql.ref('key')}) do update set ${sql.join(change)} returning ${sql.ref(`${table}.wait`)})`
  })
  const answers = counts.map(
    (_, at) => sql`(select ${sql.ref('wait')} from ${sql.ref(`part${at}`)}) as ${sql.ref(`wait${at}`)}`,
  )
  const { rows } = await sql<Row>`with ${sql.join(parts)} select ${sql.join(answers)}`.execute(db)
  const waits = counts.map((_, at) => rows[0]?.[`wait${at}`])
  return waits.filter((wait) => wait !== null).map(toConsumed)
}

/**
 * Reads a wait. No row means that the key had no counts.
 *
 * @throws {Error} for other values, which must not be treated as "counted".
 */
function toConsumed(wait: unknown): Consumed {
  const milliseconds = Number(wait ?? 0)
  if (!Number.isSafeInteger(milliseconds)) throw new Error('The database returned no valid waiting time.')
  return { allowed: milliseconds <= 0, retryAfter: Math.max(milliseconds, 0) / 1000 }
}

/* ---- the terms of a row ----------------------------------------------------------------------------------------- */

type Term = RawBuilder<unknown>

/** The columns of an existing row. */
interface RowTerms {
  readonly dialect: Dialect
  readonly times: Term
  readonly next: Term
  readonly until: Term
}

/**
 * Returns the columns of a row.
 *
 * @param name The table's name, if column names could also refer to the proposed row.
 */
function rowTerms(dialect: Dialect, name: string | undefined): RowTerms {
  const column = (each: string) => sql.ref(name === undefined ? each : `${name}.${each}`)
  return { dialect, times: column('times'), next: column('next'), until: column('until') }
}

/** Returns the row of a key that is counted for the first time. */
function newRowTerms(dialect: Dialect, { key, limit, window, delay }: KeyedConsumption) {
  const clock = clocks[dialect]
  const first = delay && limit <= 1 ? 1000 : 0
  return {
    key,
    times: sql`cast(${clock} as ${sql.raw(dialect === 'mysql' ? 'char' : 'text')})`,
    next: first > 0 ? sql`${clock} + ${sql.lit(first)}` : sql.lit(0),
    until: sql`${clock} + ${sql.lit(milliseconds(window) + first)}`,
    wait: sql.lit(0),
  }
}

/**
 * Returns the changes to an existing row. The order matters: MySQL's assignments use the values written by earlier
 * ones.
 */
function changeTerms(dialect: Dialect, count: KeyedConsumption): Record<'wait' | 'next' | 'times' | 'until', Term> {
  const isMysql = dialect === 'mysql'
  const row = rowTerms(dialect, isMysql ? undefined : table)
  const proposed = isMysql ? sql`values(${sql.ref('times')})` : sql.ref('excluded.times')
  const now = sql`cast(${proposed} as ${sql.raw(isMysql ? 'signed' : 'bigint')})`
  const { delay, limit, window } = count
  const wait = waitTerm(row, count, now)
  const isRefused = isMysql ? sql`${sql.ref('wait')} > 1` : sql`${wait} > 0`
  const kept = delay ? sql`case when ${row.until} <= ${now} then '' else ${row.times} end` : row.times
  const next = delay ? sql`${now} + ${delayTerm(sql`(${kept})`, limit, dialect)}` : sql.lit(0)
  const most = delay ? limit + doublings : limit
  const joined = isMysql ? sql`concat(${proposed}, ${kept})` : sql`${proposed} || ${kept}`
  const from = delay ? (isMysql ? row.next : next) : now
  const orElse = (value: Term, old: Term) => sql`case when ${isRefused} then ${old} else ${value} end`
  return {
    wait: isMysql ? sql`last_insert_id(${wait} + 1)` : wait,
    next: orElse(next, row.next),
    times: orElse(sql`substr(${joined}, 1, ${sql.lit(most * digits)})`, row.times),
    until: orElse(sql`${from} + ${sql.lit(milliseconds(window))}`, row.until),
  }
}

/**
 * Returns the milliseconds that an attempt has to wait; 0 if it counts. A wait beyond the maximum is also 0, because
 * the clock was set back. Transactions that wait for each other read it at slightly different times.
 */
function waitTerm({ dialect, times, next, until }: RowTerms, { delay, limit, window }: Consumption, now: Term) {
  const left = (end: Term, most: number) =>
    sql`${end} > ${now} and ${end} - ${now} <= ${sql.lit(most + clockTolerance)} then ${end} - ${now}`
  if (delay) return sql<number>`(case when ${until} > ${now} and ${left(next, longestDelay)} else 0 end)`
  // Another attempt is allowed when the oldest of the allowed number has left the window.
  const type = sql.raw(dialect === 'mysql' ? 'signed' : 'bigint')
  const oldest = sql`cast(substr(${times}, ${sql.lit((limit - 1) * digits + 1)}, ${sql.lit(digits)}) as ${type})`
  const end = sql`${oldest} + ${sql.lit(milliseconds(window))}`
  return sql<number>`(case when length(${times}) < ${sql.lit(limit * digits)} then 0
    when ${left(end, milliseconds(window))} else 0 end)`
}

/** Returns the milliseconds that the next attempt waits after one more failure. */
function delayTerm(kept: Term, limit: number, dialect: Dialect): Term {
  const failures = sql`(length(${kept}) ${divide(dialect)} ${sql.lit(digits)} + 1)`
  const over = sql`${failures} - ${sql.lit(limit)}`
  return sql`(case when ${failures} < ${sql.lit(limit)} then 0 when ${over} >= ${sql.lit(doublings)} then ${sql.lit(longestDelay)}
    else 1000 * (1 << (${over})) end)`
}

function countTerm(column: string, dialect: Dialect): Term {
  return sql`length(${sql.ref(column)}) ${divide(dialect)} ${sql.lit(digits)}`
}

/** Returns the operator for integer division. */
function divide(dialect: Dialect): Term {
  return sql.raw(dialect === 'mysql' ? 'div' : '/')
}

function milliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000)
}

/** Removes expired rows in small statements, so that locks are held briefly. */
async function pruneCounts(db: Database, dialect: Dialect): Promise<void> {
  for (;;) {
    const isOver = sql<boolean>`${sql.ref('until')} < ${clocks[dialect]}`
    const rows = await db.selectFrom(table).select('key').where(isOver).limit(1000).execute()
    if (rows.length === 0) return
    // The condition is checked again, because a key may have been counted meanwhile.
    const keys = rows.map(({ key }) => key)
    await db.deleteFrom(table).where('key', 'in', keys).where(isOver).execute()
  }
}
