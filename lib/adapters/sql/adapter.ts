/** Combines the methods, the transactions and the housekeeping of the adapter. */
import type { Adapter, AdapterSession, AdapterUser, AdapterUserQuery } from '../../types/adapter.js'
import type { AccountKey, Awaitable } from '../../types/identity.js'
import type { StoreInspection } from '../../types/store.js'
import type { UserFieldDescriptions, UserFields, UserFieldValues } from '../../types/user-fields.js'
import { type AnyKysely, type Database, detectDialect, toDatabase } from './database.js'
import { createHousekeeping, readPruneEvery } from './housekeeping.js'
import { inspectTables } from './inspect.js'
import { type Layout, type LayoutOptions, type Preset, readDialect, resolveLayout } from './layout.js'
import { createMethods, type SqlMethods } from './methods.js'
import { type MigrateOptions, type Migration, migrateLayout } from './migrate.js'
import { withAdvice } from './missing-table.js'
import { type Pruned, type PruneOptions, prune } from './prune.js'
import type { DataUse } from './session-data.js'
import { createSqlStore, type SqlStore } from './sql-store.js'
import { assertTransactions, createDeadlockGuard, createScope, type Method, runTransaction } from './transaction.js'
import { checkUserColumns } from './user-columns.js'

/** The options of {@link sqlAdapter}. */
export interface SqlAdapterOptions<Declared extends UserFields = UserFields> extends LayoutOptions {
  /**
   * The application's own columns of the users' table, such as `{ role: { type: ['reader', 'admin'], default: 'reader' } }`.
   * `createUser` and `updateUser` check and write them, and all reads return them with their types. `adapter.migrate()`
   * adds them. Other additional properties of a user are ignored. Default: none.
   */
  user?: Declared | undefined
  /**
   * Seconds after which expired sessions and verification tokens are removed again, by the next request that stores
   * one, which does not wait for it. 0: never, you call `prune` yourself. Default 3600 (1 hour).
   */
  pruneEvery?: number
}

/** The methods for passkeys, for which some presets have no table. */
type AuthenticatorMethod = Extract<keyof SqlMethods, `${string}Authenticator${string}`>

/** The methods of an adapter, with those for passkeys if there is a table for them. */
type AvailableMethods = Omit<SqlMethods, AuthenticatorMethod> & Partial<Pick<SqlMethods, AuthenticatorMethod>>

/** The methods that take or return users. */
interface UserMethods<Fields> {
  /** Stores a user. Fields without a value get their default. Rejects if the email address is taken. */
  createUser(user: AdapterUser & Partial<Fields>): Promise<AdapterUser & Fields>
  /** Returns the user with this id, or `null`. */
  getUser(id: string): Promise<(AdapterUser & Fields) | null>
  /** Returns the user with this email address, or `null`. */
  getUserByEmail(email: string): Promise<(AdapterUser & Fields) | null>
  /** Returns the user who owns the account, or `null`. */
  getUserByAccount(account: AccountKey): Promise<(AdapterUser & Fields) | null>
  /** Returns a page of users, by email address or name. */
  listUsers(query: AdapterUserQuery): Promise<Array<AdapterUser & Fields>>
  /** Updates the given fields and returns the user. */
  updateUser(
    user: Partial<AdapterUser & Fields> & {
      /** The id of the user. */
      id: string
    },
  ): Promise<AdapterUser & Fields>
  /** Returns the session and its user, even if the session has expired. On SQLite it may return them without a promise. */
  getSessionAndUser(sessionToken: string): Awaitable<{
    /** The session, which may have expired. */
    session: AdapterSession
    /** The user of the session. */
    user: AdapterUser & Fields
  } | null>
  /** Returns the same, with the data of the session. */
  getSessionUserAndData(sessionToken: string): Awaitable<{
    /** The session, which may have expired. */
    session: AdapterSession
    /** The user of the session. */
    user: AdapterUser & Fields
    /** The text that was written last, or `null`. */
    data: string | null
  } | null>
}

/**
 * The adapter of {@link sqlAdapter}. The presets `pg` and `kysely` have no passkeys, `drizzle` has no passkey names.
 * `Fields` are the values of the columns that `user` declares.
 */
