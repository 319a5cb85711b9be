/** Passwords in the memory of one process. */
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../../types/passwords.js'
import { Table } from './tables.js'

/** Options of {@link memoryPasswords}. */
export interface MemoryPasswordsOptions {
  /**
   * How many passwords are held, and how many that wait. Default 100,000. When it is full, storing one more password rejects: none is
   * dropped. Of those that wait, those whose time is over make room, then the oldest of the same address, then the oldest of all.
   */
  maxRecords?: number
}

/**
 * Keeps passwords in this process: for tests, demos and applications of one process. Who restarts it has to ask people to set them
 * again. Make it once.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @example
 * ```ts
 * const passwords = memoryPasswords()
 * ```
 */
export function memoryPasswords(options: MemoryPasswordsOptions = {}): PasswordStore {
  return createPasswords(options).store
}

/** The same with what removes waiting passwords whose time is over, and says how many. */
export function createPasswords({ maxRecords = 100_000 }: MemoryPasswordsOptions = {}) {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new RangeError('`maxRecords` is a whole number above 0.')
  const rows = new Table<StoredPassword>('password', {
    capacity: maxRecords,
    keyOf: ({ userId }) => userId,
    groupOf: () => '',
  })
  const attempts = new Table<PasswordAttempt>('password that waits', {
    capacity: maxRecords,
    keyOf: ({ tokenHash }) => tokenHash,
    groupOf: ({ identifier }) => identifier,
    endOf: ({ expires }) => expires.getTime(),
  })
  const store: PasswordStore = {
    find: (userId) => structuredClone(rows.get(userId)),
    write({ userId, hash, changedAt }, previous) {
      const before = rows.get(userId)
      if ((before?.version ?? 0) !== previous) return false
      const next = structuredClone({ userId, hash, changedAt, version: previous + 1 })
      if (before) rows.put(next)
      else rows.insert(next)
      return true
    },
    remove: (userId) => void rows.remove(userId),
    keepAttempt({ tokenHash, identifier, data, expires }) {
      attempts.insert(structuredClone({ tokenHash, identifier, data, expires }))
    },
    findAttempt: (tokenHash) => structuredClone(attempts.get(tokenHash)),
    takeAttempt: (tokenHash) => attempts.remove(tokenHash),
  }
  return { store, prune: () => attempts.prune() }
}
