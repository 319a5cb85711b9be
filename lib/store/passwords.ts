/** The developer's store of passwords, with a time-out around each method and errors that name it. */
import { isRecord } from '../base/guards.js'
import type { GuardedPasswords } from '../contracts/index.js'
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../types/passwords.js'
import { guardedCalls, toAnswer } from './guarded-calls.js'

/** @param timeout Milliseconds that a method may take. */
export function guardPasswords(store: PasswordStore, timeout: number): GuardedPasswords {
  const call = guardedCalls(store, { keeps: 'passwords', timeout })
  const nothing = () => undefined
  return {
    find: (userId) => call('find', [userId], (value) => toPassword(value, userId)),
    write: (password, previous) => call('write', [password, previous], toAnswer),
    remove: (userId) => call('remove', [userId], nothing),
    keepAttempt: (attempt) => call('keepAttempt', [attempt], nothing),
    findAttempt: (tokenHash) => call('findAttempt', [tokenHash], (value) => toAttempt(value, tokenHash)),
    takeAttempt: (tokenHash) => call('takeAttempt', [tokenHash], (value) => toAttempt(value, tokenHash)),
  }
}

/** Some databases take ids that differ in case only for the same: such a row is somebody else's. */
function toPassword(value: unknown, userId: string): StoredPassword | null {
  if (!value) return null
  if (!isPassword(value)) throw new TypeError('It returned no password.')
  return value.userId === userId ? value : null
}

function isPassword(value: unknown): value is StoredPassword {
  if (!isRecord(value)) return false
  const { userId, hash, version, changedAt } = value
  const texts = [userId, hash].every((text) => typeof text === 'string')
  return texts && typeof version === 'number' && changedAt instanceof Date
}

function toAttempt(value: unknown, tokenHash: string): PasswordAttempt | null {
  if (!value) return null
  if (!isAttempt(value)) throw new TypeError('It returned no attempt.')
  return value.tokenHash === tokenHash ? value : null
}

function isAttempt(value: unknown): value is PasswordAttempt {
  if (!isRecord(value)) return false
  const { tokenHash, identifier, data, expires } = value
  return [tokenHash, identifier, data].every((text) => typeof text === 'string') && expires instanceof Date
}
