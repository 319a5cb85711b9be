/** The site: its URL, the trust in requests' hosts, its cookies, and the defaults of options. */
import { type AuthEnv, readEnv } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import { parseUrl } from '../base/url.js'
import type { CookiePolicy, Language, ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration, UntrustedHost } from '../errors.js'
import { writeCookie } from '../http/cookies.js'
import { isLocalOrigin } from '../http/ip-addresses.js'
import { decodePercent } from '../http/urls.js'
import en from '../i18n/en.js'
import type { CallbacksOptions } from '../types/config.js'
import type { CookieAttributes, CookieOption, CookiesOptions } from '../types/cookies.js'
import type { Account, Profile, TokenSet, User } from '../types/identity.js'
import { quoteOption, rejectOption } from './reject-option.js'
import { anyValue, assertUrl, boolean, type Check, optional, shape } from './shape.js'

/**
 * The member of a configuration with its own origin, which replaces `AUTH_URL`: the first origin of a tenant. A symbol,
 * because no text from a database can be one.
 */
export const ownOrigin: unique symbol = Symbol.for('server-auth.own-origin')

/** Returns the environment of a configuration. */
export function readEnvOf(config: unknown): AuthEnv {
  const env = readEnv()
  const origin = isRecord(config) ? Reflect.get(config, ownOrigin) : undefined
  if (typeof origin !== 'string') return env
  const { redirectProxyUrl: _proxy, ...own } = env
  return { ...own, url: origin, movesPages: true }
}

/**
 * Returns the prefix of the session cookie's name on https. Tenants are often sibling subdomains, and the site of one could
 * set another cookie for all of them: a visitor of another tenant would be in the session of a stranger.
 */
export function sessionPrefixOf(config: unknown, preset: '__Secure-' | '__Host-'): '__Secure-' | '__Host-' {
  return isRecord(config) && ownOrigin in config ? '__Host-' : preset
}

