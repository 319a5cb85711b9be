/** Where the site is, and whether a request may be believed about it. */

import type { AuthEnv } from '../base/env.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { UntrustedHost } from '../errors.js'
import { isLocalOrigin } from '../http/addresses.js'
import { percentDecoded } from '../http/urls.js'
import { refuse } from './refusal.js'
import { assertUrl } from './shape.js'

/** What `AUTH_URL` says. */
export function resolveSite(env: AuthEnv): { origin: string; path: string } | undefined {
  if (env.url === undefined) return undefined
  const url = assertUrl('AUTH_URL', env.url)
  if (url.search || url.hash) {
    refuse(
      'AUTH_URL',
      'must have no query and no fragment: it is the URL of your site, such as "https://app.example.com".',
    )
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** The path for URLs outside a request. */
export function resolveBasePath(option: string | undefined, sitePath: string | undefined): string {
  const path = option ?? (sitePath || '/auth')
  if (!/^\//.test(path) || /[?#\\]|\/\//.test(path)) {
    refuse('basePath', 'must be a path that begins with one slash, such as "/auth".')
  }
  const { pathname } = new URL(path, 'http://localhost')
  // Requests are compared with it as they were sent: what no URL can be would be answered with 404 for ever.
  if (pathname !== path) refuse('basePath', `must be written as it stands in URLs: "${pathname}".`)
  if (percentDecoded(path) === undefined) refuse('basePath', 'must have "%25" where it means "%" (RFC 3986 §2.1).')
  if (path.includes(';'))
    refuse('basePath', 'must have no ";": no cookie can be bound to such a path (RFC 6265 §4.1.1).')
  return path.replace(/\/$/, '')
}

/** Which hosts are believed, and by which rule. */
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
 * Refuses to work for a host that nobody vouches for: links would be made of what a stranger wrote into a header.
 *
 * @param origin The request's. Where it cannot be known (a bare upgrade request) nothing is made of it either.
 * @throws {@link UntrustedHost}
 */
export function assertTrusted({ site, trustHost, trustRule }: ResolvedConfig, origin: string | undefined): void {
  if (site || trustHost === true) return
  if (trustHost === 'local' && (origin === undefined || isLocalOrigin(origin))) return
  throw new UntrustedHost(
    `The host of requests is not trusted (${trustRule}). Set AUTH_URL to your site's URL, or \`trustHost: true\` where a proxy sets the Host header safely.`,
  )
}
