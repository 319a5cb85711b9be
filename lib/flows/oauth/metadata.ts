/** The metadata of a provider's server: configured endpoints, completed by discovery where needed. */
import type { ServerMetadata } from 'openid-client'
import { isRecent } from '../../base/time.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { assertProviderUrl, SharedDocument } from './fetch.js'

/**
 * The times of discovery documents, in milliseconds. A moved endpoint is noticed within the hour, or when a request to
 * it fails ({@link ProviderMetadata.hasMoved}). The cached document is used for a day while discovery fails.
 */
const discoveryTimes = { lifetime: 60 * 60 * 1000, coolDown: 30 * 1000, grace: 23 * 60 * 60 * 1000 }

/** The cached metadata of a provider's server. */
export interface ProviderMetadata {
  /** Returns the metadata. Rejects if they are not available. */
  get(): Promise<ServerMetadata>
  /**
   * Checks whether an endpoint has moved since `used`. It repeats discovery, unless the last one brought nothing new a
   * moment ago: failing requests cause at most one request in half a minute. Never rejects.
   */
  hasMoved(used: ServerMetadata): Promise<boolean>
}

/**
 * The endpoints that the server calls itself. Those for browsers are left out, because users see where they are sent.
 */
const calledEndpoints = [
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'pushed_authorization_request_endpoint',
] as const

/** Reads the metadata of a provider. Concurrent requests share one discovery; a first failure is not cached. */
export function createMetadata(provider: ResolvedOAuthProvider, fetch: typeof globalThis.fetch): ProviderMetadata {
  const { issuer, wellKnown } = provider
  const own = configuredEndpoints(provider)
  if (!needsDiscovery(provider, own)) {
    const server = Object.freeze(
      withUserinfoParams(provider, { issuer: issuer ?? placeholderIssuer(provider), ...own }),
    )
    return { get: async () => server, hasMoved: async () => false }
  }
  const url = wellKnown ?? `${(issuer ?? '').replace(/\/$/, '')}/.well-known/openid-configuration`
  const expected = issuer ?? url.split('/.well-known/')[0] ?? url
  const document = new SharedDocument(
    () => fetch(url, { headers: { accept: 'application/json' } }),
    discoveryTimes,
    // It runs before the document is cached. Otherwise a wrong one would be used for an hour after the provider has
    // corrected it.
    (parsed) => assertMetadata(provider, { parsed, expected, own }),
  )
  const get = async () => withUserinfoParams(provider, { ...((await document.get()) as ServerMetadata), ...own })
  const differs = async (used: ServerMetadata) => {
    const now = await get()
    return calledEndpoints.some((name) => now[name] !== used[name])
  }
  let failedAt: number | undefined
  return {
    get,
    async hasMoved(used) {
      try {
        // Another request may have repeated discovery in the meantime.
        if (await differs(used)) return true
        if (isRecent(failedAt, discoveryTimes.coolDown)) return false
        await document.renew()
        return await differs(used)
      } catch {
        failedAt = Date.now()
        return false
      }
    },
  }
}

function withUserinfoParams({ userinfo }: ResolvedOAuthProvider, server: ServerMetadata): ServerMetadata {
  const params = Object.entries(userinfo.params)
  if (params.length === 0 || server.userinfo_endpoint === undefined) return server
  const url = new URL(server.userinfo_endpoint)
  for (const [name, value] of params) url.searchParams.set(name, value)
  return { ...server, userinfo_endpoint: url.href }
}

/** Returns the configured endpoints. */
function configuredEndpoints(provider: ResolvedOAuthProvider): Partial<ServerMetadata> {
  const { authorization, token, userinfo, jwksUri, logout } = provider
  const endpoints = {
    authorization_endpoint: authorization.url,
    token_endpoint: token.url ?? (token.request && placeholderIssuer(provider)),
    userinfo_endpoint: userinfo.url,
    jwks_uri: jwksUri,
    end_session_endpoint: logout.url,
  }
  return Object.fromEntries(Object.entries(endpoints).filter(([, url]) => url !== undefined))
}

function needsDiscovery(provider: ResolvedOAuthProvider, own: Partial<ServerMetadata>): boolean {
  const { wellKnown, type, userinfo, idToken } = provider
  if (wellKnown !== undefined || !own.authorization_endpoint || !own.token_endpoint) return true
  const hasUserinfo = own.userinfo_endpoint !== undefined || userinfo.request !== undefined
  return type === 'oauth' ? !hasUserinfo : own.jwks_uri === undefined || (!idToken && !hasUserinfo)
}

interface DiscoveryDocument {
  readonly parsed: unknown
  readonly expected: string
  readonly own: Partial<ServerMetadata>
}

/**
 * Checks a discovery document: its issuer must be the expected one (OpenID Connect Discovery §4.3), and its endpoints
 * must use https.
 */
function assertMetadata(provider: ResolvedOAuthProvider, { parsed, expected, own }: DiscoveryDocument): void {
  const issuer = typeof parsed === 'object' && parsed !== null && 'issuer' in parsed ? parsed.issuer : undefined
  if (typeof issuer !== 'string' || !isSameIssuer(issuer, expected)) {
    throw new TypeError(
      `the discovery document does not name the configured issuer ${expected}; write \`issuer\` exactly as the provider does`,
    )
  }
  const { authorization_endpoint, token_endpoint, jwks_uri } = { ...(parsed as ServerMetadata), ...own }
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    if (endpoint !== undefined) assertProviderUrl(provider, new URL(endpoint))
  }
}

/**
 * Compares issuers, except for a slash at the end. In tokens and responses the issuer must be spelled exactly as in the
 * document.
 */
function isSameIssuer(issuer: string, expected: string): boolean {
  const [before = '', after] = withoutTrailingSlash(issuer).split('{tenantid}')
  if (after === undefined) return withoutTrailingSlash(issuer) === withoutTrailingSlash(expected)
  // Microsoft's shared endpoints: openid-client replaces `{tenantid}` by the token's `tid` before it compares.
  const isMicrosoft = new URL(expected).origin === 'https://login.microsoftonline.com'
  return (
    isMicrosoft && withoutTrailingSlash(expected).startsWith(before) && withoutTrailingSlash(expected).endsWith(after)
  )
}

function withoutTrailingSlash(issuer: string): string {
  return issuer.replace(/\/$/, '')
}

/**
 * Returns the issuer of a plain OAuth 2 provider. openid-client needs some text, which is compared only with an `iss`
 * in the response.
 */
function placeholderIssuer({ authorization, issuer }: ResolvedOAuthProvider): string {
  return issuer ?? new URL(authorization.url ?? '').origin
}