/** Returns the site's origin and path from `AUTH_URL`. */
export function resolveSite(env: AuthEnv): ResolvedConfig['site'] {
  if (env.url === undefined) return undefined
  const url = assertUrl('AUTH_URL', env.url)
  if (url.search || url.hash) {
    rejectOption(
      'AUTH_URL',
      'must have no query and no fragment: it is the URL of your site, such as "https://app.example.com".',
    )
  }
  const site = { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
  return env.movesPages ? { ...site, movesPages: true } : site
}

/** Returns the path for URLs outside a request. */
export function resolveBasePath(option: string | undefined, sitePath: string | undefined): string {
  const path = option ?? (sitePath || '/auth')
  if (!/^\//.test(path) || /[?#\\]|\/\//.test(path)) {
    rejectOption('basePath', 'must be a path that begins with one slash, such as "/auth".')
  }
  const { pathname } = new URL(path, 'http://localhost')
  // The path is compared with request URLs as sent, so a path that no URL can have would always result in 404.
  if (pathname !== path) rejectOption('basePath', `must be written as in URLs: "${pathname}".`)
  if (decodePercent(path) === undefined) rejectOption('basePath', 'must have "%25" where it means "%" (RFC 3986 §2.1).')
  if (path.includes(';'))
    rejectOption('basePath', 'must have no ";": no cookie can be bound to such a path (RFC 6265 §4.1.1).')
  return path.replace(/\/$/, '')
}

/** Returns the trusted hosts, and the rule that decided it. */
export function resolveTrust(
  option: boolean | undefined,
  env: AuthEnv,
): [trusted: ResolvedConfig['trustHost'], rule: string] {
  if (env.url !== undefined) return [option ?? true, 'AUTH_URL is the site: the Host header is not used']
  if (option !== undefined) return [option, '`trustHost` in the configuration']
  if (env.trustHost !== undefined) return [env.trustHost, 'AUTH_TRUST_HOST']
  if (env.platform !== undefined) return [true, `running on ${env.platform}`]
  return env.production
    ? [false, 'production without AUTH_URL, AUTH_TRUST_HOST or `trustHost`']
    : ['local', 'without AUTH_URL only localhost, .localhost, .test and private addresses, as this is not production']
}

/**
 * Checks whether the `X-Forwarded-*` headers of Fetch requests are trusted. Express has a setting for them, and Fetch has
 * none. Neither `AUTH_URL` nor development means that there is a proxy.
 */
export function trustsProxyHeaders(option: boolean | undefined, env: AuthEnv): boolean {
  const [trusted] = resolveTrust(option, { ...env, url: undefined, production: true })
  return trusted === true
}

/**
 * Rejects an untrusted host, because links would be built from a header that an attacker can set.
 * @param origin The origin of the request; `undefined` if not known (a bare upgrade request), so that no link is built.
 * @throws {@link UntrustedHost}
 */
export function assertTrusted(config: ResolvedConfig, origin: string | undefined): void {
  const { trustHost, trustRule } = config
  if (trustsEveryHost(config)) return
  if (trustHost === 'local' && (origin === undefined || isLocalOrigin(origin))) return
  throw new UntrustedHost(
    `The host of requests is not trusted (${trustRule}). Set AUTH_URL to your site's URL, or \`trustHost: true\` if a proxy sets the Host header safely.`,
  )
}

/** Checks whether all hosts are trusted, so that the origin of a request does not decide. */
export function trustsEveryHost({ site, trustHost }: ResolvedConfig): boolean {
  return site !== undefined || trustHost === true
}

/* ---- cookies ----------------------------------------------------------------------------------------------------- */

// The cookie policy: names and attributes of the cookies, computed once for https and once for http origins.

const cookie = shape({
  name: optional<string>((value) => typeof value === 'string', 'must be a string.'),
  // The text "false" would be treated as true. Other invalid values are found when the cookie is written.
  options: shape({
    domain: anyValue,
    expires: anyValue,
    httpOnly: boolean,
    maxAge: anyValue,
    partitioned: boolean,
    path: anyValue,
    priority: anyValue,
    sameSite: anyValue,
    secure: boolean,
  } satisfies Record<keyof CookieAttributes, Check<unknown>>),
})

/** The option `cookies`. */
const cookiesShape = shape({
  sessionToken: cookie,
  callbackUrl: cookie,
  csrfToken: cookie,
  state: cookie,
  nonce: cookie,
  pkceCodeVerifier: cookie,
  browser: cookie,
} satisfies Record<keyof CookiesOptions, Check<unknown>>)

/** Returns both policies. Throws {@link InvalidConfiguration} for a name or attribute that no cookie can have. */
export function resolveCookies(
  value: unknown,
  sessionPrefix: '__Secure-' | '__Host-' = '__Secure-',
): { secure: CookiePolicy; plain: CookiePolicy } {
  const overrides = cookiesShape('cookies', value) as CookiesOptions
  return Object.freeze({
    secure: createCookiePolicy(true, overrides, sessionPrefix),
    plain: createCookiePolicy(false, overrides, ''),
  })
}

/** Returns the policy of an origin; both policies without one (a bare upgrade request that may be http). */
export function cookiePolicies(
  config: ResolvedConfig,
  origin: string | undefined,
): readonly [CookiePolicy, ...CookiePolicy[]] {
  const { secure, plain } = config.cookies
  const isSecure = config.useSecureCookies ?? (origin === undefined ? undefined : origin.startsWith('https:'))
  if (isSecure === undefined) return [secure, plain]
  return [isSecure ? secure : plain]
}

function createCookiePolicy(secure: boolean, overrides: CookiesOptions, sessionPrefix: string): CookiePolicy {
  const prefix = secure ? '__Secure-' : ''
  const base: CookieAttributes = { httpOnly: true, sameSite: 'lax', path: '/', secure }
  const cookie = (name: string, ...chosen: Array<Partial<CookieOption> | undefined>): CookieOption => {
    const options = Object.assign({ ...base }, ...chosen.map((override) => override?.options))
    return assertWritable(Object.freeze({ name: chosen[0]?.name ?? name, options: Object.freeze(options) }))
  }
  const { state, nonce, pkceCodeVerifier } = overrides
  const { domain, path = '/' } = overrides.sessionToken?.options ?? {}
  const isForHost = domain === undefined && path === '/' && overrides.sessionToken?.options?.secure !== false
  const transaction = cookie(`${prefix}auth.transaction`, undefined, pkceCodeVerifier, nonce, state)
  const cookies = Object.freeze({
    sessionToken: cookie(`${isForHost ? sessionPrefix : prefix}auth.session-token`, overrides.sessionToken),
    callbackUrl: cookie(`${prefix}auth.callback-url`, overrides.callbackUrl),
    csrfToken: cookie(`${secure ? '__Host-' : ''}auth.csrf-token`, overrides.csrfToken),
    transaction,
    logout: cookie(`${prefix}auth.logout`),
    typedFields: cookie(`${prefix}auth.typed`),
    lastMethod: cookie(`${prefix}auth.last-method`),
    passkeyOffer: cookie(`${prefix}auth.passkey-offer`),
    browser: cookie(`${secure ? '__Host-' : ''}auth.browser`, overrides.browser),
    device: cookie(`${secure ? '__Host-' : ''}auth.device`),
    trustedDevice: cookie(`${secure ? '__Host-' : ''}auth.trusted-device`),
    tokens: cookie(`${prefix}auth.tokens`),
    remember: cookie(`${secure ? '__Host-' : ''}auth.remember`),
    impersonator: cookie(`${secure ? '__Host-' : ''}auth.impersonator`),
  })
  assertDistinct(cookies)
  return cookies
}

/** Rejects two cookies with the same name, which would overwrite each other, so that users could not sign in. */
function assertDistinct(cookies: CookiePolicy): void {
  const names = Object.values(cookies).map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return
  throw new InvalidConfiguration(`Two entries of ${quoteOption('cookies')} have the name ${JSON.stringify(twice)}.`)
}

/** Writes the cookie once, so that invalid names and attributes are found now and not at a sign-in. */
function assertWritable(cookie: CookieOption): CookieOption {
  const { name, options } = cookie
  try {
    writeCookie(cookie, 'x')
  } catch (error) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} cannot be written: ${error instanceof Error ? error.message : 'bad value'}. Correct its entry in ${quoteOption('cookies')}.`,
    )
  }
  if (name.startsWith('__Host-') && (!options.secure || options.path !== '/' || options.domain !== undefined)) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} has the prefix __Host-, so browsers require secure: true, path: "/" and no domain. Change its options, or its name.`,
    )
  }
  if (name.startsWith('__Secure-') && !options.secure) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} has the prefix __Secure-, so browsers require secure: true. Change its options, or its name.`,
    )
  }
  return cookie
}

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

/** The timeout in seconds of providers and the developer's functions. */
export const defaultTimeout = 10
/** The timeout in seconds of the adapter. It is shorter, because a request calls several methods in turn. */
export const defaultAdapterTimeout = 5
/** The maximum delay in seconds until sessions that ended elsewhere are known. */
export const defaultMaxStale = 10

/** The minimum remaining lifetime in seconds of an access token, so that it does not expire on its way. */
export const defaultMinTtl = 30

/** The default language of the pages and mails. */
export const english: Language = Object.freeze({ locale: 'en', messages: en })

/**
 * The default limit of mails. A waiting user requests a mail again, and many users may share an IP address. The window
 * is in seconds.
 */
export const defaultMailLimit = Object.freeze({ perAddress: 5, perClient: 50, window: 15 * 60 })

/** The default callbacks: every proved identity may sign in, and redirects stay on the site. */
export const defaultCallbacks: Required<CallbacksOptions> = {
  signIn: () => true,
  redirect: ({ url, baseUrl }) => {
    const target = parseUrl(url, baseUrl)
    return target?.origin === new URL(baseUrl).origin ? target.href : baseUrl
  },
  jwt: ({ token }) => token,
  session: ({ session }) => session,
}

/** Returns the default user of a profile, from the standard claims (OpenID Connect Core §5.1). */
export function defaultProfile(profile: Profile): User {
  return {
    id: (profile.sub ?? profile.id) as string,
    name: profile.name ?? profile.nickname ?? profile.preferred_username ?? null,
    email: profile.email ?? null,
    image: typeof profile.picture === 'string' ? profile.picture : null,
  }
}

/**
 * The stored fields of an account. Others have no column; `expires_in`, for example, counts from a time that is not
 * stored.
 */
const accountFields = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

/** Returns the default account fields: the standard fields of the token set that are present. */
export function defaultAccount(tokens: TokenSet): Partial<Account> {
  const all: Partial<Account> = { ...tokens }
  const present = accountFields.filter((name) => all[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, all[name]]))
}
