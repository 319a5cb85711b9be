/** The reading of sessions for `auth`, from each kind of request. Each request is read once. */
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import { perOwner } from '../lib/base/memory.js'
import type { SessionReading } from '../lib/contracts/index.js'
import type { ReadSession } from '../lib/guards/session-rule.js'
import type { MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { readPairs, toHostCookie } from './cookies.js'
import type { ConfiguredEngine } from './engine.js'
import { type AmbientRequest, type AuthHost, findCurrentRequest, type NodeResponse } from './host.js'
import { type FetchLike, requestedUrl, toOriginSource, toSource, withProxy } from './request.js'
import { ResponseRecord } from './response-record.js'

/** A Node request, of an API route or of server-side props. */
export interface NodeRequest extends OriginSource {
  readonly headers: MessageHeaders
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The path and query. */
  readonly url?: string | undefined
}

/** The session reader of a host. */
export type HostSessionReader = ReturnType<typeof createSessionReader>

/**
 * Creates the session reader of a host. All forms of `auth` share the result for a request, so that a single-use
 * refresh token is used once. A new cookie causes a new read.
 */
export function createSessionReader(host: AuthHost) {
  const readCurrent = (engine: ConfiguredEngine, ambient: AmbientRequest, isFresh = false) =>
    readOnce({ ...readingKey(engine, ambient), isFresh }, (noted) => readAmbient(host, engine, ambient, noted))

  return {
    /** Returns the session of the host's current request. */
    fromCurrentRequest: (engine: ConfiguredEngine, ambient: AmbientRequest) => readCurrent(engine, ambient).session,
    /** Returns the same with the proofs, for a guard. */
    forCurrentGuard: (engine: ConfiguredEngine, ambient: AmbientRequest, isLive: boolean) =>
      toGuardReading(engine, { read: (isFresh) => readCurrent(engine, ambient, isFresh), source: ambient, isLive }),
    /**
     * Returns the session of a given request with its proofs, for a guard. A session is extended only if the host can
     * set a cookie.
     */
    async forGuard(engine: ConfiguredEngine, { request, url, isLive }: GuardRead) {
      const { asked, ambient } = await matchCurrentRequest(host, engine, { request, url })
      const read = (isFresh: boolean) =>
        ambient
          ? readCurrent(engine, ambient, isFresh)
          : readOnce({ engine, request, writable: false, isFresh }, (noted) => readFetch(engine, asked, { noted }))
      const source = ambient ?? { ...asked, request }
      return { ...(await toGuardReading(engine, { read, source, isLive })), ambient }
    },
    /**
     * Returns the session of a given request. Cookies for its response are queued on `record`.
     * @param url The requested URL.
     */
    fromRequest: (
      engine: ConfiguredEngine,
      request: Request,
      record: ResponseRecord,
      url = requestedUrl(host, request),
    ) =>
      mapMaybePromise(matchCurrentRequest(host, engine, { request, url }), ({ asked, ambient }) => {
        const key = ambient ? readingKey(engine, ambient) : { engine, request }
        return readOnce(key, (noted) => readFetch(engine, ambient ?? asked, { response: record, noted })).session
      }),
    /**
     * Returns the same if no response is created from a record. A session is extended only if the host can set a
     * cookie.
     */
    fromRequestWithoutResponse: (engine: ConfiguredEngine, request: Request, url: string) =>
      mapMaybePromise(matchCurrentRequest(host, engine, { request, url }), ({ asked, ambient }) =>
        ambient ? readCurrent(engine, ambient).session : readFetch(engine, asked, {}),
      ),
    /** Returns the session of a Node request. */
    fromNodeRequest: (engine: ConfiguredEngine, request: NodeRequest, response: NodeResponse | undefined) =>
      readOnce({ engine, request }, () => readNode(engine, request, response)).session,
  }
}

/* ---- one result for a request ----------------------------------------------------------------------------------- */

/** The key of a result: a configuration, a request, and its parts that may change while it is handled. */
interface ReadingKey {
  readonly engine: ConfiguredEngine
  readonly request: object
  readonly writable?: boolean
  readonly cookie?: string | null
  /** `true` if the session is read again, as in {@link SessionSource}. */
  readonly isFresh?: boolean
}

/** The engine's own reading beside the session, which a callback may have changed. */
interface NotedReading extends Pick<ReadingKey, 'isFresh'> {
  reading: SessionReading | null
}

interface CachedReading extends Omit<ReadingKey, 'request'>, NotedReading {
  session: Awaitable<Session | null>
}

/** The results of a request. There are one or two, and a list is searched faster than a hash is computed. */
const cachedReadings = perOwner((_request: object): CachedReading[] => [])

/** Removes the results of a request, because its session has changed under the same cookies. */
export function forgetReadings(engine: ConfiguredEngine, source: { readonly request?: object }): void {
  const readings = cachedReadings(source.request ?? source)
  const others = readings.filter((reading) => reading.engine !== engine)
  readings.splice(0, readings.length, ...others)
}

/** Reads once for a key. */
function readOnce(
  { engine, request, writable, cookie, isFresh = false }: ReadingKey,
  read: (noted: NotedReading) => Awaitable<Session | null>,
): CachedReading {
  if (isFresh) forgetReadings(engine, { request })
  const readings = cachedReadings(request)
  const known = readings.find(
    (reading) => reading.engine === engine && reading.writable === writable && reading.cookie === cookie,
  )
  if (known) return known
  const cached: CachedReading = { engine, writable, cookie, isFresh, session: null, reading: null }
  cached.session = catchToRejection(() => read(cached))
  readings.push(cached)
  return cached
}

/** Converts a thrown error to a rejection, so that it is cached like any result and callbacks do not run again. */
function catchToRejection(read: () => Awaitable<Session | null>): Awaitable<Session | null> {
  try {
    return read()
  } catch (error) {
    return Promise.reject(error)
  }
}

function readingKey(engine: ConfiguredEngine, ambient: AmbientRequest): ReadingKey {
  const { request = ambient, headers, writable } = ambient
  return { engine, request, writable, cookie: headers.get('cookie') }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/** The response on which a session is extended, and the place for the engine's own reading. */
interface ReadTarget {
  readonly response?: NodeResponse | undefined
  readonly noted?: NotedReading | undefined
}

function readFetch(
  engine: ConfiguredEngine,
  request: FetchLike,
  { response, noted }: ReadTarget,
): Awaitable<Session | null> {
  const { auth } = engine
  // The response of another framework is watched, like those of Node by `getSession`.
  if (response && !(response instanceof ResponseRecord)) {
    const read = auth.readingOf({ ...toSource(engine, request), res: response }, noted?.isFresh)
    return mapMaybePromise(read.session, (session) => {
      if (noted) noted.reading = read.reading
      return session
    })
  }
  const originSource = toOriginSource(engine, request)
  auth.notice(originSource)
  const writable = response !== undefined && !response.headersSent
  const source = {
    ...credentialsOf(engine, request),
    origin: readOrigin(originSource),
    writable,
    isFresh: noted?.isFresh === true,
  }
  return mapMaybePromise(auth.readSession(source), ({ reading, session, cookies }) => {
    if (noted) noted.reading = reading
    response?.queue(cookies)
    return session
  })
}

function credentialsOf({ auth }: ConfiguredEngine, { headers }: FetchLike) {
  return {
    cookie: headers.get('cookie') ?? undefined,
    authorization: auth.config.session.bearer ? (headers.get('authorization') ?? undefined) : undefined,
  }
}

async function readIntoHost(
  host: AuthHost,
  engine: ConfiguredEngine,
  ambient: AmbientRequest,
  noted: NotedReading,
): Promise<Session | null> {
  const record = new ResponseRecord()
  const session = await readFetch(engine, ambient, { response: record, noted })
  const cookies = record.takeCookies()
  if (cookies.length > 0) await host.setCookies(cookies.map(toHostCookie))
  return session
}

function readAmbient(
  host: AuthHost,
  engine: ConfiguredEngine,
  ambient: AmbientRequest,
  noted: NotedReading,
): Awaitable<Session | null> {
  const { writable, response } = ambient
  if (writable && !response) return readIntoHost(host, engine, ambient, noted)
  return readFetch(engine, ambient, { response: writable ? response : undefined, noted })
}

/** A request that a guard reads. */
interface GuardRead {
  readonly request: Request
  readonly url: string
  /** `true` if the store is queried whether the session still exists. */
  readonly isLive: boolean
}

/** The reading of a guard, and its request. */
interface GuardSource {
  /** Returns the result for the request, which is read once, and again if `isFresh`. */
  readonly read: (isFresh: boolean) => CachedReading
  readonly source: FetchLike & { readonly request?: Request }
  readonly isLive: boolean
}

/**
 * Returns the session and the engine's reading of it. If it must be live, there is no session that the store does not
 * know, and changed fields of the user are read again.
 */
async function toGuardReading(
  engine: ConfiguredEngine,
  { read, source, isLive }: GuardSource,
): Promise<ReadSession<Session>> {
  if (isLive) {
    const origin = readOrigin(toOriginSource(engine, source))
    return engine.auth.toLive({ ...credentialsOf(engine, source), origin, writable: false }, read)
  }
  const once = read(false)
  const session = await once.session
  return { session, reading: once.reading }
}

/** Reads only the parts of an IncomingMessage that determine the session. */
function readNode(
  engine: ConfiguredEngine,
  { headers, socket, app, protocol }: NodeRequest,
  response: NodeResponse | undefined,
): Awaitable<Session | null> {
  return engine.auth.readRequest({ ...withProxy(engine, { headers, socket, app, protocol }), res: response })
}

/* ---- the host's request and a given request ---------------------------------------------------------------------- */

/** Returns the given request, and the host's request if it is the same object or a copy with the same credentials. */
function matchCurrentRequest(
  host: AuthHost,
  engine: ConfiguredEngine,
  { request, url }: { request: Request; url: string },
) {
  const { headers } = request
  const asked = { headers, url }
  return mapMaybePromise(findCurrentRequest(host), (ambient) => {
    const isSame = ambient && (ambient.request === request || isCopy(engine, ambient, asked))
    return { asked, ambient: isSame ? ambient : undefined }
  })
}

function isCopy(engine: ConfiguredEngine, one: FetchLike, other: FetchLike): boolean {
  const [cookie, otherCookie] = [one.headers.get('cookie'), other.headers.get('cookie')]
  return (
    one.headers.get('authorization') === other.headers.get('authorization') &&
    (cookie === otherCookie || cookiesIn(cookie) === cookiesIn(otherCookie)) &&
    readOrigin(toOriginSource(engine, one)) === readOrigin(toOriginSource(engine, other))
  )
}

/** Checks whether the session's cookies have changed: after a sign-in, sign-out or update. */
export function haveSessionChanged({ auth }: ConfiguredEngine, before: AmbientRequest, now: AmbientRequest): boolean {
  const { plain, secure } = auth.config.cookies
  const names = [plain.sessionToken.name, secure.sessionToken.name]
  const isOwn = (name: string) => names.some((own) => name.startsWith(own))
  const ownOf = ({ headers }: AmbientRequest) => cookiesIn(headers.get('cookie'), isOwn)
  return before !== now && ownOf(before) !== ownOf(now)
}

/**
 * Returns cookies as a comparable text, independent of a framework's encoding and order of names. The values of one
 * name keep their order.
 */
function cookiesIn(header: string | null, counts: (name: string) => boolean = () => true): string {
  const pairs = readPairs(header).filter(([name]) => counts(name))
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : Number(one > other))))
}
