/** Reads sessions for `auth`: `getSession`, fed with what each kind of request has. One reading for a request. */
import { after } from '../lib/base/after.js'
import { perOwner } from '../lib/base/memory.js'
import type { MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { readPairs, toHostCookie } from './cookies.js'
import type { Engine } from './engine.js'
import { type AmbientRequest, type AuthHost, currentOf, type NodeResponse } from './host.js'
import { type FetchLike, toOriginSource, toSource, urlOf, withProxy } from './request.js'
import { ResponseRecord } from './response-record.js'

/** A request as Node has it: of an API route, or of server-side props. */
export interface NodeRequest extends OriginSource {
  readonly headers: MessageHeaders
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The path and query, as in Node. */
  readonly url?: string | undefined
}

/** What reads the sessions below one host. */
export type Readings = ReturnType<typeof createReadings>

/**
 * Makes the readings of a host. Whoever asks again for a request gets the same reading, whichever form of `auth` they use: a
 * refresh token that is good for one use is used once. A cookie that is set makes a new reading.
 */
export function createReadings(host: AuthHost) {
  const once = createMemory()
  /** The session of the request that the host is answering. */
  const readCurrent = (engine: Engine, ambient: AmbientRequest) =>
    once(keyOf(engine, ambient), () => readAmbient(host, engine, ambient))

  return {
    ambient: readCurrent,
    /**
     * The session of a request that was handed over. What is queued for its response goes to `record`.
     *
     * @param url What the client asked for.
     */
    given: (engine: Engine, request: Request, record: ResponseRecord, url = urlOf(host, request)) =>
      after(findIn(host, engine, { request, url }), ({ asked, ambient }) => {
        const key = ambient ? keyOf(engine, ambient) : { engine, request }
        return once(key, () => readFetch(engine, ambient ?? asked, record))
      }),
    /** The same where nobody makes a response of a record: extended is what the host can set a cookie for. */
    passing: (engine: Engine, request: Request, url: string) =>
      after(findIn(host, engine, { request, url }), ({ asked, ambient }) =>
        ambient ? readCurrent(engine, ambient) : readFetch(engine, asked, undefined),
      ),
    /** The session of a Node request. */
    node: (engine: Engine, request: NodeRequest, response: NodeResponse | undefined) =>
      once({ engine, request }, () => readNode(engine, request, response)),
  }
}

/* ---- one reading for a request ---------------------------------------------------------------------------------- */

/** What a reading is good for: a configuration, a request, and what of it may change while it is answered. */
interface ReadingKey {
  readonly engine: Engine
  readonly request: object
  readonly writable?: boolean
  readonly cookie?: string | null
}

interface Reading extends Omit<ReadingKey, 'request'> {
  readonly session: Awaitable<Session | null>
}

/** A request has one reading or two: a list is searched faster than anything is hashed. */
const readingsOf = perOwner((_request: object): Reading[] => [])

/** The session of a request is another one by now, under the same cookies. */
export function forgetReadings(engine: Engine, ambient: AmbientRequest): void {
  const readings = readingsOf(ambient.request ?? ambient)
  const others = readings.filter((reading) => reading.engine !== engine)
  readings.splice(0, readings.length, ...others)
}

/** Reads once for a key. */
function createMemory() {
  return (key: ReadingKey, read: () => Awaitable<Session | null>): Awaitable<Session | null> => {
    const { engine, request, writable, cookie } = key
    const readings = readingsOf(request)
    const known = readings.find(
      (reading) => reading.engine === engine && reading.writable === writable && reading.cookie === cookie,
    )
    if (known) return known.session
    const session = attempt(read)
    readings.push({ engine, writable, cookie, session })
    return session
  }
}

/** What is thrown becomes a rejection: it is remembered like any other reading, and nobody's callbacks run again. */
function attempt(read: () => Awaitable<Session | null>): Awaitable<Session | null> {
  try {
    return read()
  } catch (error) {
    return Promise.reject(error)
  }
}

function keyOf(engine: Engine, ambient: AmbientRequest): ReadingKey {
  const { request = ambient, headers, writable } = ambient
  return { engine, request, writable, cookie: headers.get('cookie') }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

function readFetch(engine: Engine, request: FetchLike, response: NodeResponse | undefined): Awaitable<Session | null> {
  // Somebody else's response: it is watched, as `getSession` watches those of Node.
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
  return after(reading, ({ session, cookies }) => {
    response?.queue(cookies)
    return session
  })
}

async function readIntoHost(host: AuthHost, engine: Engine, ambient: AmbientRequest): Promise<Session | null> {
  const record = new ResponseRecord()
  const session = await readFetch(engine, ambient, record)
  const cookies = record.takeCookies()
  if (cookies.length > 0) await host.setCookies(cookies.map(toHostCookie))
  return session
}

function readAmbient(host: AuthHost, engine: Engine, ambient: AmbientRequest): Awaitable<Session | null> {
  const { writable, response } = ambient
  if (writable && !response) return readIntoHost(host, engine, ambient)
  return readFetch(engine, ambient, writable ? response : undefined)
}

/** Of an IncomingMessage only what tells the session is taken. */
function readNode(
  engine: Engine,
  { headers, socket, app, protocol }: NodeRequest,
  response: NodeResponse | undefined,
): Awaitable<Session | null> {
  return engine.auth.readRequest({ ...withProxy(engine, { headers, socket, app, protocol }), res: response })
}

/* ---- the host's request, and one that was handed over ----------------------------------------------------------- */

/** What a request asks for; and the host's request where it is the same: itself, or a copy with the same credentials. */
function findIn(host: AuthHost, engine: Engine, { request, url }: { request: Request; url: string }) {
  const { headers } = request
  const asked = { headers, url }
  return after(currentOf(host), (ambient) => {
    const isSame = ambient && (ambient.request === request || isCopy(engine, ambient, asked))
    return { asked, ambient: isSame ? ambient : undefined }
  })
}

function isCopy(engine: Engine, one: FetchLike, other: FetchLike): boolean {
  const [cookie, otherCookie] = [one.headers.get('cookie'), other.headers.get('cookie')]
  return (
    one.headers.get('authorization') === other.headers.get('authorization') &&
    (cookie === otherCookie || cookiesIn(cookie) === cookiesIn(otherCookie)) &&
    readOrigin(toOriginSource(engine, one)) === readOrigin(toOriginSource(engine, other))
  )
}

/** Whether the session's own cookies are others by now: somebody signed in or out, or changed the session. */
export function haveSessionChanged({ auth }: Engine, before: AmbientRequest, now: AmbientRequest): boolean {
  const { plain, secure } = auth.config.cookies
  const names = [plain.sessionToken.name, secure.sessionToken.name]
  const isOwn = (name: string) => names.some((own) => name.startsWith(own))
  const ownOf = ({ headers }: AmbientRequest) => cookiesIn(headers.get('cookie'), isOwn)
  return before !== now && ownOf(before) !== ownOf(now)
}

/** As a text to compare, whatever a framework made of their encoding and of the order of names. The values of one name stay in their order. */
function cookiesIn(header: string | null, counts: (name: string) => boolean = () => true): string {
  const pairs = readPairs(header).filter(([name]) => counts(name))
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : Number(one > other))))
}
