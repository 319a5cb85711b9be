/** The reading of sessions for `auth`, from each kind of request. Each request is read once. */
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import { perOwner } from '../lib/base/memory.js'
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
  const once = createReadingCache()
  /** Returns the session of the host's current request. */
  const readCurrent = (engine: ConfiguredEngine, ambient: AmbientRequest) =>
    once(readingKey(engine, ambient), () => readAmbient(host, engine, ambient))

  return {
    fromCurrentRequest: readCurrent,
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
        return once(key, () => readFetch(engine, ambient ?? asked, record))
      }),
    /**
     * Returns the same if no response is created from a record. A session is extended only if the host can set a
     * cookie.
     */
    fromRequestWithoutResponse: (engine: ConfiguredEngine, request: Request, url: string) =>
      mapMaybePromise(matchCurrentRequest(host, engine, { request, url }), ({ asked, ambient }) =>
        ambient ? readCurrent(engine, ambient) : readFetch(engine, asked, undefined),
      ),
    /** Returns the session of a Node request. */
    fromNodeRequest: (engine: ConfiguredEngine, request: NodeRequest, response: NodeResponse | undefined) =>
      once({ engine, request }, () => readNode(engine, request, response)),
  }
}

/* ---- one result for a request ----------------------------------------------------------------------------------- */

/** The key of a result: a configuration, a request, and its parts that may change while it is handled. */
interface ReadingKey {
  readonly engine: ConfiguredEngine
  readonly request: object
  readonly writable?: boolean
  readonly cookie?: string | null
}

interface CachedReading extends Omit<ReadingKey, 'request'> {
  readonly session: Awaitable<Session | null>
}

/** The results of a request. There are one or two, and a list is searched faster than a hash is computed. */
const cachedReadings = perOwner((_request: object): CachedReading[] => [])

/** Removes the results of a request, because its session has changed under the same cookies. */
export function forgetReadings(engine: ConfiguredEngine, ambient: AmbientRequest): void {
  const readings = cachedReadings(ambient.request ?? ambient)
  const others = readings.filter((reading) => reading.engine !== engine)
  readings.splice(0, readings.length, ...others)
}

/** Creates the function that reads once for a key. */
function createReadingCache() {
  return (key: ReadingKey, read: () => Awaitable<Session | null>): Awaitable<Session | null> => {
    const { engine, request, writable, cookie } = key
    const readings = cachedReadings(request)
    const known = readings.find(
      (reading) => reading.engine === engine && reading.writable === writable && reading.cookie === cookie,
    )
    if (known) return known.session
    const session = catchToRejection(read)
    readings.push({ engine, writable, cookie, session })
    return session
  }
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

function readFetch(
  engine: ConfiguredEngine,
  request: FetchLike,
  response: NodeResponse | undefined,
): Awaitable<Session | null> {
  // The response of another framework is watched, like those of Node by `getSession`.
  if (response && !(response instanceof ResponseRecord)) {
    return engine.auth.readRequest({ ...toSource(engine, request), res: response })
  }
  const { headers } = request
  const { auth } = engine
  const source = toOriginSource(engine, request)
  auth.notice(source)
  const reading = auth.readSession({
    cookie: headers.get('cookie') ?? undefined,
    authorization: auth.config.session.bearer ? (headers.get('authorization') ?? undefined) : undefined,
    origin: readOrigin(source),
    writable: response !== undefined && !response.headersSent,
  })
  return mapMaybePromise(reading, ({ session, cookies }) => {
    response?.queue(cookies)
    return session
  })
}

async function readIntoHost(
  host: AuthHost,
  engine: ConfiguredEngine,
  ambient: AmbientRequest,
): Promise<Session | null> {
  const record = new ResponseRecord()
  const session = await readFetch(engine, ambient, record)
  const cookies = record.takeCookies()
  if (cookies.length > 0) await host.setCookies(cookies.map(toHostCookie))
  return session
}

function readAmbient(host: AuthHost, engine: ConfiguredEngine, ambient: AmbientRequest): Awaitable<Session | null> {
  const { writable, response } = ambient
  if (writable && !response) return readIntoHost(host, engine, ambient)
  return readFetch(engine, ambient, writable ? response : undefined)
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
