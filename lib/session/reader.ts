/**
 * Reads sessions for the application: for `getSession`, `auth` of the shim and the account pages. The library's routes use the
 * strategy directly. This file runs on edge runtimes, unlike the rest of the engine.
 */
import { catchMaybePromise, mapMaybePromise } from '../base/maybe-promise.js'
import { assertTrusted, cookiePolicies } from '../config/site.js'
import type { CookiePolicy, ResolvedConfig, SessionReading, SessionStrategy, TokenHolder } from '../contracts/index.js'
import { MissingAdapter, toError } from '../errors.js'
import { presentedCookieNames } from '../http/chunks.js'
import { clearAttemptsUnseen } from '../http/cookie-budget.js'
import { CookieJar } from '../http/cookies.js'
import { header, type MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
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
import { createRequestWarnings, type RequestWarnings } from './request-warnings.js'
import { legacyOptionsOf } from './session-cookie.js'

/** A request for `getSession`: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  /** The headers, of which cookies and `Authorization` are read. */
  readonly headers: MessageHeaders
  /** The response, if the request has it (Express sets it). It is used to extend the session. */
  readonly res?: unknown
}

/** The parts of a request that contain a session. */
export interface SessionSource {
  readonly cookie: string | undefined
  readonly authorization: string | undefined
  /** The request's origin; `undefined` when it is not known. */
  readonly origin: string | undefined
  readonly writable: boolean
}

/** The result of a read, and the cookies to write. */
export interface SessionRead {
  readonly reading: SessionReading | null
  readonly session: Session | null
  /**
   * Returns the `Set-Cookie` values by cookie name; empty when nothing was extended or cleared. Call it when the headers are
   * written: it leaves out a session that has ended by then.
   */
  cookies(): ReadonlyMap<string, string>
}

/** Reads the sessions of one configuration. */
export interface SessionReader extends RequestWarnings {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  /**
   * Returns the session of a request and extends it through its response.
   *
   * Later calls for the same request return the same result, as long as the request has the same cookies: a sign-in or sign-out by
   * the application's own code changes them. Synchronous if nothing is awaited. Never throws, but may reject like {@link
   * readSession}.
   */
  readRequest(req: SessionRequest): Awaitable<Session | null>
  /**
   * Reads like {@link readRequest}, then checks in the store whether the session still exists, and whether the fields of its user
   * have changed. For guards that must not be late.
   */
  readLive(req: SessionRequest): Promise<Session | null>
  /** Checks in the store whether a session that {@link readSession} has read still exists. */
  isLive(source: SessionSource): Promise<boolean>
  /**
   * Returns the stored user and the session of a request, by cookie or bearer token; `null` when no stored user is
   * signed in. Calls no callback and extends nothing.
   */
  holderOf(req: SessionRequest): Promise<TokenHolder | null>
  /** Returns the reading of a request that {@link readRequest} has read; `null` when no user is signed in. */
  readingOf(req: SessionRequest): SessionReading | null
  /**
   * Reads a session by the cookie name of the origin, or, if the origin is not known, by the prefixed name and then the plain one.
   *
   * Synchronous if nothing is awaited. Never throws, but rejects for an untrusted host and when a callback throws, so that a guard
   * does not take an error for "signed out".
   */
  readSession(source: SessionSource): Awaitable<SessionRead>
  /** Forgets the result for a request whose session was replaced under the same cookies. */
  forget(req: SessionRequest): void
}

/** Calls back right before a response's headers are sent, with the response itself if a stand-in for it was passed. */
export type BeforeHeaders = (response: OpenResponse, callback: (open: OpenResponse) => void) => void

/**
 * Creates the reader of a configuration.
 *
 * @param beforeHeaders Supports the responses of the runtime.
 */
export function createReader(config: ResolvedConfig, beforeHeaders: BeforeHeaders): SessionReader {
  const sessions = createSessions(config)
  const warnings = createRequestWarnings(config)
  const names = readCookieNames(config)
  // Rejections are kept too: later calls get the same error, and callbacks run once.
  const last = new WeakMap<SessionRequest, CachedReading>()
  const read = (source: SessionSource): Awaitable<SessionRead> => {
    assertTrusted(config, source.origin)
    const { context, bearer } = sessionContextOf(config, names, source)
    return mapMaybePromise(sessions.read(context, { writable: source.writable, bearer }), (reading) => {
      clearAttemptsUnseen(context.cookies, context.cookiePolicy, config.basePath || '/')
      return { reading, session: reading?.session ?? null, cookies: () => context.cookies.written }
    })
  }
  const readNoted = (req: SessionRequest, noted: CachedReading): Awaitable<Session | null> => {
    warnings.notice(req)
    const response = isResponse(req.res) && !req.res.headersSent ? req.res : undefined
    return mapMaybePromise(
      read(sessionSourceOf(config, req, response !== undefined)),
      ({ reading, session, cookies }) => {
        noted.reading = reading
        if (response && cookies().size > 0 && !response.headersSent) {
          beforeHeaders(response, (open) => writeReadingCookies(open, cookies()))
        }
        return session
      },
    )
  }
  const readRequest = (req: SessionRequest): Awaitable<Session | null> => {
    const { cookie } = req.headers
    const known = last.get(req)
    if (known && known.cookie === cookie) return known.session
    const noted: CachedReading = { cookie, session: null, reading: null }
    noted.session = catchMaybePromise(() => readNoted(req, noted), rejectError)
    last.set(req, noted)
    return noted.session
  }
  const isLive = async (source: SessionSource): Promise<boolean> => {
    const { context, bearer } = sessionContextOf(config, names, source)
    return sessions.isLive(context, bearer)
  }
  return Object.freeze({
    config,
    sessions,
    ...warnings,
    readSession: (source: SessionSource) => catchMaybePromise(() => read(source), rejectError),
    readRequest,
    forget: (req: SessionRequest) => void last.delete(req),
    readingOf: (req: SessionRequest) => last.get(req)?.reading ?? null,
    async readLive(req: SessionRequest) {
      const session = await readRequest(req)
      if (!session || !(await isLive(sessionSourceOf(config, req, false)))) return null
      if (!(await last.get(req)?.reading?.haveFieldsChanged?.())) return session
      last.delete(req)
      return readRequest(req)
    },
    isLive,
    holderOf: (req: SessionRequest) => holderOfRequest({ config, sessions, names }, req),
  })
}

