/**
 * Transactions. On SQLite they take the write lock at their beginning. On all dialects a failed method undoes the
 * transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Awaitable } from '../../types/identity.js'
import type { Database, Dialect } from './database.js'

/** Runs `work` on a database whose statements take effect together, or not at all when `work` rejects. */
export function runTransaction<T>(db: Database, dialect: Dialect, work: (db: Database) => Promise<T>): Promise<T> {
  if (db.isTransaction || openTransactions.has(db) || batches.has(db)) return work(db)
  if (dialect !== 'sqlite') return db.transaction().execute(work)
  return db.connection().execute(async (connection) => {
    // A transaction that reads and then writes would fail when another process wrote in between.
    await sql`begin immediate`.execute(connection)
    openTransactions.add(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {})
      throw error
    }
  })
}

/** The codes of errors after which the database has undone a transaction because of a concurrent one. */
const undoneCodes = new Set([
  '40001',
  '40P01',
  'ER_LOCK_DEADLOCK',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
])

/** Checks whether the database has undone a transaction because of a concurrent one. */
export function isUndone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && undoneCodes.has(String(error.code))
}

/** Runs statements without parameters together: all take effect, or none. */
export type Batch = (statements: readonly string[]) => Promise<void>

const batches = new WeakMap<object, Batch>()

/** Registers a database that has no transactions. Its statements run one after the other, except those of a migration. */
export function registerWithoutTransactions(db: object, batch: Batch): void {
  batches.set(db, batch)
}

/** @throws {TypeError} For a database without transactions, whose adapter would promise them. */
export function assertTransactions(db: object): void {
  if (!batches.has(db)) return
  throw new TypeError('D1 has no transactions. Use `d1Adapter(binding)` instead of `sqlAdapter`.')
}

/** Returns the function that runs statements together, of a database that has no transactions. */
export function batchOf(db: object): Batch | undefined {
  return batches.get(db)
}

/** The transactions that Kysely does not know of. */
const openTransactions = new WeakSet<Database>()

/** A method of an adapter. With a synchronous driver it may return its result instead of a promise. It never throws. */
export type Method<Args extends readonly unknown[], T> = (...args: Args) => Awaitable<T>

/** The calls inside a transaction, and whether more are allowed. */
export interface MethodScope {
  /** Makes a method part of the transaction. */
  within<Args extends readonly unknown[], T>(method: Method<Args, T>): Method<Args, T>
  /** Waits for calls that were not awaited, then allows no more. Returns the failures. */
  close(): Promise<readonly Failure[]>
}

/** The reason of a rejected call. */
export interface Failure {
  readonly reason: unknown
}

/**
 * Creates a scope. A failed method makes the transaction fail even if its caller continues: PostgreSQL would store
 * nothing at the commit and report success.
 */
export function createScope(): MethodScope {
  const running = new Set<Promise<unknown>>()
  const failures: Failure[] = []
  let isOpen = true
  return {
    within: (method) =>
      async function inTransaction(...args) {
        if (!isOpen) throw new Error('The transaction has ended: await all calls that belong to it.')
        const call = (async () => method(...args))()
        running.add(call)
        try {
          return await call
        } catch (error) {
          failures.push({ reason: error })
          throw error
        } finally {
          running.delete(call)
        }
      },
    async close() {
      while (running.size > 0) await Promise.allSettled(running)
      isOpen = false
      return failures
    },
  }
}

/**
 * Detects deadlocks. SQLite has one connection, so a call inside a transaction to the adapter outside would wait
 * forever.
 */
export interface DeadlockGuard {
  /** Runs a transaction. */
  watch<T>(work: () => Promise<T>): Promise<T>
  /** Wraps a method so that it rejects inside a transaction. */
  outside<Args extends readonly unknown[], R>(method: (...args: Args) => R): (...args: Args) => R | Promise<never>
  /** @throws {Error} Inside a transaction. */
  assertOutside(): void
}

export function createDeadlockGuard(dialect: Dialect): DeadlockGuard {
  if (dialect !== 'sqlite') return { watch: (work) => work(), outside: (method) => method, assertOutside() {} }
  const current = new AsyncLocalStorage<{ isOpen: boolean }>()
  let open = 0
  function assertOutside(): void {
    if (open === 0 || !current.getStore()?.isOpen) return
    throw new Error('Inside a transaction, use the adapter passed to your function.')
  }
  return {
    async watch(work) {
      const scope = { isOpen: true }
      open += 1
      try {
        return await current.run(scope, work)
      } finally {
        scope.isOpen = false
        open -= 1
        // While it is enabled, Node.js 20 and 22 run hooks for every promise of the process.
        if (open === 0) current.disable()
      }
    },
    outside: (method) =>
      function outsideTransactions(...args) {
        try {
          assertOutside()
          return method(...args)
        } catch (error) {
          return Promise.reject(error)
        }
      },
    assertOutside,
  }
}
