/** The option `trustedOrigins`: other origins of the same site, whose pages may call the routes. */
import { parseUrl } from '../base/url.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { isLoopbackHost } from '../http/ip-addresses.js'
import type { CallbacksOptions, ServerAuthConfig } from '../types/config.js'
import { rejectOption } from './reject-option.js'
import { isSharedDomain } from './resolve-redirect-proxy.js'
import { type Check, optional } from './shape.js'
import { defaultCallbacks } from './site.js'

const name = 'trustedOrigins'

const list = optional<readonly unknown[]>(Array.isArray, 'must be an array of origins.')

/** The origins, each as browsers write it in the header `Origin`. */
export const trustedOriginList: Check<readonly URL[] | undefined> = (option, value) =>
  list(option, value)?.map(checkOrigin)

/** The options that decide about the origins. */
interface Options extends Pick<ServerAuthConfig, 'skipCSRFCheck' | 'useSecureCookies'> {
  readonly trustedOrigins?: readonly URL[]
}

/** Returns the origins. Absent without the option. @throws {@link InvalidConfiguration} for an origin that cannot work. */
export function resolveTrustedOrigins(
  { skipCSRFCheck, trustedOrigins, useSecureCookies }: Options,
  { cookies, production, site }: Pick<ResolvedConfig, 'cookies' | 'production'> & { site: ResolvedConfig['site'] },
): ReadonlySet<string> | undefined {
  const own = site && new URL(site.origin)
  // A configuration may name the origins of all its environments.
  const others = trustedOrigins?.filter(({ origin }) => origin !== own?.origin) ?? []
  if (skipCSRFCheck && others.length > 0) rejectOption(name, 'needs the CSRF check. Remove `skipCSRFCheck`.')
  for (const origin of others) assertSameSite(origin, { own, production })
  const hasHostCookie = cookies.secure.csrfToken.name.startsWith('__Host-') && useSecureCookies !== false
  if (!hasHostCookie && others.some(({ protocol }) => protocol === 'https:')) {
    rejectOption(
      name,
      'needs a CSRF cookie that no other host of the site can set. Remove `cookies.csrfToken` and `useSecureCookies: false`.',
    )
  }
  return trustedOrigins && new Set(others.map(({ origin }) => origin))
}

/** Returns the default callback `redirect` that also allows the pages of trusted origins. Empty without any. */
export function trustedRedirect(trusted: ReadonlySet<string> | undefined): Pick<CallbacksOptions, 'redirect'> {
  if (!trusted) return {}
  return {
    redirect(params) {
      const target = parseUrl(params.url, params.baseUrl)
      return target && trusted.has(target.origin) ? target.href : defaultCallbacks.redirect(params)
    },
  }
}

/** The host of an origin: a name without a wildcard or trailing dot, or an address. */
const hostname = /^(?:(?:[a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:.]+\])$/

function checkOrigin(value: unknown): URL {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && hostname.test(url.hostname)
  if (isWeb && url.origin === value) return url
  // Only the origin is repeated: the rest of the value could contain a password.
  const advice = isWeb ? ` Write "${url.origin}".` : ''
  return rejectOption(
    name,
    `must have origins as browsers send them, such as "https://app.example.com": without path, slash at the end, wildcard, default port, and in lower case.${advice}`,
  )
}

/** Rejects an origin from which browsers would not send the session cookie, as far as that is known now. */
function assertSameSite(
  { origin, protocol, hostname: host }: URL,
  { own, production }: { readonly own: URL | undefined; readonly production: boolean | undefined },
): void {
  if (protocol === 'http:' && (!isLoopbackHost(host) || (production && !own))) {
    rejectOption(name, `needs https: ${origin} is not encrypted, so anyone on the network could change its pages.`)
  }
  if (own && own.protocol !== protocol) {
    rejectOption(
      name,
      `: browsers treat ${origin} and ${own.origin} as two sites, because their schemes differ. Use https for both.`,
    )
  }
  if (!own || own.hostname === host) return
  const shared = commonDomain(own.hostname, host)
  if (shared === undefined || isSharedDomain(shared)) {
    rejectOption(
      name,
      `: ${origin} is not on the site of ${own.origin}, so browsers send it no cookies. Let the server of that page forward the routes: see the guide "Single-page applications".`,
    )
  }
}

/** Returns the labels with which both names end, if these are at least two. Addresses have none. */
function commonDomain(one: string, other: string): string | undefined {
  if (/^[[\d]/.test(one.split('.').at(-1) ?? '')) return undefined
  const [left, right] = [one.split('.').reverse(), other.split('.').reverse()]
  const differs = left.findIndex((label, at) => label !== right[at])
  const count = differs < 0 ? left.length : differs
  return count < 2 ? undefined : left.slice(0, count).reverse().join('.')
}
