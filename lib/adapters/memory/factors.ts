/** Second factors in the memory of one process. */
import type { FactorStore, StoredFactor } from '../../types/factors.js'
import { Table } from './tables.js'

/** Options of {@link memoryFactors}. */
export interface MemoryFactorsOptions {
  /** How many factors are held. Default 100,000. When it is full, storing one more rejects: none is dropped before its time. */
  maxRecords?: number
}

/**
 * Keeps second factors in this process: for tests, demos and applications of one process. Who restarts it lets people in without
 * them. Make it once.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @example
 * ```ts
 * const factors = memoryFactors()
 * ```
 */
export function memoryFactors(options: MemoryFactorsOptions = {}): FactorStore {
  return createFactors(options).store
}

/** The same with what removes factors whose time is over, and says how many. */
export function createFactors({ maxRecords = 100_000 }: MemoryFactorsOptions = {}) {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new RangeError('`maxRecords` is a whole number above 0.')
  const rows = new Table<StoredFactor>('second factor', {
    capacity: maxRecords,
    keyOf: factorKey,
    groupOf: ({ userId }) => userId,
    endOf: ({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    keepsLiveRows: true,
  })
  const store: FactorStore = {
    list: (userId) => rows.in(userId).sort(byAge).map(copyOf),
    write(factor, previous) {
      const before = rows.get(factorKey(factor))
      if ((before?.version ?? 0) !== previous) return false
      const next = copyOf({ ...factor, version: previous + 1 })
      if (before) rows.put(next)
      else rows.insert(next)
      return true
    },
    remove(userId, id) {
      const chosen = rows.in(userId).filter((row) => id === undefined || row.id === id)
      for (const row of chosen) rows.remove(factorKey(row))
      return chosen.length
    },
  }
  return { store, prune: () => rows.prune() }
}

/** The quotes of JSON keep the two apart. */
function factorKey({ userId, id }: Pick<StoredFactor, 'id' | 'userId'>): string {
  return JSON.stringify([userId, id])
}

function byAge(one: StoredFactor, other: StoredFactor): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
}

/** Dates can be changed by who has them. */
function copyOf({ userId, id, type, name, data, version, createdAt, usedAt, expiresAt }: StoredFactor): StoredFactor {
  return structuredClone({ userId, id, type, name, data, version, createdAt, usedAt, expiresAt })
}
