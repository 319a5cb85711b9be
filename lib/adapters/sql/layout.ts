/** The names and columns of the tables: of this library's schema, and of published adapters (the presets). */
import { type DescribedFields, describeFields } from '../../base/user-fields.js'
import type { UserFieldDescription, UserFields } from '../../types/user-fields.js'
import { type Dialect, dialects } from './database.js'

/**
 * The tables in use. `default`: those that {@link migrate} creates. `pg`, `kysely`, `drizzle`: those of
 * `@auth/pg-adapter`, `@auth/kysely-adapter` and `@auth/drizzle-adapter`, to continue with an existing database.
 */
export type Preset = 'default' | 'drizzle' | 'kysely' | 'pg'

/** The type of the users' ids. */
export type IdType = 'integer' | 'text' | 'uuid'

/** The kind of a column, which determines how its values are written and read. */
export type ColumnKind = 'boolean' | 'date' | 'decimal' | 'email' | 'id' | 'key' | 'number' | 'text'

/** A table, by its content. */
export type TableName = 'accounts' | 'authenticators' | 'sessions' | 'users' | 'verificationTokens'

/** Columns and their kinds. */
export type Columns = Readonly<Record<string, ColumnKind>>

/** The facts about the tables that queries need. */
export interface Layout {
  /** The dialect of the database. */
  readonly dialect: Dialect
  /** The preset of the tables. */
  readonly preset: Preset
  /** The tables' names in the database. */
  readonly tables: Readonly<Record<TableName, string>>
  /** The columns of each table. */
  readonly columns: Readonly<Record<TableName, Columns>>
  /** The application's own columns of the users' table. They are also in `columns`. */
  readonly userFields: DescribedFields
  /** The type of the users' ids. */
  readonly ids: IdType
  /** The format of dates in SQLite. The other dialects have a type for them. */
  readonly sqliteDates: 'iso' | 'milliseconds'
  /** True if `=` compares exactly. This library's tables do in MySQL; the collation of others may not. */
  readonly comparesExactly: boolean
  /** True if addresses may be in upper case, written by another library. */
  readonly mixedCaseEmails: boolean
  /** The tables that lack a unique constraint on what must be unique. */
  readonly tablesWithoutUnique: ReadonlySet<TableName>
  /** True if there is a table of passkeys. `pg` and `kysely` have none. */
  readonly hasAuthenticators: boolean
}

/** The options for the tables. */
export interface LayoutOptions {
  /** The preset. Default `default`. */
  preset?: Preset
  /** The dialect, if it cannot be detected from the Kysely instance. */
  dialect?: Dialect
  /**
   * The type of the users' ids, if your tables differ from the preset: `integer` for `pg`, `uuid` for `kysely` on
   * PostgreSQL, else `text`. An id that is not of the type matches no user.
   */
  ids?: IdType
}

const tableNames: Readonly<Record<Preset, Layout['tables']>> = {
  default: {
    users: 'auth_users',
    accounts: 'auth_accounts',
    sessions: 'auth_sessions',
    verificationTokens: 'auth_verification_tokens',
    authenticators: 'auth_authenticators',
  },
  pg: {
    users: 'users',
    accounts: 'accounts',
    sessions: 'sessions',
    verificationTokens: 'verification_token',
    authenticators: 'authenticators',
  },
  kysely: {
    users: 'User',
    accounts: 'Account',
    sessions: 'Session',
    verificationTokens: 'VerificationToken',
    authenticators: 'Authenticator',
  },
  drizzle: {
    users: 'user',
    accounts: 'account',
    sessions: 'session',
    verificationTokens: 'verificationToken',
    authenticators: 'authenticator',
  },
}

/** The table of ended JWT sessions. It is the same with every preset, because no other library has it. */
export const revocationsTable = 'auth_revocations'

/** The table of session links. It is the same with every preset. */
export const linksTable = 'auth_session_links'

/** The table of the application's session data. It is the same with every preset. */
export const dataTable = 'auth_session_data'

/** The list of a user's JWT sessions. It is the same with every preset. */
export const listTable = 'auth_jwt_sessions'

