/**
 * What the process keeps of a provider (metadata, keys), and an openid-client configuration for each request.
 *
 * openid-client keeps keys inside a configuration, and asks for unknown ones only after a minute: for so long nobody could sign
 * in after a provider has changed its keys. So each request gets a fresh configuration (it costs microseconds), fed from
 * documents that are kept, shared and renewed here.
 */
import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { clientAuthentication } from './client-authentication.js'
import { createProviderFetch } from './fetch.js'
import { createMetadata } from './metadata.js'
import { SharedDocument } from './shared-document.js'
import { tokenResponse } from './token-response.js'

/** Milliseconds for which keys are used, and between two requests for a key that the provider does not have. */
const jwksTimes = { lifetime: 10 * 60 * 1000, coolDown: 30 * 1000, grace: 0 }
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
  /** The keys that the metadata name, as they are kept here. */
  keysAt(server: oidc.ServerMetadata): SharedDocument | undefined
  /** A configuration for one request. Rejects when the metadata cannot be had. */
  configuration(): Promise<oidc.Configuration>
  /**
   * Runs work that verifies the provider's signatures. If one is wrong by keys that were known before, the provider may have
   * replaced them under the same names. Then they are fetched again, and if they are new the work is done once more. The token
   * endpoint is asked only the first time, because a code works once.
   */
  verifying<T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T>
}

/** What both configurations of `verifying` share. */
interface Verification {
  tokenResponse?: Promise<Response>
  keys?: SharedDocument | undefined
  /** The keys of the configuration that was made last, if they were there before. */
  known?: unknown
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
  const keySets = new Map<string, SharedDocument>()
  const keysAt = (uri: string) => {
    const known = keySets.get(uri)
    const keys = known ?? new SharedDocument(() => fetch(uri, { headers: { accept: 'application/json' } }), jwksTimes)
    if (!known) keySets.set(uri, keys)
    return keys
  }
  async function configuration(shared: Verification = {}): Promise<oidc.Configuration> {
    const server = await metadata()
    const keys = server.jwks_uri === undefined ? undefined : keysAt(server.jwks_uri)
    const known = keys?.fresh
    Object.assign(shared, { keys, known })
    const [jwksUri, tokenEndpoint] = [server.jwks_uri, server.token_endpoint].map((url) => url && new URL(url).href)
    const configured = await configure(provider, server, async (url, options) => {
      const init = { ...options, body: options.body ?? null } as RequestInit
      if (keys && url === jwksUri) return Response.json(await (known ? keys.renew() : keys.get()))
      if (url !== tokenEndpoint) return fetch(url, init)
      shared.tokenResponse ??= tokenResponse({ provider, fetch, timeout, url, init })
      return (await shared.tokenResponse).clone()
    })
    if (known) seedKeys(configured, known)
    return configured
  }
  async function verifying<T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T> {
    const shared: Verification = {}
    try {
      return await work(await configuration(shared))
    } catch (error) {
      if (!isWrongSignature(error) || !(await hasOtherKeys(shared))) throw error
      return work(await configuration(shared))
    }
  }
  return {
    provider,
    fetch,
    timeout,
    metadata,
    keysAt: ({ jwks_uri: uri }) => (uri === undefined ? undefined : keysAt(uri)),
    configuration: () => configuration(),
    verifying,
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
  const { clientId, clientSecret, client, type, issuer } = provider
  const metadata: Partial<oidc.ClientMetadata> = {
    ...(client as Partial<oidc.ClientMetadata>),
    client_id: clientId,
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
