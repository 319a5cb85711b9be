/**
 * The CSRF token: random, signed, in a cookie and in the form (OWASP "signed double-submit cookie"). It is replaced
 * whenever a user signs in or out. Every POST passes this check, which also uses the browser's headers about the origin
 * of the request.
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import { isUrl } from '../base/url.js'
import type { AuthContext, CookieContext, ResolvedConfig } from '../contracts/index.js'
import { equalText, hmac, shortHash } from '../crypto/hash.js'
import { macKeys } from '../crypto/keys.js'
import { randomHex } from '../crypto/random.js'
import { MissingCSRF } from '../errors.js'
import { readSetCookie } from '../http/cookies.js'
import { csrfHeader, trustedOn, trustedSender } from '../http/cors.js'
import { isLocalOrigin } from '../http/ip-addresses.js'
import { type AuthRequest, header } from '../http/message.js'
import type { CallEffect } from '../types/call-rules.js'

/**
 * Creates a pair under the first secret: 64 hexadecimal characters for the form, and `token|signature` for the cookie.
 */
export function createCsrf(secrets: readonly string[]) {
  const token = randomHex(32)
  return { token, cookie: `${token}|${sign(secrets[0] ?? '', token)}` }
}

/** Returns the token of a cookie that was signed with one of the secrets; `null` otherwise. */
export function readCsrf(cookie: string | undefined, secrets: readonly string[]): string | null {
  const [token = '', signature = '', ...rest] = cookie?.split('|') ?? []
  if (rest.length > 0 || !/^[0-9a-f]{64}$/.test(token)) return null
  return secrets.some((secret) => equalText(sign(secret, token), signature)) ? token : null
}

const csrfKey = macKeys('csrf')

function sign(secret: string, token: string): string {
  return hmac(csrfKey(secret), token)
}

/** Returns the token of the request's cookie, if it is genuine. */
export function presentedCsrfToken({ config, cookies, cookiePolicy }: CookieContext): string | null {
  return readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
}

/**
 * Returns the token for a form: that of the response's or the request's cookie if genuine, else a new one, with its
 * cookie. Empty when tokens are not checked.
 */
export function csrfTokenForForm(context: CookieContext): string {
  const { config, cookies, cookiePolicy } = context
  if (!config.checkCsrf) return ''
  const known = writtenCsrfToken(context) ?? presentedCsrfToken(context)
  if (known !== null) return known
  const { token, cookie } = createCsrf(config.secrets)
  cookies.set(cookiePolicy.csrfToken, cookie)
  return token
}

/** Returns the token of the cookie that this response sets, such as after a sign-in: it replaces that of the request. */
function writtenCsrfToken({ config, cookies, cookiePolicy }: CookieContext): string | null {
  const { name } = cookiePolicy.csrfToken
  const line = cookies.sets(name) ? cookies.written.get(name) : undefined
  return line === undefined ? null : readCsrf(readSetCookie(line).value, config.secrets)
}

/** The parts of a request that the check uses. */
export type CsrfContext = CookieContext & {
  readonly ownCall?: AuthContext['ownCall']
  readonly request: Pick<AuthRequest, 'headers' | 'body' | 'receivedOrigin'> & {
    readonly action?: AuthRequest['action']
  }
  readonly urls: { readonly origin: string }
}

/** Checks whether a POST to an application's route comes from one of its pages, with the double-submitted token. */
export function isOwnSiteForm(context: CsrfContext): boolean {
  return !context.config.checkCsrf || (originError(context) ?? tokenError(context)) === undefined
}

/**
 * Rejects a POST that another site may have sent: one without the double-submitted token, unless the browser states
 * that a page of the same origin sends it. A page of `trustedOrigins` always needs the token, also for a call of the
 * application's own code: another page of the site could otherwise cause the call.
 *
 * @throws {@link MissingCSRF}
 */
export function assertCsrf(context: CsrfContext): void {
  const { config, ownCall } = context
  if (!config.checkCsrf) return
  const isTrusted = isTrustedPage(context)
  const isExempt = !isTrusted && (ownCall || isSameOriginByHeaders(context))
  const error = originError(context) ?? (isExempt ? undefined : tokenError(context))
  if (error) throw error
}

/**
 * Checks a call of the application's own code: the origin of the request, and the token in the header `X-CSRF-Token` if
 * a page of `trustedOrigins` sends it.
 *
 * @throws {@link MissingCSRF} for a change in a request that a page of another site may have caused.
 */
export function assertCallAllowed(context: CsrfContext, effect: CallEffect): void {
  if (effect === 'changes') assertCsrf({ ...context, ownCall: true })
}

