/** The resolution of OAuth 2.0 and OpenID Connect providers: endpoints, checks, client. */

import { environmentName } from '../base/env.js'
import { definedOnly, isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import { isUrl } from '../base/url.js'
import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidConfiguration, InvalidEndpoints } from '../errors.js'
import { logoutShape, resolveLogout } from '../features/logout/option.js'
import { refreshSetting } from '../features/tokens/option.js'
import { isLoopbackHost } from '../http/ip-addresses.js'
import type { PrivateJwk } from '../types/protocol.js'
import type { TokenEndpoint, UserinfoEndpoint } from '../types/provider.js'
import { type Options, quoteOption } from './reject-option.js'
import {
  assertAuthentication,
  assertAuthorizationParams,
  buttonStyle,
  clientOptions,
  type ProviderContext,
  resolveFetch,
  resolveIssuer,
  resolveSecret,
} from './resolve-client.js'
import {
  privateKeys,
  protocolChecks,
  protocolParams,
  resolveProtocol,
  resolveTrustedAcr,
  resolveTrustedAmr,
} from './resolve-protocol.js'
import { proxyUrl } from './resolve-redirect-proxy.js'
import { assertSecurityProfile } from './resolve-security-profile.js'
import {
  anyValue,
  assertUrl,
  boolean,
  functionOf,
  isListOf,
  isWord,
  listOf,
  nonEmptyText,
  openShape,
  optional,
  record,
} from './shape.js'
import { defaultAccount, defaultProfile } from './site.js'

type MergedOAuthProvider = Options & Record<symbol, unknown> & { id: string; name: string; type: 'oidc' | 'oauth' }

const endpointChecks = { params: record, request: functionOf(), conform: functionOf(), clientSecret: functionOf() }
const endpointShape = openShape(endpointChecks)

const oauthChecks = {
  ...protocolChecks,
  account: functionOf<ResolvedOAuthProvider['account']>(),
  allowDangerousEmailAccountLinking: boolean,
  allowInsecureIssuer: boolean,
  authorization: openShape({
    ...endpointChecks,
    allowedParams: listOf((name) => typeof name === 'string', 'must be an array of names.'),
  }),
  checks: anyValue,
  client: clientOptions,
  clientId: anyValue,
  clientSecret: anyValue,
  emailVerified: functionOf<NonNullable<ResolvedOAuthProvider['emailVerified']>>(),
  idToken: boolean,
  incrementalScopes: listOf(
    (name) => typeof name === 'string' && /^[^\s,]+$/.test(name),
    'must be an array of scopes, each without spaces and commas.',
  ),
  issuer: nonEmptyText,
  jwks_endpoint: nonEmptyText,
  logout: logoutShape,
  nonce: anyValue,
  profile: functionOf<ResolvedOAuthProvider['profile']>(),
  redirectProxyUrl: proxyUrl,
  refresh: refreshSetting,
  token: endpointShape,
  trustAcr: optional<readonly string[] | ResolvedOAuthProvider['levelOf']>(
    (value) => typeof value === 'function' || isListOf(value, isWord, 1),
    'must be a list of values of `acr`, such as ["urn:mfa"], or a function of the claims that returns 1 or 2.',
  ),
  trustAmr: optional<true | readonly string[]>(
    (value) => value === true || isListOf(value, isWord, 1),
    'must be true, or a list of methods of RFC 8176, such as ["hwk"].',
  ),
  userinfo: endpointShape,
  wellKnown: nonEmptyText,
}

/** The names of the options of OAuth providers. */
export const oauthOptions = Object.keys(oauthChecks)
const oauthShape = openShape({ ...oauthChecks, style: buttonStyle })

/** Returns the parameters of each authorization request. */
function authorizationParams(
  at: string,
  {
    type,
    options,
    own,
  }: {
    type: MergedOAuthProvider['type']
    options: ReturnType<typeof oauthShape>
    own: Readonly<Record<string, string>>
  },
): Record<string, string> {
  assertAuthorizationParams(at, own)
  return { ...(type === 'oidc' && { scope: 'openid profile email' }), ...own, ...protocolParams(at, options, own) }
}

