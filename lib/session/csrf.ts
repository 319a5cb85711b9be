/**
 * The CSRF token: random, signed so that only we can plant one, in a cookie and in the form that comes back (OWASP "signed
 * double-submit cookie"). Made, given to forms, checked, and replaced at each change of who is signed in. The check is the one
 * door of every POST: it also asks the browser where the request comes from.
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import { isUrl } from '../base/url.js'
import type { AuthContext, CookieContext, ResolvedConfig } from '../contracts/index.js'
import { equalText, hmac, shortHash } from '../crypto/hash.js'
import { deriveKey } from '../crypto/keys.js'
import { randomHex } from '../crypto/random.js'
import { MissingCSRF } from '../errors.js'
import { type AuthRequest, header } from '../http/message.js'
import type { CallEffect } from '../types/call-rules.js'

/** A new pair under the first secret: 64 hexadecimal characters for the form, and `token|signature` for the cookie. */
export function createCsrf(secrets: readonly string[]) {
  const token = randomHex(32)
  return { token, cookie: `${token}|${sign(secrets[0] ?? '', token)}` }
}

/** The token of a cookie that we signed, under any of the secrets; `null` otherwise. */
export function readCsrf(cookie: string | undefined, secrets: readonly string[]): string | null {
  const [token = '', signature = '', ...rest] = cookie?.split('|') ?? []
  if (rest.length > 0 || !/^[0-9a-f]{64}$/.test(token)) return null
  return secrets.some((secret) => equalText(sign(secret, token), signature)) ? token : null
}

function sign(secret: string, token: string): string {
  return hmac(deriveKey(secret, 'server-auth csrf key', { length: 32 }).bytes, token)
}

/** The token that the browser holds, if we made it. */
export function csrfTokenOf({ config, cookies, cookiePolicy }: CookieContext): string | null {
  return readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
}

/** The token for a form: the cookie's, where it is genuine; else a new one, with its cookie. Empty where nobody checks it. */
export function csrfTokenFor(context: CookieContext): string {
  const { config, cookies, cookiePolicy } = context
  if (!config.checkCsrf) return ''
  const known = csrfTokenOf(context)
  if (known !== null) return known
  const { token, cookie } = createCsrf(config.secrets)
  cookies.set(cookiePolicy.csrfToken, cookie)
  return token
}

/** What the check looks at. */
export type CsrfPlace = CookieContext & {
  readonly ownCall?: AuthContext['ownCall']
  readonly request: Pick<AuthRequest, 'headers' | 'body' | 'receivedOrigin'>
  readonly urls: { readonly origin: string }
}

/** Whether a POST to a route of the application's comes from a page of its own, with the double-submitted token. */
export function isOwnForm(context: CsrfPlace): boolean {
  return !context.config.checkCsrf || (originFault(context) ?? tokenFault(context)) === undefined
}

/**
 * Refuses a POST that another site may have sent: one without the double-submitted token, unless the browser itself says that
 * a page of the own origin sends it. @throws {@link MissingCSRF}
 */
export function assertCsrf(context: CsrfPlace): void {
  const { config, ownCall } = context
  if (!config.checkCsrf) return
  const fault = originFault(context) ?? (ownCall || isSaidToBeOurs(context) ? undefined : tokenFault(context))
  if (fault) throw fault
}

/**
 * Checks a call of the application's own code. No form's token is asked for: only the origin of the request is checked.
 *
 * @throws {@link MissingCSRF} for a change in a request that a page of another site may have caused.
 */
export function assertCall(context: CsrfPlace, effect: CallEffect): void {
  if (effect === 'changes') assertCsrf({ ...context, ownCall: true })
}

/** A token that is missing, or not the one in the browser's cookie. */
function tokenFault(context: CsrfPlace): MissingCSRF | undefined {
  const expected = csrfTokenOf(context)
  const given = context.request.body.csrfToken
  if (expected !== null && typeof given === 'string' && equalText(expected, given)) return undefined
  return new MissingCSRF(
    'The CSRF token is missing or wrong: send `csrfToken` of GET csrf in the body, with its cookie.',
  )
}

/**
 * Whether the browser says that a page of the own origin sends this, so that it may do without a token. No page can write
 * either header (Fetch Standard, "forbidden request-header").
 *
 * - `Sec-Fetch-Site` is `same-origin`, and there once: several values arrive as a list. A sibling subdomain is `same-site`, a
 *   link in a mail is `none`, a sandboxed frame is `cross-site`, and plain http has no such header.
 * - `Origin` is the site's. Browsers send it with every POST, and not with a link or an image, which a method override of the
 *   application's can turn into one.
 * - A token that is given has to be right: a form that is out of date stays refused.
 */
function isSaidToBeOurs({ request: { headers, body }, urls }: CsrfPlace): boolean {
  if (body.csrfToken !== undefined) return false
  return header(headers, 'sec-fetch-site') === 'same-origin' && header(headers, 'origin') === urls.origin
}

/** `Sec-Fetch-Site` decides (W3C Fetch Metadata); `Origin` where a browser does not send it; neither is no browser. */
function originFault({ request, urls }: CsrfPlace): MissingCSRF | undefined {
  const site = header(request.headers, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return undefined
  if (site !== undefined) return new MissingCSRF(foreignSite)
  const origin = header(request.headers, 'origin')
  if (origin === undefined || origin === urls.origin || origin === request.receivedOrigin) return undefined
  // The address is right, and the scheme is not.
  const schemeOnly = isUrl(origin) && new URL(origin).host === new URL(urls.origin).host
  return new MissingCSRF('The request comes from another origin.', { schemeOnly })
}

const foreignSite =
  'The request comes from another site (Sec-Fetch-Site). Send it from a page of the site: a form with POST, or a link there.'

/** A new CSRF token with each change of who is signed in: one that somebody read before it is refused after it. */
export function renewCsrf({ config, cookies, cookiePolicy }: CookieContext): void {
  if (config.checkCsrf) cookies.set(cookiePolicy.csrfToken, createCsrf(config.secrets).cookie)
}

/** Remembers for a moment the token that the browser holds, which {@link renewCsrf} replaces: a double click sends it again. */
export function retireCsrf(context: CookieContext): void {
  const token = csrfTokenOf(context)
  if (token !== null) retiredOf(context.config.memory).add(token)
}

/** For ten seconds: the second request of a double click, on a slow line. */
const retiredOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 10_000, capacity: 10_000, hashOf: shortHash }),
)

/** Whether a form's token was replaced by a sign-in a moment ago. */
export function isRetired(config: ResolvedConfig, token: unknown): boolean {
  return typeof token === 'string' && retiredOf(config.memory).has(token)
}
