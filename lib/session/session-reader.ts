/** The part of the engine that reads sessions: all of it that an edge runtime needs. */

import { warnOnce } from '../base/warn-once.js'
import type { ResolvedConfig, SessionStrategy } from '../contracts/index.js'
import { toError } from '../errors.js'
import { clientScheme, hasUntrustedHttps, type OriginSource } from '../http/origin.js'
import type { OpenResponse } from '../http/response.js'
import { createSessions } from './index.js'
import { readSession, type SessionRead, type SessionSource } from './read-session.js'

/** Reads the sessions of one configuration. */
export interface SessionReader {
  readonly config: ResolvedConfig
  /** Reads the session of any request. Rejects where a callback throws. */
  readSession(source: SessionSource): Promise<SessionRead>
  /** Calls back right before a response's headers are out, with the response itself where a stand-in for it was given. */
  beforeHeaders(response: OpenResponse, callback: (open: OpenResponse) => void): void
  /** Remembers that a guard sends people to this path, to warn where the routes turn out to be elsewhere. */
  expectMount(basePath: string): void
  /** Says once what a developer should know about how requests arrive. */
  notice(source: OriginSource, mount?: string): void
}

/** Makes the reader of a configuration. @param beforeHeaders Knows the responses of the runtime. */
export function createReader(
  config: ResolvedConfig,
  beforeHeaders: SessionReader['beforeHeaders'],
): SessionReader & { readonly sessions: SessionStrategy } {
  const sessions = createSessions(config)
  return Object.freeze({
    config,
    sessions,
    beforeHeaders,
    async readSession(source: SessionSource) {
      try {
        return await readSession(config, sessions, source)
      } catch (error) {
        // `next(undefined)` and `next('route')` would let a request through: what rejects is always an Error.
        throw toError(error)
      }
    },
    ...createNotices(config),
  })
}

/** What is said once, and what it takes to know. */
function createNotices(config: ResolvedConfig): Pick<SessionReader, 'expectMount' | 'notice'> {
  const expected = new Set<string>()
  const warn = (code: string, message: string) => warnOnce(config, code, message)
  return {
    expectMount: (basePath: string) => void expected.add(basePath),
    notice(source: OriginSource, mount?: string) {
      if (!config.site && hasUntrustedHttps(source)) warn('untrusted-proxy', untrustedProxy)
      const scheme = clientScheme(source)
      if (config.site && scheme && !config.site.origin.startsWith(`${scheme}:`)) {
        warn(
          'auth-url-scheme',
          `People use ${scheme}, but AUTH_URL says otherwise: cookies and URLs are made for it. Correct AUTH_URL.`,
        )
      }
      if (mount === undefined) return
      const at = `the routes are mounted at ${mount || '/'}`
      if (config.site?.path && config.site.path !== mount) {
        warn('env-url-basepath-mismatch', `AUTH_URL has the path ${config.site.path}, but ${at}: the mount counts.`)
      }
      if (expected.size > 0 && !expected.has(mount)) {
        warn(
          'guard-basepath-mismatch',
          `A guard sends people to another path, but ${at}. Set \`basePath: '${mount}'\`.`,
        )
      }
    },
  }
}

const untrustedProxy =
  'A proxy says that the site is https, but the application does not trust it, so cookies and URLs are made for http. Set AUTH_URL to the URL of the site; or trust the proxy: app.set("trust proxy", 1) in Express, `trustHost: true` elsewhere.'