const defaultColumns: Layout['columns'] = {
  users: { id: 'id', name: 'text', email: 'email', emailVerified: 'date', image: 'text' },
  accounts: {
    userId: 'id',
    type: 'text',
    provider: 'key',
    providerAccountId: 'key',
    access_token: 'text',
    refresh_token: 'text',
    id_token: 'text',
    expires_at: 'number',
    scope: 'text',
    token_type: 'text',
    session_state: 'text',
  },
  sessions: { sessionToken: 'key', userId: 'id', expires: 'date' },
  verificationTokens: { identifier: 'key', token: 'key', expires: 'date' },
  authenticators: {
    credentialID: 'key',
    userId: 'id',
    providerAccountId: 'text',
    credentialPublicKey: 'text',
    counter: 'number',
    credentialDeviceType: 'text',
    credentialBackedUp: 'boolean',
    transports: 'text',
  },
}

const ownAuthenticatorColumns: Columns = { name: 'text', createdAt: 'date', lastUsedAt: 'date' }

/**
 * Returns the layout that the options describe.
 *
 * @throws {TypeError} When an option is invalid.
 */
export function resolveLayout(dialect: Dialect, options: LayoutOptions & { user?: UserFields | undefined }): Layout {
  const { preset = 'default' } = options
  const userFields = describeFields('user', options.user, reservedNames)
  const tables = Object.hasOwn(tableNames, preset) ? tableNames[preset] : undefined
  if (!tables) throw new TypeError(`\`preset\` must be one of ${Object.keys(tableNames).join(', ')}.`)
  if (preset === 'pg' && dialect !== 'postgres') throw new TypeError('The preset `pg` is for PostgreSQL.')
  const isOurs = preset === 'default'
  return {
    dialect,
    preset,
    tables,
    columns: {
      ...defaultColumns,
      users: { ...defaultColumns.users, ...kindsOf(userFields) },
      authenticators: { ...defaultColumns.authenticators, ...(isOurs && ownAuthenticatorColumns) },
    },
    userFields,
    ids: readIds(options.ids, preset, dialect),
    sqliteDates: preset === 'kysely' ? 'iso' : 'milliseconds',
    comparesExactly: isOurs || dialect !== 'mysql',
    mixedCaseEmails: !isOurs,
    tablesWithoutUnique: new Set(tablesWithoutUnique[preset]),
    hasAuthenticators: isOurs || preset === 'drizzle',
  }
}

const tablesWithoutUnique: Readonly<Record<Preset, readonly TableName[]>> = {
  default: [],
  drizzle: [],
  kysely: ['accounts'],
  pg: ['users', 'accounts', 'sessions'],
}

/**
 * Reads the option `dialect`.
 *
 * @throws {TypeError} When it is not a known dialect.
 */
export function readDialect(dialect: unknown): Dialect | undefined {
  const known = dialects.find((name) => name === dialect)
  if (!known && dialect !== undefined) throw new TypeError(`\`dialect\` must be one of ${dialects.join(', ')}.`)
  return known
}

function readIds(ids: IdType | undefined, preset: Preset, dialect: Dialect): IdType {
  if (ids === undefined) {
    if (preset === 'pg') return 'integer'
    return preset === 'kysely' && dialect === 'postgres' ? 'uuid' : 'text'
  }
  if (!['integer', 'text', 'uuid'].includes(ids)) throw new TypeError('`ids` must be one of integer, text, uuid.')
  if (ids !== 'text' && preset === 'default')
    throw new TypeError('The ids of the preset `default` are text. Remove `ids`.')
  return ids
}

/** The names that the session query uses for columns of the session. */
const reservedNames = ['session_expires', 'session_data']

/** The kinds of the columns of declared fields. */
export const fieldKinds = {
  string: 'text',
  number: 'decimal',
  boolean: 'boolean',
  date: 'date',
} as const satisfies Record<UserFieldDescription['type'], ColumnKind>

function kindsOf(fields: DescribedFields): Columns {
  return Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, fieldKinds[type]]))
}
