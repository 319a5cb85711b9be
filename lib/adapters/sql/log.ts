/**
 * The log of ended sessions in the table `auth_revocations`, and the list of live ones in `auth_jwt_sessions`. Times of
 * writing are those of the database's clock.
 */
import { type RawBuilder, sql } from 'kysely'
import type { FoundRevocations, ListedSession, LogStore, Revocation, RevocationPage } from '../../types/store.js'
import { clocks } from './clock.js'
import type { Database, Dialect, Row } from './database.js'
import { createHousekeeping } from './housekeeping.js'
import { listTable, revocationsTable as table } from './layout.js'
import { withAdvice } from './missing-table.js'
import { batchOf } from './transaction.js'

/** The maximum number of entries that a query returns or a statement removes. */
const pageSize = 5000
/** The number of entries in a statement for D1, which allows 100 KB. */
const rowsPerD1Statement = 250
/** The longest expected time in milliseconds between the time in a row and its commit. */
const overlap = 5000
/** Seconds after which expired entries are removed again. */
const pruneEvery = 600

/** Creates the log of a database. */
export function createSqlLog(db: Database, dialect: Dialect): Required<LogStore> {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default', ownColumns: true })
  const housekeeping = createHousekeeping(pruneEvery, () => pruneLog(db))
  return {
    add: advised(async (revocations: readonly Revocation[]) => {
      if (revocations.length === 0) return
      const at = clocks[dialect]
      const rows = revocations.map(({ key, exceptSid, notBefore, until }) => ({ key, exceptSid, notBefore, until, at }))
      const change = {
        notBefore: laterValue(dialect, table, 'notBefore'),
        until: laterValue(dialect, table, 'until'),
        at,
      }
      const size = batchOf(db) ? rowsPerD1Statement : rows.length
      for (let from = 0; from < rows.length; from += size) {
        const some = rows.slice(from, from + size)
        await upsert(db, dialect, { into: table, rows: some, keys: ['key', 'exceptSid'], change })
      }
      housekeeping.tick()
    }),
    replace: advised(async ({ key, notBefore, until }: Omit<Revocation, 'exceptSid'>) => {
      const change = db.updateTable(table).set({ notBefore, until, at: clocks[dialect] })
      await change.where('key', '=', key).where('exceptSid', '=', '').execute()
    }),
    find: advised((keys: readonly string[]) => findRevocations(db, dialect, keys)),
    changes: advised((cursor: string | null) => readChanges(db, dialect, cursor)),
    list: advised(async (session: ListedSession) => {
      const change = {
        usedAt: laterValue(dialect, listTable, 'usedAt'),
        until: laterValue(dialect, listTable, 'until'),
      }
      await upsert(db, dialect, { into: listTable, rows: [{ ...session }], keys: ['sid'], change })
      housekeeping.tick()
    }),
    listed: advised((userKey: string) => readListed(db, userKey)),
    unlist: advised(async (userKey: string, sids: readonly string[]) => {
      if (sids.length === 0) return
      await db.deleteFrom(listTable).where('userKey', '=', userKey).where('sid', 'in', sids).execute()
    }),
  }
}

interface Upsert {
  readonly into: string
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly keys: readonly string[]
  /** The changes to an existing row. */
  readonly change: Readonly<Record<string, RawBuilder<unknown>>>
}

/** Inserts or changes in one statement, so that concurrent processes do not undo each other's writes. */
async function upsert(db: Database, dialect: Dialect, { into, rows, keys, change }: Upsert): Promise<void> {
  const insert = db.insertInto(into).values(rows)
  await (dialect === 'mysql'
    ? insert.onDuplicateKeyUpdate(change)
    : insert.onConflict((conflict) => conflict.columns(keys).doUpdateSet(change))
  ).execute()
}

/** Returns the later of the stored and the proposed value. */
function laterValue(dialect: Dialect, name: string, column: string): RawBuilder<unknown> {
  if (dialect === 'mysql') return sql`greatest(${sql.ref(column)}, values(${sql.ref(column)}))`
  const greatest = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest')
  return sql`${greatest}(${sql.ref(`${name}.${column}`)}, ${sql.ref(`excluded.${column}`)})`
}

