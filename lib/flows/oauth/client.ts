/**
 * The cached metadata and keys of a provider, and an openid-client configuration for each request.
 *
 * openid-client caches keys inside a configuration, and fetches unknown ones only after a minute: for so long no user
 * could sign in after a provider has changed its keys. So each request gets a fresh configuration (it costs
 * microseconds), with documents that are cached, shared and renewed here.
 */

import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import { isUrl } from '../../base/url.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { clientAuthentication } from './client-authentication.js'
import { createProviderFetch, isConnectionError, isMissingEndpoint, SharedDocument } from './fetch.js'
import { createMetadata, type ProviderMetadata } from './metadata.js'
import { type TokenRequest, tokenResponse, withDecryptedUserinfo } from './token-response.js'

/**
 * The times of key sets, in milliseconds. `coolDown` is the time between two requests for a key that the provider does
 * not have.
 */
const jwksTimes = { lifetime: 10 * 60 * 1000, coolDown: 30 * 1000, grace: 0 }
/** The number of cached key set URLs: the current and the previous one. */
const maxKeySets = 2
/** The tolerated difference between a provider's clock and ours, in seconds. */
export const clockTolerance = 15

/** The client of one provider in this process. */
export interface OAuthClient {
  readonly provider: ResolvedOAuthProvider
  /** The `fetch` for the provider's own hooks. */
  readonly fetch: typeof fetch
  /** The time limit of the provider's hooks, in milliseconds. */
  readonly timeout: number
  /** Returns the metadata of the provider's server. Rejects if they are not available. */
  metadata(): Promise<oidc.ServerMetadata>
  /**
   * Checks whether an endpoint has moved since `used`. It repeats discovery at most once in half a minute, and never
   * rejects.
   */
  hasMoved(used: oidc.ServerMetadata): Promise<boolean>
  /** Returns the cached keys at the metadata's `jwks_uri`. */
  keysAt(server: oidc.ServerMetadata): SharedDocument | undefined
  /** Returns a configuration for one request. Rejects if the metadata are not available. */
  configuration(): Promise<oidc.Configuration>
  /**
   * Runs work that calls the provider and verifies its signatures. It runs again if the cached data of the provider are
   * out of date:
   *
   * - A signature does not match keys that were cached, and there are new keys with the same names.
   * - An endpoint is missing, or no key fits, and the metadata show that it has moved. The work then uses the new URL.
   *
   * The token endpoint is called again only if the request certainly did not reach it, because a code works once.
   */
  verifying<T>(work: (configuration: oidc.Configuration) => Promise<T>, tokenCall?: TokenCall): Promise<T>
}

/** The options of a token request whose response must not be lost. */
export interface TokenCall {
  /** The time limit of the response, in milliseconds. */
  readonly timeLimit: number
  /** Called before each request; throws to prevent it. */
  beforeSend(): void
  /** Called with the members of a successful response before any of them is checked. */
  onResponse(answer: Readonly<Record<string, unknown>>): void
}

/** The state that both configurations of `verifying` share. */
interface VerificationState {
  readonly tokenCall?: TokenCall | undefined
  tokenResponse?: Promise<Response> | undefined
  keys?: SharedDocument | undefined
  /** The keys of the last configuration, if they were cached. */
  cachedKeys?: unknown
  /** The metadata of that configuration. */
  server?: oidc.ServerMetadata
  /** True if an endpoint was missing, or keys were requested: the cached data may be out of date. */
  mayBeOutdated?: boolean
  /** True if an endpoint timed out or failed. Discovery is then repeated in the background, for later requests. */
  hasFailed?: boolean
}

const clients = new WeakMap<ResolvedOAuthProvider, OAuthClient>()

/** Returns the client of a provider, created on first use. `timeout` is in milliseconds. */
export function clientOf(provider: ResolvedOAuthProvider, timeout: number): OAuthClient {
  const client = clients.get(provider) ?? createClient(provider, timeout)
  clients.set(provider, client)
  return client
}

