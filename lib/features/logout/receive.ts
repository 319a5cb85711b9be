/**
 * Reads logouts at a provider: a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.6), or the parameters of
 * a frame (OpenID Connect Front-Channel Logout 1.0 §3).
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
import { singleParam } from '../../http/urls.js'
import { cachedProviderKeys, type ProviderKeys, reloadProviderKeys } from './provider-keys.js'
import { isClaimName, providerSessionNames, RejectedLogoutToken } from './provider-session.js'

/** Characters of a logout token. */
const maxLength = 16 * 1024
/** The highest age of a logout token, in seconds. */
const maxAge = 5 * 60
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/* Back-channel logout. */

/** A verified logout token. */
export interface LogoutToken extends ProviderLogout {
  /** Marks the token as used, in all processes if there is a store. Rejects if the store fails. */
  use(): Promise<void>
}

/**
 * Verifies a logout token. The cheap checks come first, before requests and signatures.
 *
 * @throws {@link RejectedLogoutToken} for an invalid or used token. Rejects with other errors if the keys cannot be loaded.
 */
export async function readLogoutToken(context: AuthContext, provider: ResolvedOAuthProvider): Promise<LogoutToken> {
  const { config, request } = context
  const token = request.body.logout_token
  if (typeof token !== 'string' || token.length > maxLength)
    throw new RejectedLogoutToken('no logout_token, or a too long one')
  const claims = readLogoutClaims(token, provider)
  const client = clientOf(provider, config.timeout)
  const keys = await cachedProviderKeys(client)
  if (claims.iss !== keys.server.issuer) throw new RejectedLogoutToken('unexpected "iss" claim')
  await verifyLogoutSignature(client, token, keys)
  const id = JSON.stringify([provider.id, claims.iss, claims.jti])
  return { ...providerSessionNames(provider.id, claims), at: claims.iat ?? 0, use: await createSingleUse(config, id) }
}

/** Seconds for which a used token could be sent again. */
const memoryOfUse = maxAge + 2 * clockTolerance

/** The names of used tokens in this process. */
const usedTokenNames = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: memoryOfUse * 1000, capacity: 100_000, hashOf: shortHash }),
)

/**
 * Returns a function that marks the token as used. If two processes get it at the same moment, both end the same
 * sessions.
 *
 * @throws {@link RejectedLogoutToken} if it was used.
 */
async function createSingleUse({ logoutTokens, memory }: ResolvedConfig, name: string): Promise<() => Promise<void>> {
  const used = usedTokenNames(memory)
  if (used.has(name) || (await logoutTokens?.has(name))) throw new RejectedLogoutToken('the token was used before')
  return async () => {
    await logoutTokens?.add(name, memoryOfUse)
    used.add(name)
  }
}

/** Returns the unverified claims of a token, which have the form of a logout token's. */
function readLogoutClaims(token: string, provider: ResolvedOAuthProvider): JWTPayload {
  const parts = token.split('.')
  // A token has one spelling: no spaces, and no ignored bits at its end (RFC 7515 §2, RFC 4648 §3.5).
  const isSpelt = parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  if (parts.length !== 3 || !isSpelt) throw new RejectedLogoutToken('not a signed JWT')
  const [header, payload] = parts
  const { typ } = parseTokenPart(header)
  const claims: JWTPayload = parseTokenPart(payload)
  // §2.4 only recommends the type: Keycloak wrote `JWT` until 2024, Glewlwyd still does. `JWT` says nothing, so the
  // claims distinguish an ID token from a logout token: only the logout token has the event, and only the ID token has
  // a nonce (RFC 8725 §3.12).
  if (typ !== undefined && !/^(?:(?:application\/)?logout\+jwt|JWT)$/i.test(String(typ))) {
    throw new RejectedLogoutToken('unexpected "typ"')
  }
  const fault = findClaimFault(claims, provider)
  if (fault !== undefined) throw new RejectedLogoutToken(fault)
  return claims
}

