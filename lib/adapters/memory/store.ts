/** `memoryStore`: a store in the memory of one process, and the reference for other drivers. */
import { createMemoryCounter } from '../../store/memory-counter.js'
import { tablesOfUsers } from '../../store/tables.js'
import type { Store } from '../../types/store.js'
import { createMemoryLog, type MemoryLog } from './log.js'
import { createMemoryRecords } from './records.js'

/** The options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * The number of records in each table (default 100,000) and of entries in the log (default 1,000,000). When it is
   * reached, storing one more rejects. No record is dropped early, except the oldest pending passwords and links.
   */
  maxRecords?: number
}

/** The store of {@link memoryStore}. */
export interface MemoryStore extends Store {
  /** The log of ended sessions. It has no feed of changes, because it answers at once. */
  readonly log: MemoryLog
}

/**
 * Creates a store in this process, for tests, demos and applications with one process. Create it once. A restart loses
 * all records, and makes ended sessions valid again.
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

/** A store, and functions for its adapter. */
export type MemoryStoreHandle = ReturnType<typeof createMemoryStore>

/**
 * Creates the store, with functions that remove the records of a deleted user and expired records.
 *
 * @param hasUser Checks whether a user is stored. Absent: the store does not know the users.
 */
export function createMemoryStore({ maxRecords }: MemoryStoreOptions = {}, hasUser?: (id: string) => boolean) {
  if (maxRecords !== undefined && (!Number.isSafeInteger(maxRecords) || maxRecords < 1))
    throw new RangeError('`maxRecords` must be a whole number above 0.')
  const { records, prune } = createMemoryRecords(maxRecords ?? 100_000, hasUser)
  const store: MemoryStore = {
    records,
    counter: createMemoryCounter(),
    log: createMemoryLog(maxRecords ?? 1_000_000),
    inspect: () => [{ kind: 'memory', isVolatile: true }],
  }
  return {
    store,
    prune,
    removeOf(userId: string): void {
      for (const table of tablesOfUsers()) records.remove(table, { userId })
    },
  }
}
