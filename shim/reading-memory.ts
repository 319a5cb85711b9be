/** The memory of the sessions that were read: one result for a request, a configuration and the request's cookies. */
import { perOwner } from '../lib/base/memory.js'
import type { SessionReading } from '../lib/contracts/index.js'
import type { RequestReading, SessionSource } from '../lib/session/reader.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import type { ConfiguredEngine } from './engine.js'
import type { AmbientRequest } from './host.js'

/** The key of a result: a configuration, a request, and its parts that may change while it is handled. */
interface ReadingKey {
  readonly engine: ConfiguredEngine
  readonly request: object
  /** `true` if a session can be extended. Such a result is also the one of places where it cannot. */
  readonly writable?: boolean
  readonly cookie?: string | null
}

/** The result of a read. The read fills in the engine's own reading, because a callback may change the session. */
export interface NotedReading extends Omit<ReadingKey, 'request'>, RequestReading {
  /** `true` if the user is read again, as in {@link SessionSource}. */
  readonly isFresh: boolean
  session: Awaitable<Session | null>
  reading: SessionReading | null
}

/** The results of a request. There are one or two, and a list is searched faster than a hash is computed. */
const cachedReadings = perOwner((_request: object): NotedReading[] => [])

/** Removes the results of a request, because its session has changed under the same cookies. */
export function forgetReadings(engine: ConfiguredEngine, source: { readonly request?: object }): void {
  const readings = cachedReadings(source.request ?? source)
  const others = readings.filter((reading) => reading.engine !== engine)
  readings.splice(0, readings.length, ...others)
}

/** Reads once for a key, and again if `isFresh`: earlier results are then replaced, also those of other keys. */
export function readOnce(
  { engine, request, writable, cookie }: ReadingKey,
  isFresh: boolean,
  read: (noted: NotedReading) => Awaitable<Session | null>,
): NotedReading {
  if (isFresh) forgetReadings(engine, { request })
  const readings = cachedReadings(request)
  const known = readings.find(
    (reading) => reading.engine === engine && (reading.writable || !writable) && reading.cookie === cookie,
  )
  if (known) return known
  const cached: NotedReading = { engine, writable, cookie, isFresh, session: null, reading: null }
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

export function readingKey(
  engine: ConfiguredEngine,
  ambient: Pick<AmbientRequest, 'request' | 'headers' | 'writable'>,
): ReadingKey {
  const { request = ambient, headers, writable } = ambient
  return { engine, request, writable, cookie: headers.get('cookie') }
}
