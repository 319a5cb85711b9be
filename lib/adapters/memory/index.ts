/**
 * `server-auth/adapters/memory`: the reference adapter, for tests, demos and applications with one process. Its records
 * are lost when the process ends.
 *
 * Calls run one after the other. A transaction is one call: others wait for its end, so its unfinished changes are not
 * visible. When it fails, the tables are restored from a snapshot. Arguments and results are copied, so changes to them
 * do not affect the tables.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describeFields } from '../../base/user-fields.js'
import type { Adapter } from '../../types/adapter.js'
import type { UserFields, UserFieldValues } from '../../types/user-fields.js'
import { createMemoryMethods, type MemoryMethods } from './methods.js'
import { createMemoryStore, type MemoryStore, type MemoryStoreHandle } from './store.js'
import { createTables, type Tables } from './tables.js'

export { type MemoryStore, type MemoryStoreOptions, memoryStore } from './store.js'

/** The options of `memoryAdapter`. */
export interface MemoryAdapterOptions<Declared extends UserFields = UserFields> {
  /**
   * The application's own fields of users, such as `{ role: { type: ['reader', 'admin'], default: 'reader' } }`. Other
   * additional properties of a user are stored as they are, without a type. Default: none.
   */
  user?: Declared
  /**
   * The maximum number of users, and of accounts, sessions, tokens and passkeys each. Default 100,000.
   *
   * When a table is full, expired sessions and tokens are dropped first, then the oldest session of the same user (or
   * token of the same address), then the oldest of all. Users, accounts and passkeys are never dropped: storing one
   * more rejects.
   */
  maxRecords?: number
}

/** The numbers of records that `pruneTables` removed. */
export interface Pruned {
  /** Expired sessions. */
  sessions: number
  /** Expired tokens of email links. */
  verificationTokens: number
}

/** An adapter with all methods. */
export interface MemoryAdapter<Fields = unknown> extends Required<Omit<Adapter<Fields>, 'checkUserFields'>> {
  /**
   * Returns the store of the adapter, for options `store: true`: the same object at each call. It takes no part in
   * transactions.
   */
  store(): MemoryStore
  /**
   * Removes expired sessions, verification tokens, second factors and pending passwords. Expired sessions stay readable
   * until then.
   */
  prune(): Promise<Pruned>
}

/**
 * Creates an adapter that stores everything in the memory of this process.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @throws {TypeError} When `user` is not a declaration of fields.
 * @example
 * ```ts
 * app.use('/auth', ServerAuth({ providers: [GitHub()], adapter: memoryAdapter() }))
 * ```
 */
export function memoryAdapter<const Declared extends UserFields = Record<never, never>>({
  maxRecords = 100_000,
  user,
}: MemoryAdapterOptions<Declared> = {}): MemoryAdapter<UserFieldValues<Declared>> {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new RangeError('`maxRecords` must be a whole number above 0.')
  const tables = createTables(maxRecords)
  const userFields = describeFields('user', user)
  const methods = createMemoryMethods(tables, userFields)
  const owned = createMemoryStore({}, (id) => tables.users.get(id) !== null)
  const { enter, transact } = createTransactions(tables, methods, owned)
  const copies = onCopies(methods, enter)
  Object.assign(owned.store.records, { usersBy: copies.getUser })
  const adapter: MemoryAdapter = {
    ...copies,
    userFields,
    store: () => owned.store,
    deleteUser: withRecordRemoval(copies.deleteUser, owned),
    transaction: (work) => enter(() => transact(work)),
    inspect: () => [{ kind: 'memory', isVolatile: true }],
    prune: () => enter(() => pruneTables(tables, owned)),
  }
  // Users have the declared fields, because `createUser` and `updateUser` check them.
  return adapter as MemoryAdapter<UserFieldValues<Declared>>
}

/** Creates the queue of calls, and the transactions in it. */
function createTransactions(tables: Tables, methods: MemoryMethods, owned: MemoryStoreHandle) {
  const enqueue = createQueue()
  const current = new AsyncLocalStorage<OpenTransaction>()

  /** Queues work. Rejects inside a transaction, where the call would wait for its own end. */
  async function enter<T>(work: () => T | Promise<T>): Promise<T> {
    if (current.getStore()?.isOpen) throw new Error('Inside a transaction, use the adapter passed to your function.')
    return enqueue(work)
  }

  async function transact<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    const scope: OpenTransaction = { isOpen: true }
    const inside = onCopies(methods, (call) => {
      if (!scope.isOpen) throw new Error('The transaction has ended: await all its calls.')
      return call()
    })
    const deleted: string[] = []
    const adapter: Adapter = {
      ...inside,
      store: () => owned.store,
      async deleteUser(id) {
        deleted.push(id)
        return inside.deleteUser(id)
      },
      // A nested transaction is part of the outer one.
      transaction: (nested) => nested(adapter),
    }
    const restores = Object.values(tables).map((table) => table.snapshot())
    try {
      const result = await current.run(scope, () => work(adapter))
      // Only after success, because the store's records are not restored when a transaction fails.
      for (const id of deleted) owned.removeOf(id)
      return result
    } catch (error) {
      for (const restore of restores) restore()
      throw error
    } finally {
      scope.isOpen = false
      // Transactions run one after the other. While one is open, Node.js 20 and 22 run hooks for every promise of the
      // process.
      current.disable()
    }
  }

  return { enter, transact }
}

/** Returns a `deleteUser` that also removes the user's records. */
function withRecordRemoval(
  deleteUser: MemoryMethods['deleteUser'],
  owned: MemoryStoreHandle,
): MemoryMethods['deleteUser'] {
  return async (id) => {
    const deleted = await deleteUser(id)
    owned.removeOf(id)
    return deleted
  }
}

function pruneTables({ sessions, tokens, links }: Tables, owned: MemoryStoreHandle): Pruned {
  const pruned = { sessions: sessions.prune(), verificationTokens: tokens.prune() }
  links.prune()
  owned.prune()
  return pruned
}

/** A transaction: open until its work has ended. */
interface OpenTransaction {
  isOpen: boolean
}

type AnyMethod = (...args: unknown[]) => unknown

/** Wraps the methods: `run` calls them with copies of their arguments, and they return copies of what is stored. */
function onCopies(methods: MemoryMethods, run: (call: () => unknown) => unknown): MemoryMethods {
  const wrap = (method: AnyMethod): AnyMethod =>
    async function onCopy(...args) {
      const own = structuredClone(args)
      return run(() => structuredClone(method(...own)))
    }
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, wrap(method as AnyMethod)]),
  ) as MemoryMethods
}

/** Creates a queue that runs work one after the other. */
function createQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
