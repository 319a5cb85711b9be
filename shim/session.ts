/** Reads sessions for `auth`: `getSession`, fed with what each kind of request has. One reading for a request. */
import { perOwner } from '../lib/base/memory.js'
import type { MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import { readRequest } from '../lib/session/request-session.js'
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

/**
 * Reads sessions below one host. Whoever asks again for a request gets the same reading, whichever form of `auth` they use: a
 * refresh token that is good for one use is used once. A cookie that is set makes a new reading.
 */
export interface Readings {
  /** The session of the request that the host is answering. */
  ambient(engine: Engine, ambient: AmbientRequest): Promise<Session | null>
  /** The session of a request that was handed over. What is queued for its response goes to `record`. */
  given(engine: Engine, request: Request, record: ResponseRecord): Promise<Session | null>
  /** The same where nobody makes a response of a record: extended is what the host can set a cookie for. */
  passing(engine: Engine, request: Request): Promise<Session | null>
  /** The session of a Node request. */
  node(engine: Engine, request: NodeRequest, response: NodeResponse | undefined): Promise<Session | null>
}

/** Makes the readings of a host. */
export function createReadings(host: AuthHost): Readings {
  const once = createOnce()
  const ambientReading = (engine: Engine, ambient: AmbientRequest) =>
    once(keyOf(ambient), engine, () => readAmbient(host, engine, ambient))
  return {
    ambient: ambientReading,
    async given(engine, request, record) {
      const { ambient, asked } = await findIn(host, engine, request)
      const key = ambient ? keyOf(ambient) : { request, state: '' }
      return once(key, engine, () => readFetch(engine, ambient ?? asked, record))
    },
    async passing(engine, request) {
      const { ambient, asked } = await findIn(host, engine, request)
      return ambient ? ambientReading(engine, ambient) : readFetch(engine, asked, undefined)
    },
    node: (engine, request, response) =>
      once({ request, state: '' }, engine, () => readNode(engine, request, response)),
  }
}

/** What a reading is good for. */
interface ReadingKey {
  readonly request: object
  /** What may change while it is answered. */
  readonly state: string
}

function keyOf(ambient: AmbientRequest): ReadingKey {
  const { request = ambient, headers, writable } = ambient
  return { request, state: JSON.stringify([writable, headers.get('cookie')]) }
}

function createOnce() {
  const readingsOf = perOwner((_request: object) =>
    perOwner((_engine: Engine) => new Map<string, Promise<Session | null>>()),
  )
  return ({ request, state }: ReadingKey, engine: Engine, read: () => Promise<Session | null>) => {
    const readings = readingsOf(request)(engine)
    const reading = readings.get(state) ?? read()
    readings.set(state, reading)
    return reading
  }
}

function readFetch(engine: Engine, request: FetchLike, response: NodeResponse | undefined): Promise<Session | null> {
  return readRequest({ ...toSource(engine, request), res: response }, engine.auth)
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
function readNode(
  engine: Engine,
  { headers, socket, app, protocol }: NodeRequest,
  response: NodeResponse | undefined,
): Promise<Session | null> {
  return readRequest({ ...withProxy(engine, { headers, socket, app, protocol }), res: response }, engine.auth)
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
