/** The right to attach something to the signed-in user: in a sign-in, and where an account page asks for it. */
import type { AuthContext } from '../contracts/index.js'
import { ReauthenticationRequired } from '../errors.js'
import { guardedStore, isEnrolled } from '../features/factors/store.js'
import { type Action, type Refusal, refusalOf } from '../principal/index.js'
import type { StepOf } from './sign-in-stages.js'

/** Finds the session in which a sign-in method is attached. */
export const attaching: StepOf<'user'> = {
  name: 'attaching',
  stage: 'user',
  async run({ context, userId, isAttached }) {
    if (!isAttached || userId === undefined) return undefined
    await assertMayAttach(context, userId)
    const principal = await context.sessions.owner(context)
    if (principal?.userId === userId) return { attachedIn: principal }
    throw new ReauthenticationRequired(hasEnded)
  },
}

const hasEnded = 'The session has ended while something was attached in it.'

/**
 * Asserts that something may be attached to the signed-in user, such as a passkey or an email address. Users with second factors must have
 * proved them within five minutes: a passkey that a stolen session adds would be a way past them. The session is looked up in its store. Call
 * this after the security stamp was read: an end of the session that comes later changes the stamp.
 *
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(context: AuthContext, userId: string): Promise<void> {
  if (!(await context.sessions.isLive(context))) throw new ReauthenticationRequired(hasEnded)
  const refusal = await refusals(context)(userId, 'attach')
  if (refusal === undefined) return
  throw new ReauthenticationRequired(
    refusal === 'stale'
      ? 'Users with a second factor add passkeys, accounts and addresses within five minutes of proving it.'
      : 'This session may not change the account: it did not begin in this browser, or has an end of its own.',
  )
}

/** Returns a function that says why the signed-in user may not do something; `undefined` where they may. */
export function refusals(context: AuthContext): (userId: string, action: Action) => Promise<Refusal | undefined> {
  const { config, sessions } = context
  return async (userId, action) => {
    const principal = await sessions.owner(context)
    if (principal?.userId !== userId) return 'session'
    const rows = config.factors && (await guardedStore(config.factors).list(userId))
    return refusalOf(principal, action, rows && isEnrolled(rows))
  }
}
