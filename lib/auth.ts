/** The engine: a configuration, resolved once, that answers requests and reads sessions. Plain values in and out. */
import { act, csrfTokenFor, failure, isOwnForm, toReply } from './actions/index.js'
import { cookiePolicies } from './config/cookies.js'
import { resolveConfig } from './config/resolve.js'
import type { AuthContext, Background, CookiePolicy, ResolvedConfig, SessionOwner } from './context.js'
import { hmac } from './crypto/hash.js'
import { deriveKey } from './crypto/keys.js'
import { toError } from './errors.js'
import { CookieJar } from './http/cookies.js'
import { type AuthReply, type AuthRequest, header } from './http/message.js'
import { hasUntrustedHttps, type OriginSource } from './http/origin.js'
import { AuthUrls } from './http/urls.js'
import { perOwner } from './memory.js'
import { createSessions } from './session/index.js'
import { assertTrusted, readSession, type SessionRead, type SessionSource } from './session/read-session.js'
import type { ServerAuthConfig } from './types.js'

/** What tells visitors apart, outside our own routes. */
export interface Visitor {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  readonly origin: string | undefined
}

/** The engine of one configuration. */
export interface Auth {
  readonly config: ResolvedConfig
  /** Answers a request to one of our routes. Never rejects. */
  handle(request: AuthRequest): Promise<AuthReply>
  /** Reads the session of any request. Rejects where a callback throws. */
  readSession(source: SessionSource): Promise<SessionRead>
  /** The CSRF token of a visitor, with the cookie to set where there was none. */
  csrfToken(source: Visitor): {
    readonly token: string
    readonly cookies: ReadonlyMap<string, string>
  }
  /** Whose session a request carries; runs no callback. */
  owner(source: Visitor): Promise<SessionOwner | null>
  /** Whether a POST to a route of the application's comes from a page of its own, with the token of {@link csrfToken}. */
  hasCsrfToken(source: Visitor & Pick<AuthRequest, 'headers' | 'body'>): boolean
  /** Waits for what goes on after answers are out, such as mails under way. */
  close(): Promise<void>
  /** Remembers that a guard sends people to this path, to warn where the routes turn out to be elsewhere. */
  expectMount(basePath: string): void
  /** Says once what a developer should know about how requests arrive. */
  notice(source: OriginSource, mount?: string): void
}

/** The engine of a configuration object: built once, found again by identity. Throws for a wrong configuration. */
export const authOf = perOwner((config: ServerAuthConfig): Auth => createAuth(resolveConfig(config)))

function createAuth(config: ResolvedConfig): Auth {
  const sessions = createSessions(config)
  const background = createBackground()
  warnOfSharedSessions(config)
  const placeOf = ({ cookie, origin }: Visitor) => ({
    cookies: new CookieJar(cookie),
    cookiePolicy: policyFor(config, config.site?.origin ?? origin),
  })
  return Object.freeze({
    config,
    async handle(request: AuthRequest): Promise<AuthReply> {
      const context = createContext({ config, sessions, request, background })
      try {
        return toReply(context, await act(context))
      } catch (error) {
        return toReply(context, await failure(context, error))
      }
    },
    async readSession(source: SessionSource) {
      try {
        return await readSession(config, sessions, source)
      } catch (error) {
        // `next(undefined)` and `next('route')` would let a request through: what rejects is always an Error.
        throw toError(error)
      }
    },
    csrfToken(source: Visitor) {
      assertTrusted(config)
      const place = placeOf(source)
      return { token: csrfTokenFor({ config, ...place }), cookies: place.cookies.written }
    },
    async owner(source: Visitor) {
      assertTrusted(config)
      const { cookies, cookiePolicy } = placeOf(source)
      return sessions.owner(cookies, cookiePolicy)
    },
    hasCsrfToken({ headers, body, ...source }: Visitor & Pick<AuthRequest, 'headers' | 'body'>) {
      assertTrusted(config)
      const origin = config.site?.origin ?? source.origin ?? ''
      return isOwnForm({ config, ...placeOf(source), request: { headers, body }, urls: { origin } })
    },
    close: () => background.settled(),
    ...createNotices(config),
  })
}

/** What is said once, and what it takes to know. */
function createNotices(config: ResolvedConfig): Pick<Auth, 'expectMount' | 'notice'> {
  const notices = new Set<string>()
  const expected = new Set<string>()
  const warnOnce = (code: string, message: string) => {
    if (notices.has(code)) return
    notices.add(code)
    config.logger.warn(code, message)
  }
  return {
    expectMount: (basePath: string) => void expected.add(basePath),
    notice(source: OriginSource, mount?: string) {
      if (!config.site && hasUntrustedHttps(source)) warnOnce('untrusted-proxy', untrustedProxy)
      if (mount === undefined) return
      const at = `the routes are mounted at ${mount || '/'}`
      if (config.site?.path && config.site.path !== mount) {
        warnOnce('env-url-basepath-mismatch', `AUTH_URL has the path ${config.site.path}, but ${at}: the mount counts.`)
      }
      if (expected.size > 0 && !expected.has(mount)) {
        warnOnce(
          'guard-basepath-mismatch',
          `A guard sends people to another path, but ${at}. Set \`basePath: '${mount}'\`.`,
        )
      }
    },
  }
}

/** Keeps promises until they are settled. */
function createBackground(): Background & { settled(): Promise<void> } {
  const pending = new Set<Promise<unknown>>()
  return {
    run(work) {
      const settled = work.catch(() => {}).finally(() => pending.delete(settled))
      pending.add(settled)
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

function createContext(parts: Pick<AuthContext, 'config' | 'sessions' | 'request' | 'background'>): AuthContext {
  const { config, request } = parts
  return {
    ...parts,
    cookies: new CookieJar(header(request.headers, 'cookie')),
    cookiePolicy: policyFor(config, request.url.origin),
    urls: new AuthUrls(request.url.origin, request.basePath, config.pages),
  }
}

function policyFor(config: ResolvedConfig, origin: string | undefined): CookiePolicy {
  return cookiePolicies(config, origin)[0] ?? config.cookies.plain
}

const untrustedProxy =
  'A proxy says that the site is https, but the application does not trust it, so cookies and URLs are made for http. Call app.set("trust proxy", 1), or set AUTH_URL to the URL of the site.'

/** Which providers each (secret, cookie name) was configured with in this process; values are hashes. */
const sharedSessions = new Map<string, string>()

/** Two configurations that read each other's sessions but know other providers are usually meant to be apart. */
function warnOfSharedSessions(config: ResolvedConfig): void {
  const { name } = config.cookies.plain.sessionToken
  const key = hmac(deriveKey(config.secrets[0], 'server-auth engine key', { length: 32 }).bytes, name)
  const providers = [...config.providers.values()].map(({ id, type }) => `${type}:${id}`).join(' ')
  const other = sharedSessions.get(key)
  if (other !== undefined && other !== providers) {
    config.logger.warn(
      'shared-sessions',
      "Another configuration in this process has the same secret and session cookie but other providers: each accepts the other's sessions. Set `cookies.sessionToken.name` to keep them apart.",
    )
  }
  if (sharedSessions.size < 1000) sharedSessions.set(key, providers)
}
