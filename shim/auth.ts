/** `auth`: the session, wherever a framework has a request. */

import { after } from '../lib/base/after.js'
import { isRecord } from '../lib/base/guards.js'
import { isUrl } from '../lib/base/url.js'
import { toError } from '../lib/errors.js'
import { toFetchHeaders } from '../lib/http/message.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import type { EngineOf } from './engine.js'
import { type AuthHost, currentRequest, type NodeResponse } from './host.js'
import { createMiddleware, type RequestWithSession } from './middleware.js'
import { hasHeaders, isFetchRequest } from './request.js'
import { ResponseRecord } from './response-record.js'
import { createReadings, type NodeRequest } from './session.js'

/** A handler to be wrapped. One that returns nothing lets the request through, where it is a middleware. */
export type Handler<S, R extends Request, Rest extends unknown[]> = (
  request: RequestWithSession<S, R>,
  ...rest: Rest
) => Awaitable<Response | undefined | void>

/**
 * The forms of `auth`. Each rejects for whatever is wrong (an {@link AuthError} of configuration, callback or adapter; an Error
 * where no request is being answered): a fault is no session, and lets no request through.
 */
export interface AuthFunction<S = Session, R extends Request = Request> {
  /** The session of the request that is being answered here. */
  (): Promise<S | null>
  /** A handler or a middleware that finds the session in `request.auth`. `callbacks.authorized` is asked before it. */
  <Rest extends unknown[]>(handler: Handler<S, R, Rest>): (request: R, ...rest: Rest) => Promise<Response>
  /** The session, in a route that has made its Response already: an extended session goes to its headers. */
  (
    request: R,
    response: {
      /** Gets the cookies of an extended session. */
      readonly headers: Headers
    },
  ): Promise<S | null>
  /** As a middleware: the answer; `undefined` where the request may go on and the host has no answer that says so. */
  (request: R, event?: unknown): Promise<Response | undefined>
  /** The session in server-side props. */
  (context: {
    /** The request, as Node has it. */
    readonly req: NodeRequest
    /** The response: gets the cookies of an extended session. */
    readonly res: NodeResponse
  }): Promise<S | null>
  /** The session in a Node API route. */
  (req: NodeRequest, res: NodeResponse): Promise<S | null>
}

/** Makes the function. It rejects for whatever is wrong: a fault is no session, and lets no request through. */
export function createAuth(engineOf: EngineOf, host: AuthHost): (...given: unknown[]) => unknown {
  const readings = createReadings(host)
  const middleware = createMiddleware(engineOf, host, readings)

  function readHere(): Awaitable<Session | null> {
    return after(currentRequest(host, 'auth()'), (ambient) =>
      after(engineOf(ambient.request), (engine) => readings.ambient(engine, ambient)),
    )
  }

  /** A framework's pair: both of Node, or both of Fetch. */
  async function readPair(request: unknown, response: unknown): Promise<Session | null> {
    if (isNodeRequest(request)) {
      const engine = await engineOf(toFetchRequest(request))
      return readings.node(engine, request, isNodeResponse(response) ? response : undefined)
    }
    if (!isFetchRequest(request)) throw new TypeError(usage)
    if (hasHeaders(response)) assertMutable(response.headers)
    const record = new ResponseRecord()
    const session = await readings.given(await engineOf(request), request, record)
    if (hasHeaders(response)) record.writeTo(response.headers)
    return session
  }

  return function auth(...given) {
    const [first, second] = given
    if (given.length === 0) return blocking(readHere)
    if (typeof first === 'function') {
      const wrapped = middleware.wrap((request, ...rest) => first(request, ...rest))
      return (request: Request, ...rest: unknown[]) => blocking(() => wrapped(request, ...rest))
    }
    if (isFetchRequest(first) && !hasHeaders(second)) return blocking(() => middleware.stand(first))
    return blocking(() =>
      isRecord(first) && 'req' in first ? readPair(first.req, first.res) : readPair(first, second),
    )
  }
}

/** `next(undefined)` would let a request through: what rejects is something. */
async function blocking<T>(work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
  }
}

const usage = 'auth() takes nothing, a handler, a Request, a request of Node with its response, or { req, res }.'

/** Said each time, and not only when a session happens to be extended. */
function assertMutable(headers: Headers): void {
  try {
    // Refused by the Fetch Standard where headers are immutable, whether there is one of this name or not.
    headers.delete('x-server-auth')
  } catch (error) {
    throw new TypeError(immutable, { cause: error })
  }
}

const immutable =
  'auth(request, response): nothing can be added to these headers, as to those of Response.redirect() and fetch(). Pass `new Response(response.body, response)`, and return that.'

function isNodeRequest(value: unknown): value is NodeRequest {
  return isRecord(value) && isRecord(value.headers) && !hasHeaders(value)
}

function isNodeResponse(value: unknown): value is NodeResponse {
  return isRecord(value) && typeof value.setHeader === 'function' && typeof value.writeHead === 'function'
}

/** For `initAuth((request) => config)`: URL and headers. Node's URL has no origin; the `Host` header stands in. */
function toFetchRequest({ headers, url = '/', socket }: NodeRequest): Request | undefined {
  const target = `${socket?.encrypted ? 'https' : 'http'}://${headers.host}${url}`
  return isUrl(target) ? new Request(target, { headers: toFetchHeaders(headers) }) : undefined
}