/**
 * Rejects a request that a page of another origin caused, whatever its method: a WebSocket, to which browsers send cookies from
 * any site (RFC 6455 §10.2). A request without `Origin` and `Sec-Fetch-Site` comes from no browser, which always sends the first
 * with a WebSocket (§4.1).
 *
 * @throws {@link MissingCSRF}
 */
export function assertOwnOrigin(context: CsrfContext): void {
  const error = originError(context)
  if (error) throw error
}

/** Returns the error for a token, in the body or the header, that is missing or does not match the cookie. */
function tokenError(context: CsrfContext): MissingCSRF | undefined {
  const expected = presentedCsrfToken(context)
  const { body, headers } = context.request
  const { trustedOrigins } = context.config
  const given = body.csrfToken ?? (trustedOrigins && header(headers, csrfHeader))
  if (expected !== null && typeof given === 'string' && equalText(expected, given)) return undefined
  return new MissingCSRF(
    `The CSRF token is missing or wrong. Send the \`csrfToken\` of GET csrf in the body${trustedOrigins ? ' or in the header X-CSRF-Token' : ''}, with its cookie.`,
  )
}

/**
 * Checks whether the browser states that a page of the same origin sends this, so that no token is needed. No page can
 * write these headers (Fetch Standard, "forbidden request-header").
 *
 * - `Sec-Fetch-Site` is `same-origin`, and only once: several values arrive as a list. A sibling subdomain is
 *   `same-site`, a link in an email is `none`, a sandboxed frame is `cross-site`, and plain http has no such header.
 * - `Origin` is that of the site. Browsers send it with every POST, and not with a link or an image, which a method
 *   override of the application can turn into one.
 * - A token that is sent must be valid: an outdated form is still rejected.
 */
function isSameOriginByHeaders({ request: { headers, body }, urls }: CsrfContext): boolean {
  if (body.csrfToken !== undefined) return false
  return header(headers, 'sec-fetch-site') === 'same-origin' && header(headers, 'origin') === urls.origin
}

/** Checks whether a page of `trustedOrigins` sends this, to a route that such pages may use. */
function isTrustedPage({ config, request: { action, headers } }: CsrfContext): boolean {
  return trustedSender(trustedOn(action, config.trustedOrigins), headers) !== undefined
}

/**
 * Returns the error for another origin: by `Sec-Fetch-Site` (W3C Fetch Metadata), or by `Origin` if a browser does not
 * send it. API clients send neither. Pages of `trustedOrigins` are allowed here, and need the token.
 */
function originError(context: CsrfContext): MissingCSRF | undefined {
  const { request, urls } = context
  const site = header(request.headers, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return undefined
  if (isTrustedPage(context)) return undefined
  const origin = header(request.headers, 'origin')
  if (site !== undefined) return new MissingCSRF(otherOriginMessage(origin, urls.origin))
  if (origin === undefined || origin === urls.origin || origin === request.receivedOrigin) return undefined
  // The host is right, but the scheme is not.
  const schemeOnly = isUrl(origin) && isUrl(urls.origin) && new URL(origin).host === new URL(urls.origin).host
  return new MissingCSRF(otherOriginMessage(origin, urls.origin), { schemeOnly })
}

/** Names both origins. A development server with its own port is the usual cause, and its guide has the fix. */
function otherOriginMessage(given: string | undefined, own: string): string {
  const origin = given !== undefined && given.length < 200 && isUrl(given) ? new URL(given).origin : 'another site'
  const development = isLocalOrigin(origin) && isLocalOrigin(own)
  const advice = development
    ? `Let the server of ${origin} forward the routes, and set AUTH_URL to ${origin}: see the guide "Single-page applications".`
    : 'Send it from a page of the site: a form with POST, or a link there.'
  return `The request comes from ${origin}, and the origin of the site is ${own}. ${advice}`
}

/** Sets a new CSRF token whenever a user signs in or out, so that one that was read earlier is rejected. */
export function renewCsrf({ config, cookies, cookiePolicy }: CookieContext): void {
  if (config.checkCsrf) cookies.set(cookiePolicy.csrfToken, createCsrf(config.secrets).cookie)
}

/**
 * Remembers the browser's current token for a moment before {@link renewCsrf} replaces it: a double click sends it
 * again.
 */
export function rememberReplacedCsrf(context: CookieContext): void {
  const token = presentedCsrfToken(context)
  if (token !== null) replacedTokensOf(context.config.memory).add(token)
}

/** The replaced tokens, for ten seconds: the second request of a double click on a slow connection. */
const replacedTokensOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 10_000, capacity: 10_000, hashOf: shortHash }),
)

/** Checks whether a sign-in replaced a form's token a moment ago. */
export function isReplacedCsrf(config: ResolvedConfig, token: unknown): boolean {
  return typeof token === 'string' && replacedTokensOf(config.memory).has(token)
}
