/** The guard of routes that need an account at a provider. */
import { getEngine } from '../../engine/index.js'
import type { SessionOf } from '../../get-session.js'
import {
  assertCalledByApplication,
  createGuard,
  type GuardedSession,
  type SessionGuard,
  sendRejection,
  toGuardedRequest,
} from '../../guard.js'
import type { ServerAuthConfig } from '../../types/config.js'
import { createConnectionRule } from './require-connection-rule.js'
import type { RequireConnectionOptions } from './types.js'

/**
 * Creates a guard that allows users with a connected account and the needed `scope`. `auth.tokens.get` behind it finds
 * a token, and the session is on `res.locals.session`.
 *
 * Other browsers are sent to the sign-in page or the provider, and come back to the same URL. API clients get `401 {
 * error: 'Unauthorized' }`, or `403 { error: 'ConsentRequired', provider, reason, connectUrl }`. Other errors are
 * passed to `next(error)`.
 *
 * @throws {@link InvalidConfiguration} without `tokens`, {@link InvalidProvider} for an unknown provider, TypeError for
 *   a `scope` that is no list of names, or not among `incrementalScopes`.
 *
 * @example
 * ```ts
 * app.get('/calendar', auth.tokens.requireConnection({ provider: 'google', scope: ['https://www.googleapis.com/auth/calendar'] }), showCalendar)
 * ```
 */
export function requireConnection<const C extends ServerAuthConfig>(
  config: C,
  options: RequireConnectionOptions,
): SessionGuard<SessionOf<C>> {
  assertCalledByApplication(options, 'auth.tokens.requireConnection', 'auth.tokens.requireConnection({ provider: … })')
  const auth = getEngine(config)
  const rule = createConnectionRule<GuardedSession<SessionOf<C>>>(auth, options)
  return createGuard<SessionOf<C>>(async (req, res) => {
    // The value comes from the `session` callback of this configuration.
    const session = (await auth.readRequest(req)) as GuardedSession<SessionOf<C>> | null
    if (res.headersSent) return false
    const decision = await rule.decide(toGuardedRequest(auth, req), session, req)
    if (res.headersSent) return false
    return decision.kind === 'allowed' ? decision.session : sendRejection({ auth, req, res }, decision)
  })
}
