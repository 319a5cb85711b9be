/**
 * Answers a request, for every framework: headers, method, body, engine, reply. The caller provides the request and a
 * function to read its body.
 */

import { parseUrl } from '../base/url.js'
import type { AuthEngine } from '../engine/index.js'
import { InvalidRequest, MethodNotAllowed } from '../errors.js'
import { routeHeaders, setCorsHeaders, trustedOn } from '../http/cors.js'
import { type AuthReply, prefersJson } from '../http/message.js'
import { readHost } from '../http/origin.js'
import { type Mount, type Route, routeRow } from '../http/routes.js'
import { decodePercent } from '../http/urls.js'
import {
  type ExpressLikeRequest,
  type ExpressLikeResponse,
  invalidRequestReply,
  sendAuthReply,
  toAuthRequest,
} from './express-like.js'
import { createSecurityHeaders } from './security-headers.js'

/** A request to one of our routes. */
export interface IncomingRequest {
  readonly request: ExpressLikeRequest
  readonly response: ExpressLikeResponse
  readonly mount: Mount
  readonly route: Route
  /** Reads and parses the body of a POST. @throws {@link InvalidRequest} for a malformed one. */
  readBody(): Promise<unknown>
}

/** Creates the function that answers. It rejects if the engine itself fails, and its caller reports that. */
export function createAnswer(auth: AuthEngine): (incoming: IncomingRequest) => Promise<void> {
  const security = createSecurityHeaders(auth.config)
  const trusted = auth.config.trustedOrigins
  return async function answer(incoming) {
    const { request, response, mount, route } = incoming
    try {
      auth.notice(request, mount.basePath)
      security.all(response)
      if (trusted) {
        const rules = { methods: route.methods, headers: routeHeaders }
        if (setCorsHeaders(response, request, { trusted: trustedOn(route.action, trusted), rules }))
          return sendAuthReply(response, preflightReply)
      }
      assertMethod(route, request.method)
      const moved = movedPage(auth.config, incoming)
      if (moved !== undefined) return sendAuthReply(response, redirectReply(moved))
      const body = request.method === 'POST' ? await incoming.readBody() : undefined
      assertWellFormed(mount)
      const authReply = await auth.handle(toAuthRequest(auth, request, { mount, route, body }))
      // The application may have responded in the meantime.
      if (response.headersSent) return
      if (authReply.framed) response.removeHeader('x-frame-options')
      if (authReply.nonce !== undefined) security.page(response, authReply.nonce, authReply.captcha)
      sendAuthReply(response, authReply)
    } catch (error) {
      if (!(error instanceof InvalidRequest) || response.headersSent) throw error
      answerInvalidRequest(incoming, error)
    }
  }
}

/**
 * Returns the URL of a page at the site's origin, if it was requested at another host that the site has. A sign-in there
 * could not return, since redirect URIs and emails lead to the site's origin, where the browser sends none of its cookies.
 */
function movedPage({ site }: AuthEngine['config'], { request, mount, route }: IncomingRequest): string | undefined {
  if (!site?.movesPages || request.method === 'POST' || routeRow(route.action).json) return undefined
  const host = readHost(request)
  const url = host === undefined ? undefined : parseUrl(`http://${host}`)
  if (!url || url.hostname === new URL(site.origin).hostname) return undefined
  const target = `${mount.basePath}${mount.path}${mount.query}`
  // After an origin, only a text that begins with a slash is a path.
  return target.startsWith('/') ? site.origin + target : undefined
}

/** The reply to the preflight of a trusted page: no action runs. */
const preflightReply: AuthReply = { status: 204, headers: {}, cookies: [], body: '' }

/** Returns a temporary redirect: a tenant may get another first origin. */
function redirectReply(to: string): AuthReply {
  return { status: 307, headers: { location: to }, cookies: [], body: '' }
}

/**
 * Throws for methods that the route does not allow (405 with `Allow`, RFC 9110 §15.5.6), including OPTIONS of origins
 * that have no access.
 */
function assertMethod({ methods }: Route, method = 'GET'): void {
  const allowed: readonly string[] = methods
  if (allowed.includes(method === 'HEAD' ? 'GET' : method)) return
  throw new MethodNotAllowed(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
}

/**
 * Rejects malformed percent-encodings (RFC 3986 §2.1), and mounts with a parameter (`/t/:tenant/auth`) whose value
 * cannot be the path of a cookie (RFC 6265 §4.1.1).
 */
function assertWellFormed({ basePath, path }: Mount): void {
  if (!/^[\x21-\x3a\x3d-\x7e]*$/.test(basePath) || decodePercent(path) === undefined) {
    throw new InvalidRequest('The path is malformed.')
  }
}

/** Answers a malformed request. */
function answerInvalidRequest({ request, response, route }: IncomingRequest, error: InvalidRequest): void {
  const json = routeRow(route.action).json || prefersJson(request.headers)
  // The rest of a long body is not read.
  if (error.status === 413) response.setHeader('connection', 'close')
  sendAuthReply(response, invalidRequestReply(error, json))
}
