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

/**
 * Returns the name under which second factors and provider tokens of a sign-in are kept: the id of a stored user, and for others a name of
 * their own. Only second factors are kept for users whom an `authorize` returns: without them the id says enough.
 */
export async function keptUnder(
  context: AuthContext,
  { identity, signedIn }: Pick<HeldSignIn, 'identity' | 'signedIn'>,
): Promise<string | undefined> {
  const { id } = signedIn.user
  if (!context.config.factors) return id
  if (typeof id !== 'string' || id === '') {
    throw new SessionTokenError('Nobody knows whose second factor it is: the user has no `id`.')
  }
  const { ownerOf } = await loadFactors()
  return ownerOf(context, { identity, signedIn, id })
}

/**
 * Keeps a sign-in back that needs a second factor.
 *
 * @param userId Of {@link keptUnder}.
 * @returns Where the person goes for it; `undefined` where nothing more is needed.
 */
export async function holdBack(
  context: AuthContext,
  { userId, ...rest }: Omit<HeldSignIn, 'userId'> & { readonly userId: string | undefined },
): Promise<SafeRedirect | undefined> {
  if (!context.config.factors || userId === undefined) return undefined
  const { holdBack: hold } = await loadFactors()
  return hold(context, { ...rest, userId })
}

/**
 * Asserts that something may be attached to the signed-in user, such as a passkey or an address. With second factors only within five
 * minutes of proving them: a passkey that a stolen session adds would be a way past them.
 *
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(context: AuthContext, userId: string): Promise<void> {
  const refusal = await refusalFor(context, userId, 'attach')
  if (refusal === undefined) return
  throw new ReauthenticationRequired(
    refusal === 'stale'
      ? 'Users with a second factor add passkeys, accounts and addresses within five minutes of proving it.'
      : 'This session may not change the account: it did not begin in this browser, or has an end of its own.',
  )
}

/** Returns a function that says why the signed-in user may not do something; `undefined` where they may. */
export function refusals(context: AuthContext): (userId: string, action: Action) => Promise<Refusal | undefined> {
  return (userId, action) => refusalFor(context, userId, action)
}

async function refusalFor(context: AuthContext, userId: string, action: Action): Promise<Refusal | undefined> {
  const principal = await context.sessions.owner(context)
  if (principal?.userId !== userId) return 'session'
  return refusalOf(principal, action, await isEnrolledUser(context, userId))
}

/** Whether the user has a second factor; `undefined` where none are configured. */
async function isEnrolledUser({ config }: AuthContext, userId: string): Promise<boolean | undefined> {
  if (!config.factors) return undefined
  return isEnrolled(await guardedStore(config.factors).list(userId))
}
