/** `auth` before an application's own code: as a middleware of its own, and around a handler. */
import { InvalidRequest } from '../lib/errors.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { refused } from './answers.js'
import { askAuthorized } from './authorize.js'
import { toHostCookie, withCookies } from './cookies.js'
import { currentOf } from './current.js'
import type { Engine, EngineOf } from './engine.js'
import { isFetchRequest, isResponse } from './guards.js'
import type { AuthHost } from './host.js'
import { urlOf } from './origin.js'
import { ResponseRecord } from './response-record.js'
import { haveSessionChanged, type Readings } from './session.js'

/** A request that carries its session. */
export type RequestWithSession<S, R extends Request = Request> = R & { readonly auth: S | null }

type Respond = (request: RequestWithSession<Session>, ...rest: unknown[]) => Awaitable<unknown>

/** What stands before an application's own code. Each rejects where something is wrong: nobody gets through by a fault. */
export interface Middleware {
  /** Answers for the application, or lets the request through. */
  stand(request: Request): Promise<Response | undefined>
  /** Lets the application answer what may go on. */
  wrap(respond: Respond): (request: Request, ...rest: unknown[]) => Promise<Response>
}

/** Makes both forms. */
export function createMiddleware(engineOf: EngineOf, host: AuthHost, readings: Readings): Middleware {
  async function check(request: Request, record: ResponseRecord | undefined) {
    if (!isFetchRequest(request)) throw new TypeError('What auth() has wrapped takes a Request of Fetch.')
    const engine = await engineOf(request)
    try {
      const session = await (record ? readings.given(engine, request, record) : readings.passing(engine, request))
      const answer = await askAuthorized(engine, { request, session, url: urlOf(host, request) })
      return { engine, session, answer }
    } catch (error) {
      if (error instanceof InvalidRequest) return { engine, session: null, answer: refused(request, error) }
      throw error
    }
  }

  /** What comes of the work; with the record's cookies, unless the work itself signed in or out. */
  async function keepTo(record: ResponseRecord, engine: Engine, work: () => Awaitable<unknown>) {
    const before = await currentOf(host)
    const result = await work()
    const now = before && (await currentOf(host))
    const isOutdated = before !== undefined && now !== undefined && haveSessionChanged(engine, before, now)
    return { result, record: isOutdated ? new ResponseRecord() : record }
  }

  return {
    async stand(request) {
      // Without an answer that says "go on", a cookie can only go to the response that the host is making.
      if (!host.next) return (await check(request, undefined)).answer
      const record = new ResponseRecord()
      const { answer } = await check(request, record)
      return answer ? record.addTo(answer) : goOn(host, request, record)
    },
    wrap(respond) {
      return async function withAuth(request, ...rest) {
        const queued = new ResponseRecord()
        const { engine, session, answer } = await check(request, queued)
        if (answer) return queued.addTo(answer)
        const own = () => respond(Object.assign(request, { auth: session }), ...rest)
        const { result, record } = await keepTo(queued, engine, own)
        if (isResponse(result)) return record.addTo(result)
        const passed = result === undefined ? goOn(host, request, record) : undefined
        if (!passed) throw new TypeError('The handler inside auth() must return a Response.')
        return passed
      }
    },
  }
}

/** The host's answer for a request that may go on: an extended session goes on with it, and back to the browser. */
function goOn(host: AuthHost, request: Request, record: ResponseRecord): Response | undefined {
  if (!host.next) return undefined
  const cookies = record.takeCookies()
  const headers = new Headers(request.headers)
  if (cookies.length > 0) headers.set('cookie', withCookies(headers.get('cookie'), cookies.map(toHostCookie)))
  return new ResponseRecord().addTo(host.next(headers), cookies)
}
