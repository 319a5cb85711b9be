/**
 * Reads sessions for the application: behind `getSession`, `auth` of the shim and the account pages. Our own routes read by the
 * strategy itself. All of this runs on an edge runtime, where the rest of the engine does not.
 */
import { perOwner } from '../base/memory.js'
import { warnOnce } from '../base/warn-once.js'
import { cookiePolicies } from '../config/cookies.js'
import { assertTrusted } from '../config/resolve-site.js'
import type { ResolvedConfig, SessionStrategy } from '../contracts/index.js'
import { MissingAdapter, toError } from '../errors.js'
import { heldNames } from '../http/chunks.js'
import { CookieJar } from '../http/cookies.js'
import { header, type MessageHeaders } from '../http/message.js'
import { clientScheme, hasUntrustedHttps, type OriginSource, readOrigin } from '../http/origin.js'
import {
  addPersonalCookies,
  headerValues,
  type OpenResponse,
  targetedHeaders,
  type WritableResponse,
} from '../http/response.js'
import { bearerToken } from '../jwt.js'
import type { Session } from '../types/session.js'
import { createDatabaseSessions } from './database/index.js'
import { jwtSessions } from './jwt/index.js'
import { legacyOf } from './session-cookie.js'

/** What `getSession` reads: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  readonly headers: MessageHeaders
  /** The response, where the request knows it (Express sets it): a session in use is extended through it. */
  readonly res?: unknown
}

/** What of a request the session is read from. */
export interface SessionSource {
  readonly cookie: string | undefined
  readonly authorization: string | undefined
  /** The request's origin; `undefined` where it cannot be known. */
  readonly origin: string | undefined
  readonly writable: boolean
}

/** What was read, and the cookies to write for it. */
export interface SessionRead {
  readonly session: Session | null
  /**
   * `Set-Cookie` values by cookie name; empty when nothing was extended or cleared. Take them when the headers are written: a
   * session that has ended by then is not among them.
   */
  cookies(): ReadonlyMap<string, string>
}

/** Reads the sessions of one configuration. */
export interface SessionReader {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  /** The session of a request, extended through its response. Whoever asks again gets the same reading. */
  readRequest(req: SessionRequest): Promise<Session | null>
  /**
   * Reads a session by the cookie name of the origin; where that is not known, by the prefixed name and then the plain one.
   * Rejects for a host that nobody vouches for and where a callback throws: a guard must not take a fault for "signed out".
   */
  readSession(source: SessionSource): Promise<SessionRead>
  /** Remembers that a guard sends people to this path, to warn where the routes turn out to be elsewhere. */
  expectMount(basePath: string): void
  /** Says once what a developer should know about how requests arrive. */
  notice(source: OriginSource, mount?: string): void
}

/** Calls back right before a response's headers are out, with the response itself where a stand-in for it was given. */
export type BeforeHeaders = (response: OpenResponse, callback: (open: OpenResponse) => void) => void

/** Makes the reader of a configuration. @param beforeHeaders Knows the responses of the runtime. */
export function createReader(config: ResolvedConfig, beforeHeaders: BeforeHeaders): SessionReader {
  const sessions = createSessions(config)
  const notices = createNotices(config)
  const parts = { config, sessions, names: ownNames(config) }
  return Object.freeze({
    config,
    sessions,
    ...notices,
    readSession: (source: SessionSource) => readSession(parts, source),
    readRequest: perOwner(async (req: SessionRequest): Promise<Session | null> => {
      notices.notice(req)
      const response = isResponse(req.res) && !req.res.headersSent ? req.res : undefined
      const { session, cookies } = await readSession(parts, {
        cookie: header(req.headers, 'cookie'),
        authorization: header(req.headers, 'authorization'),
        origin: readOrigin(req),
        writable: response !== undefined,
      })
      if (response && cookies().size > 0 && !response.headersSent) {
        beforeHeaders(response, (open) => writeCookies(open, cookies()))
      }
      return session
    }),
  })
}

