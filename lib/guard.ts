/**
 * The shared parts of route guards. Every error rejects the request, and browsers are redirected to a page that helps.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { catchMaybePromise, mapMaybePromise } from './base/maybe-promise.js'
import { parseUrl } from './base/url.js'
import type { AuthEngine } from './engine/index.js'
import { toError } from './errors.js'
import { header } from './http/message.js'
import { readOrigin } from './http/origin.js'
import type { GuardReason } from './pages/index.js'
import { type AuthenticationRequirement, requiresTwoFactors } from './principal/index.js'
import { sendGuardPage } from './router/guard-page.js'
import type { Awaitable } from './types/identity.js'

/** A request to a guarded route. */
export interface GuardContext {
  readonly auth: AuthEngine
  readonly req: Request
  readonly res: Response
}

/** Creates the handler. @param isAllowed Returns whether the request continues; if not, it sends the response. */
export function createGuard(isAllowed: (req: Request, res: Response) => Awaitable<boolean>): RequestHandler {
  return function guardRoute(req: Request, res: Response, next: NextFunction): void {
    // `next` is called outside, so that errors of the next handler are not treated as the guard's.
    const decided = catchMaybePromise<boolean | GuardFailure>(
      () => isAllowed(req, res),
      (thrown) => new GuardFailure(thrown),
    )
    void mapMaybePromise(decided, (result) => {
      if (result instanceof GuardFailure) next(toErrorObject(result.thrown))
      else if (result) next()
    })
  }
}

/** An error that a guard threw, even `undefined`, which must reject the request. */
class GuardFailure {
  readonly thrown: unknown

  constructor(thrown: unknown) {
    this.thrown = thrown
  }
}

/**
 * Converts values that are not objects to errors, because Express continues after `next(false)`, `next('')` and
 * `next('route')`.
 */
function toErrorObject(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
}

/** Redirects a browser to the sign-in page, and rejects other clients with 401. @returns `false`, like {@link sendDenial}. */
export function requestSignIn(guarded: GuardContext, signInUrl: string): false {
  const { req, res } = guarded
  if (!isNavigation(req)) {
    const data = { error: 'Unauthorized', message: 'Sign in first.' }
    return sendDenial(guarded, 401, {
      reason: 'signIn',
      href: withCallbackUrl(signInUrl, formPagePath(guarded, signInUrl)),
      data,
    })
  }
  const here = requestedPath(req)
  if (withoutQuery(here) === withoutQuery(signInUrl)) {
    throw new Error(
      `Users cannot sign in, because the sign-in page ${withoutQuery(signInUrl)} is behind a guard of server-auth. Put its route before the guard.`,
    )
  }
  preventCaching(res)
  res.redirect(302, withCallbackUrl(signInUrl, here))
  return false
}

/**
 * Redirects a browser to the step-up page, and rejects API clients: 401 with `WWW-Authenticate`, which names the
 * requirement (RFC 9470 §3).
 * @returns `false`, like {@link sendDenial}.
 */
export function requestStepUp(
  guarded: GuardContext,
  { url, requirement }: { url: string; requirement: AuthenticationRequirement },
): false {
  const { req, res } = guarded
  if (isNavigation(req)) {
    preventCaching(res)
    res.redirect(302, withCallbackUrl(url, requestedPath(req)))
    return false
  }
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A stronger or more recent authentication is required"',
    ...(requiresTwoFactors(requirement) ? ['acr_values="aal2"'] : []),
    ...(requirement.maxAge === undefined ? [] : [`max_age="${requirement.maxAge}"`]),
  ]
  res.setHeader('www-authenticate', `Bearer ${parameters.join(', ')}`)
  return sendDenial(guarded, 401, {
    reason: 'confirm',
    href: withCallbackUrl(url, formPagePath(guarded, url)),
    data: {
      error: 'insufficient_user_authentication',
      message: 'Confirm first that it is you.',
      stepUpUrl: withCallbackUrl(url, '/'),
    },
  })
}

/** Returns the sign-in page with the callback URL added to its query. */
function withCallbackUrl(signInUrl: string, callbackUrl: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(signInUrl) ?? []
  const params = new URLSearchParams(query)
  params.set('callbackUrl', callbackUrl)
  return `${path}?${params}${fragment}`
}

/** Returns the requested path and query. `//host` is a path here, and must not become a host in the redirect back. */
export function requestedPath({ originalUrl }: Request): string {
  // The target may be absolute (RFC 9112 §3.2.2); its host is not trusted.
  const target = originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return `/${target.replace(/^[/\\\s]+/, '')}`
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** Checks whether a browser loads a page: only then a redirect to a form is useful. */
export function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? (header(headers, 'accept') ?? '').includes('text/html') : mode === 'navigate'
}

/**
 * Checks whether a browser sends a form and shows its response to the user. A redirect would lose the submitted values.
 */
export function isFormNavigation({ method, headers }: Request): boolean {
  if (method !== 'POST' || !(header(headers, 'accept') ?? '').includes('text/html')) return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined || mode === 'navigate'
}

/**
 * Returns the path of the page with the form, to which the user returns: the `Referer`, if that is a page of the site.
 * The URL that the form is sent to may not be a page.
 * @param except A page for which the site's root is returned.
 */
export function formPagePath({ auth, req }: Omit<GuardContext, 'res'>, except = ''): string {
  const referer = parseUrl(header(req.headers, 'referer') ?? '')
  const own = auth.config.site?.origin ?? readOrigin(req)
  if (!referer || own === undefined || referer.origin !== own) return '/'
  const path = `/${`${referer.pathname}${referer.search}`.replace(/^[/\\\s]+/, '')}`
  return withoutQuery(path) === withoutQuery(except) ? '/' : path
}

/** The response to a rejected request. */
export interface Denial {
  readonly reason: GuardReason
  /** The URL at which the user can continue. */
  readonly href?: string | undefined
  /** The response to API clients. */
  readonly data: { readonly error: string; readonly message: string; readonly [fact: string]: unknown }
}

/**
 * Responds with a page if a browser sent a form, otherwise with JSON. @returns `false`, because the request is
 * rejected.
 */
export function sendDenial({ auth, req, res }: GuardContext, status: 401 | 403, { reason, href, data }: Denial): false {
  preventCaching(res)
  const isShown =
    isFormNavigation(req) && sendGuardPage(auth, { request: req, response: res }, { status, reason, href })
  if (!isShown) res.status(status).json(data)
  return false
}

/** Keeps a rejection from caches: after the sign-in the same URL has another response. */
export function preventCaching(res: Response): void {
  res.setHeader('cache-control', 'private, no-store')
  res.vary('Cookie')
}
