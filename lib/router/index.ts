/** The Express Router, which is also an async function. Only this file depends on Express. */

import cookieParser from 'cookie-parser'
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express'
import { type AuthEngine, isServed } from '../engine/index.js'
import { InvalidRequest, toError } from '../errors.js'
import { findRoute, type Mount, type Route, routes } from '../http/routes.js'
import { createAnswer } from './answer.js'
import { readMount } from './express-like.js'
import {
  assertFewMembers,
  assertUtf8,
  bodyLimit,
  bodyTooLarge,
  isUnparsed,
  parseBody,
  parseUncompressed,
  unreadableBody,
} from './parse-body.js'

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
  const parse = createBodyParser()
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
    const readBody = () => parse(request, response)
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

/* ---- body -------------------------------------------------------------------------------------------------------- */

// The body of a POST to the Router: Express' parsers, with a limit from the first byte.

/**
 * Parses cookies into `request`, and returns the fields of the body. @throws {@link InvalidRequest}, and errors of the
 * application's parsers.
 */
type BodyParser = (request: Request, response: Response) => Promise<unknown>

/**
 * Creates the parser. A body that the application has parsed already is not changed, and has the application's own
 * limits.
 *
 * @param others The parsers to run before. For the Router it parses `req.cookies`, for handlers that an application
 *   adds; the engine reads the header.
 */
export function createBodyParser(others: readonly RequestHandler[] = [cookieParser()]): BodyParser {
  const verify = (_request: unknown, _response: unknown, _body: unknown, charset: string) => assertUtf8(charset)
  const verifyJson = (_request: unknown, _response: unknown, body: Buffer, charset: string) => {
    assertUtf8(charset)
    assertFewMembers(body.toString('latin1'))
  }
  const parsers = [
    express.json({ limit: bodyLimit, verify: verifyJson }),
    express.urlencoded({ extended: false, limit: bodyLimit, verify }),
  ]
  return async function parse(request, response) {
    const given = readGivenBody(request)
    // Express 4's parsers fail if the stream has ended.
    const isRead = isUnparsed(given) || request.readableEnded
    if (!isRead && Number(request.headers['content-length'] ?? 0) > bodyLimit) throw bodyTooLarge()
    await new Promise<void>((resolve, reject) => {
      if (!isRead && request.headers['transfer-encoding'] !== undefined) countBytes(request, reject)
      const done = (error: unknown) => (error ? reject(toBodyError(error)) : resolve())
      runParsers(isRead ? others : [...others, ...parsers], { request, response, done })
    })
    return isUnparsed(given) ? parseGivenBody(request, given) : request.body
  }
}

/**
 * Returns the `body` that the host or the application has set. @throws {@link InvalidRequest} if it is parsed at its
 * first use, as on Vercel, and malformed.
 */
function readGivenBody(request: Request): unknown {
  try {
    return request.body
  } catch (error) {
    throw unreadableBody(400, toError(error))
  }
}

/** Parses the text or the bytes of a body. Parsers that have read the request have decompressed it, too. */
function parseGivenBody(request: Request, body: string | Uint8Array): unknown {
  const isDecompressed = typeof body === 'string' || request.readableEnded
  return isDecompressed ? parseUncompressed(request.headers, body) : parseBody(request.headers, body)
}

type ParserRun = { request: Request; response: Response; done(error?: unknown): void }

/** Runs parsers one after the other, in the same turn of the event loop: counting bytes has started the stream. */
function runParsers([parser, ...others]: readonly RequestHandler[], run: ParserRun): void {
  if (!parser) run.done()
  else parser(run.request, run.response, (error?: unknown) => (error ? run.done(error) : runParsers(others, run)))
}

/** Converts an error of a body parser to a rejection; returns any other error unchanged. */
function toBodyError(error: unknown): unknown {
  if (error instanceof InvalidRequest) return error
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error
  if (error.status < 400 || error.status > 499) return error
  return error.status === 413 ? bodyTooLarge(error) : unreadableBody(error.status, error)
}

/** Rejects as soon as there are too many bytes. Express' parsers do so only after the whole upload. */
function countBytes(request: Request, refuse: (error: InvalidRequest) => void): void {
  let received = 0
  request.on('data', function count(chunk: Buffer) {
    received += chunk.length
    if (received <= bodyLimit) return
    request.off('data', count)
    refuse(bodyTooLarge())
  })
}
