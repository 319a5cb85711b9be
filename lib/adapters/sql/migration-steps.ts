/**
 * The migration steps, by preset. A released step is never changed; add another one. Each statement can be run twice.
 */
import { sql } from 'kysely'
import { factorsTable } from '../../features/factors/description.js'
import { passwordAttemptsTable, passwordsTable } from '../../features/passwords/description.js'
import { providerTokensTable } from '../../features/tokens/description.js'
import { recordTables } from '../../store/tables.js'
import type { RecordTable } from '../../types/store.js'
import { auditStatements } from './audit-table.js'
import { listTable, type Preset, revocationsTable } from './layout.js'
import { limitsStatements } from './limits-table.js'
import { userListStatements } from './list-users.js'
import { recordTableStatements } from './record-store.js'
import type { Schema } from './schema.js'
import { sessionDataStatements } from './session-data.js'
import { sessionLinksStatements } from './session-links.js'

/** A step of the migrations. */
export interface MigrationStep {
  /** The recorded name. It is unique over all presets. */
  readonly name: string
  /** Returns the SQL statements of the step. */
  statements(schema: Schema): readonly string[]
}

type Statements = MigrationStep['statements']

/** Returns the steps of a preset, in order. */
export function migrationSteps(preset: Preset): readonly MigrationStep[] {
  const [name, statements] = firstSteps[preset]
  return [
    { name: `${preset}-0001-${name}`, statements },
    ...laterSteps.map(([rest, then]) => ({ name: `${preset}-${rest}`, statements: then })),
  ]
}

/** The first step of each preset: this library's tables, or what the tables of another library lack. */
const firstSteps: Readonly<Record<Preset, readonly [name: string, statements: Statements]>> = {
  default: ['tables', (schema) => [...ownTables(schema), ...ownIndexes(schema)]],
  pg: [
    'constraints',
    (schema) => [
      accountKeyIndex(schema),
      schema.index('auth_users_email', schema.layout.tables.users, ['email'], true),
      schema.index('auth_sessions_token', schema.layout.tables.sessions, ['sessionToken'], true),
      ...userIdIndexes(schema),
      ...expiryIndexes(schema),
      ...addressIndex(schema),
    ],
  ],
  kysely: ['constraints', (schema) => [accountKeyIndex(schema), ...expiryIndexes(schema), ...addressIndex(schema)]],
  drizzle: ['indexes', (schema) => [...userIdIndexes(schema), ...expiryIndexes(schema), ...addressIndex(schema)]],
}

/** The record tables that a released step creates. Each table that is described later gets its own step. */
const releasedRecordTables = {
  '0007-provider-tokens': [providerTokensTable],
  '0009-factors': [factorsTable],
  '0010-passwords': [passwordsTable, passwordAttemptsTable],
} satisfies Readonly<Record<string, readonly RecordTable[]>>

const releasedTables: ReadonlySet<RecordTable> = new Set(Object.values(releasedRecordTables).flat())

function releasedRecordStep(name: keyof typeof releasedRecordTables): [string, Statements] {
  return [name, (schema) => releasedRecordTables[name].flatMap((table) => recordTableStatements(table)(schema))]
}

/** The other steps, the same for all presets, because no other library has these tables. */
const laterSteps: ReadonlyArray<readonly [name: string, statements: Statements]> = [
  ['0002-revocations', revocations],
  ['0003-session-links', sessionLinksStatements],
  ['0004-session-data', sessionDataStatements],
  ['0005-limits', limitsStatements],
  ['0006-session-devices', sessionDevices],
  releasedRecordStep('0007-provider-tokens'),
  ['0008-audit', auditStatements],
  releasedRecordStep('0009-factors'),
  releasedRecordStep('0010-passwords'),
  ['0011-user-lists', userListStatements],
  ...recordTables
    .filter((table) => !releasedTables.has(table))
    .map((table): [string, Statements] => [`records-${table.name}`, recordTableStatements(table)]),
]

/* ---- this library's tables -------------------------------------------------------------------------------------- */

function ownTables(schema: Schema): readonly string[] {
  return [
    usersStatement(schema),
    accountsStatement(schema),
    sessionsStatement(schema),
    verificationTokensStatement(schema),
    authenticatorsStatement(schema),
  ]
}

function usersStatement({ table, types, layout }: Schema): string {
  return table(layout.tables.users)
    .addColumn('id', types.key, (column) => column.notNull().primaryKey())
    .addColumn('name', types.text)
    .addColumn('email', types.key, (column) => column.unique())
    .addColumn('emailVerified', types.date)
    .addColumn('image', types.text)
    .compile().sql
}

