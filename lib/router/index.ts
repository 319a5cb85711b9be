/** The Express Router: a real one, that is also an async function. The only room that knows Express. */
import cookieParser from 'cookie-parser'
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import type { Auth } from '../auth.js'
import { InvalidRequest, MethodNotAllowed, toError } from '../errors.js'
import { asksForJson, jsonActions, uncachedHeaders } from '../http/message.js'
import { setHeaders } from '../http/response.js'
import { createBodyParsers, toBodyError } from './body.js'
import { sendAuthReply, toAuthRequest } from './express-like.js'
import { readMount } from './mount.js'
import { findRoute, type Mount, type Route, routes } from './routes.js'
import { createSecurityHeaders } from './security-headers.js'

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

type Passages = WeakMap<Request, Passage>

/** Builds the Router of an engine. */
export function createRouter(auth: Auth): ServerAuthRouter {
  const router = express.Router({ strict: true, caseSensitive: true })
  const passages: Passages = new WeakMap()
  const security = createSecurityHeaders(auth.config)
  // `req.cookies` is for routes and middleware that an application hangs into this Router; the engine reads the header.
  const parsers = [cookieParser(), ...createBodyParsers(), toRefusal]
  for (const route of routes) {
    const guard = createMethodGuard(route)
    const respond = createResponder({ auth, route, passages, security })
    router.all(route.path, security.all, setUncached, guard, ...parsers, respond, createRefusal(route, passages))
  }
  async function serverAuth(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      const mount = readMount(request)
      if (findRoute(mount.path)) auth.notice(request, mount.basePath)
      await pass({ router, passages, request, response, next, mount })
    } catch (error) {
      // A rejection would end the process under Express 4, and call `next` twice under Express 5.
      next(toError(error))
    }
  }
  return Object.setPrototypeOf(Object.assign(serverAuth, { close: () => auth.close() }), router)
}

interface Passing {
  readonly router: Router
  readonly passages: Passages
  readonly request: Request
  readonly response: Response
  readonly next: NextFunction
  readonly mount: Mount
}

/** Runs the inner router below the mount, and puts the request back as it was where that has no answer. */
function pass({ router, passages, request, response, next, mount }: Passing): Promise<void> {
  const { url, baseUrl } = request
  return new Promise((resolve) => {
    // A body parser may call on after its request was refused; the passage ends once.
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

interface Responding {
  readonly auth: Auth
  readonly route: Route
  readonly passages: Passages
  readonly security: ReturnType<typeof createSecurityHeaders>
}

/** Hands the request to the engine and sends its reply. */
function createResponder({ auth, route, passages, security }: Responding): RequestHandler {
  async function answer(request: Request, response: Response): Promise<void> {
    const passage = passages.get(request)
    if (!passage || response.headersSent) return
    assertWellFormed(passage.mount)
    const reply = await auth.handle(toAuthRequest(auth, request, { mount: passage.mount, route }))
    if (response.headersSent) return
    if (reply.nonce !== undefined) security.page(request, response, reply.nonce)
    sendAuthReply(response, reply)
    passage.answered()
  }
  return function respond(request, response, next) {
    // Express 4 does not look at promises: a rejection must come to `next` on our own way.
    answer(request, response).catch((error: unknown) => next(toError(error)))
  }
}

/** 405 with `Allow` for what the route does not take (RFC 9110 §15.5.6), OPTIONS included: we grant nothing to other origins. */
function createMethodGuard({ methods }: Route): RequestHandler {
  const allowed: readonly string[] = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return function guardMethod(request, _response, next) {
    next(allowed.includes(request.method) ? undefined : new MethodNotAllowed(allowed))
  }
}

/** What the parsers threw, in our words. An error of the engine never comes here, whatever status it carries. */
const toRefusal: ErrorRequestHandler = function toRefusal(error: unknown, _request, _response, next) {
  next(toBodyError(error))
}

/** Answers requests that cannot be understood. Other errors are the application's to handle. */
function createRefusal(route: Route, passages: Passages): ErrorRequestHandler {
  return function refuse(error: unknown, request, response, next) {
    if (!(error instanceof InvalidRequest) || response.headersSent) {
      next(error)
      return
    }
    const json = jsonActions.has(route.action) || asksForJson(request.headers)
    sendAuthReply(response, {
      status: error.status,
      headers: {
        'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`,
        ...(error instanceof MethodNotAllowed && { allow: error.allow.join(', ') }),
        ...(error.status === 413 && { connection: 'close' }),
      },
      cookies: [],
      body: json ? JSON.stringify({ error: error.type, message: error.message }) : `${error.message}\n`,
    })
    passages.get(request)?.answered()
  }
}

const setUncached: RequestHandler = function setUncached(_request, response, next) {
  setHeaders(response, uncachedHeaders)
  next()
}

/**
 * A percent-encoding that says nothing is no path of ours (RFC 3986 §2.1), and a mount with a parameter (`/t/:tenant/auth`)
 * takes what no cookie can be bound to (RFC 6265 §4.1.1).
 */
function assertWellFormed({ basePath, path }: Mount): void {
  if (!/^[\x21-\x3a\x3d-\x7e]*$/.test(basePath)) throw new InvalidRequest('The path is malformed.')
  try {
    decodeURIComponent(path)
  } catch {
    throw new InvalidRequest('The path is malformed.')
  }
}
