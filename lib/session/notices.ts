/** What a developer should know of how requests arrive. */
import { warnOnce } from '../base/warn-once.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { clientScheme, hasUntrustedHttps, type OriginSource } from '../http/origin.js'

/** The warnings of a configuration. */
export type Notices = ReturnType<typeof createNotices>

/** Warnings about how requests arrive, each said once. */
export function createNotices(config: ResolvedConfig) {
  const { site } = config
  const expected = new Set<string>()
  const warn = (code: string, message: string) => warnOnce(config, code, message)
  let isKnown = false
  /** Asked until it is known: a plain http request says nothing. */
  const noticeScheme = (source: OriginSource) => {
    const scheme = site && clientScheme(source)
    isKnown = site ? scheme !== undefined : hasUntrustedHttps(source)
    if (isKnown && !site) warn('untrusted-proxy', untrustedProxy)
    if (!site || !scheme || site.origin.startsWith(`${scheme}:`)) return
    warn(
      'auth-url-scheme',
      `People use ${scheme}, but AUTH_URL says otherwise: cookies and URLs are made for it. Correct AUTH_URL.`,
    )
  }
  return {
    /** Remembers that a guard sends people to this path, to warn where the routes turn out to be elsewhere. */
    expectMount: (basePath: string) => void expected.add(basePath),
    /** Says once what a developer should know about how requests arrive. */
    notice(source: OriginSource, mount?: string): void {
      if (!isKnown) noticeScheme(source)
      if (mount === undefined) return
      const at = `the routes are mounted at ${mount || '/'}`
      if (site?.path && site.path !== mount) {
        warn('env-url-basepath-mismatch', `AUTH_URL has the path ${site.path}, but ${at}: the mount counts.`)
      }
      if (expected.size > 0 && !expected.has(mount)) {
        warn(
          'guard-basepath-mismatch',
          `A guard, or a call such as signIn(), sends people to another path, but ${at}. Set \`basePath: '${mount}'\`.`,
        )
      }
    },
  }
}

const untrustedProxy =
  'A proxy says that the site is https, but the application does not trust it, so cookies and URLs are made for http. Set AUTH_URL to the URL of the site; or trust the proxy: app.set("trust proxy", 1) in Express, `trustHost: true` elsewhere.'
