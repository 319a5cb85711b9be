/** The forms of `auth` that run before the application's code: as a middleware, and around a handler. */
import { isUrl } from '../lib/base/url.js'
import { warnOnce } from '../lib/base/warn-once.js'
import { InvalidRequest } from '../lib/errors.js'
import { isFetchRequest } from '../lib/http/message.js'
import { readOrigin } from '../lib/http/origin.js'
import { AuthUrls } from '../lib/http/urls.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { toHostCookie, withCookies } from './cookies.js'
import type { ConfiguredEngine, EngineResolver } from './engine.js'
import { type AuthHost, findCurrentRequest } from './host.js'
import { isResponse, requestedUrl, routeBelow, toSource } from './request.js'
import { ResponseRecord } from './response-record.js'
import { invalidRequestResponse, redirectResponse } from './responses.js'
import { type HostSessionReader, haveSessionChanged } from './session-reader.js'
import { catchResponse } from './thrown-responses.js'

/** A request with its session. */
export type RequestWithSession<S, R extends Request = Request> = R & {
  /** The session; `null` without a signed-in user. */
  readonly auth: S | null
}

type Respond = (request: RequestWithSession<Session>, ...rest: unknown[]) => Awaitable<unknown>

/** Creates the middleware and the wrapper. Each rejects after an error, so that the request is not allowed. */
export function createMiddleware(engineOf: EngineResolver, host: AuthHost, readings: HostSessionReader) {
  async function check(request: Request, record: ResponseRecord | undefined) {
    if (!isFetchRequest(request)) throw new TypeError('A handler that auth() has wrapped takes a Fetch Request.')
    const engine = await engineOf(request)
    try {
      const url = requestedUrl(host, request)
      const reading = record
        ? readings.fromRequest(engine, request, record, url)
        : readings.fromRequestWithoutResponse(engine, request, url)
      const session = await reading
      const { authorized } = engine
      const answer = authorized && (await callAuthorized(engine, authorized, { request, session, url }))
      return { engine, session, answer }
    } catch (error) {
      if (error instanceof InvalidRequest)
        return { engine, session: null, answer: invalidRequestResponse(request, error) }
      throw error
    }
  }

  /**
   * Runs the work and returns its result with the cookie record; with an empty record if the work itself signed in or
   * out.
   */
  async function runWithRecord(record: ResponseRecord, engine: ConfiguredEngine, work: () => Awaitable<unknown>) {
    const before = await findCurrentRequest(host)
    const result = await work()
    const now = before && (await findCurrentRequest(host))
    return { result, record: now && haveSessionChanged(engine, before, now) ? new ResponseRecord() : record }
  }

  return {
    /** Responds for the application, or allows the request. */
    async handle(request: Request): Promise<Response | undefined> {
      // Without a response that allows the request, a cookie can only be set on the host's own response.
      if (!host.next) return (await check(request, undefined)).answer
      const record = new ResponseRecord()
      const { answer } = await check(request, record)
      return answer ? record.addTo(answer) : continueRequest(host, request, record)
    },
    /** Wraps the application's handler, which answers allowed requests. The responses of guards inside it are sent. */
    wrap(respond: Respond) {
      return async function withAuth(request: Request, ...rest: unknown[]): Promise<Response> {
        const queued = new ResponseRecord()
        const { engine, session, answer } = await check(request, queued)
        if (answer) return queued.addTo(answer)
        const own = () => catchResponse(request, () => respond(Object.assign(request, { auth: session }), ...rest))
        const kept = queued.isEmpty ? undefined : await runWithRecord(queued, engine, own)
        const { result, record } = kept ?? { result: await own(), record: queued }
        if (isResponse(result)) return record.addTo(result)
        const passed = result === undefined ? continueRequest(host, request, record) : undefined
        if (!passed) throw new TypeError('The handler inside auth() must return a Response.')
        return passed
      }
    },
  }
}

/**
 * Returns the host's response that allows a request. An extended session is added to the request and to the response.
 */
function continueRequest(host: AuthHost, request: Request, record: ResponseRecord): Response | undefined {
  if (!host.next) return undefined
  const cookies = record.takeCookies()
  const headers = new Headers(request.headers)
  if (cookies.length > 0) headers.set('cookie', withCookies(headers.get('cookie'), cookies.map(toHostCookie)))
  return new ResponseRecord().addTo(host.next(headers), cookies)
}

/* ---- the `authorized` callback --------------------------------------------------------------------------------- */

/** A request to authorize. */
interface GuardedRequest {
  readonly request: Request
  readonly session: Session | null
  /** The requested URL. */
  readonly url: string
}

/**
 * Returns the response, or `undefined` if the request is allowed. Only `true` or a Response from the callback is
 * accepted, so a forgotten `return` means `false`. Errors of the callback are thrown, so the request is not allowed.
 */
async function callAuthorized(
  engine: ConfiguredEngine,
  authorized: NonNullable<ConfiguredEngine['authorized']>,
  visit: GuardedRequest,
): Promise<Response | undefined> {
  const result: unknown = await authorized({ auth: visit.session, request: visit.request })
  if (result === true) return undefined
  const { here, urls, isWayIn } = pageContext(engine, visit)
  if (isResponse(result)) {
    if (!leadsTo(result, here)) return result
    if (isWayIn) return undefined
    warnOnce(engine.auth.config, 'authorized-loop', authorizedLoopMessage)
    return result
  }
  return isWayIn ? undefined : redirectResponse(visit.request, urls.page('signIn', { callbackUrl: here.href }))
}

const authorizedLoopMessage =
  '`callbacks.authorized` returned a redirect to the requested page, which can repeat forever. Return true for the page that it redirects to.'

/**
 * Returns the requested page and the site's URLs. Rejected users must still reach the sign-in page and the routes of
 * its forms.
 */
function pageContext(engine: ConfiguredEngine, { request: { headers }, url }: GuardedRequest) {
  const { basePath, pages, site } = engine.auth.config
  const origin = site?.origin ?? readOrigin(toSource(engine, { headers, url }))
  if (origin === undefined) throw new InvalidRequest('The Host header is missing or malformed.')
  const { pathname, search } = new URL(url)
  const here = new URL(`${origin}${pathname}${search}`)
  const urls = new AuthUrls(origin, basePath, pages)
  const below = routeBelow(basePath, pathname)
  // No provider id contains an escape, and a path with one may be read as another path further on.
  const isWayIn = (below !== undefined && !below.path.includes('%')) || isPage(new URL(urls.page('signIn')), here)
  return { here, urls, isWayIn }
}

/** Checks whether a redirect leads back to the requested page, which would loop forever. */
function leadsTo({ headers }: Response, here: URL): boolean {
  const location = headers.get('location')
  return location !== null && isUrl(location, here.href) && isSamePath(new URL(location, here), here)
}

/** Checks whether the URL is that of a page: the same path, and at least the page's own query. */
function isPage(page: URL, here: URL): boolean {
  return (
    isSamePath(page, here) && [...page.searchParams].every(([name, value]) => here.searchParams.get(name) === value)
  )
}

function isSamePath(one: URL, other: URL): boolean {
  return one.origin === other.origin && withoutSlash(one.pathname) === withoutSlash(other.pathname)
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
