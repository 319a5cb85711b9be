/** Reads that use two tables, or use a table in an unusual way. */
import { type CompiledQuery, sql } from 'kysely'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { AccountKey, AdapterSession, AdapterUser } from '../../types/adapter.js'
import type { Awaitable } from '../../types/identity.js'
import type { Database, Row } from './database.js'
import { directReadOf } from './direct-read.js'
import { dataTable, type Layout } from './layout.js'
import { toInstant } from './records.js'
import { createDecoder, decodeRow, type KeyCondition, keysEqual, readAll, toKeys } from './rows.js'
import { fromColumn, readable, toKeyValue, toLowerAddress } from './values.js'

export type Reads = ReturnType<typeof createReads>

export function createReads(db: Database, layout: Layout) {
  const { users, accounts } = layout.tables
  return {
    sessionAndUser: createSessionRead(db, layout),
    sessionUserAndData: createDataRead(db, layout),

    async userByAccount({ provider, providerAccountId }: AccountKey): Promise<AdapterUser | null> {
      const keys = toKeys(layout, 'accounts', { provider, providerAccountId })
      if (!keys) return null
      const query = db
        .selectFrom(accounts)
        .innerJoin(users, `${users}.id`, `${accounts}.userId`)
        .select(readAll(layout, 'users'))
        .where(keysEqual(layout, keys))
        .limit(1)
      const row = await query.executeTakeFirst()
      return row ? decodeRow(layout, 'users', row) : null
    },

    /**
     * Finds a user whose address another library stored as it was typed. It reads all users unless there is an index on
     * `lower(email)`, which `migrate` with the preset creates.
     */
    async userByMixedCaseEmail(email: string): Promise<AdapterUser | null> {
      const value = toKeyValue(layout, 'email', 'email', email)
      if (!layout.mixedCaseEmails || value === undefined) return null
      const query = db
        .selectFrom(users)
        .select(readAll(layout, 'users'))
        .where(sql<string>`lower(${sql.ref(`${users}.email`)})`, '=', value)
      // The database may convert a Kelvin sign to `k`.
      const found = (await query.execute()).map((row) => decodeRow(layout, 'users', row))
      const [user, second] = found.filter((each) => toLowerAddress(each.email) === value)
      if (second) throw new Error('Several users have this address, in different spellings. Merge them first.')
      return user ?? null
    },
  }
}

type SessionAndUser = { session: AdapterSession; user: AdapterUser }

function createSessionRead(db: Database, layout: Layout) {
  const read = createRowRead(db, layout, () => sessionQuery(db, layout).compile())
  return (sessionToken: string): Awaitable<SessionAndUser | null> =>
    mapMaybePromise(read(sessionToken), (both) => both?.found ?? null)
}

function createDataRead(db: Database, layout: Layout) {
  const read = createRowRead(db, layout, () => withData(sessionQuery(db, layout)).compile())
  return (sessionToken: string): Awaitable<(SessionAndUser & { data: string | null }) | null> =>
    mapMaybePromise(read(sessionToken), (both) => {
      if (!both) return null
      const { session_data: data } = both.row
      return { ...both.found, data: data === null || data === undefined ? null : String(data) }
    })
}

/**
 * Creates a read by one query, which is compiled once because it runs on every request. The result of a synchronous
 * driver is returned at once: each promise between the driver and the application costs as much as a column.
 */
function createRowRead(db: Database, layout: Layout, compile: () => CompiledQuery<Row>) {
  const decodeUser = createDecoder(layout, 'users')
  let compiled: CompiledQuery<Row> | undefined
  const decode = (sessionToken: string, row: Row | undefined) => {
    if (!row) return null
    const user = decodeUser(row)
    const expires = toInstant(fromColumn('date', row.session_expires))
    return { found: { session: { sessionToken, userId: user.id, expires }, user }, row }
  }
  return (sessionToken: string): Awaitable<{ found: SessionAndUser; row: Row } | null> => {
    const token = toKeyValue(layout, 'sessionToken', 'key', sessionToken)
    if (token === undefined) return null
    compiled ??= compile()
    const parameters = compiled.parameters.map((parameter) => (parameter === tokenPlaceholder ? token : parameter))
    const first = directReadOf(db)
    if (first) return mapMaybePromise(first(compiled.sql, parameters), (row) => decode(sessionToken, row))
    return db.executeQuery<Row>({ ...compiled, parameters }).then(({ rows }) => decode(sessionToken, rows[0]))
  }
}

/** The placeholder of the token in the compiled query. It contains a NUL, so no token equals it. */
const tokenPlaceholder = '\0token'

function sessionQuery(db: Database, layout: Layout) {
  const { users, sessions } = layout.tables
  const key: KeyCondition = { column: `${sessions}.sessionToken`, kind: 'key', value: tokenPlaceholder }
  return db
    .selectFrom(sessions)
    .innerJoin(users, `${users}.id`, `${sessions}.userId`)
    .select([...readAll(layout, 'users'), readable(layout, `${sessions}.expires`, 'date', 'session_expires')])
    .where(keysEqual(layout, [key]))
}

/** Adds the data, joined by the token itself: the column of another library's table may have another collation. */
function withData(query: ReturnType<typeof sessionQuery>) {
  return query
    .leftJoin(dataTable, (join) => join.on(`${dataTable}.sessionToken`, '=', tokenPlaceholder))
    .select(sql.ref(`${dataTable}.data`).as('session_data'))
}
