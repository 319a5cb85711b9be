/**
 * Reads sessions for the application: for `getSession`, `auth` of the shim and the account pages. The library's routes use the
 * strategy directly. This file runs on edge runtimes, unlike the rest of the engine.
 */
import { catchMaybePromise, mapMaybePromise } from '../base/maybe-promise.js'
import { assertTrusted, trustsEveryHost } from '../config/site.js'
import type { ResolvedConfig, SessionReading, SessionStrategy, TokenHolder } from '../contracts/index.js'
import { MissingAdapter, toError } from '../errors.js'
import { clearAttemptsUnseen } from '../http/cookie-budget.js'
import { sessionTokenHeader } from '../http/cookies.js'
import {
  addPersonalCookies,
  headerValues,
  type OpenResponse,
  targetedHeaders,
  type WritableResponse,
} from '../http/response.js'
import type { Awaitable } from '../types/identity.js'
import type { Session } from '../types/session.js'
import { createDatabaseSessions } from './database/index.js'
import { jwtSessions } from './jwt/index.js'
import {
  createCredentialReader,
  openResponseOf,
  RequestSource,
  type SessionRequest,
  type SessionSource,
  SourceReadOptions,
} from './request-source.js'
import { createRequestWarnings, type RequestWarnings } from './request-warnings.js'

export type { SessionRequest, SessionSource } from './request-source.js'

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

/** The reading of a request. */
export interface RequestReading {
  readonly session: Awaitable<Session | null>
  /**
   * The engine's own reading, as soon as the session is there; `null` when no user is signed in. By request, because a
   * callback may return one session object for all.
   */
  readonly reading: SessionReading | null
}

/**
 * The memory of a request's reading: returns the reading, which begins at the first call. If `isFresh`, it begins again and
 * replaces the one before.
 */
export type ReadingMemory = (isFresh: boolean) => RequestReading

/** A session with the engine's reading of it; both `null` without a signed-in user. */
export interface FoundReading {
  readonly session: Session | null
  readonly reading: SessionReading | null
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
   * Reads like {@link readingOf}, then checks in the store whether the session still exists, and whether the fields of its user
   * have changed. For guards that must not be late.
   */
  readLive(req: SessionRequest): Promise<FoundReading>
  /**
   * Returns the stored user and the session of a request, by cookie or bearer token; `null` when no stored user is
   * signed in. Calls no callback and extends nothing.
   */
  holderOf(req: SessionRequest): Promise<TokenHolder | null>
  /**
   * Reads like {@link readRequest}. Returns the engine's own reading too.
   * @param isFresh As in {@link ReadOptions}. Replaces the result of earlier calls. Default `false`.
   */
  readingOf(req: SessionRequest, isFresh?: boolean): RequestReading
  /**
   * Reads a session by the cookie name of the origin, or, if the origin is not known, by the prefixed name and then the plain one.
   *
   * Synchronous if nothing is awaited. Never throws, but rejects for an untrusted host and when a callback throws, so that a guard
   * does not take an error for "signed out".
   */
  readSession(source: SessionSource): Awaitable<SessionRead>
  /** Reads like {@link readLive}, with the memory of a caller. */
  toLive(source: SessionSource, memory: ReadingMemory): Promise<FoundReading>
  /** Forgets the result for a request whose session was replaced under the same cookies. */
  forget(req: SessionRequest): void
  /** Uses a caller's memory for a request, so that a request which the caller has read is not read again. */
  adopt(req: SessionRequest, memory: ReadingMemory): void
}

/** Returns the session of a reading, with the engine's own reading, which is there as soon as the session is. */
export function toFound(read: RequestReading): Awaitable<FoundReading> {
  return mapMaybePromise(read.session, (session) => ({ session, reading: read.reading }))
}

/** Calls back right before a response's headers are sent, with the response itself if a stand-in for it was passed. */
export type BeforeHeaders = (response: OpenResponse, callback: (open: OpenResponse) => void) => void

/** Returns a strategy with more rules about which sessions are valid. */
export type SessionDecorator = (sessions: SessionStrategy) => SessionStrategy

/**
 * Creates the reader of a configuration.
 *
 * @param beforeHeaders Supports the responses of the runtime.
 * @param decorate Adds the rules of capabilities to the strategy. Default: none.
 */
