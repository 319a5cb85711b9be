/** Whose an address is: a user has proved it, or only claims it. */

import type { ResolvedConfig, SessionOwner, Store } from '../contracts/index.js'
import type { AdapterUser } from '../types/adapter.js'

/** The user of a proved address; or the one who only says that they have it, and loses it to whoever proves it. */
export interface AddressOwner {
  readonly user?: AdapterUser
  readonly claimant?: AdapterUser
  /** The user's first proof, by nobody who is signed in as that user. */
  readonly isFirstProof?: boolean
}

/** Whether what was stored with the address may be a stranger's. */
export function isClaim({ mergeUnproved }: ResolvedConfig, { emailVerified }: AdapterUser): boolean {
  return !emailVerified && !mergeUnproved
}

/**
 * The user at whom the proof of an address ends.
 *
 * @param session Whose session it is in which the proof was asked for, and that is still there. Its user proves their own
 * address.
 */
export async function ownerOfAddress(
  config: ResolvedConfig,
  store: Store,
  { address, session }: { address: string; session: () => Promise<SessionOwner | null> },
): Promise<AddressOwner> {
  const user = await store.getUserByEmail(address)
  if (!user) return {}
  if (user.emailVerified || (await session())?.userId === user.id) return { user }
  return isClaim(config, user) ? { claimant: user } : { user, isFirstProof: true }
}
