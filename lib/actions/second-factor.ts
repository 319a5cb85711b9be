/** Where second factors enter: between a proved identity and its session, and at `two-factor`. */
import { lazily } from '../base/lazily.js'
import type { AuthContext } from '../contracts/index.js'
import { ReauthenticationRequired, SessionTokenError } from '../errors.js'
import type { HeldSignIn } from '../factors/index.js'
import type { SafeRedirect } from '../http/message.js'
import { type Action, type Refusal, refusalOf } from '../principal/index.js'
import { guardedStore, isEnrolled } from '../store/factors.js'

/** Loaded where `factors` is set, and nowhere else. */
export const loadFactors = lazily('Second factors', () => import('../factors/index.js'))

/** A sign-in whose user is found. `owner` is the name under which the user's second factors and provider tokens are kept. */
interface KeptSignIn {
  readonly owner: string | undefined
  /** Where the user goes for a second factor; absent where none is needed. */
  readonly elsewhere?: SafeRedirect | undefined
}

/**
 * Keeps a sign-in back that needs a second factor. The owner is the id of a stored user; others have a name of their own. Only second factors
 * are kept for users whom an `authorize` returns: without them the id says enough.
 */
export async function holdBack(context: AuthContext, signIn: Omit<HeldSignIn, 'userId'>): Promise<KeptSignIn> {
  const { id } = signIn.signedIn.user
  if (!context.config.factors) return { owner: id }
  if (typeof id !== 'string' || id === '') {
    throw new SessionTokenError('Nobody knows whose second factor it is: the user has no `id`.')
  }
  const factors = await loadFactors()
  const owner = await factors.ownerOf(context, signIn, id)
  return { owner, elsewhere: await factors.holdBack(context, { ...signIn, userId: owner }) }
}

/**
 * Asserts that something may be attached to the signed-in user, such as a passkey or an address. With second factors only within five
 * minutes of proving them: a passkey that a stolen session adds would be a way past them. The session is looked up in its store: call it after
 * the security stamp was read, which an end of the session changes that comes later.
 *
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(context: AuthContext, userId: string): Promise<void> {
  if (!(await context.sessions.isLive(context))) {
    throw new ReauthenticationRequired('The session has ended while something was attached in it.')
  }
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
