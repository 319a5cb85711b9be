/** What finding the user of a sign-in starts from. */

import { foldAddress } from '../base/address.js'
import type { AuthContext, Identity, SessionOwner, Store } from '../contracts/index.js'
import { InvalidCheck } from '../errors.js'
import type { AccountKey, AdapterUser } from '../types/adapter.js'
import { liveOwner } from './live-owner.js'

/** A sign-in with everything that finding its user takes. */
export interface Attempt {
  readonly context: AuthContext
  /** Inside a transaction its own one. */
  readonly store: Store
  readonly identity: Identity
  /** The adapter has transactions. */
  readonly atomic: boolean
  /** Somebody looked before: of the session only that it is still there is looked at, through `store`. */
  readonly isSecondLook: boolean
}

/** The names under which the identity's account is found. */
export function accountKey({ account: { provider, providerAccountId } }: Identity): AccountKey {
  return { provider, providerAccountId }
}

/** The address that the user would get. What `authorize` returns was in nobody's hands before. */
export function addressOf({ user: { email }, account }: Identity): string | undefined {
  if (!email) return undefined
  return account.type === 'credentials' ? foldAddress(email) : email
}

/** The user who has exactly this account. A database may take ids that differ in case only for the same: we do not. */
export async function ownerOf(store: Store, key: AccountKey): Promise<AdapterUser | null> {
  const user = await store.getUserByAccount(key)
  if (!user || !store.can.getAccounts) return user
  const account = await store.getAccount(key.providerAccountId, key.provider)
  return account?.provider === key.provider && account.providerAccountId === key.providerAccountId ? user : null
}

/** Whose session the browser holds now, as the attempt may look at it. */
export function sessionOf({ context, store, isSecondLook }: Attempt): Promise<SessionOwner | null> {
  return isSecondLook ? context.sessions.owner(context, store) : liveOwner(context)
}

/**
 * The user who was signed in when the attempt began, and still is. An attempt that began signed out links nothing, whoever
 * is signed in by now.
 *
 * @throws {@link InvalidCheck} when the session in which it began is gone, or is another one.
 */
export async function linkingUser(attempt: Attempt): Promise<AdapterUser | null> {
  const { startedBy } = attempt.identity
  if (startedBy === undefined) return null
  const owner = await sessionOf(attempt)
  if (owner?.key === startedBy) return attempt.store.getUser(owner.userId)
  throw new InvalidCheck('The sign-in was started in a session that has ended, or is another one by now.')
}
