/** A sign-in whose user is still looked for: what is known of it, and whose session it belongs to. */

import { foldAddress } from '../base/address.js'
import type { AuthContext, Identity, SessionOwner, Store } from '../contracts/index.js'
import { InvalidCheck } from '../errors.js'
import type { AdapterUser } from '../types/adapter.js'
import { liveOwner } from './linking.js'

/** What a flow has proved, with everything that finding its user takes. */
export interface PendingSignIn {
  readonly context: AuthContext
  /** Inside a transaction the transaction's. */
  readonly store: Store
  readonly identity: Identity
  /** Whether the adapter has transactions. */
  readonly atomic: boolean
  /** The second decision, behind the lock. It reads the session's owner through `store` and runs no callback again. */
  readonly isSecondLook: boolean
}

/** The address that the user would get. What `authorize` returns has not been folded by any flow. */
export function addressOf({ user: { email }, account }: Identity): string | undefined {
  if (!email) return undefined
  return account.type === 'credentials' ? foldAddress(email) : email
}

/** Whose session the browser holds now. */
export function sessionOf({ context, store, isSecondLook }: PendingSignIn): Promise<SessionOwner | null> {
  return isSecondLook ? context.sessions.owner(context.cookies, context.cookiePolicy, store) : liveOwner(context)
}

/**
 * The user who was signed in when the sign-in began, and still is. One that began signed out links nothing, whoever is signed
 * in by now.
 *
 * @throws {@link InvalidCheck} when the session in which it began is gone, or is another one.
 */
export async function linkingUser(signIn: PendingSignIn): Promise<AdapterUser | null> {
  const { startedBy } = signIn.identity
  if (startedBy === undefined) return null
  const owner = await sessionOf(signIn)
  if (owner?.key === startedBy) return signIn.store.getUser(owner.userId)
  throw new InvalidCheck('The sign-in was started in a session that has ended, or is another one by now.')
}
