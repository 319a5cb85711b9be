/** The warnings for developers about how requests arrive. */
import { warnOnce } from '../base/warn-once.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { clientScheme, hasUntrustedHttps, type OriginSource } from '../http/origin.js'

/** The warnings of a configuration. */
export type RequestWarnings = ReturnType<typeof createRequestWarnings>

/** Creates the warnings about how requests arrive. Each is logged once. */
export function createRequestWarnings(config: ResolvedConfig) {
  const { site } = config
  const expected = new Set<string>()
  const warn = (code: string, message: string) => warnOnce(config, code, message)
  let isKnown = false
  /** Checks the scheme until it is known: a plain http request does not show it. */
  const noticeScheme = (source: OriginSource) => {
    const scheme = site && clientScheme(source)
    isKnown = site ? scheme !== undefined : hasUntrustedHttps(source)
    if (isKnown && !site) warn('untrusted-proxy', untrustedProxy)
    if (!site || !scheme || site.origin.startsWith(`${scheme}:`)) return
    warn(
      'auth-url-scheme',
      `Users connect by ${scheme}, but AUTH_URL, which cookies and URLs follow, has another scheme. Correct AUTH_URL.`,
    )
  }
  return {
    /** Remembers the mount that a guard redirects to, for a warning when the routes are mounted elsewhere. */
    expectMount: (basePath: string) => void expected.add(basePath),
    /** Logs the warnings that a request shows. */
    notice(source: OriginSource, mount?: string): void {
      if (!isKnown) noticeScheme(source)
      if (mount === undefined) return
      const at = `the routes are mounted at ${mount || '/'}`
      if (site?.path && site.path !== mount) {
        warn(
          'env-url-basepath-mismatch',
          `AUTH_URL has the path ${site.path}, but ${at}, and this mount is used. Correct AUTH_URL.`,
        )
      }
      if (expected.size > 0 && !expected.has(mount)) {
        warn(
          'guard-basepath-mismatch',
          `A guard, or a call such as signIn(), redirects users to another path, but ${at}. Set \`basePath: '${mount}'\`.`,
        )
      }
    },
  }
}

const untrustedProxy =
  'A proxy reports https, but the application does not trust it, so cookies and URLs are created for http. Set AUTH_URL to the URL of the site, or trust the proxy: app.set("trust proxy", 1) in Express, `trustHost: true` elsewhere.'