/** Returns the resolved provider. Throws for invalid options, with the option and the environment variable. */
export function resolveOAuth(provider: MergedOAuthProvider, surroundings: ProviderContext): ResolvedOAuthProvider {
  const { id, name, type } = provider
  const at = `providers.${id}`
  const env = surroundings.env.provider(id)
  const options = oauthShape(at, provider)
  const { client, wellKnown, jwks_endpoint: jwksUri, account } = options
  const clientId =
    nonEmptyText(`${at}.clientId`, provider.clientId ?? client.client_id) ?? env.clientId ?? throwMissingClientId(id)
  const issuer = resolveIssuer(id, options.issuer, env.issuer)
  const authorization = resolveEndpoint<object>(options.authorization, clientId)
  const token = resolveEndpoint<TokenEndpoint>(options.token, clientId)
  const userinfo = resolveEndpoint<UserinfoEndpoint>(options.userinfo, clientId)
  const urls = [issuer, wellKnown, jwksUri, authorization.url, token.url, userinfo.url, options.logout.url]
  const required = resolveChecks(provider, surroundings.logger)
  const params = authorizationParams(at, { type, options, own: authorization.params })
  const allowedParams = new Set(options.authorization.allowedParams)
  const resolved = definedOnly<ResolvedOAuthProvider>({
    kind: 'oauth',
    type,
    id,
    name,
    style: options.style,
    clientId,
    issuer,
    wellKnown,
    jwksUri,
    redirectProxyUrl: options.redirectProxyUrl ?? surroundings.redirectProxyUrl,
    authorization: Object.freeze({ ...authorization, params: Object.freeze(params), allowedParams }),
    token,
    userinfo,
    pkce: required?.includes('pkce') ?? true,
    nonce: type === 'oidc' && (boolean(`${at}.nonce`, provider.nonce) ?? true),
    formPost: params.response_mode?.startsWith('form_post') ?? false,
    protocol: resolveProtocol(at, options, { type, client, signingKeys: publishedKeys(at, token) }),
    client,
    logout: resolveLogout({ id, type }, options.logout),
    refresh: options.refresh,
    incrementalScopes: options.incrementalScopes,
    idToken: options.idToken ?? true,
    plainHttp: !surroundings.production && isOnLoopback(urls),
    allowInsecure: options.allowInsecureIssuer ?? false,
    fetch: resolveFetch(provider, options.clientCertificate),
    options: Object.freeze({ ...(provider.options as Options) }),
    ...resolveTrustedAcr(at, type, options.trustAcr),
    ...resolveTrustedAmr(at, type, options.trustAmr),
    linkByEmail: resolveLinking(id, options.allowDangerousEmailAccountLinking ?? false, surroundings.logger),
    account: account ? (tokens) => account(tokens) ?? {} : defaultAccount,
    emailVerified: isProfileReplaced(provider.options) ? undefined : options.emailVerified,
    profile: options.profile ?? defaultProfile,
  })
  const secret = resolveSecret(at, provider.clientSecret ?? client.client_secret, { token, clientId, env })
  if (secret) Object.defineProperty(resolved, 'clientSecret', secret)
  assertEndpoints(resolved, surroundings.production)
  assertAuthentication(resolved)
  assertSecurityProfile(resolved)
  return Object.freeze(resolved)
}

/** Returns the keys for `private_key_jwt` that can be published. */
function publishedKeys(
  at: string,
  { clientPrivateKey: keys }: Pick<TokenEndpoint, 'clientPrivateKey'>,
): readonly PrivateJwk[] {
  return Array.isArray(keys) ? (privateKeys('sig')(`${at}.token.clientPrivateKey`, keys) ?? []) : []
}

/** Warns about linking by email address: anyone who can set an address in a profile there takes over its user here. */
function resolveLinking(id: string, allowed: boolean, logger: Logger): boolean {
  if (allowed) {
    logger.warn(
      'dangerous-linking',
      `Provider "${id}" links accounts to users with the same email address (\`allowDangerousEmailAccountLinking\`). Keep it only for a provider that verifies addresses.`,
    )
  }
  return allowed
}

/**
 * Checks whether the developer's `profile` replaces the catalogue's. It may use another address, to which the
 * catalogue's `emailVerified` does not apply.
 */
function isProfileReplaced(options: unknown): boolean {
  return isRecord(options) && options.profile !== undefined && options.emailVerified === undefined
}

