/** A guard for routes: lets signed-in people through, and nobody else, whatever goes wrong. */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { after, rescue } from './base/after.js'
import { anything, boolean, shape, text } from './config/shape.js'
import { authOf } from './engine/index.js'
import { InvalidConfiguration, toError } from './errors.js'
import type { SessionOf } from './get-session.js'
import { header } from './http/message.js'
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
        if (allowed !== true) return deny(res, 403, 'Forbidden', 'You may not see this.')
        res.locals.session = session
        return true
      })
    })
  }

  return function guardSession(req: Request, res: Response, next: NextFunction): void {
    // `next` is called outside: what the next handler throws is not the guard's.
    const decided = rescue<boolean | Refusal>(
      () => decide(req, res),
      (thrown) => new Refusal(thrown),
    )
    void after(decided, (verdict) => {
      if (verdict instanceof Refusal) next(toBlocking(verdict.thrown))
      else if (verdict) next()
    })
  }
}

/** What a guard threw, if only `undefined`: nobody gets through. */
class Refusal {
  readonly thrown: unknown

  constructor(thrown: unknown) {
    this.thrown = thrown
  }
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

/** Express goes on after `next(false)`, `next('')` and `next('route')`: what is no object becomes an error. */
function toBlocking(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
}

/** @returns `false`, as {@link deny} does: nobody gets through. */
function askToSignIn(req: Request, res: Response, signInUrl: string): false {
  if (!isNavigation(req)) return deny(res, 401, 'Unauthorized', 'Sign in first.')
  const here = hereOf(req)
  if (pathOf(here) === pathOf(signInUrl)) {
    throw new Error(
      `Nobody can sign in: the sign-in page ${pathOf(signInUrl)} is behind requireSession. Put its route before the guard.`,
    )
  }
  setUncached(res)
  res.redirect(302, withCallbackUrl(signInUrl, here))
  return false
}

/** The sign-in page with the callback URL in its query. Whatever else stands there, stays. */
function withCallbackUrl(signInUrl: string, callbackUrl: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(signInUrl) ?? []
  const params = new URLSearchParams(query)
  params.set('callbackUrl', callbackUrl)
  return `${path}?${params}${fragment}`
}

/** Path and query as they were asked for. `//host` is a path here, and must not become a host on the way back. */
function hereOf({ originalUrl }: Request): string {
  // A target may be absolute (RFC 9112 §3.2.2); its host says nothing about ours.
  const target = originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return `/${target.replace(/^[/\\\s]+/, '')}`
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** A person's browser that loads a page: the only client that a redirect to a form is of use to. */
function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? (header(headers, 'accept') ?? '').includes('text/html') : mode === 'navigate'
}

function deny(res: Response, status: 401 | 403, error: string, message: string): false {
  setUncached(res)
  res.status(status).json({ error, message })
  return false
}

/** A refusal is one person's: after the sign-in the same address has another answer. */
function setUncached(res: Response): void {
  res.setHeader('cache-control', 'private, no-store')
  res.vary('Cookie')
}
