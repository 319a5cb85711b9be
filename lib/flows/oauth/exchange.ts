/** Exchanges the code for tokens, and checks them (RFC 6749 §4.1.3, OpenID Connect Core §3.1.3). */
import { jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import type { DpopKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { tokenHash } from '../../crypto/hash.js'
import { singleParam } from '../../http/urls.js'
import type { TokenSet } from '../../types/identity.js'
import { clockTolerance, isHmacPinned, type OAuthClient } from './client.js'
import { assertKeyBound, dpopOptions } from './client-authentication.js'
import type { Transaction } from './transaction.js'

/** Tokens, with the verified claims of the id_token, if any. */
export interface ExchangedTokens {
  readonly tokens: TokenSet
  readonly claims?: oidc.IDToken
  /** The key to which the tokens are bound. */
  readonly key?: DpopKey | undefined
}

/**
 * Exchanges the code. Requires the nonce and PKCE verifier that were sent. @param answer The query of the callback
 * request.
 */
export async function exchangeCode(
  client: OAuthClient,
  transaction: Transaction,
  answer: URLSearchParams,
): Promise<ExchangedTokens> {
  const { provider } = client
  assertIssuer(provider, answer)
  const returnedTo = new URL(transaction.redirectUri)
  returnedTo.search = comparableParams(provider, answer).toString()
  const isOidc = provider.type === 'oidc'
  const checks = {
    expectedState: transaction.state,
    idTokenExpected: isOidc,
    expectedNonce: transaction.nonce,
    pkceCodeVerifier: transaction.codeVerifier,
    maxAge: transaction.maxAuthAge,
  }
  const bound = await dpopOptions(provider, transaction.dpopKey)
  const result = await client.verifying((configuration) => {
    // It is set only to read the response: in a request it would add `response_mode=jwt`.
    if (provider.protocol.signedResponse) oidc.useJwtResponseMode(configuration)
    return oidc.authorizationCodeGrant(configuration, returnedTo, { ...checks }, { ...provider.token.params }, bound)
  })
  const exchanged = await checkTokens(provider, result, isOidc)
  assertEssentialAcr(provider, exchanged.claims)
  assertKeyBound(transaction.dpopKey, exchanged.tokens)
  return { ...exchanged, key: transaction.dpopKey }
}

/** Returns the tokens of a response, after the checks of the id_token that openid-client leaves to its caller. */
export async function checkTokens(
  provider: ResolvedOAuthProvider,
  result: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  idTokenExpected: boolean,
): Promise<ExchangedTokens> {
  const tokens = toTokenSet(result)
  if (provider.type !== 'oidc') return { tokens }
  const claims = result.claims()
  if (!claims || !result.id_token) {
    if (!idTokenExpected) return { tokens }
    throw new TypeError('the provider returned no id_token')
  }
  if (isHmacPinned(provider)) await verifyHmac(provider, result.id_token)
  const header = protectedHeader(result.id_token)
  assertClaims(provider, header, claims)
  assertAccessToken(header, claims, result.access_token)
  return { tokens, claims }
}

/**
 * Requires `iss` under a security profile (RFC 9207), even if the metadata do not promise it. A signed response
 * contains it.
 */
function assertIssuer({ protocol }: ResolvedOAuthProvider, answer: URLSearchParams): void {
  if (protocol.profile === undefined || protocol.signedResponse || singleParam(answer, 'iss') !== undefined) return
  throw new TypeError(
    `the answer does not name its issuer (\`iss\`), as the security profile "${protocol.profile}" needs it`,
  )
}

/** Removes `iss` (RFC 9207) if no issuer is configured with which it could be compared. */
function comparableParams(
  { type, issuer, wellKnown }: ResolvedOAuthProvider,
  answer: URLSearchParams,
): URLSearchParams {
  const params = new URLSearchParams(answer)
  if (type === 'oauth' && issuer === undefined && wellKnown === undefined) params.delete('iss')
  return params
}

/** A hundred years, in seconds. A longer lifetime is left out, because its end fits into no date column. */
const maxTokenLifetime = 100 * 365 * 24 * 60 * 60

/** Returns the token response as a plain record, with the time at which the access token expires. */
function toTokenSet(result: oidc.TokenEndpointResponse): TokenSet {
  // The engine sets the owner of an account. A provider must not (`userId`).
  const { expires_in: expiresIn, userId: _userId, ...tokens } = { ...result }
  const known = typeof expiresIn === 'number' && expiresIn >= 0 && expiresIn <= maxTokenLifetime
  return {
    ...(tokens as TokenSet),
    ...(known && { expires_in: expiresIn, expires_at: Math.floor(Date.now() / 1000) + Math.floor(expiresIn) }),
  }
}

/** Requires one of the `acr` values that were requested as essential (OpenID Connect Core §5.5.1.1). */
function assertEssentialAcr(
  { protocol: { essentialAcr } }: ResolvedOAuthProvider,
  claims: oidc.IDToken | undefined,
): void {
  if (!essentialAcr || essentialAcr.includes(claims?.acr)) return
  throw new TypeError('the `acr` of the id_token is not one that `claims.id_token.acr` requires')
}

/** Checks the claims that openid-client leaves to its caller. */
function assertClaims(provider: ResolvedOAuthProvider, { typ }: ProtectedHeader, claims: oidc.IDToken): void {
  const { azp, iat, sub } = claims
  if (azp !== undefined && azp !== provider.clientId) throw new TypeError('unexpected "azp" claim in the id_token')
  if (typeof iat !== 'number' || iat > Date.now() / 1000 + clockTolerance) {
    throw new TypeError('the id_token was issued in the future: compare the clocks of both servers')
  }
  if (sub.length === 0 || sub.length > 255) throw new TypeError('unexpected "sub" claim in the id_token')
  // RFC 8725 §3.11: an access token, or another JWT of the same issuer, must not pass as an id_token.
  if (typeof typ === 'string' && /\+jwt$/i.test(typ)) throw new TypeError('unexpected "typ" of the id_token')
}

/** Checks that an access token hash in the id_token matches the access token (OpenID Connect Core §3.1.3.8). */
function assertAccessToken({ alg }: ProtectedHeader, { at_hash: named }: oidc.IDToken, accessToken: string): void {
  const expected = named === undefined || typeof alg !== 'string' ? undefined : tokenHash(alg, accessToken)
  if (expected !== undefined && named !== expected) throw new TypeError('unexpected "at_hash" claim in the id_token')
}

interface ProtectedHeader {
  readonly alg?: unknown
  readonly typ?: unknown
}

/** Returns the header of a verified token. */
function protectedHeader(token: string): ProtectedHeader {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
}

/**
 * Verifies an HMAC signature with the client secret and the configured algorithm (RFC 7515 §5.2). openid-client does
 * not.
 */
async function verifyHmac({ client, clientSecret }: ResolvedOAuthProvider, idToken: string): Promise<void> {
  const algorithm = client.id_token_signed_response_alg ?? 'HS256'
  await jwtVerify(idToken, new TextEncoder().encode(clientSecret), {
    algorithms: [algorithm],
    clockTolerance,
  })
}
