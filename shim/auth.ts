/** `auth`: the session, wherever a framework has a request. */
import { toError } from '../lib/errors.js'
import { isRecord } from '../lib/guards.js'
import { toFetchHeaders } from '../lib/http/message.js'
import type { Awaitable, Session } from '../lib/types.js'
import { currentRequest } from './current.js'
import type { EngineOf } from './engine.js'
import { hasHeaders, isFetchRequest } from './guards.js'
import type { AuthHost, NodeResponse } from './host.js'
import { createMiddleware, type RequestWithSession } from './middleware.js'
import { ResponseRecord } from './response-record.js'
import { createAmbientReader, type NodeRequest, readFetchSession, readNodeSession } from './session.js'

/** A handler to be wrapped. One that returns nothing lets the request through, where it is a middleware. */
export type Handler<S, R extends Request, Rest extends unknown[]> = (
  request: RequestWithSession<S, R>,
  ...rest: Rest
) => Awaitable<Response | undefined | void>

/** The forms of `auth`. */
export interface AuthFunction<S = Session, R extends Request = Request> {
  /** The session of the request that is being answered here. */
  (): Promise<S | null>
  /** A handler or a middleware that finds the session in `request.auth`. `callbacks.authorized` is asked before it. */
  <Rest extends unknown[]>(handler: Handler<S, R, Rest>): (request: R, ...rest: Rest) => Promise<Response>
  /** The session, in a route that has made its Response already: an extended session goes to its headers. */
  (request: R, response: { readonly headers: Headers }): Promise<S | null>
  /** As a middleware: the answer; `undefined` where the request may go on and the host has no answer that says so. */
  (request: R, event?: unknown): Promise<Response | undefined>
  /** The session in server-side props. */
  (context: { readonly req: NodeRequest; readonly res: NodeResponse }): Promise<S | null>
  /** The session in a Node API route. */
  (req: NodeRequest, res: NodeResponse): Promise<S | null>
}

/** Makes the function. It rejects for whatever is wrong: a fault is no session, and lets no request through. */
export function createAuth(engineOf: EngineOf, host: AuthHost): (...given: unknown[]) => unknown {
  const middleware = createMiddleware(engineOf, host)
  const readAmbient = createAmbientReader(host)

  async function readHere(): Promise<Session | null> {
    const ambient = await currentRequest(host, 'auth()')
    return readAmbient(await engineOf(ambient.request), ambient)
  }

  /** A framework's pair: both of Node, or both of Fetch. */
  async function readPair(request: unknown, response: unknown): Promise<Session | null> {
    if (isNodeRequest(request)) {
      const engine = await engineOf(toFetchRequest(request))
      return readNodeSession(engine, request, isNodeResponse(response) ? response : undefined)
    }
    if (!isFetchRequest(request)) throw new TypeError(usage)
    const record = new ResponseRecord()
    const url = host.url?.(request) ?? request.url
    const session = await readFetchSession(await engineOf(request), { headers: request.headers, url }, record)
    if (hasHeaders(response)) record.writeTo(response.headers)
    return session
  }

  return function auth(...given) {
    const [first, second] = given
    if (given.length === 0) return blocking(readHere())
    if (typeof first === 'function') {
      const wrapped = middleware.wrap((request, ...rest) => first(request, ...rest))
      return (request: Request, ...rest: unknown[]) => blocking(wrapped(request, ...rest))
    }
    if (isFetchRequest(first) && !hasHeaders(second)) return blocking(middleware.stand(first))
    return blocking(isRecord(first) && 'req' in first ? readPair(first.req, first.res) : readPair(first, second))
  }
}

/** `next(undefined)` would let a request through: what rejects is something. */
async function blocking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    throw typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
  }
}

const usage = 'auth() takes nothing, a handler, a Request, a request of Node with its response, or { req, res }.'

function isNodeRequest(value: unknown): value is NodeRequest {
  return isRecord(value) && isRecord(value.headers) && !hasHeaders(value)
}

function isNodeResponse(value: unknown): value is NodeResponse {
  return isRecord(value) && typeof value.setHeader === 'function' && typeof value.writeHead === 'function'
}

/** For `initAuth((request) => config)`: URL and headers. Node's URL has no origin; the `Host` header stands in. */
function toFetchRequest({ headers, url = '/', socket }: NodeRequest): Request | undefined {
  const target = `${socket?.encrypted ? 'https' : 'http'}://${headers.host}${url}`
  return URL.canParse(target) ? new Request(target, { headers: toFetchHeaders(headers) }) : undefined
}
