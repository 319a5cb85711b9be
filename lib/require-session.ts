/** A guard for routes: lets signed-in people through, and nobody else, whatever goes wrong. */
import type { Request, RequestHandler, Response } from 'express'
import { after } from './base/after.js'
import { anything, boolean, shape, text } from './config/shape.js'
import { authOf } from './engine/index.js'
import { InvalidConfiguration } from './errors.js'
import type { SessionOf } from './get-session.js'
import { askToSignIn, deny, guard } from './guard.js'
import type { ServerAuthConfig } from './types/config.js'
import type { Awaitable } from './types/identity.js'

/** How a guard decides and where it sends people. */
export interface RequireSessionOptions<S> {
  /** Whether this person may see this route. `false` answers 403. Default: everybody who is signed in. */
  allow?(session: S, req: Request): Awaitable<boolean>
  /**
   * Where people sign in; gets `callbackUrl` in its query. Default: `pages.signIn`, else `<basePath>/signin`: set
   * `basePath` where the Router is not mounted on `/auth`.
   */
  signInUrl?: string
  /**
   * Asks the store at each request whether the session was ended, or its user disabled, a moment ago in another process: one
   * query more. For what must not be late, such as a payment. JWT sessions need `session.revocation` for it. Default `false`.
   */
  live?: boolean
}

/**
 * Makes a guard. The session is on `res.locals.session` behind it.
 *
 * Browsers are sent to the sign-in page and come back to exactly where they were. Other clients get
 * `401 { error: 'Unauthorized', message }`, or 403 with `Forbidden` where `allow` says no. An error in the configuration
 * or in a callback goes to `next(error)`: nobody gets through by it.
 *
 * @example
 * ```ts
 * app.use('/admin', requireSession(config, { allow: (session) => session.role === 'admin' }), adminRouter)
 * ```
 */
export function requireSession<const C extends ServerAuthConfig>(
  config: C,
  options: RequireSessionOptions<SessionOf<C>> = {},
): RequestHandler {
  assertGuardOptions(options)
  const auth = authOf(config)
  const { pages, basePath, session: kept } = auth.config
  if (options.live && kept.strategy === 'jwt' && !kept.revocation) {
    throw new InvalidConfiguration(
      '`live` of requireSession needs `session.revocation`: a JWT session is not noted anywhere else.',
    )
  }
  const ownPage = options.signInUrl ?? pages.signIn
  if (ownPage === undefined) auth.expectMount(basePath)
  const signInUrl = ownPage ?? `${basePath}/signin`

  function decide(req: Request, res: Response): Awaitable<boolean> {
    // The type is what the `session` callback of this very configuration returns.
    const read = options.live ? auth.readLive(req) : auth.readRequest(req)
    return after(read as Awaitable<SessionOf<C> | null>, (session) => {
      if (res.headersSent) return false
      if (!session?.user) return askToSignIn(req, res, signInUrl)
      return after(options.allow ? options.allow(session, req) : true, (allowed) => {
        if (res.headersSent) return false
        if (allowed !== true) return deny(res, 403, { error: 'Forbidden', message: 'You may not see this.' })
        res.locals.session = session
        return true
      })
    })
  }

  return guard(decide)
}

const guardShape = shape({ allow: anything, signInUrl: text, live: boolean })

/** A guard whose `allow` is misspelt, or not defined, would let everybody through: it is refused when it is made. */
function assertGuardOptions(options: object): void {
  guardShape('requireSession', options)
  if ('allow' in options && typeof options.allow !== 'function') {
    throw new InvalidConfiguration(
      '`allow` of requireSession must be a function. Leave it out to let everybody in who is signed in.',
    )
  }
}