async function holderOfRequest(
  { config, sessions, names }: Pick<SessionReader, 'config' | 'sessions'> & { readonly names: readonly string[] },
  req: SessionRequest,
): Promise<TokenHolder | null> {
  const source = sessionSourceOf(config, req, false)
  assertTrusted(config, source.origin)
  const { context, bearer } = sessionContextOf(config, names, source)
  return sessions.holder(context, bearer)
}

/** The result for a request, by the cookies that it had. */
interface CachedReading {
  readonly cookie: MessageHeaders[string]
  session: Awaitable<Session | null>
  /** The engine's own reading. By request, because a callback may return one session object for all. */
  reading: SessionReading | null
}

function sessionSourceOf({ site }: ResolvedConfig, req: SessionRequest, writable: boolean): SessionSource {
  return {
    cookie: header(req.headers, 'cookie'),
    authorization: header(req.headers, 'authorization'),
    // `AUTH_URL` takes precedence over the request.
    origin: site ? undefined : readOrigin(req),
    writable,
  }
}

/** Creates the configured strategy. */
function createSessions({ session, store }: ResolvedConfig): SessionStrategy {
  if (session.strategy === 'jwt') return jwtSessions
  if (store) return createDatabaseSessions(store)
  throw new MissingAdapter('Database sessions need an `adapter`.')
}

/** Returns the prefixes of the cookie names that a read uses. */
function readCookieNames(config: ResolvedConfig): readonly string[] {
  const { secure, plain } = config.cookies
  const names = [secure, plain].flatMap(({ sessionToken, browser }) => [sessionToken.name, browser.name])
  const legacy = legacyOptionsOf(config)
  return [...new Set(legacy ? [...names, legacy.cookieName] : names)]
}

/** Returns where a session is looked up: the cookies, and the header if that is allowed. */
function sessionContextOf(
  config: ResolvedConfig,
  names: readonly string[],
  { cookie, authorization, origin }: SessionSource,
) {
  const cookies = new CookieJar(cookie, names)
  const context = { config, cookies, cookiePolicy: presentedCookiePolicy(config, cookies, origin) }
  return { context, bearer: config.session.bearer ? bearerToken(authorization) : undefined }
}

/** Returns the cookie policy of the origin, or, if that is not known, of the cookie that was sent. */
function presentedCookiePolicy(
  config: ResolvedConfig,
  { received }: CookieJar,
  origin: string | undefined,
): CookiePolicy {
  const [first, ...others] = cookiePolicies(config, config.site?.origin ?? origin)
  if (others.length === 0) return first
  return (
    [first, ...others].find(({ sessionToken }) => presentedCookieNames(received, sessionToken.name).length > 0) ?? first
  )
}

/** Rejects with an Error. Guards pass on what they catch, and Express continues on `next(undefined)` and `next('route')`. */
function rejectError(thrown: unknown): Promise<never> {
  return Promise.reject(toError(thrown))
}

function isResponse(value: unknown): value is OpenResponse {
  return typeof value === 'object' && value !== null && 'setHeader' in value && 'writeHead' in value
}

/**
 * Writes the cookies of a reading, unless shared caches may store the response or the application has set or cleared the session
 * cookie. Call it when the headers are written and the response is complete.
 */
export function writeReadingCookies(response: OpenResponse, cookies: ReadonlyMap<string, string>): void {
  if (
    cookies.size === 0 ||
    isSharedCacheable(response) ||
    setsSessionCookie(headerValues(response, 'set-cookie'), cookies)
  )
    return
  addPersonalCookies(response, cookies.values())
}

/**
 * Checks whether shared caches may store the response: another user would get the cookie from there and be signed in as this user.
 */
function isSharedCacheable(response: WritableResponse): boolean {
  const read = (name: string) => headerValues(response, name).join(',')
  if (/\bpublic\b/i.test(read('cache-control'))) return true
  return targetedHeaders.map(read).some((value) => value !== '' && !/\b(?:no-store|private)\b/i.test(value))
}

/** Checks whether the application has set or cleared the session cookie. A sign-out in the same request is kept. */
function setsSessionCookie(present: readonly string[], cookies: ReadonlyMap<string, string>): boolean {
  const bases = new Set([...cookies.keys()].map(withoutChunkSuffix))
  return present.some((cookie) => bases.has(withoutChunkSuffix(cookie.split('=')[0]?.trim() ?? '')))
}

function withoutChunkSuffix(name: string): string {
  return name.replace(/\.\d+$/, '')
}
