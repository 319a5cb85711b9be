/** The Express Router, which is also an async function. Only this file depends on Express. */

import cookieParser from 'cookie-parser'
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express'
import { type AuthEngine, isServed } from '../engine/index.js'
import { toError } from '../errors.js'
import { findRoute, type Mount, type Route, routes } from '../http/routes.js'
import { createAnswer } from './answer.js'
import { readMount } from './express-like.js'
import { readRequestBody } from './read-body.js'

/** The return type of `ServerAuth`: a Router that returns a promise if it is called as a function. */
export type ServerAuthRouter = ((...message: Parameters<Router>) => Promise<void>) &
  Router & {
    /** Waits for emails that are being sent. Call it when the server has closed, before the process ends. */
    close(): Promise<void>
  }

/** Creates the Router of an engine. */
export function createRouter(auth: AuthEngine): ServerAuthRouter {
  const router = express.Router({ strict: true, caseSensitive: true })
  const answer = createAnswer(auth)
  // For handlers that an application adds to the Router. The engine reads the header.
  const parseCookies = cookieParser()
  listing.routes ??= listRoutes()
  const { stack, byRoute } = listing.routes
  router.stack.push(...stack)

  /** Runs the inner router below the mount, and restores the request if the router does not respond. */
  function runInnerRouter({ request, response, next, url, baseUrl }: RoutedRequest): Promise<void> {
    return new Promise((resolve) => {
      // A middleware of the application may call `next` twice; the promise resolves once.
      let ended = false
      router(request, response, (error?: unknown) => {
        if (ended) return
        ended = true
        resolve()
        request.url = url
        request.baseUrl = baseUrl
        next(error)
      })
    })
  }

  async function respond(passage: RoutedRequest, mount: Mount, route: Route): Promise<void> {
    const { request, response } = passage
    request.route = byRoute.get(route)
    const readBody = () => {
      parseCookies(request, response, () => {})
      return readRequestBody(request)
    }
    try {
      await answer({ request, response, mount, route, readBody })
    } catch (error) {
      failures.set(request, toError(error))
      await runInnerRouter(passage)
    }
  }

  async function serverAuth(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      const { url, baseUrl } = request
      const mount = readMount(request)
      request.url = mount.path + mount.query
      request.baseUrl = mount.basePath
      const passage = { request, response, next, url, baseUrl }
      const route = findRoute(mount.path)
      await (route && isServed(route, auth.config) ? respond(passage, mount, route) : runInnerRouter(passage))
    } catch (error) {
      // A rejection would end the process under Express 4, and call `next` twice under Express 5.
      next(toError(error))
    }
  }
  return Object.setPrototypeOf(Object.assign(serverAuth, { close: () => auth.close() }), router)
}

/** The errors of failed requests. */
const failures = new WeakMap<Request, Error>()

/** The routes as Express lists them, created with the first router. */
const listing: { routes?: ReturnType<typeof listRoutes> } = {}

/**
 * Registers our routes, which are answered before the inner router runs: for tools that list routes, and for failed
 * requests, which continue from their route to the error handlers. All routers share them, because a process may have one
 * for each of a thousand tenants.
 */
function listRoutes() {
  const router = express.Router({ strict: true, caseSensitive: true })
  const passFailure: RequestHandler = (request, _response, next) => next(failures.get(request))
  const byRoute = new Map(routes.map((route) => [route, router.route(route.path).all(passFailure)]))
  return { stack: router.stack, byRoute }
}

/** One request with its original URL. */
interface RoutedRequest {
  readonly request: Request
  readonly response: Response
  readonly next: NextFunction
  readonly url: string
  readonly baseUrl: string
}