/** The strategy that the configuration asks for. */
function createSessions({ session, store }: ResolvedConfig): SessionStrategy {
  if (session.strategy === 'jwt') return jwtSessions
  if (store) return createDatabaseSessions(store)
  throw new MissingAdapter('Database sessions need an `adapter`.')
}

/** How the names of our cookies begin. */
function ownNames(config: ResolvedConfig): readonly string[] {
  const { secure, plain } = config.cookies
  const names = [secure, plain].flatMap((policy) => Object.values(policy).map(({ name }) => name))
  const legacy = legacyOf(config)
  return [...new Set(legacy ? [...names, legacy.cookieName] : names)]
}

interface Reading {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  readonly names: readonly string[]
}

async function readSession({ config, sessions, names }: Reading, source: SessionSource): Promise<SessionRead> {
  try {
    assertTrusted(config, source.origin)
    const cookies = new CookieJar(source.cookie, names)
    const policies = cookiePolicies(config, config.site?.origin ?? source.origin)
    const isHeld = (name: string) => heldNames(cookies.received, name).length > 0
    const cookiePolicy = policies.find(({ sessionToken }) => isHeld(sessionToken.name)) ?? policies[0]
    const bearer = config.session.bearer ? bearerToken(source.authorization) : undefined
    const reading = await sessions.read({ config, cookies, cookiePolicy }, { writable: source.writable, bearer })
    return { session: reading?.session ?? null, cookies: () => cookies.written }
  } catch (error) {
    // Guards pass on what they catch, and `next(undefined)` and `next('route')` let a request through: only Errors go out.
    throw toError(error)
  }
}

function isResponse(value: unknown): value is OpenResponse {
  return typeof value === 'object' && value !== null && 'setHeader' in value && 'writeHead' in value
}

/**
 * Writes a reading's cookies, unless caches may keep the response or the application has set or cleared the session cookie.
 * Call it as the headers go out, when it is known what the application made of its response.
 */
export function writeCookies(response: OpenResponse, cookies: ReadonlyMap<string, string>): void {
  if (cookies.size === 0 || isForSharedCaches(response) || setsSession(headerValues(response, 'set-cookie'), cookies))
    return
  addPersonalCookies(response, cookies.values())
}

/** Whether caches may keep the response for everybody: whoever got it from there would be signed in as this person. */
function isForSharedCaches(response: WritableResponse): boolean {
  const read = (name: string) => headerValues(response, name).join(',')
  if (/\bpublic\b/i.test(read('cache-control'))) return true
  return targetedHeaders.map(read).some((value) => value !== '' && !/\b(?:no-store|private)\b/i.test(value))
}

/** Whether the application itself has set or cleared the session cookie: a sign-out in the same request stays. */
function setsSession(present: readonly string[], cookies: ReadonlyMap<string, string>): boolean {
  const bases = new Set([...cookies.keys()].map(withoutChunk))
  return present.some((cookie) => bases.has(withoutChunk(cookie.split('=')[0]?.trim() ?? '')))
}

function withoutChunk(name: string): string {
  return name.replace(/\.\d+$/, '')
}

/** Warnings about how requests arrive, each said once. */
function createNotices(config: ResolvedConfig): Pick<SessionReader, 'expectMount' | 'notice'> {
  const { site } = config
  const expected = new Set<string>()
  const warn = (code: string, message: string) => warnOnce(config, code, message)
  return {
    expectMount: (basePath) => void expected.add(basePath),
    notice(source, mount) {
      if (!site && hasUntrustedHttps(source)) warn('untrusted-proxy', untrustedProxy)
      const scheme = clientScheme(source)
      if (site && scheme && !site.origin.startsWith(`${scheme}:`)) {
        warn(
          'auth-url-scheme',
          `People use ${scheme}, but AUTH_URL says otherwise: cookies and URLs are made for it. Correct AUTH_URL.`,
        )
      }
      if (mount === undefined) return
      const at = `the routes are mounted at ${mount || '/'}`
      if (site?.path && site.path !== mount) {
        warn('env-url-basepath-mismatch', `AUTH_URL has the path ${site.path}, but ${at}: the mount counts.`)
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