function throwMissingClientId(id: string): never {
  throw new InvalidConfiguration(
    `Provider "${id}": \`clientId\` is missing. Pass it, or set AUTH_${environmentName(id)}_ID (and AUTH_${environmentName(id)}_SECRET).`,
  )
}

type Endpoint<E> = Omit<E, 'params'> & { url?: string; params: Record<string, string> }

/**
 * Returns an endpoint with its parameters as text. `claims` and other objects are sent as JSON; functions are called
 * with the client.
 */
function resolveEndpoint<E>({ params, ...rest }: ReturnType<typeof endpointShape>, clientId: string): Endpoint<E> {
  const texts: Record<string, string> = {}
  for (const [key, given] of Object.entries(params ?? {})) {
    const value: unknown = typeof given === 'function' ? given({ clientId }) : given
    if (value !== undefined && value !== null)
      texts[key] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return Object.freeze({ ...rest, params: Object.freeze(texts) }) as Endpoint<E>
}

const knownChecks = { oidc: ['none', 'state', 'nonce', 'pkce'], oauth: ['none', 'state', 'pkce'] }

/** Returns the checks in addition to those that are always made; `undefined` for the default. */
function resolveChecks({ id, checks, type }: MergedOAuthProvider, logger: Logger): readonly string[] | undefined {
  if (checks === undefined) return undefined
  if (!Array.isArray(checks) || !checks.every((check) => knownChecks[type].includes(check))) {
    throw new InvalidConfiguration(
      `${quoteOption(`providers.${id}.checks`)} must be an array of "pkce", "state"${type === 'oidc' ? ', "nonce"' : ''} or "none", for example ["pkce"].`,
    )
  }
  if (checks.length === 0 || checks.includes('none')) {
    logger.warn(
      'checks-none',
      `Provider "${id}" turns PKCE off. State${type === 'oidc' ? ' and nonce are' : ' is'} still checked.`,
    )
    return []
  }
  return checks
}

/** Checks that every endpoint is set or can be discovered, and is https (loopback may be http outside production). */
function assertEndpoints(provider: ResolvedOAuthProvider, production: boolean): void {
  const { id, type, issuer, wellKnown, authorization, token, userinfo, jwksUri, logout, allowInsecure } = provider
  if (issuer === undefined && wellKnown === undefined) {
    const needed = {
      authorization: authorization.url,
      token: token.url ?? token.request,
      ...(type === 'oidc' ? { issuer } : { userinfo: userinfo.url ?? userinfo.request }),
    }
    const missing = Object.entries(needed).find(([, value]) => value === undefined)?.[0]
    if (missing) {
      throw new InvalidEndpoints(
        `Provider "${id}": \`${missing}\` is missing. Set \`issuer\` (or AUTH_${environmentName(id)}_ISSUER) for discovery, or the URLs \`authorization\`, \`token\` and \`userinfo\`.`,
      )
    }
  }
  const endpoints = { authorization: authorization.url, token: token.url, userinfo: userinfo.url }
  for (const [name, value] of Object.entries({
    issuer,
    wellKnown,
    ...endpoints,
    jwks_endpoint: jwksUri,
    'logout.url': logout.url,
  })) {
    if (value !== undefined) assertEndpointUrl(`providers.${id}.${name}`, value, allowInsecure, production)
  }
}

function assertEndpointUrl(name: string, value: string, allowInsecure: boolean, production: boolean): void {
  const url = assertUrl(name, value)
  if (url.href.includes('undefined')) {
    throw new InvalidEndpoints(
      `${quoteOption(name)} contains "undefined": a required option of the provider is not set.`,
    )
  }
  if (url.protocol === 'http:' && !allowInsecure && (production || !isLoopbackHost(url.hostname))) {
    throw new InvalidConfiguration(
      `${quoteOption(name)} must be https. Plain http is for providers on loopback in development; \`allowInsecureIssuer: true\` allows it on a closed network.`,
    )
  }
}

/** Checks whether the developer configured an http endpoint on loopback. An https provider cannot redirect there. */
function isOnLoopback(urls: readonly unknown[]): boolean {
  return urls.some(
    (url) => typeof url === 'string' && isUrl(url) && url.startsWith('http:') && isLoopbackHost(new URL(url).hostname),
  )
}
