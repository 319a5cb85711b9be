/** `auth` before an application's own code: as a middleware of its own, and around a handler. */
import { isUrl } from '../lib/base/url.js'
import { warnOnce } from '../lib/base/warn-once.js'
import { InvalidRequest } from '../lib/errors.js'
import { readOrigin } from '../lib/http/origin.js'
import { AuthUrls } from '../lib/http/urls.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { redirectResponse, refused } from './answers.js'
import { toHostCookie, withCookies } from './cookies.js'
import type { Engine, EngineOf } from './engine.js'
import { type AuthHost, currentOf } from './host.js'
import { isFetchRequest, isResponse, routeBelow, toSource, urlOf } from './request.js'
import { ResponseRecord } from './response-record.js'
import { haveSessionChanged, type Readings } from './session.js'

/** A request that carries its session. */
export type RequestWithSession<S, R extends Request = Request> = R & {
  /** The session; `null` when nobody is signed in. */
  readonly auth: S | null
}

type Respond = (request: RequestWithSession<Session>, ...rest: unknown[]) => Awaitable<unknown>

/** Makes what stands before an application's own code. Each form rejects where something is wrong: nobody gets through by a fault. */
export function createMiddleware(engineOf: EngineOf, host: AuthHost, readings: Readings) {
  async function check(request: Request, record: ResponseRecord | undefined) {
    if (!isFetchRequest(request)) throw new TypeError('What auth() has wrapped takes a Request of Fetch.')
    const engine = await engineOf(request)
    try {
      const url = urlOf(host, request)
      const reading = record ? readings.given(engine, request, record, url) : readings.passing(engine, request, url)
      const session = await reading
      const { authorized } = engine
      const answer = authorized && (await askAuthorized(engine, authorized, { request, session, url }))
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
    return { result, record: now && haveSessionChanged(engine, before, now) ? new ResponseRecord() : record }
  }

  return {
    /** Answers for the application, or lets the request through. */
    async stand(request: Request): Promise<Response | undefined> {
      // Without an answer that says "go on", a cookie can only go to the response that the host is making.
      if (!host.next) return (await check(request, undefined)).answer
      const record = new ResponseRecord()
      const { answer } = await check(request, record)
      return answer ? record.addTo(answer) : goOn(host, request, record)
    },
    /** Lets the application answer what may go on. */
    wrap(respond: Respond) {
      return async function withAuth(request: Request, ...rest: unknown[]): Promise<Response> {
        const queued = new ResponseRecord()
        const { engine, session, answer } = await check(request, queued)
        if (answer) return queued.addTo(answer)
        const own = () => respond(Object.assign(request, { auth: session }), ...rest)
        const kept = queued.isEmpty ? undefined : await keepTo(queued, engine, own)
        const { result, record } = kept ?? { result: await own(), record: queued }
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

/* ---- whether a request may go on: the `authorized` callback ----------------------------------------------------- */

/** A request that somebody wants to get through with. */
interface Visit {
  readonly request: Request
  readonly session: Session | null
  /** What the client asked for. */
  readonly url: string
}

/**
 * `undefined` lets the request through; a Response is the answer instead. Only `true` and a Response of the callback pass: a
 * forgotten `return` is a `false`. What the callback throws is thrown: nobody gets through by it.
 */
async function askAuthorized(
  engine: Engine,
  authorized: NonNullable<Engine['authorized']>,
  visit: Visit,
): Promise<Response | undefined> {
  const verdict: unknown = await authorized({ auth: visit.session, request: visit.request })
  if (verdict === true) return undefined
  const { here, urls, isWayIn } = placeOf(engine, visit)
  if (isResponse(verdict)) {
    if (!leadsTo(verdict, here)) return verdict
    if (isWayIn) return undefined
    warnOnce(engine.auth.config, 'authorized-loop', loop)
    return verdict
  }
  return isWayIn ? undefined : redirectResponse(visit.request, urls.page('signIn', { callbackUrl: here.href }))
}

const loop =
  '`callbacks.authorized` answered with a redirect to the page that was asked for. If it does so again, the browser goes round for ever: return true for the page that it leads to.'

/** Where somebody is. People who may go nowhere else must still reach the sign-in page, and what its forms send to. */
function placeOf(engine: Engine, { request: { headers }, url }: Visit) {
  const { basePath, pages, site } = engine.auth.config
  const origin = site?.origin ?? readOrigin(toSource(engine, { headers, url }))
  if (origin === undefined) throw new InvalidRequest('The Host header is missing or malformed.')
  const { pathname, search } = new URL(url)
  const here = new URL(`${origin}${pathname}${search}`)
  const urls = new AuthUrls(origin, basePath, pages)
  const below = routeBelow(basePath, pathname)
  // No provider's id has an escape in it: what stands behind one may be read as another path further on.
  const isWayIn = (below !== undefined && !below.path.includes('%')) || isPage(new URL(urls.page('signIn')), here)
  return { here, urls, isWayIn }
}

/** Whether a redirect leads to where it comes from: it would go round for ever. */
function leadsTo({ headers }: Response, here: URL): boolean {
  const location = headers.get('location')
  return location !== null && isUrl(location, here.href) && isSamePlace(new URL(location, here), here)
}

/** Whether somebody is on a page: at its place, with what its own query says. */
function isPage(page: URL, here: URL): boolean {
  return (
    isSamePlace(page, here) && [...page.searchParams].every(([name, value]) => here.searchParams.get(name) === value)
  )
}

function isSamePlace(one: URL, other: URL): boolean {
  return one.origin === other.origin && withoutSlash(one.pathname) === withoutSlash(other.pathname)
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
