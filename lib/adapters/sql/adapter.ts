/** Puts the adapter together: its methods, transactions, and housekeeping. */
import type { Kysely } from 'kysely'
import type { Adapter } from '../../types/adapter.js'
import type { StoreInspection } from '../../types/store.js'
import { type Database, detectDialect, toDatabase } from './database.js'
import { createHousekeeping, readPruneEvery } from './housekeeping.js'
import { inspect } from './inspect.js'
import { type Layout, type LayoutOptions, type Preset, readDialect, resolveLayout } from './layout.js'
import { createMethods, type Methods } from './methods.js'
import { withAdvice } from './missing-table.js'
import { type Pruned, type PruneOptions, prune } from './prune.js'
import type { DataUse } from './session-data.js'
import { createSqlStore, type SqlStore } from './sql-store.js'
import { createDeadlocks, createScope, type Method, runTransaction } from './transaction.js'

/** Options of {@link sqlAdapter}. */
export interface SqlAdapterOptions extends LayoutOptions {
  /**
   * Seconds after which expired sessions and verification tokens are removed again, by the next request that stores one
   * and without making it wait. 0: never, you call `prune` yourself. Default 3600 (1 hour).
   */
  pruneEvery?: number
}

/** The methods for passkeys, which not every preset has tables for. */
type AuthenticatorMethod = Extract<keyof Methods, `${string}Authenticator${string}`>

/** The methods of an adapter, those for passkeys where there is a table of them. */
type AvailableMethods = Omit<Methods, AuthenticatorMethod> & Partial<Pick<Methods, AuthenticatorMethod>>

/** What {@link sqlAdapter} makes. The presets `pg` and `kysely` have no passkeys, `drizzle` has no names of them. */
export interface SqlAdapter extends AvailableMethods {
  /** The option; `default` where none was given. */
  readonly preset: Preset
  /**
   * Runs `work` with an adapter whose methods take effect together, or not at all when `work` rejects or one of the
   * methods fails.
   */
  transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
  /**
   * Removes expired sessions and verification tokens, second factors whose time is over and passwords that waited in vain, at most
   * `limit` rows (default 1000) with each statement, until none is left.
   */
  prune(options?: PruneOptions): Promise<Pruned>
  /** The store that {@link sqlStore} makes of the same database, for options `store: true`. The same object at each call. */
  store(): SqlStore
  /** Which migrations are due, and which columns are not as they should be: for `npx server-auth doctor`. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * An adapter on SQLite, PostgreSQL, MySQL or MariaDB. Its tables are made by {@link migrate}.
 *
 * @param db A Kysely instance: of {@link connect}, or your own. Plugins that rename columns are refused.
 * @throws {TypeError} When an option is wrong.
 * @example
 * ```ts
 * const db = connect('postgres://app@localhost/app')
 * await migrate(db)
 * app.use('/auth', ServerAuth({ providers: [GitHub()], adapter: sqlAdapter(db) }))
 * ```
 */
export function sqlAdapter<Tables>(db: Kysely<Tables>, options: SqlAdapterOptions = {}): SqlAdapter {
  assertOptions(options)
  const database = toDatabase(db)
  const layout = resolveLayout(readDialect(options.dialect) ?? detectDialect(database), options)
  const use: DataUse = { isOn: false }
  const methods = createMethods(database, layout, use)
  const pruneEvery = readPruneEvery(options.pruneEvery)
  const housekeeping = createHousekeeping(pruneEvery, () => prune(database, layout))
  const store = createSqlStore(database, layout.dialect, pruneEvery)
  const deadlocks = createDeadlocks(layout.dialect)

  const outside = mapMethods(methodsOf(methods, layout), (method) => deadlocks.outside(withAdvice(method, layout)))
  const { createSession, createVerificationToken } = outside
  return {
    ...outside,
    preset: layout.preset,
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
    inspect: deadlocks.outside(async () => [await inspect(database, layout)]),
  }
}

const known = Object.keys({
  preset: true,
  dialect: true,
  ids: true,
  userColumns: true,
  pruneEvery: true,
} satisfies Record<keyof SqlAdapterOptions, true>)

/** A misspelt `preset` would look for other tables, and a misspelt column would be lost. */
function assertOptions(options: SqlAdapterOptions): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`sqlAdapter has no option \`${unknown}\`. It has: ${known.join(', ')}.`)
  }
}

interface Place {
  readonly db: Database
  readonly layout: Layout
  readonly use: DataUse
}

/** Runs `work` with an adapter of one transaction, which ends when `work` does. */
function transact<T>({ db, layout, use }: Place, work: (adapter: Adapter) => Promise<T>): Promise<T> {
  return runTransaction(db, layout.dialect, async (inside) => {
    const scope = createScope()
    const adapter: Adapter = {
      ...mapMethods(methodsOf(createMethods(inside, layout, use), layout), (method) =>
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

/** A method without its table or column is not there, so that the engine can say which feature has to be left out. */
function methodsOf(methods: Methods, layout: Layout): AvailableMethods {
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
