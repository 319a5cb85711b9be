/** Resolves an OAuth 2.0 or OpenID Connect provider: endpoints, checks, client. */

import { type AuthEnv, environmentName } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidConfiguration, InvalidEndpoints } from '../errors.js'
import type { AccountCallback, ClientOptions, TokenEndpoint, UserinfoEndpoint } from '../types/provider.js'
import { defaultAccount, defaultProfile } from './defaults.js'
import {
  assertAuthentication,
  assertParams,
  resolveClient,
  resolveFetch,
  resolveSecret,
  resolveStyle,
} from './resolve-client.js'
import { resolveProxyUrl } from './resolve-redirect-proxy.js'
import {
  assertBoolean,
  assertFunctions,
  assertOptions,
  assertText,
  assertUrl,
  type Options,
  quote,
} from './validate.js'

type Merged = Options & Record<symbol, unknown> & { id: string; name: string; type: 'oidc' | 'oauth' }
type Surroundings = { env: AuthEnv; logger: Logger; production: boolean; redirectProxyUrl: string | undefined }

/** The complete provider; throws what is wrong with it, naming the option and the environment variable. */
export function resolveOAuth(provider: Merged, surroundings: Surroundings): ResolvedOAuthProvider {
  const { id, type } = provider
  const at = `providers.${id}`
  const env = surroundings.env.provider(id)
  const client = resolveClient(at, provider.client)
  const clientId = assertClientId(provider, client, env.clientId)
  const issuer = assertText(`${at}.issuer`, provider.issuer) ?? env.issuer
  const wellKnown = assertText(`${at}.wellKnown`, provider.wellKnown)
  const jwksUri = assertText(`${at}.jwks_endpoint`, provider.jwks_endpoint)
  const redirectProxyUrl = resolveProxyUrl(
    `${at}.redirectProxyUrl`,
    assertText(`${at}.redirectProxyUrl`, provider.redirectProxyUrl) ?? surroundings.redirectProxyUrl,
  )
  const authorization = endpoint<object>(provider, 'authorization', clientId)
  const token = endpoint<TokenEndpoint>(provider, 'token', clientId)
  const userinfo = endpoint<UserinfoEndpoint>(provider, 'userinfo', clientId)
  const urls = [issuer, wellKnown, jwksUri, authorization.url, token.url, userinfo.url]
  const checks = assertChecks(provider, surroundings.logger)
  const params: Record<string, string> = {
    ...(type === 'oidc' && { scope: 'openid profile email' }),
    ...authorization.params,
  }
  assertParams(at, params)
  const resolved: ResolvedOAuthProvider = {
    kind: 'oauth',
    type,
    id,
    name: provider.name,
    style: resolveStyle(at, provider.style),
    clientId,
    ...(issuer !== undefined && { issuer }),
    ...(wellKnown !== undefined && { wellKnown }),
    ...(jwksUri !== undefined && { jwksUri }),
    ...(redirectProxyUrl !== undefined && { redirectProxyUrl }),
    authorization: Object.freeze({ ...authorization, params: Object.freeze(params), allowedParams: allowed(provider) }),
    token,
    userinfo,
    pkce: checks === undefined || checks.includes('pkce'),
    nonce: type === 'oidc' && (assertBoolean(`${at}.nonce`, provider.nonce) ?? true),
    formPost: params.response_mode === 'form_post',
    client,
    idToken: assertBoolean(`${at}.idToken`, provider.idToken) ?? true,
    plainHttp: !surroundings.production && isOnLoopback(urls),
    allowInsecure: assertBoolean(`${at}.allowInsecureIssuer`, provider.allowInsecureIssuer) ?? false,
    fetch: resolveFetch(provider),
    options: Object.freeze({ ...(provider.options as Options) }),
    linkByEmail: resolveLinking(provider, surroundings.logger),
    ...callbacksOf(at, provider),
  }
  const secret = resolveSecret(at, provider.clientSecret ?? client.client_secret, { token, clientId, env })
  if (secret) Object.defineProperty(resolved, 'clientSecret', secret)
  assertEndpoints(resolved, surroundings.production)
  assertAuthentication(resolved)
  return Object.freeze(resolved)
}

/** Whoever can put an address into a profile there takes over the user who has it here. */
function resolveLinking({ id, allowDangerousEmailAccountLinking: option }: Merged, logger: Logger): boolean {
  const allowed = assertBoolean(`providers.${id}.allowDangerousEmailAccountLinking`, option) ?? false
  if (allowed) {
    logger.warn(
      'dangerous-linking',
      `Provider "${id}" signs people in to the user who has their address (\`allowDangerousEmailAccountLinking\`). Keep it only for a provider that verifies addresses.`,
    )
  }
  return allowed
}

type Callbacks = Pick<ResolvedOAuthProvider, 'account' | 'emailVerified' | 'profile'>

/** The provider's functions about people; what is stored of the tokens is the standard fields by default. */
function callbacksOf(at: string, { account, emailVerified: given, profile, options }: Merged): Callbacks {
  assertFunctions(at, { account, emailVerified: given, profile })
  // A `profile` of the developer's may take the address from elsewhere: what the catalogue knows is not about that.
  const replaced = isRecord(options) && options.profile !== undefined && options.emailVerified === undefined
  const emailVerified = replaced ? undefined : given
  const own = { account, emailVerified, profile } as Partial<Callbacks> & { account?: AccountCallback }
  return {
    account: own.account ? (tokens) => own.account?.(tokens) ?? {} : defaultAccount,
    ...(own.emailVerified && { emailVerified: own.emailVerified }),
    profile: own.profile ?? defaultProfile,
  }
}

