/** The abilities of an adapter: which of its optional methods it has. */
import type { AdapterAbilities } from '../contracts/index.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'

/** The optional methods of an adapter that each ability needs. Published adapters have few of them. */
const methodsByAbility: Readonly<Record<keyof AdapterAbilities, readonly AdapterMethod[]>> = {
  transact: ['transaction'],
  listUsers: ['listUsers'],
  getAccounts: ['getAccount'],
  listAccounts: ['listAccountsByUserId'],
  unlinkAccounts: ['unlinkAccount'],
  listSessions: ['listSessionsByUserId'],
  findSessions: ['getSessions'],
  deleteTokens: ['deleteVerificationTokens'],
  // Without `prune`, the records would never be deleted.
  noteChallenges: ['createVerificationToken', 'prune'],
  listPasskeys: ['listAuthenticatorsByUserId'],
  namePasskeys: ['renameAuthenticator'],
  deletePasskeys: ['deleteAuthenticator'],
}

/**
 * Reads the abilities on each access: an adapter may get its methods only when it connects, and may have getters that throw before.
 * Methods of prototypes are included.
 */
export function abilitiesOf(adapter: Adapter): AdapterAbilities {
  const has = (names: readonly AdapterMethod[]) => names.every((name) => typeof adapter[name] === 'function')
  const lookUps = Object.entries(methodsByAbility).map(([ability, names]) => [
    ability,
    { get: () => has(names), enumerable: true },
  ])
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(lookUps))) as AdapterAbilities
}
