/** `memoryStore`: the contracts of stores in the memory of one process. They are the reference for other drivers. */
import { createMemoryCounter } from '../../store/memory-counter.js'
import { recordTables } from '../../store/tables.js'
import type { Store } from '../../types/store.js'
import { createLog, type MemoryLog } from './log.js'
import { createRecords } from './records.js'

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * The number of records in each table (default 100,000) and of entries in the log (default 1,000,000). When it is full, storing one more
   * rejects: none is dropped before its time, but pending passwords and links, of which the oldest make room.
   */
  maxRecords?: number
}

/** The store that {@link memoryStore} makes. */
export interface MemoryStore extends Store {
  /** Keeps the ends of sessions. It has no feed of changes: it answers at once. */
  readonly log: MemoryLog
}

/**
 * Makes a store in this process: for tests, demos and applications of one process. A restart loses all of it, and opens sessions again that
 * had ended. Make it once.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @example
 * ```ts
 * const config = { providers: [Google], session: { revocation: memoryStore() } }
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return createMemoryStore(options).store
}

/** A store, and functions of its adapter. */
export type StoreOwner = ReturnType<typeof createMemoryStore>

/** Makes the store, and functions that remove the records of a deleted user and expired records. */
export function createMemoryStore({ maxRecords }: MemoryStoreOptions = {}) {
  if (maxRecords !== undefined && (!Number.isSafeInteger(maxRecords) || maxRecords < 1))
    throw new RangeError('`maxRecords` is a whole number above 0.')
  const { records, prune } = createRecords(maxRecords ?? 100_000)
  const store: MemoryStore = {
    records,
    counter: createMemoryCounter(),
    log: createLog(maxRecords ?? 1_000_000),
    inspect: () => [{ kind: 'memory', isVolatile: true }],
  }
  return {
    store,
    prune,
    removeOf(userId: string): void {
      for (const table of recordTables) if (table.by === 'userId') records.remove(table, { userId })
    },
  }
}