function createClient(provider: ResolvedOAuthProvider, timeout: number): OAuthClient {
  const fetch = createProviderFetch(provider, timeout)
  const metadata = createMetadata(provider, fetch)
  const keysAt = createKeySets(fetch)
  async function configuration(shared: VerificationState = {}): Promise<oidc.Configuration> {
    const server = await metadata.get()
    const keys = server.jwks_uri === undefined ? undefined : keysAt(server.jwks_uri)
    const cachedKeys = keys?.fresh
    Object.assign(shared, { keys, cachedKeys, server } satisfies VerificationState)
    const { jwks_uri, token_endpoint, userinfo_endpoint } = endpointsOf(provider, server)
    const endpoints = [jwks_uri, token_endpoint, userinfo_endpoint]
    const [jwksUri, tokenEndpoint, userinfoEndpoint] = endpoints.map((url) =>
      url !== undefined && isUrl(url) ? new URL(url).href : undefined,
    )
    const configured = await configure(provider, server, async (url, options) => {
      const init = { ...options, body: options.body ?? null } as RequestInit
      if (keys && url === jwksUri) {
        shared.mayBeOutdated = true
        return Response.json(await (cachedKeys ? keys.renew() : keys.get()))
      }
      if (url === userinfoEndpoint)
        return withDecryptedUserinfo(provider, await watchResponse(shared, fetch(url, init)))
      if (url !== tokenEndpoint) return watchResponse(shared, fetch(url, init))
      shared.tokenResponse ??= watchResponse(
        shared,
        callTokenEndpoint({ provider, fetch, timeout, url, init }, shared),
        () => {
          // A provider's own `token.request` may have sent anything.
          if (!provider.token.request) shared.tokenResponse = undefined
        },
      )
      const response = await shared.tokenResponse
      // A rejected request is repeated if the provider requires a nonce (RFC 9449 §8).
      if (!response.ok) shared.tokenResponse = undefined
      return response.clone()
    })
    if (cachedKeys) seedKeys(configured, cachedKeys)
    return configured
  }
  const verifying: OAuthClient['verifying'] = async (work, tokenCall) => {
    const shared: VerificationState = { tokenCall }
    try {
      return await work(await configuration(shared))
    } catch (error) {
      if (!(await isOutOfDate(metadata, shared, error))) throw error
      return work(await configuration(shared))
    }
  }
  return {
    provider,
    fetch,
    timeout,
    metadata: metadata.get,
    hasMoved: metadata.hasMoved,
    keysAt: ({ jwks_uri: uri }) => (uri === undefined ? undefined : keysAt(uri)),
    configuration: () => configuration(),
    verifying,
  }
}

/** Calls the token endpoint, with the time limit of the caller. */
async function callTokenEndpoint(request: TokenRequest, { tokenCall }: VerificationState): Promise<Response> {
  if (!tokenCall) return tokenResponse(request)
  const { timeLimit, onResponse } = tokenCall
  tokenCall.beforeSend()
  return tokenResponse({ ...request, fetch: createProviderFetch(request.provider, timeLimit), onResponse: onResponse })
}

/** Returns the endpoints of this client: with a certificate the endpoint aliases (RFC 8705 §5). */
function endpointsOf(
  { protocol }: ResolvedOAuthProvider,
  server: oidc.ServerMetadata,
): Pick<oidc.ServerMetadata, 'jwks_uri' | 'token_endpoint' | 'userinfo_endpoint'> {
  return protocol.certificate ? { ...server, ...server.mtls_endpoint_aliases } : server
}

/** Creates the cache of key sets by URL. */
function createKeySets(fetch: typeof globalThis.fetch): (uri: string) => SharedDocument {
  const keySets = new Map<string, SharedDocument>()
  return (uri) => {
    const known = keySets.get(uri)
    if (known) return known
    const keys = new SharedDocument(() => fetch(uri, { headers: { accept: 'application/json' } }), jwksTimes)
    keySets.set(uri, keys)
    // Removes key sets of URLs that the provider no longer uses.
    for (const old of [...keySets.keys()].slice(0, -maxKeySets)) keySets.delete(old)
    return keys
  }
}