async function readListed(db: Database, userKey: string): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom(listTable)
    .select(['sid', 'begunAt', 'usedAt', 'until', 'beginning'])
    .where('userKey', '=', userKey)
    .where('until', '>=', Math.floor(Date.now() / 1000))
    .execute()
  return rows.map(({ sid, begunAt, usedAt, until, beginning }) => ({
    sid: String(sid),
    userKey,
    begunAt: Number(begunAt),
    usedAt: Number(usedAt),
    until: Number(until),
    ...(typeof beginning === 'string' && { beginning }),
  }))
}

const columns = ['key', 'exceptSid', 'notBefore', 'until', 'at'] as const

/** Selects the clock and the matching rows. The time is returned even without rows. */
function select(db: Database, dialect: Dialect, condition: RawBuilder<unknown>, ending = sql``) {
  const names = sql.join(columns.map((column) => sql.ref(`entry.${column}`)))
  return sql<Row>`select ${sql.ref('clock.time')}, ${names}
    from (select ${clocks[dialect]} as ${sql.ref('time')}) as ${sql.ref('clock')}
    left join ${sql.table(table)} as ${sql.ref('entry')} on ${condition} ${ending}`.execute(db)
}

async function findRevocations(db: Database, dialect: Dialect, keys: readonly string[]): Promise<FoundRevocations> {
  const isMeant = keys.length > 0 ? sql`${sql.ref('entry.key')} in (${sql.join(keys)})` : sql`1 = 0`
  const { rows } = await select(db, dialect, isMeant)
  return { revocations: rows.flatMap(toRevocation), now: Math.floor(databaseTimeOf(rows) / 1000) }
}

/**
 * Reads changes after a cursor. A cursor is the time of the oldest change that has not been read. Between two pages it
 * also contains the time of the first read and the last row.
 *
 * The time of a row is slightly before its commit, so each round begins slightly before the previous one.
 */
async function readChanges(db: Database, dialect: Dialect, cursor: string | null): Promise<RevocationPage> {
  const [from = '0', begin, key = '', exceptSid = ''] = cursor?.split(' ') ?? []
  const { rows } = await select(
    db,
    dialect,
    isLater(Number(from), begin === undefined ? undefined : { key, exceptSid }),
    ending,
  )
  const revocations = rows.flatMap(toRevocation)
  const start = begin ?? String(databaseTimeOf(rows))
  const last = rows.at(-1)
  if (revocations.length < pageSize || !last) {
    return { revocations, cursor: String(Number(start) - overlap), isLast: true }
  }
  return { revocations, cursor: [last.at, start, last.key, last.exceptSid].join(' '), isLast: false }
}

const ending = sql`order by ${sql.ref('entry.at')}, ${sql.ref('entry.key')}, ${sql.ref('entry.exceptSid')} limit ${sql.lit(pageSize)}`

/** Returns the condition for rows of that time or later, and at that time only those after this row. */
function isLater(at: number, row: Pick<Revocation, 'key' | 'exceptSid'> | undefined): RawBuilder<unknown> {
  const [time, key, except] = ['entry.at', 'entry.key', 'entry.exceptSid'].map((name) => sql.ref(name))
  if (!row) return sql`${time} >= ${at}`
  return sql`${time} >= ${at} and (${time} > ${at} or ${key} > ${row.key} or (${key} = ${row.key} and ${except} > ${row.exceptSid}))`
}

function toRevocation({ key, exceptSid, notBefore, until }: Row): Revocation[] {
  if (key === null) return []
  return [{ key: String(key), exceptSid: String(exceptSid), notBefore: Number(notBefore), until: Number(until) }]
}

/**
 * Reads the database's time.
 *
 * @throws {Error} for an invalid time, so that no wrong clock is used.
 */
function databaseTimeOf([row]: readonly Row[]): number {
  const time = Number(row?.time)
  if (Number.isSafeInteger(time)) return time
  throw new Error('The database did not return its time.')
}

/** Removes expired entries in small statements, so that locks are held briefly. */
async function pruneLog(db: Database): Promise<void> {
  await removeExpiredEntries(db, table, 'key')
  await removeExpiredEntries(db, listTable, 'sid')
}

async function removeExpiredEntries(db: Database, name: string, key: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (;;) {
    const rows = await db.selectFrom(name).select(key).where('until', '<', now).limit(1000).execute()
    if (rows.length === 0) return
    const keys = rows.map((row) => row[key])
    // The condition is checked again, because an entry may have been written meanwhile.
    await db.deleteFrom(name).where(key, 'in', keys).where('until', '<', now).execute()
  }
}
