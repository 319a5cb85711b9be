/** Where second factors enter: between a proved identity and its session, and at `two-factor`. */
import { lazily } from '../base/lazily.js'
import type { AuthContext, Identity, ResolvedConfig } from '../contracts/index.js'
import { SessionTokenError } from '../errors.js'
import type { HeldSignIn } from '../factors/index.js'
import type { SafeRedirect } from '../http/message.js'

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
