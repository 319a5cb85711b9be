/**
 * What the process keeps of a provider (metadata, keys), and an openid-client configuration for each request.
 *
 * openid-client keeps keys inside a configuration, and asks for unknown ones only after a minute: for so long nobody could sign
 * in after a provider has changed its keys. So each request gets a fresh configuration (it costs microseconds), fed from
 * documents that are kept, shared and renewed here.
 */

import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import { isUrl } from '../../base/url.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { clientAuthentication } from './client-authentication.js'
import { createProviderFetch, isAbsent, isUnconnected, SharedDocument } from './fetch.js'
import { createMetadata, type Metadata } from './metadata.js'
import { type TokenRequest, tokenResponse, withDecryptedUserinfo } from './token-response.js'

/** Milliseconds for which keys are used, and between two requests for a key that the provider does not have. */
const jwksTimes = { lifetime: 10 * 60 * 1000, coolDown: 30 * 1000, grace: 0 }
/** Addresses of keys that are remembered: that of now, and of before. */
const keptKeySets = 2
/** Seconds by which a provider's clock may differ from ours. */
export const clockTolerance = 15

/** What the process keeps of one provider. */
export interface OAuthClient {
  readonly provider: ResolvedOAuthProvider
  /** The `fetch` for the provider's own hooks. */
  readonly fetch: typeof fetch
  /** Milliseconds that a hook of the provider may take. */
  readonly timeout: number
  /** The metadata of the provider's server. Rejects when they cannot be had. */
  metadata(): Promise<oidc.ServerMetadata>
  /** Whether an endpoint that we call is elsewhere than was used; asks discovery again, at most once in half a minute. Never rejects. */
  hasMoved(used: oidc.ServerMetadata): Promise<boolean>
  /** The keys that the metadata name, as they are kept here. */
  keysAt(server: oidc.ServerMetadata): SharedDocument | undefined
  /** A configuration for one request. Rejects when the metadata cannot be had. */
  configuration(): Promise<oidc.Configuration>
  /**
   * Runs work that asks the provider, and verifies its signatures. It is done once more where what we know of the provider is out of date:
   *
   * - A signature is wrong by keys that were known before, and there are new ones under the same names.
   * - An endpoint is not there, or no key fits, and by its metadata the provider has moved it. What moved is then asked for where it is.
   *
   * The token endpoint is asked again only where the request certainly did not reach it, because a code works once.
   */
  verifying<T>(work: (configuration: oidc.Configuration) => Promise<T>, asking?: TokenAsking): Promise<T>
}

/** How the token endpoint is asked, where its answer must not be lost. */
export interface TokenAsking {
  /** Milliseconds in which it may answer. */
  readonly patience: number
  /** Called before each request to it; throws where none may be sent. */
  beforeSend(): void
  /** Called with the members of a successful answer before any of them is checked. */
  onAnswer(answer: Readonly<Record<string, unknown>>): void
}

/** What both configurations of `verifying` share. */
interface Verification {
  readonly asking?: TokenAsking | undefined
  tokenResponse?: Promise<Response> | undefined
  keys?: SharedDocument | undefined
  /** The keys of the configuration that was made last, if they were there before. */
  known?: unknown
  /** What that configuration was made of. */
  server?: oidc.ServerMetadata
  /** An endpoint was not there, or the keys were asked for: what we know may be out of date. */
  isDoubtful?: boolean
  /** An endpoint said nothing, or that it is broken. Nobody waits for what discovery says of that: the next one goes by it. */
  isBroken?: boolean
}

const clients = new WeakMap<ResolvedOAuthProvider, OAuthClient>()

/** The client of a provider, built on first use. `timeout` is milliseconds. */
export function clientOf(provider: ResolvedOAuthProvider, timeout: number): OAuthClient {
  const client = clients.get(provider) ?? createClient(provider, timeout)
  clients.set(provider, client)
  return client
}

