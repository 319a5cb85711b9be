/** What an adapter can do beside what the features in use need. Published adapters have few of these methods. */

import type { StoreAbilities } from '../contracts/index.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'

/** The methods that each ability takes. */
const methods: Readonly<Record<keyof StoreAbilities, readonly AdapterMethod[]>> = {
  transact: ['transaction'],
  getAccounts: ['getAccount'],
  listAccounts: ['listAccountsByUserId'],
  unlinkAccounts: ['unlinkAccount'],
  listSessions: ['listSessionsByUserId'],
  deleteTokens: ['deleteVerificationTokens'],
  // Without `prune` nothing would ever delete the notes.
  noteChallenges: ['createVerificationToken', 'prune'],
  listPasskeys: ['listAuthenticatorsByUserId'],
  namePasskeys: ['renameAuthenticator'],
  deletePasskeys: ['deleteAuthenticator'],
}

/**
 * Looked up each time: an adapter may get its methods only once it is connected, and may have getters that throw until then.
 * Methods of prototypes count.
 */
export function abilitiesOf(adapter: Adapter): StoreAbilities {
  const has = (names: readonly AdapterMethod[]) => names.every((name) => typeof adapter[name] === 'function')
  const lookUps = Object.entries(methods).map(([ability, names]) => [
    ability,
    { get: () => has(names), enumerable: true },
  ])
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(lookUps))) as StoreAbilities
}
