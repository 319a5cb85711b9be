/** Reads sessions for `auth`: `getSession`, fed with what each kind of request has. One reading for a request. */
import { perOwner } from '../lib/base/memory.js'
import type { MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import type { Session } from '../lib/types/session.js'
import { readPairs, toHostCookie } from './cookies.js'
import type { Engine } from './engine.js'
import { type AmbientRequest, type AuthHost, currentOf, type NodeResponse } from './host.js'
import { type FetchLike, toSource, urlOf, withProxy } from './request.js'
import { ResponseRecord } from './response-record.js'

/** A request as Node has it: of an API route, or of server-side props. */
export interface NodeRequest extends OriginSource {
  readonly headers: MessageHeaders
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** What reads the sessions below one host. */
export type Readings = ReturnType<typeof createReadings>

/**
 * Makes the readings of a host. Whoever asks again for a request gets the same reading, whichever form of `auth` they use: a
 * refresh token that is good for one use is used once. A cookie that is set makes a new reading.
 */
export function createReadings(host: AuthHost) {
  const readingsOf = perOwner((_request: object) =>
    perOwner((_engine: Engine) => new Map<string, Promise<Session | null>>()),
  )
  function once(engine: Engine, { request, state = '' }: ReadingKey, read: () => Promise<Session | null>) {
    const readings = readingsOf(request)(engine)
    const reading = readings.get(state) ?? read()
    readings.set(state, reading)
    return reading
  }
  /** The session of the request that the host is answering. */
  const readCurrent = (engine: Engine, ambient: AmbientRequest) =>
    once(engine, keyOf(ambient), () => readAmbient(host, engine, ambient))

  return {
    ambient: readCurrent,
    /** The session of a request that was handed over. What is queued for its response goes to `record`. */
    async given(engine: Engine, request: Request, record: ResponseRecord) {
      const { ambient, asked } = await findIn(host, engine, request)
      const key = ambient ? keyOf(ambient) : { request }
      return once(engine, key, () => readFetch(engine, ambient ?? asked, record))
    },
    /** The same where nobody makes a response of a record: extended is what the host can set a cookie for. */
    async passing(engine: Engine, request: Request) {
      const { ambient, asked } = await findIn(host, engine, request)
      return ambient ? readCurrent(engine, ambient) : readFetch(engine, asked, undefined)
    },
    /** The session of a Node request. */
    node: (engine: Engine, request: NodeRequest, response: NodeResponse | undefined) =>
      once(engine, { request }, () => readNode(engine, request, response)),
  }
}

/** What a reading is good for: a request, and what of it may change while it is answered. */
interface ReadingKey {
  readonly request: object
  readonly state?: string
}

function keyOf(ambient: AmbientRequest): ReadingKey {
  const { request = ambient, headers, writable } = ambient
  return { request, state: JSON.stringify([writable, headers.get('cookie')]) }
}

async function readFetch(
  engine: Engine,
  request: FetchLike,
  response: NodeResponse | undefined,
): Promise<Session | null> {
  return engine.auth.readRequest({ ...toSource(engine, request), res: response })
}

async function readAmbient(host: AuthHost, engine: Engine, ambient: AmbientRequest): Promise<Session | null> {
  if (!ambient.writable || ambient.response) {
    return readFetch(engine, ambient, ambient.writable ? ambient.response : undefined)
  }
  const record = new ResponseRecord()
  const session = await readFetch(engine, ambient, record)
  const cookies = record.takeCookies()
  if (cookies.length > 0) await host.setCookies(cookies.map(toHostCookie))
  return session
}

/** Of an IncomingMessage only what tells the session is taken. */
async function readNode(
  engine: Engine,
  { headers, socket, app, protocol }: NodeRequest,
  response: NodeResponse | undefined,
): Promise<Session | null> {
  return engine.auth.readRequest({ ...withProxy(engine, { headers, socket, app, protocol }), res: response })
}

/* ---- the host's request, and one that was handed over ----------------------------------------------------------- */

/** What a request asks for; and the host's request where it is the same: itself, or a copy with the same credentials. */
async function findIn(host: AuthHost, engine: Engine, request: Request) {
  const asked = { headers: request.headers, url: urlOf(host, request) }
  const ambient = await currentOf(host)
  const isSame =
    ambient &&
    (ambient.request === request ||
      (ambient.headers.get('authorization') === asked.headers.get('authorization') &&
        readOrigin(toSource(engine, ambient)) === readOrigin(toSource(engine, asked)) &&
        cookiesIn(ambient.headers) === cookiesIn(asked.headers)))
  return { asked, ambient: isSame ? ambient : undefined }
}

/** Whether the session's own cookies are others by now: somebody signed in or out, or changed the session. */
export function haveSessionChanged({ auth }: Engine, before: AmbientRequest, now: AmbientRequest): boolean {
  const { plain, secure } = auth.config.cookies
  const names = [plain.sessionToken.name, secure.sessionToken.name]
  const isOwn = (name: string) => names.some((own) => name.startsWith(own))
  return before !== now && cookiesIn(before.headers, isOwn) !== cookiesIn(now.headers, isOwn)
}

/** As a text to compare, whatever a framework made of their encoding and of the order of names. The values of one name stay in their order. */
function cookiesIn(headers: Headers, counts: (name: string) => boolean = () => true): string {
  const pairs = readPairs(headers.get('cookie')).filter(([name]) => counts(name))
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : Number(one > other))))
}
