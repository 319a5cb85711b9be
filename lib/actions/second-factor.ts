/** Where second factors enter: between a proved identity and its session, and at `two-factor`. */
import { lazily } from '../base/lazily.js'
import type { AuthContext, Identity, ResolvedConfig } from '../contracts/index.js'
import { ReauthenticationRequired, SessionTokenError } from '../errors.js'
import type { HeldSignIn } from '../factors/index.js'
import type { SafeRedirect } from '../http/message.js'
import type { Authentication } from '../types/config.js'

/** Loaded where `factors` is set, and nowhere else. */
export const loadFactors = lazily('Second factors', () => import('../factors/index.js'))

/** How much a first factor has proved: 2 where it is two by itself. */
export function levelOf({ factors }: ResolvedConfig, { account, aal, amr }: Identity): 2 | undefined {
  const isPasskey = account.type === 'passkey' || account.type === 'webauthn'
  if (isPasskey && amr.includes('mfa') && factors?.passkeyIsEnough !== false) return 2
  return aal
}

/**
 * Keeps a sign-in back that needs a second factor.
 *
 * @returns Where the person goes for it; `undefined` where nothing more is needed.
 */
export async function holdBack(
  context: AuthContext,
  { signedIn, ...rest }: Omit<HeldSignIn, 'userId'>,
): Promise<SafeRedirect | undefined> {
  if (!context.config.factors) return undefined
  const { id: userId } = signedIn.user
  if (typeof userId !== 'string' || userId === '') {
    throw new SessionTokenError('Nobody knows whose second factor it is: the user has no `id`.')
  }
  const { holdBack: hold } = await loadFactors()
  return hold(context, { ...rest, signedIn, userId })
}

/**
 * Whether something may be attached to the user who is signed in, such as a passkey or an address. For who has a second factor that needs it,
 * within five minutes: a passkey that a stolen session adds would be a way past it.
 *
 * @returns How the person of the session was authenticated; `undefined` where nobody has second factors.
 * @throws {@link ReauthenticationRequired}
 */
export async function assertMayAttach(
  context: AuthContext,
  userId: string,
): Promise<Readonly<Authentication> | undefined> {
  if (!context.config.factors) return undefined
  const authentication = await sureFor(context, userId)
  if (authentication) return authentication
  throw new ReauthenticationRequired(
    'Who has a second factor adds passkeys, accounts and addresses within five minutes of proving it.',
  )
}

/** The same question, with an answer. Without second factors: yes. */
export function isSureOf(context: AuthContext): (userId: string) => Promise<boolean> {
  return async (userId) => !context.config.factors || (await sureFor(context, userId)) !== undefined
}

async function sureFor(context: AuthContext, userId: string): Promise<Readonly<Authentication> | undefined> {
  const { askedInSession, mayManage } = await loadFactors()
  const asked = await askedInSession(context)
  return asked?.scene.subject.userId === userId && mayManage(asked) ? asked.reading.authentication : undefined
}
