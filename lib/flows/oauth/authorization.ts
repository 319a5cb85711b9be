/** The authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
import * as oidc from 'openid-client'
import { joinScopes, protocolParams, providerParams, scopesOf } from '../../base/authorization-request.js'
import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import type { PrivateJwk } from '../../types/protocol.js'
import { dpopOptions, importKey } from './client-authentication.js'
import type { Transaction } from './transaction.js'

/** Parameters that a browser may add by the query of the sign-in request. */
const browserParams = ['prompt', 'login_hint', 'ui_locales', 'acr_values', 'max_age']
/** Characters of a parameter from a browser. */
const maxLength = 512
/** What `max_age` must look like to be sent, and checked on return. */
const seconds = /^\d{1,9}$/

/** A new transaction, with fresh random values. */
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

/** The URL at the provider that the sign-in starts at. */
export async function authorizationUrl(
  configuration: oidc.Configuration,
  provider: ResolvedOAuthProvider,
  request: { transaction: Transaction; params: Readonly<Record<string, string>> },
): Promise<URL> {
  const { transaction, params } = request
  const own = Object.entries(provider.authorization.params).filter(([name]) => !protocolParams.has(name))
  const wanted: Record<string, string> = {
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
  return withoutRepetition(await requestUrl(configuration, provider, { wanted, bound }), configuration)
}

/** The request as it is, or signed (RFC 9101), or pushed to the provider (RFC 9126), or both. */
async function requestUrl(
  configuration: oidc.Configuration,
  provider: ResolvedOAuthProvider,
  { wanted, bound }: { wanted: Record<string, string>; bound: oidc.DPoPOptions | undefined },
): Promise<URL> {
  const { pushed, requestKey } = provider.protocol
  // The code is of use with the key only (RFC 9449 §10).
  const jkt = await bound?.DPoP?.calculateThumbprint()
  const params = { ...wanted, ...(jkt !== undefined && { dpop_jkt: jkt }) }
  const isPushed = pushed === true || (pushed === 'auto' && namesEndpoint(configuration))
  if (isPushed && !namesEndpoint(configuration)) {
    throw new TypeError(
      'the provider names no `pushed_authorization_request_endpoint`, and `pushedAuthorizationRequests` is true: "auto" goes by what it names',
    )
  }
  const signed = requestKey && (await signedRequest(configuration, params, requestKey))
  if (isPushed) {
    // The client is named beside the signed request, too: it authenticates (RFC 9126 §3).
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

function namesEndpoint(configuration: oidc.Configuration): boolean {
  return configuration.serverMetadata().pushed_authorization_request_endpoint !== undefined
}

/** No parameter may come twice (RFC 6749 §3.1): what is set here replaces what the endpoint's own query says. */
function withoutRepetition(url: URL, configuration: oidc.Configuration): URL {
  const own = new URL(configuration.serverMetadata().authorization_endpoint ?? '').searchParams
  for (const name of new Set(own.keys())) {
    const values = url.searchParams.getAll(name)
    const last = values.at(-1)
    if (last !== undefined && values.length > own.getAll(name).length) url.searchParams.set(name, last)
  }
  return url
}

/** `code`, or the provider's name for it (RFC 6749 §8.4); never a type that puts tokens into the browser's URL. */
function responseType({ type, authorization }: ResolvedOAuthProvider): string {
  const { response_type: own = 'code' } = authorization.params
  return type === 'oauth' && !own.includes('token') ? own : 'code'
}

/**
 * The parameters that the browser's query may set: a few harmless ones that the provider's object does not set itself, and
 * those that it allows.
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
    if (value && value.length <= maxLength && isForBrowsers(name)) params[name] = value
  }
  const locale =
    provider.type === 'oidc' && open.includes('ui_locales') ? config.languages.uiLocales(request) : undefined
  if (locale !== undefined) params.ui_locales ??= locale
  return { ...withShorterAge(params, configured.max_age), ...withWiderScope(request, provider) }
}

/** A page may ask for more of what the developer listed. What is not listed is left out. */
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

/** A browser may ask for a younger authentication than the provider's object does, never for an older one. */
function withShorterAge(params: Record<string, string>, configured: string | undefined): Record<string, string> {
  const { max_age: asked, ...others } = params
  if (asked === undefined || !seconds.test(asked)) return others
  return configured !== undefined && Number(configured) < Number(asked) ? others : params
}

/** The `max_age` that will be sent, in seconds: `auth_time` is compared with it on return. */
export function maxAuthAge(
  provider: ResolvedOAuthProvider,
  params: Readonly<Record<string, string>>,
): number | undefined {
  const text = params.max_age ?? provider.authorization.params.max_age
  return text !== undefined && seconds.test(text) ? Number(text) : undefined
}
