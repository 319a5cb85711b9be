/** The guard for routes: it allows signed-in users, and rejects all other requests, even after an error. */
import type { Request, RequestHandler, Response } from 'express'
import { mapMaybePromise } from './base/maybe-promise.js'
import { getEngine } from './engine/index.js'
import type { SessionOf } from './get-session.js'
import { createGuard, sendRejection, toGuardedRequest } from './guard.js'
import { createSessionRule } from './guards/session-rule.js'
import type { ServerAuthConfig } from './types/config.js'
import type { GuardRequirements } from './types/guards.js'
import type { Awaitable } from './types/identity.js'

/** The options of the guard {@link requireSession}. */
export interface RequireSessionOptions<S> extends GuardRequirements {
  /**
   * Checks whether the user may access the route. `false` results in 403. It is called before `aal`, `maxAge` and `amr`
   * are checked, so the user may not have proved them yet. Default: all signed-in users may.
   */
  allow?(session: S, req: Request): Awaitable<boolean>
}

/**
 * Creates a guard. Behind it the session is on `res.locals.session`.
 * Browsers are redirected to the sign-in page and return to the same URL. API clients get `401 { error: 'Unauthorized',
 * message }`, or 403 with `Forbidden` if `allow` returns `false`. Browsers that send a form get a page with these
 * statuses, from which users sign in and return to the form. If more proof is required (`aal`, `maxAge`, `amr`),
 * browsers are redirected to the step-up, and API clients get `401 { error: 'insufficient_user_authentication',
 * stepUpUrl }` with `WWW-Authenticate` (RFC 9470). An error in the configuration or in a callback is passed to
 * `next(error)`, so the request is rejected.
 * @example
 * ```ts
 * app.use('/admin', requireSession(config, { allow: (session) => session.role === 'admin' }), adminRouter)
 * ```
 */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireSessionOptions<SessionOf<C>> = {},
): RequestHandler {
  const auth = getEngine(config)
  const rule = createSessionRule<SessionOf<C>, Request>(auth, options, 'requireSession')

  function isAllowed(req: Request, res: Response): Awaitable<boolean> {
    // The value comes from the `session` callback of this configuration.
    const read = rule.isLive ? auth.readLive(req) : auth.readRequest(req)
    return mapMaybePromise(read as Awaitable<SessionOf<C> | null>, (session) => {
      if (res.headersSent) return false
      const proofs = auth.readingOf(req)?.proofs ?? []
      return mapMaybePromise(rule.decide(toGuardedRequest(auth, req), { session, proofs }, req), (decision) => {
        if (res.headersSent) return false
        if (decision.kind !== 'allowed') return sendRejection({ auth, req, res }, decision)
        res.locals.session = decision.session
        return true
      })
    })
  }

  return createGuard(isAllowed)
}
