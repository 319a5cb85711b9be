/**
 * The shared parts of guards on Express. Every error rejects the request.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { catchMaybePromise, mapMaybePromise } from './base/maybe-promise.js'
import type { AuthEngine } from './engine/index.js'
import { toError } from './errors.js'
import { type GuardedRequest, isFormNavigation, type Rejection, toPath } from './guards/rejection.js'
import { readOrigin } from './http/origin.js'
import { sendGuardPage } from './router/guard-page.js'
import type { Awaitable } from './types/identity.js'

/** A request to a guarded route. */
export interface GuardContext {
  readonly auth: AuthEngine
  readonly req: Request
  readonly res: Response
}

/** Creates the handler. @param isAllowed Returns whether the request continues; if not, it sends the response. */
export function createGuard(isAllowed: (req: Request, res: Response) => Awaitable<boolean>): RequestHandler {
  return function guardRoute(req: Request, res: Response, next: NextFunction): void {
    // `next` is called outside, so that errors of the next handler are not treated as the guard's.
    const decided = catchMaybePromise<boolean | GuardFailure>(
      () => isAllowed(req, res),
      (thrown) => new GuardFailure(thrown),
    )
    void mapMaybePromise(decided, (result) => {
      if (result instanceof GuardFailure) next(toErrorObject(result.thrown))
      else if (result) next()
    })
  }
}

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

/** Returns the request as rules of guards read it. Path and origin are read only for a rejection. */
export function toGuardedRequest({ config }: AuthEngine, req: Request): GuardedRequest {
  return {
    method: req.method,
    headers: req.headers,
    get path() {
      return toPath(req.originalUrl)
    },
    get origin() {
      return config.site?.origin ?? readOrigin(req)
    },
  }
}

/** Sends a rejection. @returns `false`, because the request is rejected. */
export function sendRejection({ auth, req, res }: GuardContext, rejection: Rejection): false {
  preventCaching(res)
  if (rejection.kind === 'redirect') {
    res.redirect(302, rejection.to)
    return false
  }
  const { status, data, headers = {} } = rejection
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  const isForm = isFormNavigation(toGuardedRequest(auth, req))
  const isShown = isForm && sendGuardPage(auth, { request: req, response: res }, rejection)
  if (!isShown) res.status(status).json(data)
  return false
}

/** Keeps a rejection from caches: after the sign-in the same URL has another response. */
function preventCaching(res: Response): void {
  res.setHeader('cache-control', 'private, no-store')
  res.vary('Cookie')
}
