/** The cookie policy: names and attributes of our cookies, worked out once for https and once for http origins. */
import type { CookiePolicy, ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration } from '../errors.js'
import { writeCookie } from '../http/cookies.js'
import type { CookieAttributes, CookieOption, CookiesOptions } from '../types/cookies.js'
import { quote } from './refusal.js'
import { anything, boolean, type Check, optional, shape } from './shape.js'

const cookie = shape({
  name: optional<string>((value) => typeof value === 'string', 'must be a string.'),
  // A word such as "false" would be taken for true. The rest shows when the cookie is written.
  options: shape({
    domain: anything,
    expires: anything,
    httpOnly: boolean,
    maxAge: anything,
    partitioned: boolean,
    path: anything,
    priority: anything,
    sameSite: anything,
    secure: boolean,
  } satisfies Record<keyof CookieAttributes, Check<unknown>>),
})

/** The option `cookies`. */
export const cookiesShape = shape({
  sessionToken: cookie,
  callbackUrl: cookie,
  csrfToken: cookie,
  state: cookie,
  nonce: cookie,
  pkceCodeVerifier: cookie,
  browser: cookie,
} satisfies Record<keyof CookiesOptions, Check<unknown>>)

/** Builds both policies; throws {@link InvalidConfiguration} for a name or attribute that no cookie can have. */
export function resolveCookies(
  value: unknown,
  sessionPrefix: '__Secure-' | '__Host-' = '__Secure-',
): { secure: CookiePolicy; plain: CookiePolicy } {
  const overrides = cookiesShape('cookies', value) as CookiesOptions
  return Object.freeze({ secure: policy(true, overrides, sessionPrefix), plain: policy(false, overrides, '') })
}

/** The policy for an origin; without one (a bare upgrade request that may be http) there are two to try. */
export function cookiePolicies(
  config: ResolvedConfig,
  origin: string | undefined,
): readonly [CookiePolicy, ...CookiePolicy[]] {
  const { secure, plain } = config.cookies
  const isSecure = config.useSecureCookies ?? (origin === undefined ? undefined : origin.startsWith('https:'))
  if (isSecure === undefined) return [secure, plain]
  return [isSecure ? secure : plain]
}

function policy(secure: boolean, overrides: CookiesOptions, sessionPrefix: string): CookiePolicy {
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
    browser: cookie(`${secure ? '__Host-' : ''}auth.browser`, overrides.browser),
    device: cookie(`${secure ? '__Host-' : ''}auth.device`),
    trustedDevice: cookie(`${secure ? '__Host-' : ''}auth.trusted-device`),
    tokens: cookie(`${prefix}auth.tokens`),
    remember: cookie(`${secure ? '__Host-' : ''}auth.remember`),
  })
  assertDistinct(cookies)
  return cookies
}

/** Two cookies of one name would overwrite each other, and nobody could sign in. */
function assertDistinct(cookies: CookiePolicy): void {
  const names = Object.values(cookies).map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return
  throw new InvalidConfiguration(`Two entries of ${quote('cookies')} have the name ${JSON.stringify(twice)}.`)
}

/** Writes the cookie once, so that a name or attribute that cannot be written shows now and not at a sign-in. */
function assertWritable(cookie: CookieOption): CookieOption {
  const { name, options } = cookie
  try {
    writeCookie(cookie, 'x')
  } catch (error) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} cannot be written: ${error instanceof Error ? error.message : 'bad value'}. Mend its entry in ${quote('cookies')}.`,
    )
  }
  if (name.startsWith('__Host-') && (!options.secure || options.path !== '/' || options.domain !== undefined)) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} has the prefix __Host-, so browsers want secure: true, path: "/" and no domain. Change its options, or its name.`,
    )
  }
  if (name.startsWith('__Secure-') && !options.secure) {
    throw new InvalidConfiguration(
      `The cookie ${JSON.stringify(name)} has the prefix __Secure-, so browsers want secure: true. Change its options, or its name.`,
    )
  }
  return cookie
}