function assertClientId(provider: Merged, client: ClientOptions, fromEnv: string | undefined): string {
  const { id } = provider
  const clientId = assertText(`providers.${id}.clientId`, provider.clientId ?? client.client_id) ?? fromEnv
  if (clientId !== undefined) return clientId
  throw new InvalidConfiguration(
    `Provider "${id}": \`clientId\` is missing. Pass it, or set AUTH_${environmentName(id)}_ID (and AUTH_${environmentName(id)}_SECRET).`,
  )
}

/** An endpoint with its parameters as text. `claims` and other objects are sent as JSON; functions are told the client. */
function endpoint<E>(
  provider: Merged,
  name: string,
  clientId: string,
): Omit<E, 'params'> & { url?: string; params: Record<string, string> } {
  const { params, ...rest } = assertOptions(`providers.${provider.id}.${name}`, provider[name])
  assertFunctions(`providers.${provider.id}.${name}`, {
    request: rest.request,
    conform: rest.conform,
    clientSecret: rest.clientSecret,
  })
  const texts: Record<string, string> = {}
  for (const [key, given] of Object.entries(assertOptions(`providers.${provider.id}.${name}.params`, params))) {
    const value: unknown = typeof given === 'function' ? given({ clientId }) : given
    if (value !== undefined && value !== null)
      texts[key] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return Object.freeze({ ...rest, params: Object.freeze(texts) }) as Omit<E, 'params'> & {
    url?: string
    params: Record<string, string>
  }
}

function allowed(provider: Merged): ReadonlySet<string> {
  const { allowedParams } = assertOptions(`providers.${provider.id}.authorization`, provider.authorization)
  if (allowedParams === undefined) return new Set()
  if (Array.isArray(allowedParams) && allowedParams.every((name) => typeof name === 'string')) {
    return new Set(allowedParams)
  }
  throw new InvalidConfiguration(
    `${quote(`providers.${provider.id}.authorization.allowedParams`)} must be an array of names.`,
  )
}

const knownChecks = { oidc: ['none', 'state', 'nonce', 'pkce'], oauth: ['none', 'state', 'pkce'] }

function assertChecks(provider: Merged, logger: Logger): readonly string[] | undefined {
  const { id, checks, type } = provider
  if (checks === undefined) return undefined
  if (!Array.isArray(checks) || !checks.every((check) => knownChecks[type].includes(check))) {
    throw new InvalidConfiguration(
      `${quote(`providers.${id}.checks`)} must be an array of "pkce", "state"${type === 'oidc' ? ', "nonce"' : ''} or "none", for example ["pkce"].`,
    )
  }
  if (checks.length === 0 || checks.includes('none')) {
    logger.warn(
      'checks-none',
      `Provider "${id}" turns PKCE off. State${provider.type === 'oidc' ? ' and nonce are' : ' is'} checked all the same.`,
    )
    return []
  }
  return checks
}

/** Every endpoint is there or can be discovered, and is https (loopback may be http outside production). */
function assertEndpoints(provider: ResolvedOAuthProvider, production: boolean): void {
  const { id, type, issuer, wellKnown, authorization, token, userinfo, jwksUri, allowInsecure } = provider
  if (issuer === undefined && wellKnown === undefined) {
    const missing = (
      [
        ['authorization', authorization.url],
        ['token', token.url ?? token.request],
        type === 'oidc' ? ['issuer', issuer] : ['userinfo', userinfo.url ?? userinfo.request],
      ] as const
    ).find(([, value]) => value === undefined)?.[0]
    if (missing) {
      throw new InvalidEndpoints(
        `Provider "${id}": \`${missing}\` is missing. Set \`issuer\` (or AUTH_${environmentName(id)}_ISSUER) for discovery, or the URLs \`authorization\`, \`token\` and \`userinfo\`.`,
      )
    }
  }
  for (const [name, value] of Object.entries({
    issuer,
    wellKnown,
    authorization: authorization.url,
    token: token.url,
    userinfo: userinfo.url,
    jwks_endpoint: jwksUri,
  })) {
    if (value !== undefined) assertProviderUrl(`providers.${id}.${name}`, value, allowInsecure, production)
  }
}

function assertProviderUrl(name: string, value: string, allowInsecure: boolean, production: boolean): void {
  const url = assertUrl(name, value)
  if (url.href.includes('undefined')) {
    throw new InvalidEndpoints(`${quote(name)} contains "undefined": a required option of the provider is not set.`)
  }
  if (url.protocol === 'http:' && !allowInsecure && (production || !isLoopback(url.hostname))) {
    throw new InvalidConfiguration(
      `${quote(name)} must be https. Plain http is for providers on loopback in development; \`allowInsecureIssuer: true\` allows it on a closed network.`,
    )
  }
}

/** Whether the developer configured an http endpoint on loopback; an https provider cannot send us there. */
function isOnLoopback(urls: readonly unknown[]): boolean {
  return urls.some(
    (url) =>
      typeof url === 'string' && URL.canParse(url) && url.startsWith('http:') && isLoopback(new URL(url).hostname),
  )
}

/** Whether a host, as `URL` normalised it, is this machine (RFC 5735 §3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  )
}
