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
async function isClaimedMeanwhile({ context, store, identity }: Attempt, user: AdapterUser): Promise<boolean> {
  if (identity.startedBy !== undefined && (await liveOwner(context))?.key !== identity.startedBy) return true
  // One who was read after the proof looks proved, but the proof has ended the session.
  if (context.config.mergeUnproved || user.emailVerified) return false
  return Boolean((await store.getUser(user.id))?.emailVerified)
}

/** What was attached to a user: how it is taken back, and what a refusal is called. */
export interface Attached {
  /** Left out where the adapter cannot take it back. */
  readonly undo?: (() => Promise<void>) | undefined
  readonly Refusal: typeof AccountNotLinked
}

/** An account that was linked. */
export function attachedAccount({ store, identity }: Attempt, Refusal = AccountNotLinked): Attached {
  return { undo: store.has('unlinkAccount') ? () => store.unlinkAccount(accountKey(identity)) : undefined, Refusal }
}

/**
 * Who proves the address while something of a stranger's is on its way to the user must not find it there afterwards.
 *
 * @throws `Refusal` when it was, after that is gone again.
 */
export async function assertUnclaimed(attempt: Attempt, user: AdapterUser, { undo, Refusal }: Attached): Promise<void> {
  if (!undo || !(await isClaimedMeanwhile(attempt, user))) return
  await undo()
  throw new Refusal(
    'In the meantime somebody else proved the address of the user, or the session in which this began has ended.',
  )
}
