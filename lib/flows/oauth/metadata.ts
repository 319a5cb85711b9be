/** The metadata of a provider's server: from discovery, where configured endpoints go first, or from these alone. */
import type { ServerMetadata } from 'openid-client'
import { isRecent } from '../../base/recent.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { assertProviderUrl, SharedDocument } from './fetch.js'

/**
 * Milliseconds. What moved is known within the hour, or when a request to it fails ({@link Metadata.hasMoved}); what is known is used for
 * a day while discovery fails.
 */
const discoveryTimes = { lifetime: 60 * 60 * 1000, coolDown: 30 * 1000, grace: 23 * 60 * 60 * 1000 }

/** The metadata of a provider's server, as they are known. */
export interface Metadata {
  /** Rejects when they cannot be had. */
  get(): Promise<ServerMetadata>
  /**
   * Whether an endpoint that we call is elsewhere than was used. Discovery is asked again for that, unless that brought nothing a moment
   * ago: whoever makes requests fail, or a provider that is down, causes one request in half a minute. Never rejects.
   */
  hasMoved(used: ServerMetadata): Promise<boolean>
}

/** What we call. Where people are sent, they see for themselves. */
const called = ['token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'pushed_authorization_request_endpoint'] as const

/** Reads the metadata of a provider. Discovery is asked once for all requests; a first failure is not remembered. */
export function createMetadata(provider: ResolvedOAuthProvider, fetch: typeof globalThis.fetch): Metadata {
  const { issuer, wellKnown } = provider
  const own = ownEndpoints(provider)
  if (!needsDiscovery(provider, own)) {
    const server = Object.freeze(withUserinfoParams(provider, { issuer: issuer ?? placeholder(provider), ...own }))
    return { get: async () => server, hasMoved: async () => false }
  }
  const url = wellKnown ?? `${(issuer ?? '').replace(/\/$/, '')}/.well-known/openid-configuration`
  const expected = issuer ?? url.split('/.well-known/')[0] ?? url
  const document = new SharedDocument(
    () => fetch(url, { headers: { accept: 'application/json' } }),
    discoveryTimes,
    // Before the document is kept: otherwise a wrong one would be used for an hour after the provider has corrected it.
    (parsed) => assertMetadata(provider, { parsed, expected, own }),
  )
  const get = async () => withUserinfoParams(provider, { ...((await document.get()) as ServerMetadata), ...own })
  const differs = async (used: ServerMetadata) => {
    const now = await get()
    return called.some((name) => now[name] !== used[name])
  }
  let failedAt: number | undefined
  return {
    get,
    async hasMoved(used) {
      try {
        // Somebody else has asked in the meantime.
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

/** The configured endpoints. */
function ownEndpoints(provider: ResolvedOAuthProvider): Partial<ServerMetadata> {
  const { authorization, token, userinfo, jwksUri, logout } = provider
  const endpoints = {
    authorization_endpoint: authorization.url,
    token_endpoint: token.url ?? (token.request && placeholder(provider)),
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

interface Discovered {
  readonly parsed: unknown
  readonly expected: string
  readonly own: Partial<ServerMetadata>
}

/**
 * Checks a discovery document: its issuer is the one that was asked for (OpenID Connect Discovery §4.3), and people, codes and
 * secrets may be sent to its endpoints (https).
 */
function assertMetadata(provider: ResolvedOAuthProvider, { parsed, expected, own }: Discovered): void {
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

/** A slash at the end is tolerated here. In tokens and responses the issuer must be spelled exactly as in the document. */
function isSameIssuer(issuer: string, expected: string): boolean {
  const [before = '', after] = bare(issuer).split('{tenantid}')
  if (after === undefined) return bare(issuer) === bare(expected)
  // Microsoft's shared endpoints: openid-client puts the token's `tid` in place of `{tenantid}` before it compares.
  const isMicrosoft = new URL(expected).origin === 'https://login.microsoftonline.com'
  return isMicrosoft && bare(expected).startsWith(before) && bare(expected).endsWith(after)
}

function bare(issuer: string): string {
  return issuer.replace(/\/$/, '')
}

/** Plain OAuth 2 has no issuer, but openid-client needs some text. It is compared only with an `iss` that comes back. */
function placeholder({ authorization, issuer }: ResolvedOAuthProvider): string {
  return issuer ?? new URL(authorization.url ?? '').origin
}