function findClaimFault(claims: JWTPayload, { clientId }: ResolvedOAuthProvider): string | undefined {
  const { aud, azp, events, exp, iat, iss, jti, sid, sub } = claims
  const now = Date.now() / 1000
  if (typeof iss !== 'string') return 'no "iss" claim'
  if (![aud].flat().includes(clientId) || (azp !== undefined && azp !== clientId)) return 'unexpected "aud" claim'
  if (typeof iat !== 'number' || iat > now + clockTolerance || iat < now - maxAge - clockTolerance) {
    return 'the token is too old, or from the future'
  }
  // Required since the errata of 2023 only: Keycloak up to 23.0.3 and Glewlwyd leave it out. Our own limit of age is
  // shorter.
  if (exp !== undefined && (typeof exp !== 'number' || exp <= now - clockTolerance)) return 'the token has expired'
  if (!isRecord(events) || !isRecord(events[logoutEvent])) return 'no logout event'
  // A token with a nonce is an ID token, or could be used as one.
  if ('nonce' in claims) return 'a logout token has no nonce'
  if (!isClaimName(jti)) return 'no "jti" claim'
  if ((sub === undefined && sid === undefined) || !isNameOrNone(sub) || !isNameOrNone(sid))
    return 'no "sub" and no "sid"'
  return undefined
}

/**
 * Verifies the signature. If the cached keys do not match, they may have been replaced, so it tries again with new
 * ones.
 */
async function verifyLogoutSignature(client: OAuthClient, token: string, known: ProviderKeys): Promise<void> {
  const { provider } = client
  const algorithms = algorithmsOf(provider, known.server)
  try {
    if (isHmacPinned(provider)) {
      await jwtVerify(token, new TextEncoder().encode(provider.clientSecret), { algorithms, clockTolerance })
      return
    }
    if (await isSigned(token, known.jwks, algorithms)) return
  } catch (error) {
    throw error instanceof errors.JOSEError ? new RejectedLogoutToken('the signature is wrong') : error
  }
  const { jwks } = await reloadProviderKeys(client)
  if (jwks === known.jwks || !(await isSigned(token, jwks, algorithms)))
    throw new RejectedLogoutToken('the signature is wrong')
}

/** Checks whether one of these keys made the signature. @throws JOSEError for a token that no key could have signed. */
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

/** The key set of a document. `jose` caches the keys that it imports. */
const keySetOf = perOwner((jwks: object) => createLocalJWKSet(jwks as JSONWebKeySet))

/**
 * Returns the algorithms, as for ID tokens: the pinned one, otherwise those that the provider announces, and never an
 * unsigned one.
 */
function algorithmsOf({ client }: ResolvedOAuthProvider, server: ServerMetadata): string[] {
  const { id_token_signed_response_alg: pinned } = client
  const announced = server.id_token_signing_alg_values_supported ?? ['RS256']
  return pinned !== undefined ? [pinned] : announced.filter((name) => !/^(?:none$|HS)/i.test(name))
}

function parseTokenPart(part: string | undefined): Record<string, unknown> {
  const parsed = parseRecord(Buffer.from(part ?? '', 'base64url').toString())
  if (parsed) return parsed
  throw new RejectedLogoutToken('not a JWT')
}

/* Front-channel logout. */

/** The request of a frame, and the origins that may embed it. */
export interface FrameLogout {
  /** Absent without `iss` and `sid`. The request is not authenticated, so it has to name a session. */
  readonly logout?: ProviderLogout
  /** The origins of the provider. */
  readonly ancestors: readonly string[]
}

/** Reads the request of a frame. Rejects if the provider's metadata cannot be loaded. */
export async function readFrontchannel(context: AuthContext, provider: ResolvedOAuthProvider): Promise<FrameLogout> {
  const { config, request } = context
  const { server } = await cachedProviderKeys(clientOf(provider, config.timeout))
  const { issuer, authorization_endpoint, end_session_endpoint } = server
  const urls = [issuer, authorization_endpoint, end_session_endpoint].filter((url) => url !== undefined)
  const ancestors = [...new Set(urls.filter((url) => isUrl(url)).map((url) => new URL(url).origin))]
  const [iss, sid] = ['iss', 'sid'].map((name) => singleParam(request.url.searchParams, name))
  if (iss !== issuer || !isClaimName(sid)) return { ancestors }
  const at = Math.floor(Date.now() / 1000)
  return { ancestors, logout: { ...providerSessionNames(provider.id, { iss, sid }), byFrame: true, at } }
}

function isNameOrNone(value: unknown): boolean {
  return value === undefined || isClaimName(value)
}