export interface SqlAdapter<Fields = unknown>
  extends Omit<AvailableMethods, keyof UserMethods<unknown>>,
    UserMethods<Fields> {
  /** The option `preset`. Default `default`. */
  readonly preset: Preset
  /**
   * Runs `work` with an adapter whose methods all take effect together, or not at all if `work` rejects or a method
   * fails.
   */
  transaction<T>(work: (adapter: Adapter<Fields>) => Promise<T>): Promise<T>
  /** The option `user`, complete. */
  readonly userFields: UserFieldDescriptions<Fields>
  /**
   * Creates the tables or updates them, as {@link migrate}, and adds the columns of `user`.
   *
   * @param options With `dryRun: true` nothing is changed.
   */
  migrate(options?: Pick<MigrateOptions, 'dryRun'>): Promise<Migration>
  /** Returns the columns of `user` that the users' table lacks, with the fix. The engine calls it at the start. */
  checkUserFields(): Promise<string | undefined>
  /**
   * Removes expired sessions, verification tokens, second factors and pending passwords, at most `limit` rows (default
   * 1000) with each statement, until none is left.
   */
  prune(options?: PruneOptions): Promise<Pruned>
  /** Returns the {@link sqlStore} of the same database, for options `store: true`: the same object at each call. */
  store(): SqlStore
  /** Returns pending migrations and wrong columns, for `npx server-auth doctor`. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * Creates an adapter on SQLite, PostgreSQL, MySQL or MariaDB. {@link migrate} creates its tables.
 *
 * @param db A Kysely instance from {@link connect}, or your own. Plugins that rename columns are rejected.
 * @throws {TypeError} When an option is invalid.
 * @example
 * ```ts
 * const db = connect('postgres://app@localhost/app')
 * await migrate(db)
 * app.use('/auth', ServerAuth({ providers: [GitHub()], adapter: sqlAdapter(db) }))
 * ```
 */
export function sqlAdapter<const Declared extends UserFields = Record<never, never>>(
  db: AnyKysely,
  options: SqlAdapterOptions<Declared> = {},
): SqlAdapter<UserFieldValues<Declared>> {
  assertTransactions(db)
  // Users have the declared fields, because each read and write checks them.
  return createSqlAdapter(db, options) as SqlAdapter<UserFieldValues<Declared>>
}

/** Creates the adapter, whose method `transaction` the database must support. */
export function createSqlAdapter(db: unknown, options: SqlAdapterOptions): SqlAdapter {
  assertOptions(options)
  const database = toDatabase(db)
  const layout = resolveLayout(readDialect(options.dialect) ?? detectDialect(database), options)
  const use: DataUse = { isOn: false }
  const methods = createMethods(database, layout, use)
  const pruneEvery = readPruneEvery(options.pruneEvery)
  const housekeeping = createHousekeeping(pruneEvery, () => prune(database, layout))
  // In tables of other libraries, the ids of users may have another type or collation.
  const users = layout.preset === 'default' && layout.ids === 'text' ? layout.tables.users : undefined
  const store = createSqlStore(database, layout.dialect, { pruneEvery, users })
  const deadlocks = createDeadlockGuard(layout.dialect)

  const outside = mapMethods(availableMethods(methods, layout), (method) =>
    deadlocks.outside(withAdvice(method, layout)),
  )
  Object.assign(store.records, { usersBy: outside.getUser })
  const { createSession, createVerificationToken } = outside
  return {
    ...outside,
    preset: layout.preset,
    userFields: layout.userFields,
    migrate: deadlocks.outside(async ({ dryRun = false } = {}) => migrateLayout(database, layout, dryRun)),
    checkUserFields: deadlocks.outside(() => checkUserColumns(database, layout)),
    async createSession(session) {
      const created = await createSession(session)
      housekeeping.tick()
      return created
    },
    async createVerificationToken(token) {
      const created = await createVerificationToken(token)
      housekeeping.tick()
      return created
    },
    deleteUser: deadlocks.outside((id: string) =>
      runTransaction(database, layout.dialect, (inside) => createMethods(inside, layout, use).deleteUser(id)),
    ),
    async transaction(work) {
      deadlocks.assertOutside()
      return deadlocks.watch(() => transact({ db: database, layout, use }, work))
    },
    prune: deadlocks.outside((pruneOptions?: PruneOptions) => prune(database, layout, pruneOptions)),
    store: () => store,
    inspect: deadlocks.outside(async () => [await inspectTables(database, layout)]),
  }
}

const knownOptions = Object.keys({
  preset: true,
  dialect: true,
  ids: true,
  user: true,
  pruneEvery: true,
} satisfies Record<keyof SqlAdapterOptions, true>)

/** Rejects unknown options. A misspelt `preset` would use other tables, and a misspelt column would be lost. */
function assertOptions(options: SqlAdapterOptions): void {
  if ('userColumns' in options) {
    throw new TypeError(
      "`userColumns` has been replaced. Write `user: { role: 'string' }`, with the type of each column.",
    )
  }
  const unknown = Object.keys(options).find((name) => !knownOptions.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`sqlAdapter has no option \`${unknown}\`. It has: ${knownOptions.join(', ')}.`)
  }
}

interface AdapterContext {
  readonly db: Database
  readonly layout: Layout
  readonly use: DataUse
}

/** Runs `work` with the adapter of one transaction, which ends with `work`. */
function transact<T>({ db, layout, use }: AdapterContext, work: (adapter: Adapter) => Promise<T>): Promise<T> {
  return runTransaction(db, layout.dialect, async (inside) => {
    const scope = createScope()
    const adapter: Adapter = {
      ...mapMethods(availableMethods(createMethods(inside, layout, use), layout), (method) =>
        scope.within(withAdvice(method, layout)),
      ),
      transaction: (nested) => nested(adapter),
    }
    const [outcome] = await Promise.allSettled([(async () => work(adapter))()])
    const [failure] = await scope.close()
    if (outcome.status === 'rejected') throw outcome.reason
    if (failure) throw failure.reason
    return outcome.value
  })
}

/** Returns the methods that have a table and columns. The engine reports the feature of a missing method. */
function availableMethods(methods: SqlMethods, layout: Layout): AvailableMethods {
  const { renameAuthenticator, ...nameless } = methods
  if (layout.preset === 'default') return methods
  if (layout.hasAuthenticators) return nameless
  const { createAuthenticator, deleteAuthenticator, getAuthenticator, ...others } = nameless
  const { listAuthenticatorsByUserId, updateAuthenticatorCounter, ...rest } = others
  return rest
}

function mapMethods<Given extends Readonly<Record<string, Method<never, unknown>>>>(
  methods: Given,
  wrap: <Args extends readonly unknown[], T>(method: Method<Args, T>) => Method<Args, T>,
): Given {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, wrap(method)])) as Given
}
