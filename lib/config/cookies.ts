/** The cookie policy: names and attributes of our cookies, worked out once for https and once for http origins. */
import type { CookiePolicy, ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration } from '../errors.js'
import { definedOnly, writeCookie } from '../http/cookies.js'
import type { CookieAttributes, CookieOption, CookiesOptions } from '../types/cookies.js'
import { assertBoolean, assertKnownKeys, assertOptions, quote } from './validate.js'

const cookieKeys = [
  'sessionToken',
  'callbackUrl',
  'csrfToken',
  'state',
  'nonce',
  'pkceCodeVerifier',
  'browser',
] as const satisfies ReadonlyArray<keyof CookiesOptions>

const attributeKeys = [
  'domain',
  'expires',
  'httpOnly',
  'maxAge',
  'partitioned',
  'path',
  'priority',
  'sameSite',
  'secure',
] as const satisfies ReadonlyArray<keyof CookieAttributes>

/** Builds both policies; throws {@link InvalidConfiguration} for a name or attribute that no cookie can have. */
export function resolveCookies(value: unknown): { secure: CookiePolicy; plain: CookiePolicy } {
  const overrides = assertOptions('cookies', value)
  assertKnownKeys('cookies', overrides, cookieKeys)
  for (const key of cookieKeys) assertCookie(key, overrides[key])
  return { secure: policy(true, overrides as CookiesOptions), plain: policy(false, overrides as CookiesOptions) }
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

function policy(secure: boolean, overrides: CookiesOptions): CookiePolicy {
  const prefix = secure ? '__Secure-' : ''
  const base: CookieAttributes = { httpOnly: true, sameSite: 'lax', path: '/', secure }
  const cookie = (name: string, ...chosen: Array<Partial<CookieOption> | undefined>): CookieOption => {
    const options = Object.assign({ ...base }, ...chosen.map((override) => definedOnly(override?.options)))
    return assertWritable({ name: chosen[0]?.name ?? name, options })
  }
  const { state, nonce, pkceCodeVerifier } = overrides
  const transaction = cookie(`${prefix}auth.transaction`, undefined, pkceCodeVerifier, nonce, state)
  return assertDistinct({
    sessionToken: cookie(`${prefix}auth.session-token`, overrides.sessionToken),
    callbackUrl: cookie(`${prefix}auth.callback-url`, overrides.callbackUrl),
    csrfToken: cookie(`${secure ? '__Host-' : ''}auth.csrf-token`, overrides.csrfToken),
    transaction,
    typedFields: cookie(`${prefix}auth.typed`),
    browser: cookie(`${secure ? '__Host-' : ''}auth.browser`, overrides.browser),
  })
}

/** Two cookies of one name would overwrite each other, and nobody could sign in. */
function assertDistinct(cookies: CookiePolicy): CookiePolicy {
  const names = Object.values(cookies).map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return cookies
  throw new InvalidConfiguration(`Two entries of ${quote('cookies')} have the name ${JSON.stringify(twice)}.`)
}

function assertCookie(key: string, value: unknown): void {
  const cookie = assertOptions(`cookies.${key}`, value)
  assertKnownKeys(`cookies.${key}`, cookie, ['name', 'options'])
  if (cookie.name !== undefined && typeof cookie.name !== 'string') {
    throw new InvalidConfiguration(`${quote(`cookies.${key}.name`)} must be a string.`)
  }
  const options = assertOptions(`cookies.${key}.options`, cookie.options)
  assertKnownKeys(`cookies.${key}.options`, options, attributeKeys)
  // A word such as "false" would be taken for true.
  for (const flag of ['httpOnly', 'secure', 'partitioned']) {
    assertBoolean(`cookies.${key}.options.${flag}`, options[flag])
  }
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
