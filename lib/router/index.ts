/** The Express Router: a real one, that is also an async function. Here and in `./body.ts` is all that knows Express. */
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express'
import type { Auth } from '../engine/index.js'
import { toError } from '../errors.js'
import { createAnswer } from './answer.js'
import { createParsing } from './body.js'
import { readMount } from './mount.js'
import { type Mount, type Route, routes } from './routes.js'

/** What `ServerAuth` returns: a Router to mount, that as a function also returns a promise. */
export type ServerAuthRouter = ((...message: Parameters<Router>) => Promise<void>) &
  Router & {
    /** Waits for mails under way. Call it when the server has closed, before the process ends. */
    close(): Promise<void>
  }

/** One request on its way through the inner router. */
interface Passage {
  readonly mount: Mount
  /** Ends the passage: our own answer is out. */
  answered(): void
}

/** Builds the Router of an engine. */
export function createRouter(auth: Auth): ServerAuthRouter {
  const router = express.Router({ strict: true, caseSensitive: true })
  const passages = new WeakMap<Request, Passage>()
  const respond = createResponder(auth, passages)
  for (const route of routes) router.all(route.path, respond(route))

  /** Runs the inner router below the mount, and puts the request back as it was where that has no answer. */
  function pass(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { url, baseUrl } = request
    const mount = readMount(request)
    return new Promise((resolve) => {
      // A middleware of the application's may call on after its request was answered; the passage ends once.
      let ended = false
      const end = () => {
        const first = !ended
        ended = true
        resolve()
        return first
      }
      passages.set(request, { mount, answered: end })
      request.url = mount.path + mount.query
      request.baseUrl = mount.basePath
      router(request, response, (error?: unknown) => {
        if (!end()) return
        request.url = url
        request.baseUrl = baseUrl
        next(error)
      })
    })
  }

  async function serverAuth(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      await pass(request, response, next)
    } catch (error) {
      // A rejection would end the process under Express 4, and call `next` twice under Express 5.
      next(toError(error))
    }
  }
  return Object.setPrototypeOf(Object.assign(serverAuth, { close: () => auth.close() }), router)
}

/** Makes the handlers of the routes. Express 4 does not look at promises: a rejection must come to `next` on our own way. */
function createResponder(auth: Auth, passages: WeakMap<Request, Passage>): (route: Route) => RequestHandler {
  const answer = createAnswer(auth)
  const parse = createParsing()
  return (route) =>
    function respond(request, response, next) {
      const passage = passages.get(request)
      if (!passage) return next()
      const readBody = () => parse(request, response).then((): unknown => request.body)
      answer({ request, response, mount: passage.mount, route, readBody }).then(
        () => passage.answered(),
        (error: unknown) => next(toError(error)),
      )
    }
}
