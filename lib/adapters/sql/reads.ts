/** Reads that use two tables, or use a table in an unusual way. */
import { type CompiledQuery, sql } from 'kysely'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { AccountKey, AdapterSession, AdapterUser } from '../../types/adapter.js'
import type { Awaitable } from '../../types/identity.js'
import type { Database, Row } from './database.js'
import { directReadOf, type RowValues } from './direct-read.js'
import { dataTable, type Layout } from './layout.js'
import { toInstant } from './records.js'
import { createValuesDecoder, decodeRow, type KeyCondition, keysEqual, readAll, toKeys } from './rows.js'
import { batchOf } from './transaction.js'
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
  const compile = () => sessionQuery(db, layout).compile()
  return createRowRead(db, layout, { compile, read: (found): SessionAndUser => found })
}

function createDataRead(db: Database, layout: Layout) {
  const compile = () => withData(sessionQuery(db, layout)).compile()
  return createRowRead(db, layout, {
    compile,
    read: ({ session, user }, data): SessionAndUser & { data: string | null } => ({
      session,
      user,
      data: data === null || data === undefined ? null : String(data),
    }),
  })
}

/** A read of a session. */
interface RowRead<Found> {
  compile(): CompiledQuery<Row>
  /** Returns the result, with the value of the last column. */
  read(found: SessionAndUser, last: unknown): Found
}

/**
 * Creates a read by one query, which is compiled once because it runs on every request. The result of a synchronous
 * driver is returned at once: each promise between the driver and the application costs as much as a column.
 */
function createRowRead<Found>(db: Database, layout: Layout, { compile, read }: RowRead<Found>) {
  const decodeUser = createValuesDecoder(layout, 'users')
  const columns = Object.keys(layout.columns.users)
  // In the order of the statement.
  const names = [...columns, 'session_expires', 'session_data']
  const expiresAt = columns.length
  let compiled: CompiledQuery<Row> | undefined
  const decode = (sessionToken: string, row: RowValues | undefined): Found | null => {
    if (!row) return null
    const user = decodeUser(row)
    const expires = toInstant(fromColumn('date', row[expiresAt]))
    return read({ session: { sessionToken, userId: user.id, expires }, user }, row[expiresAt + 1])
  }
  return (sessionToken: string): Awaitable<Found | null> => {
    const token = toKeyValue(layout, 'sessionToken', 'key', sessionToken)
    if (token === undefined) return null
    compiled ??= compile()
    const parameters = compiled.parameters.map((parameter) => (parameter === tokenPlaceholder ? token : parameter))
    const first = directReadOf(db)
    if (first) return mapMaybePromise(first(compiled.sql, parameters), (row) => decode(sessionToken, row))
    const result = db.executeQuery<Row>({ ...compiled, parameters })
    return result.then(({ rows: [row] }) => decode(sessionToken, row && names.map((name) => row[name])))
  }
}

/** The tokens in a statement for D1, which allows 100 KB. */
const tokensPerD1Statement = 100

/** Creates the read of several sessions, without their users. The engine compares the tokens exactly. */
export function createSessionsRead(db: Database, layout: Layout) {
  const { users, sessions } = layout.tables
  return async (sessionTokens: readonly string[]): Promise<AdapterSession[]> => {
    const keys = sessionTokens.flatMap((token) => toKeyValue(layout, 'sessionToken', 'key', token) ?? [])
    const size = batchOf(db) ? tokensPerD1Statement : keys.length
    const found: AdapterSession[] = []
    for (let from = 0; from < keys.length; from += size) {
      const query = db
        .selectFrom(sessions)
        .innerJoin(users, `${users}.id`, `${sessions}.userId`)
        .select(readAll(layout, 'sessions'))
        .where(`${sessions}.sessionToken`, 'in', keys.slice(from, from + size))
      for (const row of await query.execute()) found.push(decodeRow(layout, 'sessions', row))
    }
    return found
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
