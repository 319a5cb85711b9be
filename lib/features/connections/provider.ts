/** The provider of a connection: an OpenID Connect provider, compiled when it is needed. */
import type { AuthEnv } from '../../base/env.js'
import { isRecord } from '../../base/guards.js'
import { parseJson } from '../../base/json.js'
import { BoundedMap, perOwner } from '../../base/memory.js'
import { resolveOAuth } from '../../config/resolve-oauth.js'
import type { ResolvedConfig, ResolvedConnections, ResolvedOAuthProvider } from '../../contracts/index.js'
import { sealPersistent, unsealPersistent } from '../../crypto/seal.js'
import { OAuthSignInError } from '../../errors.js'
import { customFetch } from '../../types/symbols.js'
import type { StoredConnection } from './description.js'
import { createEgressFetch, type EgressRules } from './egress.js'

/** The providers that a process keeps compiled, with their metadata and keys. */
const maxProviders = 2000

/** The settings of a connection beside its columns. */
export interface ConnectionSettings {
  readonly scopes: readonly string[]
  /** `true` if the secret is sent in the body, because the identity provider does not accept it in a header. */
  readonly isSecretInBody: boolean
}

/** The parts of a connection that its provider depends on. */
export type ProviderParts = Pick<
  StoredConnection,
  'id' | 'name' | 'issuer' | 'clientId' | 'organizationId' | 'state'
> & {
  readonly clientSecret: string | undefined
  readonly settings: ConnectionSettings
}

const publicOnly: EgressRules = { privateOrigins: new Set() }

/**
 * Returns the rules for the URLs of an issuer. Only an issuer at a private origin leads to private origins: its metadata are not by a
 * customer. Otherwise each customer could send requests to the identity provider in the network of another one.
 */
export function egressRulesOf(
  { privateOrigins }: Pick<ResolvedConnections, 'privateOrigins'>,
  issuer: string,
): EgressRules {
  return privateOrigins.has(new URL(issuer).origin) ? { privateOrigins } : publicOnly
}

const compiledOf = perOwner(
  (_connections: ResolvedConnections) => new BoundedMap<string, ResolvedOAuthProvider>(maxProviders),
)

/** No variable of the environment is for a connection. */
const noEnvironment: AuthEnv = Object.freeze({ secrets: [], production: true, provider: () => ({}) })

/** Returns the provider of a stored connection, the same object while nothing of it has changed. */
export async function providerOf(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  stored: StoredConnection,
): Promise<ResolvedOAuthProvider> {
  const { id, name, issuer, clientId, organizationId, secret, settings, state } = stored
  const key = JSON.stringify([id, name, issuer, clientId, organizationId, secret, settings, state])
  const compiled = compiledOf(connections)
  const known = compiled.get(key)
  if (known) return known
  const clientSecret = await openSecret(config, stored)
  const provider = compileProvider(config, connections, { ...stored, clientSecret, settings: readSettings(settings) })
  compiled.set(key, provider)
  return provider
}

/** Compiles a provider. It has no other `fetch` than the one for customers' URLs, and stores no tokens. */
export function compileProvider(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { id, name, issuer, clientId, clientSecret, organizationId, state, settings }: ProviderParts,
): ResolvedOAuthProvider {
  const { logger, production, secrets, site, timeout } = config
  const method = settings.isSecretInBody ? 'client_secret_post' : 'client_secret_basic'
  const resolved = resolveOAuth(
    {
      ...{ id, name, issuer, clientId, type: 'oidc' },
      ...(clientSecret !== undefined && { clientSecret, client: { token_endpoint_auth_method: method } }),
      authorization: { params: { scope: settings.scopes.join(' ') }, allowedParams: [] },
      account: () => ({}),
      refresh: false,
      logout: { rpInitiated: 'never' },
      [customFetch]: createEgressFetch(egressRulesOf(connections, issuer)),
    },
    {
      ...{ logger, production, secrets, site, env: noEnvironment, enableWebAuthn: false, redirectProxyUrl: undefined },
      ...{ linkMaxAge: 0, mailLimit: undefined, adapter: undefined, adapterTimeout: timeout },
    },
  )
  // `judgeIdentity` keeps only addresses of verified domains, so an address may link.
  const connection = { organizationId, state: state === 'test' ? 'test' : 'on' } as const
  return Object.freeze({ ...resolved, linkByEmail: true, emailVerified: () => undefined, connection })
}

/** Reads the column `settings`. */
export function readSettings(text: string): ConnectionSettings {
  const value = parseJson(text)
  const { scopes, isSecretInBody } = isRecord(value) ? value : {}
  return { scopes: Array.isArray(scopes) ? scopes.map(String) : ['openid'], isSecretInBody: isSecretInBody === true }
}

/** Seals the secret of a client, together with the id of its connection. */
export function sealSecret({ secrets }: ResolvedConfig, id: string, clientSecret: string | undefined): Promise<string> {
  return sealPersistent('connection-secret', { id, secret: clientSecret ?? null }, secrets)
}

/** @throws {@link OAuthSignInError} if no secret of the configuration opens it, or it is another connection's. */
async function openSecret({ secrets }: ResolvedConfig, { id, secret }: StoredConnection): Promise<string | undefined> {
  const payload = await unsealPersistent('connection-secret', secret, secrets)
  if (payload?.id === id) return typeof payload.secret === 'string' ? payload.secret : undefined
  throw new OAuthSignInError(
    `The client secret of "${id}" cannot be opened, because it was sealed under another \`secret\`. Add the old one, or set the client secret again.`,
  )
}
