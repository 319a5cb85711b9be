/**
 * Pages of users, by email address or name. A page is a range of an index: it begins after the last user of the previous
 * page, so later pages take no longer. Texts are compared by code points, and a prefix is a range, not a pattern.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { comparedCharacters } from '../../base/compared-start.js'
import type { AdapterUser, AdapterUserQuery } from '../../types/adapter.js'
import type { Database, Dialect } from './database.js'
import type { Layout, Preset } from './layout.js'
import { createDecoder, readAll } from './rows.js'
import type { Schema } from './schema.js'
import { isExact } from './values.js'

/** The last code point, which no text begins with. The texts with a prefix are less than the prefix with it appended. */
const lastCharacter = '\u{10FFFF}'

/**
 * The column by which names are found in MySQL, calculated by the database. MariaDB has no indexes of expressions. Only
 * this library's table has it.
 */
export const mysqlNameColumn = 'nameKey'

/** Creates the method `listUsers`. */
export function createUserLists(db: Database, layout: Layout) {
  const { users } = layout.tables
  const id = sql.ref(`${users}.id`)
  const decode = createDecoder(layout, 'users')
  return async (query: AdapterUserQuery): Promise<AdapterUser[]> => {
    const { part, prefix, emailVerified, after, limit } = query
    if (!isExact(prefix)) return []
    const key = part === 'id' ? undefined : sortKeys[part](layout)
    const conditions = [
      key ? inRange(layout, key, { prefix, from: after?.value }) : sql<SqlBool>`${sql.ref(`${users}.email`)} is null`,
      ...(part === 'name' ? [hasOtherAddress(layout, prefix)] : []),
      ...(emailVerified === undefined ? [] : [verification(users, emailVerified)]),
      ...(after ? [follows(layout, { key, id }, after)] : []),
    ]
    const rows = await db
      .selectFrom(users)
      .select(readAll(layout, 'users'))
      .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
      .$if(key !== undefined, (built) => built.orderBy(key ?? id))
      .orderBy(id)
      .limit(limit)
      .execute()
    return rows.map((row) => decode(row))
  }
}

type Text = RawBuilder<unknown>

/** The values by which users are found and sorted: in lower case, compared by code points. */
const sortKeys = {
  email({ dialect, preset, tables: { users } }: Layout): Text {
    const column = sql.ref(`${users}.email`)
    // In this library's table, addresses are in lower case.
    return byCodePoint(dialect, preset, preset === 'default' ? column : sql`lower(${column})`)
  },
  name({ dialect, preset, tables: { users } }: Layout): Text {
    if (dialect === 'mysql' && preset === 'default') return sql.ref(`${users}.${mysqlNameColumn}`)
    return byCodePoint(dialect, preset, lowerStart(dialect, sql.ref(`${users}.name`)))
  },
}

/** Returns the first characters of a text in lower case. In SQLite only the letters A to Z have another case. */
function lowerStart(dialect: Dialect, text: Text): Text {
  const length = sql.lit(comparedCharacters)
  return dialect === 'sqlite' ? sql`lower(substr(${text}, 1, ${length}))` : sql`lower(left(${text}, ${length}))`
}

/** Compares by code points. SQLite's default collation does, and that of this library's tables in MySQL. */
function byCodePoint(dialect: Dialect, preset: Preset, text: Text): Text {
  if (dialect === 'postgres') return sql`${text} collate "C"`
  if (dialect === 'sqlite' || preset === 'default') return text
  return sql`convert(${text} using utf8mb4) collate utf8mb4_bin`
}

/** Returns a value in lower case, by the rules of the database. */
function lower({ dialect }: Layout, value: string): Text {
  return dialect === 'mysql' ? sql`lower(${value})` : sql`lower(cast(${value} as text))`
}

/**
 * Returns the condition for the texts with a prefix. @param from The text of the previous page, with the same prefix. It
 * replaces the lower limit, because SQLite uses only one of two.
 */
function inRange(
  layout: Layout,
  key: Text,
  { prefix, from = prefix }: { readonly prefix: string; readonly from?: string | undefined },
): RawBuilder<SqlBool> {
  return sql`${key} >= ${lower(layout, from)} and ${key} < ${lower(layout, prefix + lastCharacter)}`
}

/** Excludes users who are in the part `email`. */
function hasOtherAddress(layout: Layout, prefix: string): RawBuilder<SqlBool> {
  const email = sql.ref(`${layout.tables.users}.email`)
  return sql`(${email} is null or not (${inRange(layout, sortKeys.email(layout), { prefix })}))`
}

function verification(users: string, isVerified: boolean): RawBuilder<SqlBool> {
  const column = sql.ref(`${users}.emailVerified`)
  return isVerified ? sql`${column} is not null` : sql`${column} is null`
}

/** Returns the condition for the users after a position, in a range that begins with it. */
function follows(
  layout: Layout,
  { key, id }: { readonly key: Text | undefined; readonly id: Text },
  after: NonNullable<AdapterUserQuery['after']>,
): RawBuilder<SqlBool> {
  if (!key) return sql`${id} > ${after.id}`
  const value = lower(layout, after.value)
  return sql`(${key} > ${value} or ${id} > ${after.id})`
}

/* ---- migration -------------------------------------------------------------------------------------------------- */

/**
 * Returns the statements that create the indexes of these lists. In MySQL, tables of other libraries get none, because
 * their columns are not changed.
 */
export function userListStatements({ layout, index, addColumn }: Schema): readonly string[] {
  const { dialect, preset, tables } = layout
  if (dialect === 'mysql') {
    if (preset !== 'default') return []
    const start = lowerStart(dialect, sql.ref('name'))
    return [
      index('auth_users_list_email', tables.users, ['email', 'id']),
      addColumn(tables.users, mysqlNameColumn, sql`varchar(255) generated always as (${start}) virtual`),
      index('auth_users_list_name', tables.users, [mysqlNameColumn, 'id']),
    ]
  }
  const email = preset === 'default' ? sql.ref('email') : sql`lower(${sql.ref('email')})`
  const indexed = (text: Text) => byCodePoint(dialect, preset, sql`(${text})`)
  return [
    index('auth_users_list_email', tables.users, [indexed(email), 'id']),
    index('auth_users_list_name', tables.users, [indexed(lowerStart(dialect, sql.ref('name'))), 'id']),
  ]
}
