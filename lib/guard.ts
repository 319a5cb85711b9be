/** What guards of routes have in common: nobody gets through by a fault, and browsers are sent where they can do something. */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { after, rescue } from './base/after.js'
import { toError } from './errors.js'
import { header } from './http/message.js'
import { type AuthenticationRequirement, wantsTwo } from './principal/index.js'
import type { Awaitable } from './types/identity.js'

/** Makes the handler. @param decide Whether the request goes on; where it does not, the answer is out or under way. */
export function guard(decide: (req: Request, res: Response) => Awaitable<boolean>): RequestHandler {
  return function guardRoute(req: Request, res: Response, next: NextFunction): void {
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

/** Express goes on after `next(false)`, `next('')` and `next('route')`: what is no object becomes an error. */
function toBlocking(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
}

/** @returns `false`, as {@link deny} does: nobody gets through. */
export function askToSignIn(req: Request, res: Response, signInUrl: string): false {
  if (!isNavigation(req)) return deny(res, 401, { error: 'Unauthorized', message: 'Sign in first.' })
  const here = hereOf(req)
  if (pathOf(here) === pathOf(signInUrl)) {
    throw new Error(
      `Nobody can sign in: the sign-in page ${pathOf(signInUrl)} is behind a guard of server-auth. Put its route before the guard.`,
    )
  }
  setUncached(res)
  res.redirect(302, withCallbackUrl(signInUrl, here))
  return false
}

/**
 * Sends a person to prove more, and programs away: 401 with `WWW-Authenticate`, which says what is wanted (RFC 9470 §3).
 *
 * @returns `false`: nobody gets through.
 */
export function askForMore(
  req: Request,
  res: Response,
  { url, requirement }: { url: string; requirement: AuthenticationRequirement },
): false {
  const stepUpUrl = withCallbackUrl(url, isNavigation(req) ? hereOf(req) : '/')
  if (isNavigation(req)) {
    setUncached(res)
    res.redirect(302, stepUpUrl)
    return false
  }
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A stronger or more recent authentication is required"',
    ...(wantsTwo(requirement) ? ['acr_values="aal2"'] : []),
    ...(requirement.maxAge === undefined ? [] : [`max_age="${requirement.maxAge}"`]),
  ]
  res.setHeader('www-authenticate', `Bearer ${parameters.join(', ')}`)
  return deny(res, 401, {
    error: 'insufficient_user_authentication',
    message: 'Confirm first that it is you.',
    stepUpUrl,
  })
}

/** The sign-in page with the callback URL in its query. Whatever else stands there, stays. */
function withCallbackUrl(signInUrl: string, callbackUrl: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(signInUrl) ?? []
  const params = new URLSearchParams(query)
  params.set('callbackUrl', callbackUrl)
  return `${path}?${params}${fragment}`
}

/** Path and query as they were asked for. `//host` is a path here, and must not become a host on the way back. */
export function hereOf({ originalUrl }: Request): string {
  // A target may be absolute (RFC 9112 §3.2.2); its host says nothing about ours.
  const target = originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return `/${target.replace(/^[/\\\s]+/, '')}`
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** A person's browser that loads a page: the only client that a redirect to a form is of use to. */
export function isNavigation({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? (header(headers, 'accept') ?? '').includes('text/html') : mode === 'navigate'
}

/** @param facts More of the answer. @returns `false`: nobody gets through. */
export function deny(
  res: Response,
  status: 401 | 403,
  { error, message, ...facts }: { error: string; message: string; [fact: string]: unknown },
): false {
  setUncached(res)
  res.status(status).json({ error, message, ...facts })
  return false
}

/** A refusal is one person's: after the sign-in the same address has another answer. */
export function setUncached(res: Response): void {
  res.setHeader('cache-control', 'private, no-store')
  res.vary('Cookie')
}
