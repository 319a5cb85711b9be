/**
 * `server-auth/adapters/memory`: the reference adapter, for tests, demos and applications of one process. What it holds is
 * gone when the process ends.
 *
 * Everything runs one after the other, a transaction as one piece: nobody sees half of one, and what others write while it
 * runs waits for its end. Records are copied on the way in and on the way out.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter } from '../../types/adapter.js'
import { methodsOn, type Turn } from './methods.js'
import { createTables, type Tables } from './tables.js'

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
  sessions: number
  verificationTokens: number
}

/** An adapter with all methods. */
export interface MemoryAdapter extends Required<Adapter> {
  /** Removes expired sessions and verification tokens. Until then expired sessions stay readable. */
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
  const inTurn = createQueue()
  const current = new AsyncLocalStorage<Scope>()

  /** Inside a transaction it would wait for the end of what waits for it. */
  async function enter<T>(work: () => T | Promise<T>): Promise<T> {
    if (current.getStore()?.isOpen) throw new Error('Inside a transaction, use the adapter that it gives you.')
    return inTurn(work)
  }

  const turn: Turn = async (input, work) => {
    const own = structuredClone(input)
    return enter(() => structuredClone(work(own)))
  }

  return {
    ...methodsOn(tables, turn),
    transaction: (work) => enter(() => transact(tables, current, work)),
    prune: () =>
      turn(undefined, () => ({
        sessions: tables.sessions.prune(),
        verificationTokens: tables.verificationTokens.prune(),
      })),
  }
}

/* ---- turns -------------------------------------------------------------------------------------------------- */

/** A transaction: open until its work has ended. */
interface Scope {
  isOpen: boolean
}

async function transact<T>(
  tables: Tables,
  current: AsyncLocalStorage<Scope>,
  work: (adapter: Adapter) => Promise<T>,
): Promise<T> {
  const scope: Scope = { isOpen: true }
  const adapter: Adapter = {
    ...methodsOn(tables, turnWithin(scope)),
    // One inside another is part of it.
    transaction: (nested) => nested(adapter),
  }
  tables.journal.begin()
  try {
    return await current.run(scope, () => work(adapter))
  } catch (error) {
    tables.journal.undo()
    throw error
  } finally {
    scope.isOpen = false
    tables.journal.end()
  }
}

function createQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

function turnWithin(scope: Scope): Turn {
  return async (input, work) => {
    if (!scope.isOpen) throw new Error('The transaction has ended: await all its calls.')
    return structuredClone(work(structuredClone(input)))
  }
}
