/** The reads that look at two tables, or at a table in an unusual way. */
import { type CompiledQuery, sql } from 'kysely'
import type { AccountKey } from '../../types/adapter.js'
import type { Database, Row } from './database.js'
import type { Layout } from './layout.js'
import { toInstant } from './records.js'
import { decode, decodeFound, type Key, matches, readAll, toKeys } from './rows.js'
import { fromColumn, readable, toKey, toLowerAddress } from './values.js'

export interface Reads {
  /** One query, compiled once: it runs at every request. */
  sessionAndUser(sessionToken: unknown): Promise<{ user: Row; expires: Date } | null>
  userByAccount(account: AccountKey): Promise<Row | null>
  /**
   * Another library may have stored the address as it was typed. Reads all users, unless there is an index on
   * `lower(email)`: `migrate` with the preset makes one.
   */
  userByMixedCaseEmail(email: unknown): Promise<Row | null>
}

export function createReads(db: Database, layout: Layout): Reads {
  const { users, accounts } = layout.tables
  return {
    sessionAndUser: createSessionRead(db, layout),

    async userByAccount({ provider, providerAccountId }) {
      const keys = toKeys(layout, 'accounts', { provider, providerAccountId })
      if (!keys) return null
      const query = db
        .selectFrom(accounts)
        .innerJoin(users, `${users}.id`, `${accounts}.userId`)
        .select(readAll(layout, 'users'))
        .where(matches(layout, keys))
        .limit(1)
      return decodeFound(layout, 'users', await query.executeTakeFirst())
    },

    async userByMixedCaseEmail(email) {
      const value = toKey(layout, 'email', 'email', email)
      if (!layout.mixedCaseEmails || value === undefined) return null
      const query = db
        .selectFrom(users)
        .select(readAll(layout, 'users'))
        .where(sql<string>`lower(${sql.ref(`${users}.email`)})`, '=', value)
      // The database may make a `k` of a Kelvin sign.
      const found = (await query.execute()).map((each) => decode(layout, 'users', each))
      const [row, second] = found.filter((each) => toLowerAddress(String(each.email)) === value)
      if (second) throw new Error('Several users have this address, in different spellings. Merge them first.')
      return row ?? null
    },
  }
}

function createSessionRead(db: Database, layout: Layout): Reads['sessionAndUser'] {
  let compiled: CompiledQuery<Row> | undefined
  return async (sessionToken) => {
    const token = toKey(layout, 'sessionToken', 'key', sessionToken)
    if (token === undefined) return null
    compiled ??= compileSessionQuery(db, layout)
    const parameters = compiled.parameters.map((parameter) => (parameter === placeholder ? token : parameter))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    const [row] = rows
    if (!row) return null
    return { user: decode(layout, 'users', row), expires: toInstant(fromColumn('date', row.session_expires)) }
  }
}

/** Stands in the compiled query where the token comes. No token can be the same: it holds a NUL. */
const placeholder = '\0token'

function compileSessionQuery(db: Database, layout: Layout): CompiledQuery<Row> {
  const { users, sessions } = layout.tables
  const key: Key = { column: `${sessions}.sessionToken`, kind: 'key', value: placeholder }
  return db
    .selectFrom(sessions)
    .innerJoin(users, `${users}.id`, `${sessions}.userId`)
    .select([...readAll(layout, 'users'), readable(layout, `${sessions}.expires`, 'date', 'session_expires')])
    .where(matches(layout, [key]))
    .compile()
}
