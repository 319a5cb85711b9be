/** `auth` before an application's own code: as a middleware of its own, and around a handler. */
import type { Awaitable, Session } from '../lib/types.js'
import { askAuthorized } from './authorize.js'
import { toHostCookie, withCookies } from './cookies.js'
import type { EngineOf } from './engine.js'
import { isFetchRequest, isResponse } from './guards.js'
import type { AuthHost, NodeResponse } from './host.js'
import { ResponseRecord } from './response-record.js'
import { readFetchSession } from './session.js'

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
export function createMiddleware(engineOf: EngineOf, host: AuthHost): Middleware {
  async function check(request: Request, response: NodeResponse | undefined) {
    if (!isFetchRequest(request)) throw new TypeError('What auth() has wrapped takes a Request of Fetch.')
    const engine = await engineOf(request)
    const url = host.url?.(request) ?? request.url
    const session = await readFetchSession(engine, { headers: request.headers, url }, response)
    return { session, answer: await askAuthorized(engine, { request, session, url }) }
  }
  return {
    async stand(request) {
      // Without an answer that says "go on", a cookie can only go to the response that the host is making.
      if (!host.next) return (await check(request, (await host.current())?.response)).answer
      const record = new ResponseRecord()
      const { answer } = await check(request, record)
      return answer ? record.addTo(answer) : goOn(host, request, record)
    },
    wrap(respond) {
      return async function withAuth(request, ...rest) {
        const record = new ResponseRecord()
        const { session, answer } = await check(request, record)
        const response = answer ?? (await respond(Object.assign(request, { auth: session }), ...rest))
        if (isResponse(response)) return record.addTo(response)
        const passed = response === undefined ? goOn(host, request, record) : undefined
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
