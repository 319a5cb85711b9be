/** The sessions and sign-in methods of a stored user, for account pages and admin pages. */

import { callSourceOf, type DoorRequest } from '../calls/call.js'
import type { Language } from '../contracts/index.js'
import type { AuthEngine } from '../engine/auth.js'
import { connectionsOfAccounts } from '../features/connections/store.js'
import { listEnrolledFactors } from '../features/factors/calls-any-user.js'
import type { AnyCall } from '../functions/run.js'
import type { AccountOverview, OpenSession } from '../types/account.js'
import type { AccountKey } from '../types/adapter.js'
import { isPasskeyAccount } from '../users/records.js'
import { listDatabaseSessions } from './database-sessions.js'
import { listJwtSessions } from './jwt-sessions.js'
import { toLinkedPasskeys } from './passkeys.js'
import {
  canStillSignIn,
  type ListedUser,
  readSignInMethods,
  type SignInMethods,
  type StoredUser,
} from './signed-in-user.js'
import { requireUserStore } from './user-columns.js'

/** Returns the language of a request; the first language of the configuration without a request, as in a job. */
export function languageOf({ config }: AuthEngine, req: DoorRequest | undefined): Language {
  const { headers, receivedOrigin } = callSourceOf(req)
  const origin = config.site?.origin ?? receivedOrigin ?? 'http://localhost'
  return config.languages.forRequest({ headers, url: new URL(origin) })
}

/**
 * Returns a user for an admin page or a job; `null` if no stored user has the id. The id may come from a URL.
 *
 * @param caller Such as `users.get`.
 * @throws `MissingAdapter` without an adapter.
 */
export async function findStoredUser(
  { auth, request }: AnyCall,
  userId: string,
  caller: string,
): Promise<ListedUser | null> {
  const { config: resolved } = auth
  const store = requireUserStore(resolved, caller)
  const user = typeof userId === 'string' && userId !== '' ? await store.getUser(userId) : null
  if (!user) return null
  const language = languageOf(auth, resolved.languages.areNegotiated ? await request() : undefined)
  return { resolved, store, user, language }
}

/** Returns the open sessions: that of `owner` first, then by last use. */
export function listOpenSessions(of: ListedUser): Promise<OpenSession[]> {
  return of.resolved.session.strategy === 'jwt' ? listJwtSessions(of) : listDatabaseSessions(of)
}

/** Returns the accounts without tokens, the passkeys, and the second factors. */
export async function describeSignInMethods(
  owner: StoredUser,
): Promise<Pick<AccountOverview, 'accounts' | 'passkeys' | 'factors'>> {
  const { resolved, user } = owner
  const [methods, factors] = await Promise.all([readSignInMethods(owner), listEnrolledFactors(resolved, user.id)])
  const connections = await connectionsOfAccounts(resolved, methods.accounts)
  // Accounts of a deleted connection stay stored, and can never be used again.
  const accounts = methods.accounts.filter((each) => !isPasskeyAccount(each) && connections.get(each.provider) !== null)
  return {
    accounts: accounts.map(({ provider, providerAccountId }) => ({
      provider,
      name: resolved.providers.get(provider)?.name ?? connections.get(provider)?.name ?? provider,
      providerAccountId,
      isLast: !canStillSignIn(owner, withoutAccount(methods, { provider, providerAccountId })),
    })),
    passkeys: toLinkedPasskeys(owner, methods),
    factors,
  }
}

/** Returns the sign-in methods without one account. */
export function withoutAccount({ accounts, passkeys }: SignInMethods, account: AccountKey): SignInMethods {
  return { accounts: accounts.filter((other) => !isSameAccount(other, account)), passkeys }
}

/** Checks whether two keys are of the same account. */
export function isSameAccount(one: AccountKey, other: AccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}
