/** Password links that an admin page sends, and what all calls about passwords share. */
import { actorOf, administrationContextOf, assertUserId } from '../../account/actor.js'
import { emitEvent } from '../../callbacks/index.js'
import { callSourceOf, ownRequest } from '../../calls/call.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import type { AuthEngine } from '../../engine/auth.js'
import { InvalidProvider, TooManyRequests } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { loadPasswords } from '../../flows/index.js'
import type { AnyCall } from '../../functions/run.js'
import type { SessionRequest } from '../../session/reader.js'
import { requireStore } from '../../store/guard.js'
import type { Outcome } from '../../types/outcome.js'
import { passwordProviderOf } from './store.js'

/** Emails a user the link to set a password, counted like a request of the page for forgotten passwords. */
export async function sendPasswordLink(
  call: AnyCall,
  userId: string,
): Promise<Outcome<'unknown' | 'email' | 'limited'>> {
  assertUserId(userId)
  const { auth, request } = call
  const { context, provider } = passwordCallContext(auth, await request())
  const user = await requireStore(auth.config).getUser(userId)
  if (!user) return { ok: false, reason: 'unknown' }
  if (!user.email) return { ok: false, reason: 'email' }
  const by = await actorOf(call)
  try {
    await countMail(context, provider.password.mailer, user.email)
  } catch (error) {
    if (error instanceof TooManyRequests) return { ok: false, reason: 'limited' }
    throw error
  }
  const { mailResetLink } = await loadPasswords()
  await mailResetLink(context, provider, { user, isCounted: false })
  await emitEvent(auth.config, 'passwordLinkSent', { userId, ...administrationContextOf(by) })
  return { ok: true }
}

/**
 * Returns the context of a call, and the provider. @param req Absent in a job. @throws {@link InvalidProvider} without
 * the provider `Password`.
 */
export function passwordCallContext(
  auth: AuthEngine,
  req: SessionRequest | undefined,
): { context: AuthContext; provider: PasswordProvider } {
  const provider = requirePasswordProvider(auth)
  const request = ownRequest(auth.config, callSourceOf(req), { action: 'password', providerId: 'change' })
  return { context: auth.createCallContext(request), provider }
}

/** Returns the provider that keeps passwords. @throws {@link InvalidProvider} */
export function requirePasswordProvider({ config }: Pick<AuthEngine, 'config'>): PasswordProvider {
  const provider = passwordProviderOf(config)
  if (provider) return provider
  throw new InvalidProvider('The functions of `passwords` need the provider `Password`. Add it to `providers`.')
}
