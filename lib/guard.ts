/**
 * The shared parts of guards on Express. Every error rejects the request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import { isRecord } from './base/guards.js'
import { catchMaybePromise, mapMaybePromise } from './base/maybe-promise.js'
import type { AuthEngine } from './engine/index.js'
import { InvalidConfiguration, toError } from './errors.js'
import type { SessionOrApiKey } from './features/api-keys/types.js'
import { type GuardedRequest, isShownToUser, type Rejection, toPath } from './guards/rejection.js'
import { readOrigin } from './http/origin.js'
import { sendGuardPage } from './router/guard-page.js'
import type { Awaitable } from './types/identity.js'

/** A request to a guarded route. */
export interface GuardContext {
  readonly auth: AuthEngine
  readonly req: Request
  readonly res: Response
}

/** The type of a session behind a guard: its `user` is present. */
export type GuardedSession<S> = S extends {
  /** The signed-in user. */
  user: object
}
  ? S
  : S extends {
        /** The signed-in user, if there is one. */
        user?: infer U
      }
    ? S & {
        /** The signed-in user. */
        user: NonNullable<U>
      }
    : S

/**
 * A guard of routes on Express, with the session of its configuration on `res.locals.session`.
 *
 * The request is that of Node in the types, so that `req.params` of the handlers behind it are those of the route. The
 * first signature makes the guard an Express `RequestHandler`. The second one types `res.locals`, with further values in `Locals`.
 */
export interface SessionGuard<S, Locals = unknown> {
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void
  (
    req: IncomingMessage,
    res: Response<
      unknown,
      {
        /** The session of the signed-in user. */
        session: GuardedSession<S>
      } & Locals
    >,
    next: (error?: unknown) => void,
  ): void
}

/**
 * A guard that allows requests with a session or an API key. `res.locals` has both `session` and `apiKey`, of which one is
 * `null`.
 */
export interface SessionOrKeyGuard<S, Scope extends string, Locals = unknown> {
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void
  (
    req: IncomingMessage,
    res: Response<unknown, SessionOrApiKey<GuardedSession<S>, Scope> & Locals>,
    next: (error?: unknown) => void,
  ): void
}

/** A middleware of Express. The request is that of Node in its type, so that `req.params` are those of the route. */
export type GuardHandler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void

/**
 * Creates a guard that puts the session on `res.locals.session`. @param findSession Returns the session of a request
 * that continues; otherwise `false`, after it has sent the response.
 */
export function createGuard<S>(
  findSession: (req: Request, res: Response) => Awaitable<GuardedSession<S> | false>,
): SessionGuard<S> {
  return createGuardHandler((req, res) =>
    mapMaybePromise(findSession(req, res), (session) => {
      if (session === false) return false
      // Its declared type is that of the application's default session.
      const locals: Record<string, unknown> = res.locals
      locals.session = session
      return true
    }),
  )
}

/**
 * Creates the handler of a guard. @param isAllowed Returns `true` if the request continues; otherwise `false`, after it
 * has sent the response.
 */
export function createGuardHandler(isAllowed: (req: Request, res: Response) => Awaitable<boolean>): GuardHandler {
  return function guardRoute(req, res, next) {
    if (!isExpressRequest(req) || !isExpressResponse(res)) {
      next(new TypeError(notExpress))
      return
    }
    // `next` is called outside, so that errors of the next handler are not treated as the guard's.
    const decided = catchMaybePromise<boolean | GuardFailure>(
      () => isAllowed(req, res),
      (thrown) => new GuardFailure(thrown),
    )
    void mapMaybePromise(decided, (result) => {
      if (result instanceof GuardFailure) next(toErrorObject(result.thrown))
      else if (result === true) next()
    })
  }
}

/**
 * Throws if Express called a function that creates a guard, because it was passed without a call. Its result would be
 * ignored, and no request answered.
 * @param given The first argument of the function.
 * @param call The code to write instead.
 */
export function assertCalledByApplication(given: unknown, name: string, call: string): void {
  if (!isRecord(given) || !('headers' in given && 'socket' in given)) return
  throw new InvalidConfiguration(`\`${name}\` was passed to Express without a call. Write \`${call}\`.`)
}

function isExpressRequest(req: IncomingMessage): req is Request {
  return (req as Partial<Request>).originalUrl !== undefined
}

function isExpressResponse(res: ServerResponse): res is Response {
  return (res as Partial<Response>).locals !== undefined
}

const notExpress =
  'A guard of server-auth was called with a request that is not from Express. Use `auth()` of `server-auth/shim` on other servers.'

/** An error that a guard threw, even `undefined`, which must reject the request. */
class GuardFailure {
  readonly thrown: unknown

  constructor(thrown: unknown) {
    this.thrown = thrown
  }
}

/**
 * Converts values that are not objects to errors, because Express continues after `next(false)`, `next('')` and
 * `next('route')`.
 */
function toErrorObject(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null ? thrown : toError(thrown)
}

/** Returns the request as rules of guards read it. */
export function toGuardedRequest(auth: AuthEngine, req: Request): GuardedRequest {
  return new ExpressRequest(auth, req)
}

/** A class, because its getters cost an allowed request nothing. The others are read only for a rejection or an API key. */
class ExpressRequest implements GuardedRequest {
  readonly #auth: AuthEngine
  readonly #req: Request

  constructor(auth: AuthEngine, req: Request) {
    this.#auth = auth
    this.#req = req
  }

  get method() {
    return this.#req.method
  }

  get headers() {
    return this.#req.headers
  }

  get path() {
    return toPath(this.#req.originalUrl)
  }

  get origin() {
    return this.#auth.config.site?.origin ?? readOrigin(this.#req)
  }

  get ip() {
    return this.#req.ip
  }
}

/** Sends a rejection. @returns `false`, because the request is rejected. */
export function sendRejection({ auth, req, res }: GuardContext, rejection: Rejection): false {
  preventCaching(res)
  if (rejection.kind === 'redirect') {
    res.redirect(302, rejection.to)
    return false
  }
  const { status, data, headers = {}, reason } = rejection
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  const isPage = reason !== undefined && isShownToUser(toGuardedRequest(auth, req))
  const isPageSent = isPage && sendGuardPage(auth, { request: req, response: res }, { ...rejection, reason })
  if (!isPageSent) res.status(status).json(data)
  return false
}

/** Keeps a rejection from caches: after the sign-in the same URL has another response. */
function preventCaching(res: Response): void {
  res.setHeader('cache-control', 'private, no-store')
  res.vary('Cookie')
}
