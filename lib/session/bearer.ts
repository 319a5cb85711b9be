/**
 * The requests that carry a credential in a header instead of a cookie (RFC 6750): a session (`session.bearer`), or an API key
 * (`apiKeys`).
 */
import type { ResolvedConfig } from '../contracts/index.js'
import { presentedCookieNames } from '../http/chunks.js'
import { CookieJar } from '../http/cookies.js'
import { header, type MessageHeaders } from '../http/message.js'
import { bearerToken } from '../jwt.js'
import { legacyOptionsOf } from './session-cookie.js'

/**
 * Checks whether a request has a bearer token or an API key, valid or not, and no session cookie. Pages of other sites cannot send
 * it, because a browser asks the server before it sends that header (the preflight of CORS). So the request needs no CSRF token.
 */
export function isBearerRequest(config: ResolvedConfig, headers: MessageHeaders): boolean {
  const hasToken = config.session.bearer && bearerToken(header(headers, 'authorization')) !== undefined
  if (!hasToken && presentedApiKeys(config, headers).length === 0) return false
  return !hasSessionCookie(config, headers)
}

/** Returns the texts in the headers that may be API keys, unchecked. Two texts name two callers. */
export function presentedApiKeys({ apiKeys }: ResolvedConfig, headers: MessageHeaders): readonly string[] {
  if (!apiKeys) return []
  const [, token] = /^Bearer +(\S+)$/i.exec(header(headers, 'authorization') ?? '') ?? []
  const other = apiKeys.header === undefined ? undefined : header(headers, apiKeys.header)
  const own = token?.startsWith(`${apiKeys.prefix}_`) ? [token] : []
  return other === undefined ? own : [...own, other]
}

/** Checks whether a request has the token of a session, valid or not: in a cookie, or with `session.bearer` in the header. */
export function presentsSession(config: ResolvedConfig, headers: MessageHeaders): boolean {
  if (hasSessionCookie(config, headers)) return true
  const token = config.session.bearer ? bearerToken(header(headers, 'authorization')) : undefined
  return token !== undefined && !presentedApiKeys(config, headers).includes(token)
}

/** Checks whether a request has a session cookie, valid or not. */
function hasSessionCookie(config: ResolvedConfig, headers: MessageHeaders): boolean {
  const cookie = header(headers, 'cookie')
  if (cookie === undefined) return false
  const { secure, plain } = config.cookies
  const legacy = legacyOptionsOf(config)?.cookieName
  const names = [secure.sessionToken.name, plain.sessionToken.name, ...(legacy === undefined ? [] : [legacy])]
  const { received } = new CookieJar(cookie, names)
  return names.some((name) => presentedCookieNames(received, name).length > 0)
}

/**
 * Returns the headers of a response with status 401: a challenge with `session.bearer` (RFC 6750 §3), otherwise none. It has an error
 * code only for a request with a token (§3.1).
 */
export function bearerChallenge({ session }: ResolvedConfig, headers: MessageHeaders): Record<string, string> {
  if (!session.bearer) return {}
  const error = ' error="invalid_token", error_description="The token is invalid, or its session has ended"'
  return { 'www-authenticate': `Bearer${hasBearerScheme(headers) ? error : ''}` }
}

/** Checks whether a request has a token for the scheme `Bearer`, in any form. */
export function hasBearerScheme(headers: MessageHeaders): boolean {
  return /^Bearer /i.test(header(headers, 'authorization') ?? '')
}
