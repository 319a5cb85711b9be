/** The actions of the engine by name, and the reply that a response becomes. */
import type { AuthContext } from '../contracts/index.js'
import { logoutCookie } from '../flows/index.js'
import { isCookieOrChunkOf } from '../http/chunks.js'
import { clearUntilFits, cookieBudget } from '../http/cookie-budget.js'
import { type AuthReply, type AuthRequest, type AuthResponse, header, prefersJson } from '../http/message.js'
import type { EngineAction } from '../http/routes.js'
import { pageResponse, renderContinue } from '../pages/index.js'
import { callback } from './callback.js'
import { wantsUrl } from './failure.js'
import { csrf, error, jwks, providers, webauthnOptions } from './information.js'
import { lastMethodCookie } from './last-method.js'
import { session } from './session.js'
import { signIn } from './sign-in.js'
import { signOut } from './sign-out.js'
import { typedFieldsCookie } from './typed-fields.js'
import { verifyRequest } from './verify-request.js'

export { confirmFactor } from '../features/factors/action.js'
export { loadFactors } from '../features/factors/steps.js'
export { removeStoredTokens } from '../features/tokens/steps.js'
export { assertCallAllowed, csrfTokenForForm, isOwnSiteForm } from '../session/csrf.js'
export { type ChangeEmailOutcome, changeEmail, emailProviderOf, findEmailProvider } from './change-email.js'
export { endSession } from './end-session.js'
export { failure, telemetryOutcome, toAuthError } from './failure.js'
export { setSessionData } from './session.js'
export { rejectionReasons } from './sign-in-steps.js'
export { type ApplicationProof, startSession } from './start-session.js'

/** The actions of the engine itself. Those of capabilities are in `features/engine`. */
export const engineActions: Readonly<Record<EngineAction, (context: AuthContext) => Promise<AuthResponse>>> = {
  providers,
  session,
  csrf,
  signin: signIn,
  signout: signOut,
  callback,
  'verify-request': verifyRequest,
  error,
  'webauthn-options': webauthnOptions,
  jwks,
}

/* ---- reply ------------------------------------------------------------------------------------------------------- */

// Converts an action's response to a reply with status, headers, cookies and body.

/** Returns the reply to a request. A HEAD request gets the headers of GET, without body and without side effects. */
export function toReply(context: AuthContext, response: AuthResponse): AuthReply {
  const { request } = context
  const reply = response.kind === 'redirect' ? redirectReply(context, response.to) : plainReply(response)
  if (request.method === 'HEAD') return { ...reply, body: '', cookies: [] }
  const cookies = fitCookies(context)
  if (!isSignOut(context, cookies)) return { ...reply, cookies: [...cookies.values()] }
  return { ...reply, headers: { ...reply.headers, ...clearCacheHeader }, cookies: [...cookies.values()] }
}

/** Returns the headers for a response of the application after a sign-out in its code: see {@link clearCacheHeader}. */
export function signOutHeaders(context: AuthContext): Readonly<Record<string, string>> {
  return isSignOut(context, context.cookies.written) ? clearCacheHeader : noHeaders
}

const noHeaders = {} as const

/**
 * Browsers keep pages that were left, and the back button shows them without a request, even to the next user after the
 * sign-out. This header deletes the site's pages (W3C Clear Site Data §3.2), if the site has https or is local.
 */
const clearCacheHeader = { 'clear-site-data': '"cache"' } as const

/** Checks whether a sign-out removes the session cookie. A sign-out never starts a session. */
function isSignOut({ request, cookiePolicy }: AuthContext, cookies: ReadonlyMap<string, string>): boolean {
  if (request.action !== 'signout' || request.method !== 'POST') return false
  return [...cookies.keys()].some((name) => isCookieOrChunkOf(name, cookiePolicy.sessionToken.name))
}

