/** The authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
import * as oidc from 'openid-client'
import { joinScopes, protocolParams, providerParams, scopesOf } from '../../base/authorization-request.js'
import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import type { PrivateJwk } from '../../types/protocol.js'
import { dpopOptions, importKey } from './client-authentication.js'
import type { Transaction } from './transaction.js'

/** The parameters that a browser may add to the query of the sign-in request. */
const browserParams = ['prompt', 'login_hint', 'ui_locales', 'acr_values', 'max_age']
/** The maximum length of a parameter from a browser, in characters. */
const maxParamLength = 512
/** The format of `max_age`. Other values are not sent. */
const secondsFormat = /^\d{1,9}$/

/** Creates a transaction with fresh random values. */
export function createTransaction(
  provider: ResolvedOAuthProvider,
  details: Pick<
    Transaction,
    'redirectUri' | 'state' | 'callbackUrl' | 'maxAuthAge' | 'startedBy' | 'connection' | 'dpopKey'
  >,
): Transaction {
  return {
    ...details,
    provider: provider.id,
    clientId: provider.clientId,
    nonce: provider.nonce ? oidc.randomNonce() : undefined,
    codeVerifier: provider.pkce ? oidc.randomPKCECodeVerifier() : undefined,
    startedAt: Date.now(),
  }
}

/** Returns the URL at the provider where the sign-in starts. */
export async function authorizationUrl(
  configuration: oidc.Configuration,
  provider: ResolvedOAuthProvider,
  request: { transaction: Transaction; params: Readonly<Record<string, string>> },
): Promise<URL> {
  const { transaction, params } = request
  const own = Object.entries(provider.authorization.params).filter(([name]) => !protocolParams.has(name))
  const parameters: Record<string, string> = {
    response_type: responseType(provider),
    ...Object.fromEntries(own),
    ...params,
    redirect_uri: transaction.redirectUri,
    state: transaction.state,
    ...(transaction.nonce !== undefined && { nonce: transaction.nonce }),
    ...(transaction.codeVerifier !== undefined && {
      code_challenge: await oidc.calculatePKCECodeChallenge(transaction.codeVerifier),
      code_challenge_method: 'S256',
    }),
  }
  const bound = await dpopOptions(provider, transaction.dpopKey)
  return withoutRepetition(await requestUrl(configuration, provider, { wanted: parameters, bound }), configuration)
}

/** Returns the request URL: plain, signed (RFC 9101), pushed to the provider (RFC 9126), or both. */
async function requestUrl(
  configuration: oidc.Configuration,
  provider: ResolvedOAuthProvider,
  { wanted, bound }: { wanted: Record<string, string>; bound: oidc.DPoPOptions | undefined },
): Promise<URL> {
  const { pushedRequests, requestKey } = provider.protocol
  // The code can be used with this key only (RFC 9449 §10).
  const jkt = await bound?.DPoP?.calculateThumbprint()
  const params = { ...wanted, ...(jkt !== undefined && { dpop_jkt: jkt }) }
  const isPushed = pushedRequests === true || (pushedRequests === 'auto' && hasPushedEndpoint(configuration))
  if (isPushed && !hasPushedEndpoint(configuration)) {
    throw new TypeError(
      '`pushedAuthorizationRequests` is true, but the metadata have no `pushed_authorization_request_endpoint`; "auto" pushes only if they have one',
    )
  }
  const signed = requestKey && (await signedRequest(configuration, params, requestKey))
  if (isPushed) {
    // The client is named beside the signed request too, because it authenticates (RFC 9126 §3).
    const pushedParams = signed ? Object.fromEntries(signed.searchParams) : params
    return oidc.buildAuthorizationUrlWithPAR(configuration, pushedParams, bound)
  }
  return signed ?? oidc.buildAuthorizationUrl(configuration, params)
}

async function signedRequest(
  configuration: oidc.Configuration,
  params: Record<string, string>,
  key: PrivateJwk,
): Promise<URL> {
  return oidc.buildAuthorizationUrlWithJAR(configuration, params, await importKey(key))
}

function hasPushedEndpoint(configuration: oidc.Configuration): boolean {
  return configuration.serverMetadata().pushed_authorization_request_endpoint !== undefined
}

/** Removes repeated parameters (RFC 6749 §3.1): values that are set here replace those of the endpoint's own query. */
function withoutRepetition(url: URL, configuration: oidc.Configuration): URL {
  const own = new URL(configuration.serverMetadata().authorization_endpoint ?? '').searchParams
  for (const name of new Set(own.keys())) {
    const values = url.searchParams.getAll(name)
    const last = values.at(-1)
    if (last !== undefined && values.length > own.getAll(name).length) url.searchParams.set(name, last)
  }
  return url
}

/**
 * Returns `code`, or the provider's name for it (RFC 6749 §8.4); never a type that puts tokens into the browser's URL.
 */
function responseType({ type, authorization }: ResolvedOAuthProvider): string {
  const { response_type: own = 'code' } = authorization.params
  return type === 'oauth' && !own.includes('token') ? own : 'code'
}

/**
 * Returns the parameters that the browser's query may set: a few harmless ones that the provider's object does not set,
 * and those in its `allowedParams`.
 */
export function requestedParams(
  { config, request }: AuthContext,
  provider: ResolvedOAuthProvider,
): Record<string, string> {
  const { allowedParams, params: configured } = provider.authorization
  const open = browserParams.filter((name) => name === 'max_age' || !Object.hasOwn(configured, name))
  const names = [...open, ...allowedParams]
  const params: Record<string, string> = {}
  for (const name of names) {
    const value = request.url.searchParams.get(name)
    if (value && value.length <= maxParamLength && isForBrowsers(name)) params[name] = value
  }
  const locale =
    provider.type === 'oidc' && open.includes('ui_locales') ? config.languages.uiLocales(request) : undefined
  if (locale !== undefined) params.ui_locales ??= locale
  return { ...withShorterAge(params, configured.max_age), ...withWiderScope(request, provider) }
}

/** Adds scopes that a page requests, if the developer listed them. Other scopes are left out. */
function withWiderScope(
  { url }: AuthContext['request'],
  { incrementalScopes = [], authorization }: ResolvedOAuthProvider,
): { scope?: string } {
  const asked = scopesOf(url.searchParams.get('scope')).filter((name) => incrementalScopes.includes(name))
  return asked.length > 0 ? { scope: joinScopes(authorization.params.scope, asked) } : {}
}

function isForBrowsers(name: string): boolean {
  return !protocolParams.has(name) && !providerParams.has(name)
}

/** Removes a `max_age` that is longer than the provider's: a browser may only request a more recent authentication. */
function withShorterAge(params: Record<string, string>, configured: string | undefined): Record<string, string> {
  const { max_age: asked, ...others } = params
  if (asked === undefined || !secondsFormat.test(asked)) return others
  return configured !== undefined && Number(configured) < Number(asked) ? others : params
}

/** Returns the `max_age` that will be sent, in seconds: `auth_time` is compared with it on return. */
export function maxAuthAge(
  provider: ResolvedOAuthProvider,
  params: Readonly<Record<string, string>>,
): number | undefined {
  const text = params.max_age ?? provider.authorization.params.max_age
  return text !== undefined && secondsFormat.test(text) ? Number(text) : undefined
}
