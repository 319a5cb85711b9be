/**
 * What a provider says of sessions that have ended there: a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.6), or
 * the parameters of a frame (OpenID Connect Front-Channel Logout 1.0 §3).
 */

import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { isRecord } from '../../base/guards.js'
import { parseRecord } from '../../base/json.js'
import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import { isUrl } from '../../base/url.js'
import type { AuthContext, ProviderLogout, ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { clientOf, clockTolerance, isHmacPinned, type OAuthClient } from '../../flows/oauth/client.js'
import { onlyValue } from '../../http/urls.js'
import { knownKeys, type ProviderKeys, renewedKeys } from './provider-keys.js'
import { isName, namesOf, RefusedToken } from './provider-session.js'

/** Characters of a logout token. */
const maxLength = 16 * 1024
/** Seconds since a logout token was made. */
const maxAge = 5 * 60
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/* ---- from server to server ------------------------------------------------------------------------------------ */

/** A logout token that was verified. */
export interface LogoutToken extends ProviderLogout {
  /**
   * Notes that the token did its work: it is refused from now on, by each process where there is a store. Rejects where that is
   * away.
   */
  use(): Promise<void>
}

/**
 * Verifies a logout token. Everything that costs no request and no signature is looked at first.
 *
 * @throws {@link RefusedToken} for one that is none, or was used. Rejects otherwise where the keys cannot be had.
 */
export async function readLogoutToken(context: AuthContext, provider: ResolvedOAuthProvider): Promise<LogoutToken> {
  const { config, request } = context
  const token = request.body.logout_token
  if (typeof token !== 'string' || token.length > maxLength)
    throw new RefusedToken('no logout_token, or a too long one')
  const claims = claimsOf(token, provider)
  const client = clientOf(provider, config.timeout)
  const keys = await knownKeys(client)
  if (claims.iss !== keys.server.issuer) throw new RefusedToken('unexpected "iss" claim')
  await verify(client, token, keys)
  const id = JSON.stringify([provider.id, claims.iss, claims.jti])
  return { ...namesOf(provider.id, claims), at: claims.iat ?? 0, use: await singleUse(config, id) }
}

/** Seconds for which a token that did its work could come again. */
const memoryOfUse = maxAge + 2 * clockTolerance

/** The names of tokens that did their work in this process. */
const usedOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: memoryOfUse * 1000, capacity: 100_000, hashOf: shortHash }),
)

/**
 * How the token of this name is used up. Two processes that get it at the same moment may both act on it: they end the same.
 *
 * @throws {@link RefusedToken} where it was used.
 */
async function singleUse({ logoutTokens, memory }: ResolvedConfig, name: string): Promise<() => Promise<void>> {
  const used = usedOf(memory)
  if (used.has(name) || (await logoutTokens?.has(name))) throw new RefusedToken('the token was used before')
  return async () => {
    await logoutTokens?.add(name, memoryOfUse)
    used.add(name)
  }
}

/** The claims of a token, not verified yet, but as those of a logout token have to be. */
function claimsOf(token: string, provider: ResolvedOAuthProvider): JWTPayload {
  const parts = token.split('.')
  // There is one spelling of a token: no space in it, and no bits at its end that nobody reads (RFC 7515 §2, RFC 4648 §3.5).
  const isSpelt = parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  if (parts.length !== 3 || !isSpelt) throw new RefusedToken('not a signed JWT')
  const [header, payload] = parts
  const { typ } = parse(header)
  const claims: JWTPayload = parse(payload)
  // §2.4 recommends the type, and asks for none: Keycloak wrote `JWT` until 2024, Glewlwyd still does. That says nothing, so the
  // claims tell an id_token from a logout token: only this one has the event, only that one a nonce (RFC 8725 §3.12).
  if (typ !== undefined && !/^(?:(?:application\/)?logout\+jwt|JWT)$/i.test(String(typ))) {
    throw new RefusedToken('unexpected "typ"')
  }
  const fault = faultOf(claims, provider)
  if (fault !== undefined) throw new RefusedToken(fault)
  return claims
}

