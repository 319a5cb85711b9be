/** Ended sessions in a table, `auth_revocations`, and those that go on in another, `auth_jwt_sessions`. Times of writing are those of the database's clock. */
import { type RawBuilder, sql } from 'kysely'
import type { FoundRevocations, ListedSession, LogStore, Revocation, RevocationPage } from '../../types/store.js'
import { clocks } from './clock.js'
import type { Database, Dialect, Row } from './database.js'
import { createHousekeeping } from './housekeeping.js'
import { listTable, revocationsTable as table } from './layout.js'
import { withAdvice } from './missing-table.js'

/** Entries that one query returns, or one statement removes, at the most. */
const pageSize = 5000
/** Milliseconds between the time in a row and its commit that a reader counts on. */
const overlap = 5000
/** Seconds after which entries that nobody needs are removed again. */
const pruneEvery = 600

/** Makes the log of a database. */
export function createLog(db: Database, dialect: Dialect): Required<LogStore> {
  const advised = <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
    withAdvice(method, { preset: 'default', ownColumns: true })
  const housekeeping = createHousekeeping(pruneEvery, () => prune(db))
  return {
    add: advised(async (revocations: readonly Revocation[]) => {
      if (revocations.length === 0) return
      const at = clocks[dialect]
      const rows = revocations.map(({ key, exceptSid, notBefore, until }) => ({ key, exceptSid, notBefore, until, at }))
      const change = { notBefore: laterOf(dialect, table, 'notBefore'), until: laterOf(dialect, table, 'until'), at }
      await upsert(db, dialect, { into: table, rows, keys: ['key', 'exceptSid'], change })
      housekeeping.tick()
    }),
    replace: advised(async ({ key, notBefore, until }: Omit<Revocation, 'exceptSid'>) => {
      const change = db.updateTable(table).set({ notBefore, until, at: clocks[dialect] })
      await change.where('key', '=', key).where('exceptSid', '=', '').execute()
    }),
    find: advised((keys: readonly string[]) => find(db, dialect, keys)),
    changes: advised((cursor: string | null) => changes(db, dialect, cursor)),
    list: advised(async (session: ListedSession) => {
      const change = { usedAt: laterOf(dialect, listTable, 'usedAt'), until: laterOf(dialect, listTable, 'until') }
      await upsert(db, dialect, { into: listTable, rows: [{ ...session }], keys: ['sid'], change })
      housekeeping.tick()
    }),
    listed: advised((userKey: string) => listed(db, userKey)),
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
  /** What is set in a row that is there. */
  readonly change: Readonly<Record<string, RawBuilder<unknown>>>
}

/** In one statement, so that of two processes at once none undoes what the other wrote. */
async function upsert(db: Database, dialect: Dialect, { into, rows, keys, change }: Upsert): Promise<void> {
  const insert = db.insertInto(into).values(rows)
  await (dialect === 'mysql'
    ? insert.onDuplicateKeyUpdate(change)
    : insert.onConflict((conflict) => conflict.columns(keys).doUpdateSet(change))
  ).execute()
}

/** Of what a row has and what it would get. */
function laterOf(dialect: Dialect, name: string, column: string): RawBuilder<unknown> {
  if (dialect === 'mysql') return sql`greatest(${sql.ref(column)}, values(${sql.ref(column)}))`
  const greatest = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest')
  return sql`${greatest}(${sql.ref(`${name}.${column}`)}, ${sql.ref(`excluded.${column}`)})`
}

async function listed(db: Database, userKey: string): Promise<ListedSession[]> {
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

/** The clock, and beside it the rows that fit: the time is told even where there is none. */
function select(db: Database, dialect: Dialect, condition: RawBuilder<unknown>, ending = sql``) {
  const names = sql.join(columns.map((column) => sql.ref(`entry.${column}`)))
  return sql<Row>`select ${sql.ref('clock.time')}, ${names}
    from (select ${clocks[dialect]} as ${sql.ref('time')}) as ${sql.ref('clock')}
    left join ${sql.table(table)} as ${sql.ref('entry')} on ${condition} ${ending}`.execute(db)
}

async function find(db: Database, dialect: Dialect, keys: readonly string[]): Promise<FoundRevocations> {
  const isMeant = keys.length > 0 ? sql`${sql.ref('entry.key')} in (${sql.join(keys)})` : sql`1 = 0`
  const { rows } = await select(db, dialect, isMeant)
  return { revocations: rows.flatMap(toRevocation), now: Math.floor(timeOf(rows) / 1000) }
}

/**
 * A cursor is the time of the oldest change that is still to be read. Between two pages it is when the first one was read,
 * and the last row that was read. The time of a row is taken a moment before its commit: so each round begins a little before
 * the one before it.
 */
async function changes(db: Database, dialect: Dialect, cursor: string | null): Promise<RevocationPage> {
  const [from = '0', begin, key = '', exceptSid = ''] = cursor?.split(' ') ?? []
  const { rows } = await select(
    db,
    dialect,
    isLater(Number(from), begin === undefined ? undefined : { key, exceptSid }),
    ending,
  )
  const revocations = rows.flatMap(toRevocation)
  const start = begin ?? String(timeOf(rows))
  const last = rows.at(-1)
  if (revocations.length < pageSize || !last) {
    return { revocations, cursor: String(Number(start) - overlap), isLast: true }
  }
  return { revocations, cursor: [last.at, start, last.key, last.exceptSid].join(' '), isLast: false }
}

const ending = sql`order by ${sql.ref('entry.at')}, ${sql.ref('entry.key')}, ${sql.ref('entry.exceptSid')} limit ${sql.lit(pageSize)}`

/** Rows of that time or a later one; of that time only those that come after this row. */
function isLater(at: number, row: Pick<Revocation, 'key' | 'exceptSid'> | undefined): RawBuilder<unknown> {
  const [time, key, except] = ['entry.at', 'entry.key', 'entry.exceptSid'].map((name) => sql.ref(name))
  if (!row) return sql`${time} >= ${at}`
  return sql`${time} >= ${at} and (${time} > ${at} or ${key} > ${row.key} or (${key} = ${row.key} and ${except} > ${row.exceptSid}))`
}

function toRevocation({ key, exceptSid, notBefore, until }: Row): Revocation[] {
  if (key === null) return []
  return [{ key: String(key), exceptSid: String(exceptSid), notBefore: Number(notBefore), until: Number(until) }]
}

/** @throws {Error} rather than take a wrong clock for the right one. */
function timeOf([row]: readonly Row[]): number {
  const time = Number(row?.time)
  if (Number.isSafeInteger(time)) return time
  throw new Error('The database did not tell its time.')
}

/** In small statements: each holds its locks for a short time. */
async function prune(db: Database): Promise<void> {
  await removeExpired(db, table, 'key')
  await removeExpired(db, listTable, 'sid')
}

async function removeExpired(db: Database, name: string, key: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (;;) {
    const rows = await db.selectFrom(name).select(key).where('until', '<', now).limit(1000).execute()
    if (rows.length === 0) return
    const keys = rows.map((row) => row[key])
    // Asked once more: an entry may have been written again meanwhile.
    await db.deleteFrom(name).where(key, 'in', keys).where('until', '<', now).execute()
  }
}