function accountsStatement({ table, types, layout }: Schema): string {
  return table(layout.tables.accounts)
    .addColumn('provider', types.key, (column) => column.notNull())
    .addColumn('providerAccountId', types.key, (column) => column.notNull())
    .addColumn('userId', types.key, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('access_token', types.text)
    .addColumn('refresh_token', types.text)
    .addColumn('id_token', types.text)
    .addColumn('expires_at', types.number)
    .addColumn('scope', types.text)
    .addColumn('token_type', types.text)
    .addColumn('session_state', types.text)
    .addPrimaryKeyConstraint('auth_accounts_pk', ['provider', 'providerAccountId'])
    .addForeignKeyConstraint('auth_accounts_user', ['userId'], layout.tables.users, ['id'], cascade)
    .compile().sql
}

function sessionsStatement({ table, types, layout }: Schema): string {
  return table(layout.tables.sessions)
    .addColumn('sessionToken', types.key, (column) => column.notNull().primaryKey())
    .addColumn('userId', types.key, (column) => column.notNull())
    .addColumn('expires', types.date, (column) => column.notNull())
    .addForeignKeyConstraint('auth_sessions_user', ['userId'], layout.tables.users, ['id'], cascade)
    .compile().sql
}

function verificationTokensStatement({ table, types, layout }: Schema): string {
  return table(layout.tables.verificationTokens)
    .addColumn('identifier', types.key, (column) => column.notNull())
    .addColumn('token', types.key, (column) => column.notNull())
    .addColumn('expires', types.date, (column) => column.notNull())
    .addPrimaryKeyConstraint('auth_verification_tokens_pk', ['identifier', 'token'])
    .compile().sql
}

function authenticatorsStatement({ table, types, layout }: Schema): string {
  return table(layout.tables.authenticators)
    .addColumn('credentialID', types.credentialId, (column) => column.notNull().primaryKey())
    .addColumn('userId', types.key, (column) => column.notNull())
    .addColumn('providerAccountId', types.text, (column) => column.notNull())
    .addColumn('credentialPublicKey', types.text, (column) => column.notNull())
    .addColumn('counter', types.number, (column) => column.notNull())
    .addColumn('credentialDeviceType', types.text, (column) => column.notNull())
    .addColumn('credentialBackedUp', types.boolean, (column) => column.notNull())
    .addColumn('transports', types.text)
    .addColumn('name', types.text)
    .addColumn('createdAt', types.date)
    .addColumn('lastUsedAt', types.date)
    .addForeignKeyConstraint('auth_authenticators_user', ['userId'], layout.tables.users, ['id'], cascade)
    .compile().sql
}

/**
 * Times are numbers of milliseconds or seconds since 1970, because they are compared only with the database's clock.
 */
function revocations({ table, index, types }: Schema): readonly string[] {
  const made = table(revocationsTable)
    .addColumn('key', types.name, (column) => column.notNull())
    .addColumn('exceptSid', types.name, (column) => column.notNull())
    .addColumn('notBefore', types.number, (column) => column.notNull())
    .addColumn('until', types.number, (column) => column.notNull())
    .addColumn('at', types.number, (column) => column.notNull())
    .addPrimaryKeyConstraint('auth_revocations_pk', ['key', 'exceptSid'])
  const list = table(listTable)
    .addColumn('sid', types.name, (column) => column.notNull().primaryKey())
    .addColumn('userKey', types.name, (column) => column.notNull())
    .addColumn('begunAt', types.number, (column) => column.notNull())
    .addColumn('usedAt', types.number, (column) => column.notNull())
    .addColumn('until', types.number, (column) => column.notNull())
  return [
    made.compile().sql,
    index('auth_revocations_at', revocationsTable, ['at', 'key', 'exceptSid']),
    index('auth_revocations_until', revocationsTable, ['until']),
    list.compile().sql,
    index('auth_jwt_sessions_user', listTable, ['userKey']),
    index('auth_jwt_sessions_until', listTable, ['until']),
  ]
}

/** Adds the column for the sign-in metadata of a listed session. */
function sessionDevices({ addColumn, types }: Schema): readonly string[] {
  return [addColumn(listTable, 'beginning', types.text)]
}

function cascade<Builder extends { onDelete(action: 'cascade'): Builder }>(constraint: Builder): Builder {
  return constraint.onDelete('cascade')
}

function ownIndexes(schema: Schema): readonly string[] {
  const { index, layout } = schema
  return [
    ...userIdIndexes(schema),
    index('auth_authenticators_user_id', layout.tables.authenticators, ['userId']),
    ...expiryIndexes(schema),
  ]
}

/* ---- indexes for tables of any preset --------------------------------------------------------------------------- */

function accountKeyIndex({ index, layout }: Schema): string {
  return index('auth_accounts_key', layout.tables.accounts, ['provider', 'providerAccountId'], true)
}

function userIdIndexes({ index, layout }: Schema): readonly string[] {
  return [
    index('auth_accounts_user_id', layout.tables.accounts, ['userId']),
    index('auth_sessions_user_id', layout.tables.sessions, ['userId']),
  ]
}

function expiryIndexes({ index, layout }: Schema): readonly string[] {
  return [
    index('auth_sessions_expires', layout.tables.sessions, ['expires']),
    index('auth_verification_tokens_expires', layout.tables.verificationTokens, ['expires']),
  ]
}

/** Creates an index for addresses that were stored in mixed case. MySQL's usual collations need none. */
function addressIndex({ index, layout }: Schema): readonly string[] {
  if (layout.dialect === 'mysql') return []
  return [index('auth_users_lower_email', layout.tables.users, [sql`lower(${sql.ref('email')})`])]
}
