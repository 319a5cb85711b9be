/** The developer's store of passwords, with a time-out around each method and errors that name it. */
import type { GuardedPasswords, PasswordProvider, ResolvedConfig, ResolvedProvider } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import { recordsOf } from '../../store/guard.js'
import { passwordAttemptsTable, passwordsTable } from '../../store/tables.js'
import type { RecordStore } from '../../types/store.js'

/**
 * In the place of the hash of a password that was removed. The record stays, and its version goes on: a hash that is made anew at the time would
 * otherwise meet the version of a password that is set next, and put the old one in its place.
 */
const removed = '!'

/** How often a removal is tried again that another write came before. */
const mostTries = 8

/** @param timeout Milliseconds that a method may take. */
export function guardPasswords(store: RecordStore, timeout: number): GuardedPasswords {
  const { find, write } = recordsOf(store, passwordsTable, { keeps: 'passwords', timeout })
  const stored = (userId: string) => find({ userId })
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
    links: recordsOf(store, passwordAttemptsTable, { keeps: 'passwords', timeout }),
  }
}

/** The one that keeps passwords; `undefined` where there is none. */
export function passwordProviderOf({ providers }: Pick<ResolvedConfig, 'providers'>): PasswordProvider | undefined {
  return [...providers.values()].find(keepsPasswords)
}

/** Whether the library itself keeps what is typed there. */
export function keepsPasswords(provider: ResolvedProvider | undefined): provider is PasswordProvider {
  return provider?.kind === 'credentials' && provider.password !== undefined
}