function createClient(provider: ResolvedOAuthProvider, timeout: number): OAuthClient {
  const fetch = createProviderFetch(provider, timeout)
  const metadata = createMetadata(provider, fetch)
  const keysAt = createKeySets(fetch)
  async function configuration(shared: Verification = {}): Promise<oidc.Configuration> {
    const server = await metadata.get()
    const keys = server.jwks_uri === undefined ? undefined : keysAt(server.jwks_uri)
    const known = keys?.fresh
    Object.assign(shared, { keys, known, server })
    const { jwks_uri, token_endpoint, userinfo_endpoint } = endpointsOf(provider, server)
    const endpoints = [jwks_uri, token_endpoint, userinfo_endpoint]
    const [jwksUri, tokenEndpoint, userinfoEndpoint] = endpoints.map((url) =>
      url !== undefined && isUrl(url) ? new URL(url).href : undefined,
    )
    const configured = await configure(provider, server, async (url, options) => {
      const init = { ...options, body: options.body ?? null } as RequestInit
      if (keys && url === jwksUri) {
        shared.isDoubtful = true
        return Response.json(await (known ? keys.renew() : keys.get()))
      }
      if (url === userinfoEndpoint) return withDecryptedUserinfo(provider, await watched(shared, fetch(url, init)))
      if (url !== tokenEndpoint) return watched(shared, fetch(url, init))
      shared.tokenResponse ??= watched(shared, askForTokens({ provider, fetch, timeout, url, init }, shared), () => {
        // With a way of its own nobody knows what was asked for.
        if (!provider.token.request) shared.tokenResponse = undefined
      })
      const response = await shared.tokenResponse
      // A refusal is asked about once more where the provider wants a nonce (RFC 9449 §8).
      if (!response.ok) shared.tokenResponse = undefined
      return response.clone()
    })
    if (known) seedKeys(configured, known)
    return configured
  }
  async function verifying<T>(
    work: (configuration: oidc.Configuration) => Promise<T>,
    asking?: TokenAsking,
  ): Promise<T> {
    const shared: Verification = { asking }
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

/** Asks the token endpoint, for as long as whoever asks is patient. */
async function askForTokens(request: TokenRequest, { asking }: Verification): Promise<Response> {
  if (!asking) return tokenResponse(request)
  const { patience, onAnswer } = asking
  asking.beforeSend()
  return tokenResponse({ ...request, fetch: createProviderFetch(request.provider, patience), onAnswer })
}

/** Where this client asks: with a certificate at the endpoints that are made for it (RFC 8705 §5). */
function endpointsOf(
  { protocol }: ResolvedOAuthProvider,
  server: oidc.ServerMetadata,
): Pick<oidc.ServerMetadata, 'jwks_uri' | 'token_endpoint' | 'userinfo_endpoint'> {
  return protocol.certificate ? { ...server, ...server.mtls_endpoint_aliases } : server
}

/** Key sets by their address. */
function createKeySets(fetch: typeof globalThis.fetch): (uri: string) => SharedDocument {
  const keySets = new Map<string, SharedDocument>()
  return (uri) => {
    const known = keySets.get(uri)
    if (known) return known
    const keys = new SharedDocument(() => fetch(uri, { headers: { accept: 'application/json' } }), jwksTimes)
    keySets.set(uri, keys)
    // Those of an address that the provider has left long ago.
    for (const old of [...keySets.keys()].slice(0, -keptKeySets)) keySets.delete(old)
    return keys
  }
}

/** Whether what failed may work with what the provider publishes by now. */
async function isOutOfDate(metadata: Metadata, shared: Verification, error: unknown): Promise<boolean> {
  const isWrong = isWrongSignature(error)
  if (isWrong && (await hasOtherKeys(shared))) return true
  const { server, isDoubtful, isBroken } = shared
  if (!server) return false
  if (isWrong || isDoubtful) return metadata.hasMoved(server)
  if (isBroken) void metadata.hasMoved(server)
  return false
}

/** The answer of an endpoint. @param onAbsent Called where the endpoint certainly did not get the request. */
async function watched(shared: Verification, asked: Promise<Response>, onAbsent = () => {}): Promise<Response> {
  const note = () => {
    shared.isDoubtful = true
    onAbsent()
  }
  try {
    const response = await asked
    if (isAbsent(response)) note()
    if (response.status >= 500) shared.isBroken = true
    return response
  } catch (error) {
    if (isUnconnected(error)) note()
    else shared.isBroken = true
    throw error
  }
}

/** Whether openid-client threw because of a signature: its error carries what was compared. */
function isWrongSignature(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  return isWrongSignature(cause) || (isRecord(cause) && 'signature' in cause)
}

/** Whether the provider has other keys than were used. Asks for them, unless that was done a moment ago. */
async function hasOtherKeys({ keys, known }: Verification): Promise<boolean> {
  if (!keys || known === undefined) return false
  // If the keys cannot be fetched, the wrong signature stays the error.
  if (keys.fresh === known) await keys.renew().catch(() => {})
  return keys.fresh !== known
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
    ? // openid-client fills in the tenant only in a configuration that it discovered itself.
      await oidc.discovery(new URL(issuer ?? server.issuer), clientId, metadata, authentication, {
        [oidc.customFetch]: async () => Response.json(server),
      })
    : new oidc.Configuration(server, clientId, metadata, authentication)
  if (type === 'oidc' && !isHmacPinned(provider)) oidc.enableNonRepudiationChecks(configured)
  // openid-client has one switch for all endpoints. `createProviderFetch` decides which of them may be http.
  if (provider.plainHttp || provider.allowInsecure) oidc.allowInsecureRequests(configured)
  // `createProviderFetch` has a time-out. The one of openid-client would end requests that others wait for, too.
  configured.timeout = 0
  configured[oidc.customFetch] = providerFetch
  return configured
}

/** Whether the provider pins an id_token algorithm under the client secret (HS256 and its kin). */
export function isHmacPinned({ client }: ResolvedOAuthProvider): boolean {
  return client.id_token_signed_response_alg?.startsWith('HS') ?? false
}

/** Hands known keys over. Their made-up age of over a minute lets openid-client ask for a key that is not among them. */
function seedKeys(configuration: oidc.Configuration, jwks: unknown): void {
  const uat = Math.floor(Date.now() / 1000) - 61
  oidc.setJwksCache(configuration, { jwks: jwks as oidc.ExportedJWKSCache['jwks'], uat })
}
