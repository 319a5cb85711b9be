/** The reading of sessions for `auth`, from each kind of request. Each request is read once. */
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import type { ReadSession } from '../lib/guards/session-rule.js'
import type { MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import { type ReadingMemory, toFound } from '../lib/session/reader.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { readPairs, toHostCookie } from './cookies.js'
import type { ConfiguredEngine } from './engine.js'
import { type AmbientRequest, type AuthHost, findCurrentRequest, type NodeResponse } from './host.js'
import { type NotedReading, readingKey, readOnce } from './reading-memory.js'
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
  const currentMemory =
    (engine: ConfiguredEngine, ambient: AmbientRequest): ReadingMemory =>
    (isFresh) =>
      readOnce(readingKey(engine, ambient), isFresh, (noted) => readAmbient(host, engine, ambient, noted))
  const memoryOf = (engine: ConfiguredEngine, { asked, ambient }: MatchedRequest) =>
    ambient ? currentMemory(engine, ambient) : givenMemory(engine, asked)

  return {
    /** Returns the memory of the host's current request, for functions of the engine. */
    currentMemory,
    /** Returns the session of the host's current request. */
    fromCurrentRequest: (engine: ConfiguredEngine, ambient: AmbientRequest) =>
      currentMemory(engine, ambient)(false).session,
    /** Returns the same with the proofs, for a guard. */
    forCurrentGuard: (engine: ConfiguredEngine, ambient: AmbientRequest, isLive: boolean) =>
      toGuardReading(engine, { memory: currentMemory(engine, ambient), source: ambient, isLive }),
    /**
     * Returns the session of a given request with its proofs, for a guard. A session is extended only if the host can
     * set a cookie.
     */
    async forGuard(engine: ConfiguredEngine, { request, url, isLive }: GuardRead) {
      const matched = await matchCurrentRequest(host, engine, { request, url })
      const { asked, ambient } = matched
      const memory = memoryOf(engine, matched)
      return { ...(await toGuardReading(engine, { memory, source: ambient ?? asked, isLive })), ambient, memory }
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
        const key = readingKey(engine, ambient ?? { ...asked, writable: true })
        return readOnce(key, false, (noted) => readFetch(engine, ambient ?? asked, { response: record, noted })).session
      }),
    /**
     * Returns the same if no response is created from a record. A session is extended only if the host can set a
     * cookie.
     */
    fromRequestWithoutResponse: (engine: ConfiguredEngine, request: Request, url: string) =>
      mapMaybePromise(
        matchCurrentRequest(host, engine, { request, url }),
        (matched) => memoryOf(engine, matched)(false).session,
      ),
    /** Returns the session of a Node request. */
    fromNodeRequest: (engine: ConfiguredEngine, request: NodeRequest, response: NodeResponse | undefined) =>
      readOnce({ engine, request }, false, () => readNode(engine, request, response)).session,
  }
}

/** Returns the memory of a given request. Without a response, a session is not extended. */
function givenMemory(engine: ConfiguredEngine, request: GivenRequest): ReadingMemory {
  const key = readingKey(engine, { ...request, writable: false })
  return (isFresh) => readOnce(key, isFresh, (noted) => readFetch(engine, request, { noted }))
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/** The response on which a session is extended, and the place for the engine's own reading. */
interface ReadTarget {
  readonly response?: NodeResponse | undefined
  readonly noted: NotedReading
}

function readFetch(
  engine: ConfiguredEngine,
  request: FetchLike,
  { response, noted }: ReadTarget,
): Awaitable<Session | null> {
  const { auth } = engine
  // The response of another framework is watched, like those of Node by `getSession`.
  if (response && !(response instanceof ResponseRecord)) {
    const read = auth.readingOf({ ...toSource(engine, request), res: response }, noted.isFresh)
    return mapMaybePromise(read.session, (session) => {
      noted.reading = read.reading
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
    isFresh: noted.isFresh,
  }
  return mapMaybePromise(auth.readSession(source), ({ reading, session, cookies }) => {
    noted.reading = reading
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

/** A request that a caller passes. */
interface GivenRequest extends FetchLike {
  readonly request: Request
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
  readonly memory: ReadingMemory
  readonly source: FetchLike
  readonly isLive: boolean
}

/**
 * Returns the session and the engine's reading of it. If it must be live, there is no session that the store does not
 * know, and changed fields of the user are read again.
 */
function toGuardReading(
  engine: ConfiguredEngine,
  { memory, source, isLive }: GuardSource,
): Awaitable<ReadSession<Session>> {
  if (!isLive) return toFound(memory(false))
  const origin = readOrigin(toOriginSource(engine, source))
  return engine.auth.toLive({ ...credentialsOf(engine, source), origin, writable: false }, memory)
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

/** A given request, and the host's request if that is the same. */
interface MatchedRequest {
  readonly asked: GivenRequest
  readonly ambient: AmbientRequest | undefined
}

/** Returns the given request, and the host's request if it is the same object or a copy with the same credentials. */
function matchCurrentRequest(
  host: AuthHost,
  engine: ConfiguredEngine,
  { request, url }: { request: Request; url: string },
): Awaitable<MatchedRequest> {
  const asked: GivenRequest = { request, headers: request.headers, url }
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
