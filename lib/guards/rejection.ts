/**
 * The responses to requests that a guard rejects, as data. Express and the shim send them. Browsers are redirected to a
 * page that helps, and API clients get JSON.
 */
import { parseUrl } from '../base/url.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { header, type MessageHeaders } from '../http/message.js'
import type { GuardReason } from '../pages/index.js'
import { type AuthenticationRequirement, requiresTwoFactors } from '../principal/index.js'
import { bearerChallenge } from '../session/bearer.js'

/** A request to a guarded route. */
export interface GuardedRequest {
  readonly method: string
  readonly headers: MessageHeaders
  /** The requested path and query, from {@link toPath}. */
  readonly path: string
  /** The origin of the site; `undefined` if it is not known. */
  readonly origin: string | undefined
  /** The client's address; `undefined` if it is not known. */
  readonly ip: string | undefined
}

/** A response that redirects a browser. */
export interface GuardRedirect {
  readonly kind: 'redirect'
  /** A path of the site, or a URL. */
  readonly to: string
}

/** A response without the guarded content: a page for a browser that shows it, JSON for others. */
export interface GuardDenial {
  readonly kind: 'denial'
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 503
  /** The page for a browser. Absent: the client is a script, and gets JSON. */
  readonly reason?: GuardReason
  /** The URL at which the user can continue. */
  readonly href?: string | undefined
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** The response to API clients. */
  readonly data: { readonly error: string; readonly message: string; readonly [fact: string]: unknown }
}

/** The response to a rejected request. */
export type Rejection = GuardRedirect | GuardDenial

/** The headers of a rejection: after the sign-in the same URL has another response. `Vary` is added to that of the application. */
export const rejectionHeaders = { 'cache-control': 'private, no-store', vary: 'Cookie' } as const

/** The rejection of a signed-in user who may not use the route. */
export const forbidden: GuardDenial = {
  kind: 'denial',
  status: 403,
  reason: 'forbidden',
  data: { error: 'Forbidden', message: 'You may not see this.' },
}

/** The rejection of a session that support uses in place of its user. */
export const impersonatedDenial: GuardDenial = {
  ...forbidden,
  reason: 'impersonated',
  data: { error: 'ImpersonatedSession', message: 'This is not allowed in the session of another user.' },
}

/** Rejects a request without a valid CSRF token. A user who sent a form can return to its page. */
export function rejectCsrf(request: GuardedRequest): GuardDenial {
  const message =
    'The CSRF token is missing or wrong, or the request comes from another site. Load the page again, and send its `csrfToken` in the form or the JSON body.'
  return {
    kind: 'denial',
    status: 403,
    reason: 'csrf',
    href: isFormNavigation(request) ? formPagePath(request) : undefined,
    data: { error: 'MissingCSRF', message },
  }
}

/**
 * Redirects a browser to the sign-in page, and rejects other clients with 401. With `session.bearer` the response names
 * the scheme in `WWW-Authenticate` (RFC 6750 §3).
 * @throws Error if the sign-in page is behind the guard itself.
 */
export function requestSignIn(config: ResolvedConfig, request: GuardedRequest, signInUrl: string): Rejection {
  if (!isNavigation(request)) {
    return {
      kind: 'denial',
      status: 401,
      reason: 'signIn',
      headers: bearerChallenge(config, request.headers),
      href: pageHref(request, signInUrl),
      data: { error: 'Unauthorized', message: 'Sign in first.' },
    }
  }
  if (withoutQuery(request.path) === withoutQuery(signInUrl)) {
    throw new Error(
      `Users cannot sign in, because the sign-in page ${withoutQuery(signInUrl)} is behind a guard of server-auth. Put its route before the guard.`,
    )
  }
  return { kind: 'redirect', to: withCallbackUrl(signInUrl, request.path) }
}

/**
 * Redirects a browser to the step-up page, and rejects API clients: 401 with `WWW-Authenticate`, which names the
 * requirement (RFC 9470 §3).
 */
export function requestStepUp(
  request: GuardedRequest,
  { url, requirement }: { url: string; requirement: AuthenticationRequirement },
): Rejection {
  if (isNavigation(request)) return { kind: 'redirect', to: withCallbackUrl(url, request.path) }
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A stronger or more recent authentication is required"',
    ...(requiresTwoFactors(requirement) ? ['acr_values="aal2"'] : []),
    ...(requirement.maxAge === undefined ? [] : [`max_age="${requirement.maxAge}"`]),
  ]
  return {
    kind: 'denial',
    status: 401,
    reason: 'confirm',
    headers: { 'www-authenticate': `Bearer ${parameters.join(', ')}` },
    href: pageHref(request, url),
    data: {
      error: 'insufficient_user_authentication',
      message: 'Confirm first that it is you.',
      stepUpUrl: withCallbackUrl(url, '/'),
    },
  }
}

/** Returns the URL that the page for a rejected form links to. Other rejections with a URL are redirects or JSON. */
export function pageHref(request: GuardedRequest, url: string): string | undefined {
  return isFormNavigation(request) ? withCallbackUrl(url, formPagePath(request, url)) : undefined
}

/** Returns a page of the library, such as the sign-in page, with the callback URL added to its query. */
export function withCallbackUrl(signInUrl: string, callbackUrl: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(signInUrl) ?? []
  const params = new URLSearchParams(query)
  params.set('callbackUrl', callbackUrl)
  return `${path}?${params}${fragment}`
}

/**
 * Returns the path and query of a request target. `//host` is a path here, and must not become a host in the redirect
 * back.
 */
export function toPath(target: string): string {
  // The target may be absolute (RFC 9112 §3.2.2); its host is not trusted.
  return `/${target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/^[/\\\s]+/, '')}`
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** Checks whether a browser loads a page: only then a redirect to a form is useful. */
export function isNavigation({ method, headers }: GuardedRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? (header(headers, 'accept') ?? '').includes('text/html') : mode === 'navigate'
}

/** Checks whether a browser shows the response to the user. It gets a page, and other clients get JSON. */
export function isShownToUser(request: GuardedRequest): boolean {
  return isNavigation(request) || isFormNavigation(request)
}

/**
 * Checks whether a browser sends a form and shows its response to the user. A redirect would lose the submitted values.
 */
export function isFormNavigation({ method, headers }: GuardedRequest): boolean {
  if (method !== 'POST' || !(header(headers, 'accept') ?? '').includes('text/html')) return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined || mode === 'navigate'
}

/**
 * Returns the path of the page with the form, to which the user returns: the `Referer`, if that is a page of the site.
 * The URL that the form is sent to may not be a page.
 * @param except A page for which the site's root is returned.
 */
export function formPagePath({ headers, origin }: GuardedRequest, except = ''): string {
  const sent = header(headers, 'referer')
  const referer = sent === undefined ? undefined : parseUrl(sent)
  if (!referer || origin === undefined || referer.origin !== origin) return '/'
  const path = toPath(`${referer.pathname}${referer.search}`)
  return withoutQuery(path) === withoutQuery(except) ? '/' : path
}
