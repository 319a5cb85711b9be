/** The function `auth`, which reads the session in every place where a framework has a request. */

import { isRecord } from '../lib/base/guards.js'
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import { isUrl } from '../lib/base/url.js'
import { toError } from '../lib/errors.js'
import type { OrganizationRoles } from '../lib/features/organizations/types.js'
import { hasHeaders, isFetchRequest, toFetchHeaders } from '../lib/http/message.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import type { EngineResolver } from './engine.js'
import type { AuthGuards } from './guards.js'
import { type AuthHost, currentRequest, type NodeResponse } from './host.js'
import { createMiddleware, type RequestWithSession } from './middleware.js'
import { ResponseRecord } from './response-record.js'
import { createSessionReader, type NodeRequest } from './session-reader.js'

/** A handler to wrap. In a middleware it allows the request if it returns nothing. */
export type Handler<S, R extends Request, Rest extends unknown[]> = (
  request: RequestWithSession<S, R>,
  ...rest: Rest
) => Awaitable<Response | undefined | void>

/**
 * The forms of `auth`, and the guards as its members. Each rejects after any error (an {@link AuthError} of configuration, callback or adapter; an
 * Error outside a request), so that the request is not allowed.
 */
export interface AuthFunction<
  S = Session,
  R extends Request = Request,
  Roles extends OrganizationRoles = OrganizationRoles,
  Scope extends string = string,
> extends AuthGuards<S, R, Roles, Scope> {
  /** Returns the session of the current request. */
  (): Promise<S | null>
  /**
   * Wraps a handler or a middleware, which finds the session in `request.auth`. `callbacks.authorized` is called first.
   */
  <Rest extends unknown[]>(handler: Handler<S, R, Rest>): (request: R, ...rest: Rest) => Promise<Response>
  /**
   * Returns the session, in a route that has already created its Response. An extended session is added to its headers.
   */
  (
    request: R,
    response: {
      /** The headers for the cookies of an extended session. */
      readonly headers: Headers
    },
  ): Promise<S | null>
  /**
   * Runs as a middleware. Returns the response; `undefined` if the request is allowed and the host has no response for
   * that.
   */
  (request: R, event?: unknown): Promise<Response | undefined>
  /** Returns the session in server-side props. */
  (context: {
    /** The Node request. */
    readonly req: NodeRequest
    /** The Node response, for the cookies of an extended session. */
    readonly res: NodeResponse
  }): Promise<S | null>
  /** Returns the session in a Node API route. */
  (req: NodeRequest, res: NodeResponse): Promise<S | null>
}

/** Creates the function. It rejects after any error, so that the request is not allowed. */
export function createAuthFunction(engineOf: EngineResolver, host: AuthHost): (...args: unknown[]) => unknown {
  const readings = createSessionReader(host)
  const middleware = createMiddleware(engineOf, host, readings)

  function readHere(): Awaitable<Session | null> {
    return mapMaybePromise(currentRequest(host, 'auth()'), (ambient) =>
      mapMaybePromise(engineOf(ambient.request), (engine) => readings.fromCurrentRequest(engine, ambient)),
    )
  }

  /** Reads a framework's pair of request and response: both of Node, or both of Fetch. */
  async function readPair(request: unknown, response: unknown): Promise<Session | null> {
    if (isNodeRequest(request)) {
      const engine = await engineOf(toFetchRequest(request))
      return readings.fromNodeRequest(engine, request, isNodeResponse(response) ? response : undefined)
    }
    if (!isFetchRequest(request)) throw new TypeError(usage)
    if (hasHeaders(response)) assertMutable(response.headers)
    const record = new ResponseRecord()
    const session = await readings.fromRequest(await engineOf(request), request, record)
    if (hasHeaders(response)) record.writeTo(response.headers)
    return session
  }

  return function auth(...args) {
    const [first, second] = args
    if (args.length === 0) return rejectingWithObject(readHere)
    if (typeof first === 'function') {
      const wrapped = middleware.wrap((request, ...rest) => first(request, ...rest))
      return (request: Request, ...rest: unknown[]) => rejectingWithObject(() => wrapped(request, ...rest))
    }
    if (isFetchRequest(first) && !hasHeaders(second)) return rejectingWithObject(() => middleware.handle(first))
    return rejectingWithObject(() =>
      isRecord(first) && 'req' in first ? readPair(first.req, first.res) : readPair(first, second),
    )
  }
}

/** Rejects with an object after any error, because `next(undefined)` would allow a request. */
async function rejectingWithObject<T>(work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
  }
}

const usage = 'auth() takes no argument, a handler, a Request, a Node request with its response, or { req, res }.'

/** Checks the headers at each call, and not only when a session is extended. */
function assertMutable(headers: Headers): void {
  try {
    // The Fetch Standard rejects this if headers are immutable, even without a header of this name.
    headers.delete('x-server-auth')
  } catch (error) {
    throw new TypeError(immutable, { cause: error })
  }
}

const immutable =
  'auth(request, response): these headers are immutable, like those of Response.redirect() and fetch(). Pass `new Response(response.body, response)`, and return that.'

function isNodeRequest(value: unknown): value is NodeRequest {
  return isRecord(value) && isRecord(value.headers) && !hasHeaders(value)
}

function isNodeResponse(value: unknown): value is NodeResponse {
  return isRecord(value) && typeof value.setHeader === 'function' && typeof value.writeHead === 'function'
}

/**
 * Returns the URL and headers for `initAuth((request) => config)`. Node's URL has no origin, so the `Host` header is
 * used.
 */
function toFetchRequest({ headers, url = '/', socket }: NodeRequest): Request | undefined {
  const target = `${socket?.encrypted ? 'https' : 'http'}://${headers.host}${url}`
  return isUrl(target) ? new Request(target, { headers: toFetchHeaders(headers) }) : undefined
}
