/** Who a sign-in is to be added to: the user in whose session it began. */
import type { AdapterUser } from '../adapters/types.js'
import type { AuthContext, Identity } from '../context.js'
import { AccountNotLinked, InvalidCheck } from '../errors.js'
import { liveOwner } from '../session/live-owner.js'
import { type Attempt, accountKey } from './attempt.js'

/**
 * The user who was signed in when the attempt began, and still is. An attempt that began signed out links nothing, whoever
 * is signed in by now.
 *
 * @throws {@link InvalidCheck} when the session in which it began is gone, or is another one.
 */
export async function linkingUser({ context, store, identity }: Attempt): Promise<AdapterUser | null> {
  const { startedBy } = identity
  if (startedBy === undefined) return null
  const owner = await liveOwner(context)
  if (owner?.key === startedBy) return store.getUser(owner.userId)
  throw new InvalidCheck('The sign-in was started in a session that has ended, or is another one by now.')
}

/** Whether the session in which the attempt began is still there, and is of this user. */
export async function isStillInSession(
  { sessions, cookies, cookiePolicy }: AuthContext,
  { startedBy }: Identity,
  userId: string,
): Promise<boolean> {
  if (startedBy === undefined) return false
  const owner = await sessions.owner(cookies, cookiePolicy)
  return owner?.key === startedBy && owner.userId === userId
}

/**
 * Whether what is on its way to the user must not be found there afterwards: the session in which it began has ended, or
 * somebody proved the user's address since.
 */
export async function isClaimedMeanwhile({ context, store, identity }: Attempt, user: AdapterUser): Promise<boolean> {
  if (identity.startedBy !== undefined && (await liveOwner(context))?.key !== identity.startedBy) return true
  // One who was read after the proof looks proved, but the proof has ended the session.
  if (context.config.mergeUnproved || user.emailVerified) return false
  return Boolean((await store.getUser(user.id))?.emailVerified)
}

/**
 * Who proves the address while a stranger's account is on its way to the user must not find it there afterwards.
 *
 * @throws `Refusal` when it was, after the account is gone again.
 */
export async function assertUnclaimed(
  attempt: Attempt,
  user: AdapterUser,
  Refusal: typeof AccountNotLinked = AccountNotLinked,
): Promise<void> {
  const { store, identity } = attempt
  if (!store.has('unlinkAccount') || !(await isClaimedMeanwhile(attempt, user))) return
  await store.unlinkAccount(accountKey(identity))
  throw new Refusal('The address of the user was proved by somebody else in the meantime.')
}
