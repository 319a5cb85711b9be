/** The Express Router: a real one, that is also an async function. Here and in `./body.ts` is all that knows Express. */
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express'
import { isServed } from '../actions/index.js'
import type { Auth } from '../engine/index.js'
import { toError } from '../errors.js'
import { findRoute, type Mount, type Route, routes } from '../http/routes.js'
import { createAnswer } from './answer.js'
import { createParsing } from './body.js'
import { readMount } from './mount.js'

/** What `ServerAuth` returns: a Router to mount, that as a function also returns a promise. */
export type ServerAuthRouter = ((...message: Parameters<Router>) => Promise<void>) &
  Router & {
    /** Waits for mails under way. Call it when the server has closed, before the process ends. */
    close(): Promise<void>
  }

/** Builds the Router of an engine. */
export function createRouter(auth: Auth): ServerAuthRouter {
  const router = express.Router({ strict: true, caseSensitive: true })
  const answer = createAnswer(auth)
  const parse = createParsing()
  // Our routes are answered before the inner router is asked. Here they are for what failed there, which goes on from its own
  // place to what handles errors, and for whoever lists the routes.
  const failures = new WeakMap<Request, Error>()
  const fail: RequestHandler = (request, _response, next) => next(failures.get(request))
  const listed = new Map(routes.map((route) => [route, router.route(route.path).all(fail)]))

  /** Runs the inner router below the mount, and puts the request back as it was where that has no answer. */
  function pass({ request, response, next, url, baseUrl }: Passage): Promise<void> {
    return new Promise((resolve) => {
      // A middleware of the application's may call on twice; the passage ends once.
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

  async function respond(passage: Passage, mount: Mount, route: Route): Promise<void> {
    const { request, response } = passage
    request.route = listed.get(route)
    const readBody = () => parse(request, response).then((): unknown => request.body)
    try {
      await answer({ request, response, mount, route, readBody })
    } catch (error) {
      failures.set(request, toError(error))
      await pass(passage)
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
      await (route && isServed(route, auth.config) ? respond(passage, mount, route) : pass(passage))
    } catch (error) {
      // A rejection would end the process under Express 4, and call `next` twice under Express 5.
      next(toError(error))
    }
  }
  return Object.setPrototypeOf(Object.assign(serverAuth, { close: () => auth.close() }), router)
}

/** One request on its way, and how it came. */
interface Passage {
  readonly request: Request
  readonly response: Response
  readonly next: NextFunction
  readonly url: string
  readonly baseUrl: string
}