export function createReader(
  config: ResolvedConfig,
  beforeHeaders: BeforeHeaders,
  decorate: SessionDecorator = (sessions) => sessions,
): SessionReader {
  const { sessions, credentials, isTrusted, read, toLive, holderOf } = createSourceReader(config, decorate)
  const warnings = createRequestWarnings(config)
  // Rejections are kept too: later calls get the same error, and callbacks run once.
  const last = new WeakMap<SessionRequest, CachedReading | ReadingMemory>()
  // Apart from `readingOf`, because a closure there would take memory for visitors too.
  const readNoted = (req: SessionRequest, noted: CachedReading, source: RequestSource): Awaitable<Session | null> =>
    catchMaybePromise(
      () =>
        mapMaybePromise(read(source), ({ reading, session, cookies }) => {
          noted.reading = reading
          const response = cookies().size > 0 ? openResponseOf(req) : undefined
          if (response) beforeHeaders(response, (open) => writeReadingCookies(open, cookies()))
          return session
        }),
      rejectError,
    )
  const readingOf = (req: SessionRequest, isFresh = false): RequestReading => {
    const source = new RequestSource(config, req, isFresh)
    const { cookie } = source
    // To note this would take longer than to find it out again.
    const isVisitor = isTrusted && !credentials.arePresent(source)
    const known = isVisitor ? undefined : last.get(req)
    if (typeof known === 'function') return known(isFresh)
    if (known && !isFresh && known.cookie === cookie) return known
    warnings.notice(req)
    if (isVisitor) return noSession
    const noted: CachedReading = { cookie, session: null, reading: null }
    noted.session = readNoted(req, noted, source)
    last.set(req, noted)
    return noted
  }
  return Object.freeze({
    config,
    sessions,
    ...warnings,
    readSession: (source: SessionSource) => catchMaybePromise(() => read(source), rejectError),
    readRequest: (req: SessionRequest) => readingOf(req).session,
    readingOf,
    forget: (req: SessionRequest) => void last.delete(req),
    adopt: (req: SessionRequest, memory: ReadingMemory) => void last.set(req, memory),
    readLive: (req: SessionRequest) => toLive(new RequestSource(config, req), (isFresh) => readingOf(req, isFresh)),
    toLive,
    holderOf: (req: SessionRequest) => holderOf(new RequestSource(config, req)),
  })
}

/** Creates the functions that read the session of a source, without memory of the request. */
function createSourceReader(config: ResolvedConfig, decorate: SessionDecorator) {
  const sessions = decorate(createSessions(config))
  const credentials = createCredentialReader(config)
  const isTrusted = trustsEveryHost(config)
  return {
    sessions,
    credentials,
    isTrusted,
    read(source: SessionSource): Awaitable<SessionRead> {
      if (!isTrusted) assertTrusted(config, source.origin)
      if (!credentials.arePresent(source)) return noSession
      const { context, bearer } = credentials.contextOf(source)
      return mapMaybePromise(sessions.read(context, new SourceReadOptions(source, bearer)), (reading) => {
        clearAttemptsUnseen(context.cookies, context.cookiePolicy, config.basePath || '/')
        return { reading, session: reading?.session ?? null, cookies: () => context.cookies.written }
      })
    },
    async toLive(source: SessionSource, memory: ReadingMemory): Promise<FoundReading> {
      const { session, reading } = await toFound(memory(false))
      if (!session || !reading) return notFound
      const { context, bearer } = credentials.contextOf(source)
      if (!(await sessions.isLive(context, reading.id, bearer))) return notFound
      if (!(await reading.haveFieldsChanged())) return { session, reading }
      const second = await toFound(memory(true))
      // Another session of the request, if the first one has just ended, is not known to exist.
      return second.reading?.id === reading.id ? second : notFound
    },
    async holderOf(source: SessionSource): Promise<TokenHolder | null> {
      if (!isTrusted) assertTrusted(config, source.origin)
      const { context, bearer } = credentials.contextOf(source)
      return sessions.holder(context, bearer)
    },
  }
}

/** The result for a request, by the cookies that it had. */
interface CachedReading extends RequestReading {
  readonly cookie: string | undefined
  session: Awaitable<Session | null>
  reading: SessionReading | null
}

/** The result for a request without a session. */
const noSession: SessionRead & RequestReading = Object.freeze({
  reading: null,
  session: null,
  cookies: () => noCookies,
})
const noCookies: ReadonlyMap<string, string> = new Map()
const notFound: FoundReading = Object.freeze({ session: null, reading: null })

/** Creates the configured strategy. */
function createSessions({ session, store }: ResolvedConfig): SessionStrategy {
  if (session.strategy === 'jwt') return jwtSessions
  if (store) return createDatabaseSessions(store)
  throw new MissingAdapter('Database sessions need an `adapter`.')
}

/** Rejects with an Error. Guards pass on what they catch, and Express continues on `next(undefined)` and `next('route')`. */
function rejectError(thrown: unknown): Promise<never> {
  return Promise.reject(toError(thrown))
}

/**
 * Writes the cookies of a reading, or the renewed token of an app, unless shared caches may store the response or the application has set or cleared the session
 * cookie. Call it when the headers are written and the response is complete.
 */
export function writeReadingCookies(response: OpenResponse, cookies: ReadonlyMap<string, string>): void {
  if (
    cookies.size === 0 ||
    isSharedCacheable(response) ||
    setsSessionCookie(headerValues(response, 'set-cookie'), cookies)
  )
    return
  const { token, lines } = splitToken(cookies)
  if (token !== undefined) response.setHeader(sessionTokenHeader, encodeURIComponent(token))
  addPersonalCookies(response, lines)
}

/** Separates the token for an app from the cookies. */
function splitToken(cookies: ReadonlyMap<string, string>) {
  const others = [...cookies].filter(([name]) => name !== sessionTokenHeader)
  return { token: cookies.get(sessionTokenHeader), lines: others.map(([, line]) => line) }
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
