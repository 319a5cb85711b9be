/**
 * `server-auth/adapters/memory`: the reference adapter, for tests, demos and applications of one process. What it holds is
 * gone when the process ends.
 *
 * Calls run one after the other. A transaction is one call: others wait for its end, so that nobody reads what it has not
 * finished, and when it fails the tables go back to a snapshot of its beginning. Records are copied on the way in and on the
 * way out: who changes one outside changes nothing here.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter } from '../../types/adapter.js'
import { type Methods, methodsOn } from './methods.js'
import { createMemoryStore, type MemoryStore, type StoreOwner } from './store.js'
import { createTables, type Tables } from './tables.js'

export { type MemoryStore, type MemoryStoreOptions, memoryStore } from './store.js'

/** Options of `memoryAdapter`. */
export interface MemoryAdapterOptions {
  /**
   * How many users, and as many accounts, sessions, tokens and passkeys each, are held. Default 100,000. When a table is
   * full, expired sessions and tokens go first; then the oldest session of the same user (the oldest token of the same
   * address), then the oldest of all. Users, accounts and passkeys are never dropped: storing one more rejects.
   */
  maxRecords?: number
}

/** How many records `prune` removed. */
export interface Pruned {
  /** Sessions whose time was over. */
  sessions: number
  /** Tokens of mailed links whose time was over. */
  verificationTokens: number
}

/** An adapter with all methods. */
export interface MemoryAdapter extends Required<Adapter> {
  /** The store of the adapter, for options `store: true`. It takes no part in transactions. The same object at each call. */
  store(): MemoryStore
  /**
   * Removes expired sessions and verification tokens, and second factors and passwords that wait, whose time is over. Until then
   * expired sessions stay readable.
   */
  prune(): Promise<Pruned>
}

/**
 * An adapter that keeps everything in the memory of this process.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @example
 * ```ts
 * app.use('/auth', ServerAuth({ providers: [GitHub()], adapter: memoryAdapter() }))
 * ```
 */
export function memoryAdapter({ maxRecords = 100_000 }: MemoryAdapterOptions = {}): MemoryAdapter {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new RangeError('`maxRecords` is a whole number above 0.')
  const tables = createTables(maxRecords)
  const methods = methodsOn(tables)
  const owned = createMemoryStore()
  const inTurn = createQueue()
  const current = new AsyncLocalStorage<Scope>()

  /** Inside a transaction it would wait for the end of what waits for it. */
  async function enter<T>(work: () => T | Promise<T>): Promise<T> {
    if (current.getStore()?.isOpen) throw new Error('Inside a transaction, use the adapter that it gives you.')
    return inTurn(work)
  }

  const copies = onCopies(methods, enter)

  async function transact<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    const scope: Scope = { isOpen: true }
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
      // One inside another is part of it.
      transaction: (nested) => nested(adapter),
    }
    const restores = Object.values(tables).map((table) => table.snapshot())
    try {
      const result = await current.run(scope, () => work(adapter))
      // Not before: what the stores hold does not come back when a transaction fails.
      for (const id of deleted) owned.removeOf(id)
      return result
    } catch (error) {
      for (const restore of restores) restore()
      throw error
    } finally {
      scope.isOpen = false
      // Transactions come one after the other. While one is open, Node.js 20 and 22 run hooks at every promise of the process.
      current.disable()
    }
  }

  return {
    ...copies,
    store: () => owned.store,
    deleteUser: withRecords(copies.deleteUser, owned),
    transaction: (work) => enter(() => transact(work)),
    inspect: () => [{ kind: 'memory', isVolatile: true }],
    prune: () => enter(() => prune(tables, owned)),
  }
}

/** Deletes a user with their records. */
function withRecords(deleteUser: Methods['deleteUser'], owned: StoreOwner): Methods['deleteUser'] {
  return async (id) => {
    const deleted = await deleteUser(id)
    owned.removeOf(id)
    return deleted
  }
}

function prune({ sessions, tokens, links }: Tables, owned: StoreOwner): Pruned {
  const pruned = { sessions: sessions.prune(), verificationTokens: tokens.prune() }
  links.prune()
  owned.prune()
  return pruned
}

/** A transaction: open until its work has ended. */
interface Scope {
  isOpen: boolean
}

type Method = (...args: unknown[]) => unknown

/** The methods, run by `run`, on copies of their arguments as they are now. They return copies of what is stored. */
function onCopies(methods: Methods, run: (call: () => unknown) => unknown): Methods {
  const wrap = (method: Method): Method =>
    async function onCopy(...args) {
      const own = structuredClone(args)
      return run(() => structuredClone(method(...own)))
    }
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, wrap(method as Method)])) as Methods
}

/** Runs one piece of work after the other. */
function createQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
