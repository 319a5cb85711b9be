/** The requests that carry a session in the header `Authorization` instead of a cookie (`session.bearer`, RFC 6750). */
import type { ResolvedConfig } from '../contracts/index.js'
import { presentedCookieNames } from '../http/chunks.js'
import { CookieJar } from '../http/cookies.js'
import { header, type MessageHeaders } from '../http/message.js'
import { bearerToken } from '../jwt.js'
import { legacyOptionsOf } from './session-cookie.js'

/**
 * Checks whether a request has a bearer token and no session cookie, valid or not. Pages of other sites cannot send it, because a
 * browser asks the server before it sends that header (the preflight of CORS). So the request needs no CSRF token.
 */
export function isBearerRequest(config: ResolvedConfig, headers: MessageHeaders): boolean {
  if (!config.session.bearer || bearerToken(header(headers, 'authorization')) === undefined) return false
  const { secure, plain } = config.cookies
  const legacy = legacyOptionsOf(config)?.cookieName
  const names = [secure.sessionToken.name, plain.sessionToken.name, ...(legacy === undefined ? [] : [legacy])]
  const { received } = new CookieJar(header(headers, 'cookie'), names)
  return names.every((name) => presentedCookieNames(received, name).length === 0)
}

/**
 * Returns the headers of a response with status 401: a challenge with `session.bearer` (RFC 6750 §3), otherwise none. It has an error
 * code only for a request with a token (§3.1).
 */
export function bearerChallenge({ session }: ResolvedConfig, headers: MessageHeaders): Record<string, string> {
  if (!session.bearer) return {}
  const hasToken = /^Bearer /i.test(header(headers, 'authorization') ?? '')
  const error = ' error="invalid_token", error_description="The token is invalid, or its session has ended"'
  return { 'www-authenticate': `Bearer${hasToken ? error : ''}` }
}
