/**
 * The names under which second factors, and provider tokens, of a user are kept. For a stored user that is the id. Users whom an `authorize`
 * returns, and of whom no record is stored, have names of their own: their ids may be those of stored users, who are somebody else.
 */
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'
import type { AccountKey } from '../types/adapter.js'

/** No id begins so: ids have no line ends. */
const prefix = 'account\n'

/** The name of a user without a stored record, by provider and account. */
export function ownKey({ provider, providerAccountId }: AccountKey): string {
  return `${prefix}${shortHash(JSON.stringify([provider, providerAccountId]))}`
}

/** Checks whether a name is of a user without a stored record. */
export function isOwnKey(name: string): boolean {
  return name.startsWith(prefix)
}

/** Returns all names under which factors of the users with an id may be kept. */
export function namesOf(
  { providers, store, session }: Pick<ResolvedConfig, 'providers' | 'store' | 'session'>,
  id: string,
): string[] {
  // With database sessions a user is stored of each account.
  if (store && session.strategy === 'database') return [id]
  const unstored = [...providers.values()].filter((each) => each.kind === 'credentials' && each.password === undefined)
  return [id, ...unstored.map(({ id: provider }) => ownKey({ provider, providerAccountId: id }))]
}
