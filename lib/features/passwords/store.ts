/** The guard of the developer's store of passwords: a time-out for each method, and errors that name the store. */
import type { GuardedPasswords, PasswordProvider, ResolvedConfig, ResolvedProvider } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import { guardRecords } from '../../store/guard.js'
import type { RecordStore } from '../../types/store.js'
import { passwordAttemptsTable, passwordsTable } from './description.js'

/**
 * The hash of a removed password. The record and its version are kept. Otherwise a concurrent rehash could match the
 * version of the next password, and restore the old one.
 */
const removedHash = '!'

/** The tries of a removal that conflicts with other writes. */
const mostTries = 8

/** Guards a store. @param timeout Milliseconds that a method may take. */
export function guardPasswords(store: RecordStore, timeout: number): GuardedPasswords {
  const { find, write } = guardRecords(store, passwordsTable, { keeps: 'passwords', timeout })
  const stored = (userId: string) => find({ userId })
  return {
    store,
    async find(userId) {
      const found = await stored(userId)
      return found?.hash === removedHash ? null : found
    },
    async write(password, previous) {
      if (await write(password, previous)) return true
      // A first password replaces the record of a removed one.
      const found = previous === 0 ? await stored(password.userId) : null
      return found?.hash === removedHash && write(password, found.version)
    },
    async remove(userId) {
      for (let count = 0; count < mostTries; count += 1) {
        const found = await stored(userId)
        if (!found || found.hash === removedHash) return
        if (await write({ userId, hash: removedHash, changedAt: new Date() }, found.version)) return
      }
      throw new AdapterError(
        'The password could not be removed, because other writes changed it each time. Try again.',
        {
          method: 'write',
        },
      )
    },
    links: guardRecords(store, passwordAttemptsTable, { keeps: 'passwords', timeout }),
  }
}

/** Returns the provider that keeps passwords; `undefined` without one. */
export function passwordProviderOf({ providers }: Pick<ResolvedConfig, 'providers'>): PasswordProvider | undefined {
  return [...providers.values()].find(keepsPasswords)
}

/** Checks whether the library keeps the passwords of a provider. */
export function keepsPasswords(provider: ResolvedProvider | undefined): provider is PasswordProvider {
  return provider?.kind === 'credentials' && provider.password !== undefined
}
