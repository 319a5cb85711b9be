/** The developer's store of passwords, with a time-out around each method and errors that name it. */
import { isRecord } from '../base/guards.js'
import type { GuardedPasswords } from '../contracts/index.js'
import { AdapterError } from '../errors.js'
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../types/passwords.js'
import { guardedCalls, toAnswer } from './guarded-calls.js'

/**
 * In the place of the hash of a password that was removed. The record stays, and its version goes on: a hash that is made anew at the time would
 * otherwise meet the version of a password that is set next, and put the old one in its place.
 */
const removed = '!'

/** How often a removal is tried again that another write came before. */
const mostTries = 8

/** @param timeout Milliseconds that a method may take. */
export function guardPasswords(store: PasswordStore, timeout: number): GuardedPasswords {
  const call = guardedCalls(store, { keeps: 'passwords', timeout })
  const nothing = () => undefined
  const stored = (userId: string) => call('find', [userId], (value) => toPassword(value, userId))
  const write: GuardedPasswords['write'] = (password, previous) => call('write', [password, previous], toAnswer)
  return {
    async find(userId) {
      const found = await stored(userId)
      return found?.hash === removed ? null : found
    },
    async write(password, previous) {
      if (await write(password, previous)) return true
      // A first password goes on where the last one was removed.
      const found = previous === 0 ? await stored(password.userId) : null
      return found?.hash === removed && write(password, found.version)
    },
    async remove(userId) {
      for (let count = 0; count < mostTries; count += 1) {
        const found = await stored(userId)
        if (!found || found.hash === removed) return
        if (await write({ userId, hash: removed, changedAt: new Date() }, found.version)) return
      }
      throw new AdapterError('The password of a user is changed again and again while it was to be removed.', {
        method: 'write',
      })
    },
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