function faultOf(claims: JWTPayload, { clientId }: ResolvedOAuthProvider): string | undefined {
  const { aud, azp, events, exp, iat, iss, jti, sid, sub } = claims
  const now = Date.now() / 1000
  if (typeof iss !== 'string') return 'no "iss" claim'
  if (![aud].flat().includes(clientId) || (azp !== undefined && azp !== clientId)) return 'unexpected "aud" claim'
  if (typeof iat !== 'number' || iat > now + clockTolerance || iat < now - maxAge - clockTolerance) {
    return 'the token is too old, or from the future'
  }
  // Asked for since the errata of 2023 only: Keycloak up to 23.0.3 and Glewlwyd leave it out. Our own age is the shorter one.
  if (exp !== undefined && (typeof exp !== 'number' || exp <= now - clockTolerance)) return 'the token has ended'
  if (!isRecord(events) || !isRecord(events[logoutEvent])) return 'no logout event'
  // What has a nonce is an id_token, or wants to become one.
  if ('nonce' in claims) return 'a logout token has no nonce'
  if (!isName(jti)) return 'no "jti" claim'
  if ((sub === undefined && sid === undefined) || !isNameOrNone(sub) || !isNameOrNone(sid))
    return 'no "sub" and no "sid"'
  return undefined
}

/** Verifies the signature. If the keys that are known do not fit, they may have been replaced: once more with new ones. */
async function verify(client: OAuthClient, token: string, known: ProviderKeys): Promise<void> {
  const { provider } = client
  const algorithms = algorithmsOf(provider, known.server)
  try {
    if (isHmacPinned(provider)) {
      await jwtVerify(token, new TextEncoder().encode(provider.clientSecret), { algorithms, clockTolerance })
      return
    }
    if (await isSigned(token, known.jwks, algorithms)) return
  } catch (error) {
    throw error instanceof errors.JOSEError ? new RefusedToken('the signature is wrong') : error
  }
  const { jwks } = await renewedKeys(client)
  if (jwks === known.jwks || !(await isSigned(token, jwks, algorithms)))
    throw new RefusedToken('the signature is wrong')
}

/** Whether one of these keys made the signature. @throws JOSEError for what no key could have made. */
async function isSigned(token: string, jwks: unknown, algorithms: string[]): Promise<boolean> {
  if (!isRecord(jwks) || !Array.isArray(jwks.keys)) throw new errors.JWKSInvalid('the provider publishes no keys')
  try {
    await jwtVerify(token, keySetOf(jwks), { algorithms, clockTolerance })
    return true
  } catch (error) {
    const isKey = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
    if (!isKey) throw error
    return false
  }
}

/** jose keeps the keys that it made of a set. */
const keySetOf = perOwner((jwks: object) => createLocalJWKSet(jwks as JSONWebKeySet))

/** As for id_tokens: the one that is pinned, else those that the provider announces, and never one without a signature. */
function algorithmsOf({ client }: ResolvedOAuthProvider, server: ServerMetadata): string[] {
  const { id_token_signed_response_alg: pinned } = client
  const announced = server.id_token_signing_alg_values_supported ?? ['RS256']
  return pinned !== undefined ? [pinned] : announced.filter((name) => !/^(?:none$|HS)/i.test(name))
}

function parse(part: string | undefined): Record<string, unknown> {
  const parsed = parseRecord(Buffer.from(part ?? '', 'base64url').toString())
  if (parsed) return parsed
  throw new RefusedToken('not a JWT')
}

/* ---- by a frame ----------------------------------------------------------------------------------------------- */

/** What a frame said, and whose page it may be in. */
export interface Frame {
  /** Absent without `iss` and `sid`: nothing proves who asks, so a session must at least be named. */
  readonly logout?: ProviderLogout
  /** Origins of the provider. */
  readonly ancestors: readonly string[]
}

/** Reads the request of a frame. Rejects where the provider's metadata cannot be had. */
export async function readFrontchannel(context: AuthContext, provider: ResolvedOAuthProvider): Promise<Frame> {
  const { config, request } = context
  const { server } = await knownKeys(clientOf(provider, config.timeout))
  const { issuer, authorization_endpoint, end_session_endpoint } = server
  const urls = [issuer, authorization_endpoint, end_session_endpoint].filter((url) => url !== undefined)
  const ancestors = [...new Set(urls.filter((url) => isUrl(url)).map((url) => new URL(url).origin))]
  const [iss, sid] = ['iss', 'sid'].map((name) => onlyValue(request.url.searchParams, name))
  if (iss !== issuer || !isName(sid)) return { ancestors }
  const at = Math.floor(Date.now() / 1000)
  return { ancestors, logout: { ...namesOf(provider.id, { iss, sid }), byFrame: true, at } }
}

function isNameOrNone(value: unknown): boolean {
  return value === undefined || isName(value)
}
