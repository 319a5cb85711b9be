/** A guard for routes: lets signed-in people through, and nobody else, whatever goes wrong. */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { authOf } from './auth.js'
import { getSession, type SessionOf } from './get-session.js'
import { asksForJson, header } from './http/message.js'
import type { Awaitable, ServerAuthConfig } from './types.js'

/** How a guard decides and where it sends people. */
export interface RequireSessionOptions<S> {
  /** Whether this person may see this route. `false` answers 403. Default: everybody who is signed in. */
  allow?(session: S, req: Request): Awaitable<boolean>
  /** Where people sign in. Default: `pages.signIn`, else `<basePath>/signin`. */
  signInUrl?: string
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
  const { config: resolved } = authOf(config)
  const signInUrl = options.signInUrl ?? resolved.pages.signIn ?? `${resolved.basePath}/signin`

  async function decide(req: Request, res: Response): Promise<boolean> {
    const session = await getSession(req, config)
    if (res.headersSent) return false
    if (!session?.user) {
      askToSignIn(req, res, signInUrl)
      return false
    }
    if (options.allow && (await options.allow(session, req)) !== true) {
      deny(res, 403, 'Forbidden', 'You may not see this.')
      return false
    }
    res.locals.session = session
    return true
  }

  return function guardSession(req: Request, res: Response, next: NextFunction): void {
    decide(req, res).then(
      (allowed) => allowed && next(),
      (error: unknown) => next(error ?? new Error('The session could not be read.')),
    )
  }
}

function askToSignIn(req: Request, res: Response, signInUrl: string): void {
  if (!isNavigation(req)) {
    deny(res, 401, 'Unauthorized', 'Sign in first.')
    return
  }
  const [path = '', query = ''] = signInUrl.split('?', 2)
  const params = new URLSearchParams(query)
  params.set('callbackUrl', hereOf(req))
  res.setHeader('cache-control', 'private, no-store')
  res.setHeader('vary', 'Cookie')
  res.redirect(302, `${path}?${params}`)
}

/** Path and query as they were asked for. `//host` is a path here, and must not become a host on the way back. */
function hereOf({ originalUrl }: Request): string {
  return `/${originalUrl.replace(/^[/\\]+/, '')}`
}

/** A person's browser that loads a page: the only client that a redirect to a form is of use to. */
function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = header(headers, 'sec-fetch-mode')
  if (mode !== undefined) return mode === 'navigate'
  return !asksForJson(headers) && (header(headers, 'accept') ?? '').includes('text/html')
}

function deny(res: Response, status: 401 | 403, error: string, message: string): void {
  res.setHeader('cache-control', 'private, no-store')
  res.setHeader('vary', 'Cookie')
  res.status(status).json({ error, message })
}