/**
 * Makes room for the cookies of a response, such as a large session. The cookies in the browser must fit into the next
 * request, so cookies of other sign-in attempts are deleted. Call it before they are written.
 *
 * @returns The current `Set-Cookie` values by cookie name.
 */
export function fitCookies(context: AuthContext): ReadonlyMap<string, string> {
  const { cookies, cookiePolicy, request } = context
  const { written } = cookies
  if (cookies.sizeAtMost <= cookieBudget) return written
  const { callbackUrl, lastMethod, transaction, typedFields } = cookiePolicy
  const options = { ...transaction.options, path: request.basePath || '/' }
  const attempts = [...cookies.received.keys()].filter(
    (name) => name.startsWith(`${transaction.name}.`) && !written.has(name),
  )
  clearUntilFits(cookies, [
    ...(written.has(lastMethod.name) ? [lastMethodCookie(context)] : []),
    ...(written.has(typedFields.name) ? [typedFieldsCookie(context)] : []),
    callbackUrl,
    ...attempts.map((name) => ({ name, options })),
    logoutCookie(context),
  ])
  return cookies.written
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const html = { 'content-type': 'text/html; charset=utf-8' }

type ReplyWithoutCookies = Omit<AuthReply, 'cookies'>

/** The default delay before a retry, in seconds (RFC 9110 §10.2.3). */
const defaultRetryAfter = '30'

function plainReply(response: Exclude<AuthResponse, { kind: 'redirect' }>): ReplyWithoutCookies {
  switch (response.kind) {
    case 'json':
      return withBody(response, json, JSON.stringify(response.data))
    case 'page': {
      const { nonce, captcha } = response
      return { ...withBody(response, html, response.html), nonce, ...(captcha && { captcha: true }) }
    }
    case 'frame': {
      const ancestors = response.ancestors.join(' ') || "'none'"
      const policy = `default-src 'none';base-uri 'none';form-action 'none';frame-ancestors ${ancestors}`
      const body = '<!doctype html><html lang="en"><title>Signed out</title></html>'
      return { ...withBody(response, { ...html, 'content-security-policy': policy }, body), framed: true }
    }
    case 'empty':
      return { status: response.status, headers: {}, body: '' }
  }
}

type Headers = Readonly<Record<string, string>>

function withBody(
  { status, headers }: { status: number; headers?: Headers },
  own: Headers,
  body: string,
): ReplyWithoutCookies {
  // A response about an outage says when to retry, unless it has its own time.
  const all = status === 503 ? { 'retry-after': defaultRetryAfter, ...own } : own
  return { status, headers: headers ? { ...all, ...headers } : all, body }
}

/**
 * Returns a redirect in the form that the client can follow: a URL in JSON for the published browser client, and after
 * a POST that accepts JSON. Otherwise it is a 303 after a POST (RFC 9700 §4.12). A form that leads to another site gets
 * a page that redirects, because browsers check `form-action` along the whole chain of redirects.
 */
function redirectReply(context: AuthContext, to: string): ReplyWithoutCookies {
  const { request, urls } = context
  const isJsonPost = request.method === 'POST' && prefersJson(request.headers)
  if (wantsUrl(request) || isJsonPost) return plainReply({ kind: 'json', status: 200, data: { url: to } })
  if (isFormNavigation(request) && !to.startsWith(`${urls.origin}/`)) {
    const page = pageResponse(context, 200, (frame) => renderContinue({ frame, to }))
    return plainReply({ ...page, headers: { refresh: `0;url=${to}` } })
  }
  return { status: request.method === 'POST' ? 303 : 302, headers: { location: to }, body: '' }
}

/**
 * Checks whether a user submitted a form. Browsers report that on secure origins; elsewhere our own forms have a mark.
 */
function isFormNavigation({ method, headers, body }: AuthRequest): boolean {
  if (method !== 'POST') return false
  const mode = header(headers, 'sec-fetch-mode')
  return mode === undefined ? body.navigation === 'form' : mode === 'navigate'
}
