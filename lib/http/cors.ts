/**
 * Requests from pages of `trustedOrigins`, and the headers with which their scripts may read responses (Fetch Standard
 * §3.2, CORS).
 */
import { header, type MessageHeaders } from './message.js'
import { setHeaders, type WritableResponse } from './response.js'
import { type Action, routeRow } from './routes.js'

/** The origins of `trustedOrigins`. Absent: none. */
export type TrustedOrigins = ReadonlySet<string> | undefined

/** A request, as CORS sees it. */
export interface CorsRequest {
  readonly method?: string | undefined
  readonly headers: MessageHeaders
}

/** The methods and headers that scripts of trusted origins may send. */
export interface CorsRules {
  readonly methods: readonly string[]
  /** Absent: all that the script asks for. */
  readonly headers?: string
}

/** The header in which a script can send the CSRF token. Pages of other origins cannot set it without a preflight. */
export const csrfHeader = 'x-csrf-token'

/** The headers that scripts may send to our routes. */
export const routeHeaders = `content-type, x-auth-return-redirect, ${csrfHeader}`

/** The rules for the application's own API. */
export const apiRules: CorsRules = { methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] }

/** The seconds for which browsers remember a preflight. */
const preflightMaxAge = '600'

/** A list of header names (RFC 9110 §5.6.1, §5.6.2). */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/

/** Returns the origins whose pages may send requests to a route. @param action Absent: a route of the application. */
export function trustedOn(action: Action | undefined, trusted: TrustedOrigins): TrustedOrigins {
  return action !== undefined && routeRow(action).ownPagesOnly ? undefined : trusted
}

/**
 * Returns the origin of the page that sent a request, if it is a trusted one. The text is compared as browsers send it.
 * A browser that states `Sec-Fetch-Site` must state `same-site`: cookies do not travel to another site. Browsers send
 * no such header over plain http, and older ones not at all.
 */
export function trustedSender(trusted: TrustedOrigins, headers: MessageHeaders): string | undefined {
  if (!trusted) return undefined
  const origin = header(headers, 'origin')
  const site = header(headers, 'sec-fetch-site')
  const isTrusted = origin !== undefined && trusted.has(origin) && (site === undefined || site === 'same-site')
  return isTrusted ? origin : undefined
}

/**
 * Sets the headers of a response. A page of any other origin gets `Vary` only.
 *
 * @returns `true` for a preflight of a trusted page, which needs no further response than 204.
 */
export function setCorsHeaders(
  response: WritableResponse,
  { method, headers }: CorsRequest,
  { trusted, rules }: { readonly trusted: TrustedOrigins; readonly rules: CorsRules },
): boolean {
  setHeaders(response, { vary: 'Origin' })
  const origin = trustedSender(trusted, headers)
  if (origin === undefined) return false
  setHeaders(response, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
  if (method !== 'OPTIONS' || header(headers, 'access-control-request-method') === undefined) return false
  const asked = header(headers, 'access-control-request-headers') ?? ''
  const allowed = rules.headers ?? (headerNames.test(asked) ? asked : '')
  setHeaders(response, {
    'access-control-allow-methods': rules.methods.join(', '),
    ...(allowed !== '' && { 'access-control-allow-headers': allowed }),
    'access-control-max-age': preflightMaxAge,
  })
  return true
}
