/** Whose an address is. A user may have proved it, or only claim it: anybody can sign up with somebody else's address. */

import type { ResolvedConfig, Store } from '../contracts/index.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AdapterUser } from '../types/adapter.js'

/** The users that an address leads to. */
export interface AddressOwner {
  /** Who has proved it, or may prove it now. */
  readonly user?: AdapterUser
  /** Who only claims it, and loses it to whoever proves it. */
  readonly claimant?: AdapterUser
  /** The user has not proved the address before, and is not signed in here. */
  readonly isFirstProof?: boolean
}

/** Whether the user with this address may be a stranger who only typed it, with what a stranger stored. */
export function isClaim({ mergeUnproved }: ResolvedConfig, { emailVerified }: AdapterUser): boolean {
  return !emailVerified && !mergeUnproved
}

/**
 * The user as whom somebody is signed in who proves an address.
 *
 * @param session Whose session it is in which the proof was asked for, if it has not ended. A user who is signed in proves
 * their own address, and so keeps what is stored.
 */
export async function ownerOfAddress(
  config: ResolvedConfig,
  store: Store,
  { address, session }: { address: string; session: () => Promise<StoredPrincipal | null> },
): Promise<AddressOwner> {
  const user = await store.getUserByEmail(address)
  if (!user) return {}
  if (user.emailVerified || (await session())?.userId === user.id) return { user }
  return isClaim(config, user) ? { claimant: user } : { user, isFirstProof: true }
}
