/**
 * Reads sessions for the application: behind `getSession`, `auth` of the shim and the account pages. Our own routes read by the
 * strategy itself. All of this runs on an edge runtime, where the rest of the engine does not.
 */
import { after, rescue } from '../base/after.js'
import { warnOnce } from '../base/warn-once.js'
import { assertTrusted, cookiePolicies } from '../config/site.js'
import type { CookiePolicy, ResolvedConfig, SessionReading, SessionStrategy } from '../contracts/index.js'
import { MissingAdapter, toError } from '../errors.js'
import { heldNames } from '../http/chunks.js'
import { makeRoomUnseen } from '../http/cookie-budget.js'
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
import type { Awaitable } from '../types/identity.js'
import type { Session } from '../types/session.js'
import { createDatabaseSessions } from './database/index.js'
import { jwtSessions } from './jwt/index.js'
import { legacyOf } from './session-cookie.js'

/** What `getSession` reads: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  /** The headers: cookies, and `Authorization`, are read from them. */
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
  readonly reading: SessionReading | null
  readonly session: Session | null
  /**
   * `Set-Cookie` values by cookie name; empty when nothing was extended or cleared. Take them when the headers are written: a
   * session that has ended by then is not among them.
   */
  cookies(): ReadonlyMap<string, string>
}

/** Reads the sessions of one configuration. */
export interface SessionReader extends Notices {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  /**
   * The session of a request, extended through its response. Whoever asks again gets the same reading, for as long as the
   * request has the same cookies: a sign-in or sign-out by the application's own code changes them. At once where there is nothing
   * to wait for; never throws, but may reject as {@link readSession} does.
   */
  readRequest(req: SessionRequest): Awaitable<Session | null>
  /** As {@link readRequest}; then the store is asked whether the session goes on. For guards of what must not be late. */
  readLive(req: SessionRequest): Promise<Session | null>
  /** Returns the reading of a request that {@link readRequest} has read; `null` where nobody is signed in. */
  readingOf(req: SessionRequest): SessionReading | null
  /**
   * Reads a session by the cookie name of the origin; where that is not known, by the prefixed name and then the plain one.
   * At once where there is nothing to wait for. Never throws, but rejects for a host that nobody vouches for and where a callback
   * throws: a guard must not take a fault for "signed out".
   */
  readSession(source: SessionSource): Awaitable<SessionRead>
  /** Forgets what a request was read to have: its session is another one by now, under the same cookies. */
  forget(req: SessionRequest): void
}

/** Calls back right before a response's headers are out, with the response itself where a stand-in for it was given. */
export type BeforeHeaders = (response: OpenResponse, callback: (open: OpenResponse) => void) => void

/** Makes the reader of a configuration. @param beforeHeaders Knows the responses of the runtime. */
export function createReader(config: ResolvedConfig, beforeHeaders: BeforeHeaders): SessionReader {
  const sessions = createSessions(config)
  const notices = createNotices(config)
  const names = readNames(config)
  // Of a rejection, too: who asks again is told the same, and callbacks run once.
  const last = new WeakMap<SessionRequest, Noted>()
  const read = (source: SessionSource): Awaitable<SessionRead> => {
    assertTrusted(config, source.origin)
    const { context, bearer } = placeOf(config, names, source)
    return after(sessions.read(context, { writable: source.writable, bearer }), (reading) => {
      makeRoomUnseen(context.cookies, context.cookiePolicy, config.basePath || '/')
      return { reading, session: reading?.session ?? null, cookies: () => context.cookies.written }
    })
  }
  const readNoted = (req: SessionRequest, noted: Noted): Awaitable<Session | null> => {
    notices.notice(req)
    const response = isResponse(req.res) && !req.res.headersSent ? req.res : undefined
    return after(read(sourceOf(config, req, response !== undefined)), ({ reading, session, cookies }) => {
      noted.reading = reading
      if (response && cookies().size > 0 && !response.headersSent) {
        beforeHeaders(response, (open) => writeCookies(open, cookies()))
      }
      return session
    })
  }
  const readRequest = (req: SessionRequest): Awaitable<Session | null> => {
    const { cookie } = req.headers
    const known = last.get(req)
    if (known && known.cookie === cookie) return known.session
    const noted: Noted = { cookie, session: null, reading: null }
    noted.session = rescue(() => readNoted(req, noted), rejectError)
    last.set(req, noted)
    return noted.session
  }
  return Object.freeze({
    config,
    sessions,
    ...notices,
    readSession: (source: SessionSource) => rescue(() => read(source), rejectError),
    readRequest,
    forget: (req: SessionRequest) => void last.delete(req),
    readingOf: (req: SessionRequest) => last.get(req)?.reading ?? null,
    async readLive(req: SessionRequest) {
      const session = await readRequest(req)
      if (!session) return null
      const { context, bearer } = placeOf(config, names, sourceOf(config, req, false))
      return (await sessions.isLive(context, bearer)) ? session : null
    },
  })
}

/** What a request was read to have, by the cookies that it had then. */
interface Noted {
  readonly cookie: MessageHeaders[string]
  session: Awaitable<Session | null>
  /** What the engine itself knows of the session. By the request, since a callback may return one session for all. */
  reading: SessionReading | null
}

function sourceOf({ site }: ResolvedConfig, req: SessionRequest, writable: boolean): SessionSource {
  return {
    cookie: header(req.headers, 'cookie'),
    authorization: header(req.headers, 'authorization'),
    // What `AUTH_URL` says goes before what a request does.
    origin: site ? undefined : readOrigin(req),
    writable,
  }
}

/** The strategy that the configuration asks for. */
function createSessions({ session, store }: ResolvedConfig): SessionStrategy {
  if (session.strategy === 'jwt') return jwtSessions
  if (store) return createDatabaseSessions(store)
  throw new MissingAdapter('Database sessions need an `adapter`.')
}

/** How the names of the cookies begin that a read looks at. */
function readNames(config: ResolvedConfig): readonly string[] {
  const { secure, plain } = config.cookies
  const names = [secure, plain].flatMap(({ sessionToken, browser }) => [sessionToken.name, browser.name])
  const legacy = legacyOf(config)
  return [...new Set(legacy ? [...names, legacy.cookieName] : names)]
}

/** Where a session is looked for: the cookies, and the header where that is allowed. */
function placeOf(config: ResolvedConfig, names: readonly string[], { cookie, authorization, origin }: SessionSource) {
  const cookies = new CookieJar(cookie, names)
  const context = { config, cookies, cookiePolicy: policyOf(config, cookies, origin) }
  return { context, bearer: config.session.bearer ? bearerToken(authorization) : undefined }
}

/** Where the origin is not known, the policy of the cookie that was sent. */
function policyOf(config: ResolvedConfig, { received }: CookieJar, origin: string | undefined): CookiePolicy {
  const [first, ...others] = cookiePolicies(config, config.site?.origin ?? origin)
  if (others.length === 0) return first
  return [first, ...others].find(({ sessionToken }) => heldNames(received, sessionToken.name).length > 0) ?? first
}

/** Guards pass on what they catch, and `next(undefined)` and `next('route')` let a request through: only Errors go out. */
function rejectError(thrown: unknown): Promise<never> {
  return Promise.reject(toError(thrown))
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

/* ---- notices ----------------------------------------------------------------------------------------------------- */

// What a developer should know of how requests arrive.

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