/** Checks whether failed work may succeed with the provider's current metadata and keys. */
async function isOutOfDate(metadata: ProviderMetadata, shared: VerificationState, error: unknown): Promise<boolean> {
  const isWrong = isWrongSignature(error)
  if (isWrong && (await hasOtherKeys(shared))) return true
  const { server, mayBeOutdated, hasFailed } = shared
  if (!server) return false
  if (isWrong || mayBeOutdated) return metadata.hasMoved(server)
  if (hasFailed) void metadata.hasMoved(server)
  return false
}

/**
 * Returns the response of an endpoint. @param onAbsent Called if the endpoint certainly did not receive the request.
 */
async function watchResponse(
  shared: VerificationState,
  pendingResponse: Promise<Response>,
  onAbsent = () => {},
): Promise<Response> {
  const note = () => {
    shared.mayBeOutdated = true
    onAbsent()
  }
  try {
    const response = await pendingResponse
    if (isMissingEndpoint(response)) note()
    if (response.status >= 500) shared.hasFailed = true
    return response
  } catch (error) {
    if (isConnectionError(error)) note()
    else shared.hasFailed = true
    throw error
  }
}

/** Checks whether openid-client threw because of a signature: its error contains the compared values. */
function isWrongSignature(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  return isWrongSignature(cause) || (isRecord(cause) && 'signature' in cause)
}

/** Checks whether the provider has other keys than those used. Fetches them, unless that was done a moment ago. */
async function hasOtherKeys({ keys, cachedKeys }: VerificationState): Promise<boolean> {
  if (!keys || cachedKeys === undefined) return false
  // If the keys cannot be fetched, the wrong signature stays the error.
  if (keys.fresh === cachedKeys) await keys.renew().catch(() => {})
  return keys.fresh !== cachedKeys
}

async function configure(
  provider: ResolvedOAuthProvider,
  server: oidc.ServerMetadata,
  providerFetch: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  const { clientId, clientSecret, client, type, issuer, protocol } = provider
  const metadata: Partial<oidc.ClientMetadata> = {
    ...(client as Partial<oidc.ClientMetadata>),
    client_id: clientId,
    ...(protocol.certificate && { use_mtls_endpoint_aliases: true }),
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    [oidc.clockTolerance]: clockTolerance,
  }
  const authentication = clientAuthentication(provider)
  const configured = server.issuer.includes('{tenantid}')
    ? // openid-client inserts the tenant only in a configuration that it discovered itself.
      await oidc.discovery(new URL(issuer ?? server.issuer), clientId, metadata, authentication, {
        [oidc.customFetch]: async () => Response.json(server),
      })
    : new oidc.Configuration(server, clientId, metadata, authentication)
  if (type === 'oidc' && !isHmacPinned(provider)) oidc.enableNonRepudiationChecks(configured)
  // openid-client has one switch for all endpoints. `createProviderFetch` decides which of them may be http.
  if (provider.plainHttp || provider.allowInsecure) oidc.allowInsecureRequests(configured)
  // `createProviderFetch` has a time-out. openid-client's own would end requests that other callers share.
  configured.timeout = 0
  configured[oidc.customFetch] = providerFetch
  return configured
}

/** Checks whether the provider requires id_tokens with an HMAC under the client secret (HS256, HS384, HS512). */
export function isHmacPinned({ client }: ResolvedOAuthProvider): boolean {
  return client.id_token_signed_response_alg?.startsWith('HS') ?? false
}

/** Passes cached keys to openid-client. Their age of over a minute lets it fetch a key that is not among them. */
function seedKeys(configuration: oidc.Configuration, jwks: unknown): void {
  const uat = Math.floor(Date.now() / 1000) - 61
  oidc.setJwksCache(configuration, { jwks: jwks as oidc.ExportedJWKSCache['jwks'], uat })
}
