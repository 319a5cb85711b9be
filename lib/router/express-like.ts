/**
 * The parts of a request and a response that the library uses, and their conversion to plain values and back. Express
 * objects of both majors have this shape; the shim creates it.
 */
import { isRecord, isTooDeep } from '../base/guards.js'
import type { AuthEngine } from '../engine/index.js'
import { InvalidRequest } from '../errors.js'
import { isFromThisMachine } from '../http/ip-addresses.js'
import type { AuthReply, AuthRequest, MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
import { addCookies, type WritableResponse } from '../http/response.js'
import { findRoute, type Mount, type Route } from '../http/routes.js'
import { decodePercent } from '../http/urls.js'

/** The used parts of a request. */
export interface ExpressLikeRequest extends OriginSource {
  method?: string | undefined
  url?: string | undefined
  originalUrl?: string
  baseUrl?: string
  params?: unknown
  ip?: string | undefined
  headers: MessageHeaders
}

/** The used parts of a response. */
export interface ExpressLikeResponse extends WritableResponse {
  statusCode: number
  removeHeader(name: string): void
  end(body?: string): unknown
}

/**
 * Creates the engine's request. @throws {@link InvalidRequest} if host and path form no URL, and for a body that is
 * nested too deeply.
 */
export function toAuthRequest(
  auth: AuthEngine,
  request: ExpressLikeRequest,
  at: { mount: Mount; route: Route; body: unknown },
): AuthRequest {
  const { mount, route, body } = at
  const { headers, ip } = request
  const receivedOrigin = readOrigin(request)
  const origin = auth.config.site?.origin ?? receivedOrigin
  const target = `${mount.basePath}${mount.path}${mount.query}`
  // After an origin, every text that begins with a slash is a path.
  if (origin === undefined || !target.startsWith('/')) {
    throw new InvalidRequest('The Host header is missing or malformed.')
  }
  const method = toMethod(request.method)
  const providerId = route.takesProvider ? mount.path.split('/')[2] : undefined
  return new RouteRequest({
    method,
    action: route.action,
    providerId: providerId === 'undefined' ? undefined : providerId,
    origin,
    receivedOrigin,
    basePath: mount.basePath,
    headers,
    ip,
    body: method === 'POST' ? toBody(body) : noFields,
    target,
    // Read now, because the connection may be closed later.
    connectedIp: request.socket ? request.socket.remoteAddress : ip,
  })
}

/** The facts of a request to a route. */
interface RouteFacts extends Omit<AuthRequest, 'url' | 'isFromThisMachine'> {
  /** The path and query. */
  readonly target: string
  readonly connectedIp: string | undefined
}

/** A request to a route. A class, because getters of an object take longer to create than the rest of it. */
class RouteRequest implements AuthRequest {
  readonly method: AuthRequest['method']
  readonly action: AuthRequest['action']
  readonly providerId: string | undefined
  readonly origin: string
  readonly receivedOrigin: string | undefined
  readonly basePath: string
  readonly headers: MessageHeaders
  readonly ip: string | undefined
  readonly body: AuthRequest['body']
  readonly #target: string
  readonly #connectedIp: string | undefined
  #url: URL | undefined

  constructor(facts: RouteFacts) {
    this.method = facts.method
    this.action = facts.action
    this.providerId = facts.providerId
    this.origin = facts.origin
    this.receivedOrigin = facts.receivedOrigin
    this.basePath = facts.basePath
    this.headers = facts.headers
    this.ip = facts.ip
    this.body = facts.body
    this.#target = facts.target
    this.#connectedIp = facts.connectedIp
  }

  get url() {
    this.#url ??= new URL(this.origin + this.#target)
    return this.#url
  }

  get isFromThisMachine() {
    return isFromThisMachine({ ip: this.#connectedIp, headers: this.headers })
  }
}

const noFields: AuthRequest['body'] = Object.freeze(Object.create(null))

/** Writes a reply. Cookies that the application has set remain. */
export function sendAuthReply(response: ExpressLikeResponse, reply: AuthReply): void {
  response.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value)
  if (reply.cookies.length > 0) addCookies(response, reply.cookies)
  response.end(reply.body)
}

/** Returns the reply to a request that is rejected before an action runs. @param json Whether the client expects JSON. */
export function invalidRequestReply(error: InvalidRequest, json: boolean): AuthReply {
  return {
    status: error.status,
    headers: { 'content-type': `${json ? 'application/json' : 'text/plain'}; charset=utf-8`, ...error.headers() },
    cookies: [],
    body: json ? JSON.stringify({ error: error.type, message: error.message }) : `${error.message}\n`,
  }
}

function toMethod(method: string | undefined): AuthRequest['method'] {
  return method === 'POST' || method === 'HEAD' ? method : 'GET'
}

/** Returns the parsed body's own fields, in a record without a prototype. */
function toBody(body: unknown): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null)
  if (!isRecord(body) || ArrayBuffer.isView(body)) return fields
  if (isTooDeep(body)) throw new InvalidRequest('The body is nested too deeply.')
  for (const [name, value] of Object.entries(body)) fields[name] = value
  return fields
}

/* ---- mount ------------------------------------------------------------------------------------------------------- */

// The mount of the Router, read from the request: the part of the raw path before our own. On a wildcard mount
// (`/auth/*`, `/auth/*splat`) Express puts the whole path into `baseUrl`, and the part matched by the wildcard into the
// outer `params`: an array of decoded segments in Express 5, decoded text with a numeric name in Express 4.

/** Splits the request's path: as it was sent, or as the application rewrote it before Express routed it. */
export function readMount(request: ExpressLikeRequest): Mount {
  const { baseUrl = '' } = request
  const { path: sent } = splitTarget(request.originalUrl ?? request.url ?? '/')
  const { path: left, query } = splitTarget(request.url ?? '/')
  const isRewritten = !isOriginalPath(sent, baseUrl, left)
  const raw = isRewritten ? baseUrl + (left === '/' ? '' : left) : sent
  // A mount that matches the whole path leaves nothing; for any other mount, `baseUrl` is the matched part.
  const base = (left === '/' ? (wildcardBase(raw, request.params) ?? rightmostBase(raw)) : undefined) ?? baseUrl
  const path = raw.slice(base.length) || '/'
  return { basePath: isRewritten ? (publicBase(sent, path) ?? base) : base, path, query }
}

/** Checks whether Express routed the original path. Express 4 drops double slashes behind a mount. */
function isOriginalPath(sent: string, baseUrl: string, left: string): boolean {
  if (!sent.startsWith(baseUrl)) return false
  const rest = sent.slice(baseUrl.length)
  return rest === '' ? left === '/' : rest.endsWith(left) && /^\/*$/.test(rest.slice(0, -left.length))
}

/** Returns the public base, if the application rewrote only the part before our own. */
function publicBase(sent: string, path: string): string | undefined {
  const base = sent.slice(0, -path.length)
  return path !== '/' && sent.endsWith(path) && !base.endsWith('/') ? base : undefined
}

/** Returns path and query of a request target. An absolute one loses scheme and host (RFC 9112 §3.2.2). */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const at = relative.search(/[?#]/)
  const path = at < 0 ? relative : relative.slice(0, at)
  return { path: path || '/', query: at < 0 || relative[at] === '#' ? '' : relative.slice(at).replace(/#.*$/s, '') }
}

/** Returns the path before the part matched by a wildcard, if the path really ends with that part. */
function wildcardBase(raw: string, params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  // The last wildcard of a mount matched our part.
  for (const [name, value] of Object.entries(params).reverse()) {
    const base = Array.isArray(value)
      ? beforeSegments(raw, value)
      : /^\d+$/.test(name) && typeof value === 'string'
        ? beforeText(raw, value)
        : undefined
    if (base !== undefined) return base
  }
  return undefined
}

function beforeSegments(raw: string, taken: readonly unknown[]): string | undefined {
  const segments = raw.split('/')
  const tail = segments.slice(-taken.length)
  if (taken.length === 0 || taken.length >= segments.length) return undefined
  if (!tail.every((segment, at) => decodePercent(segment) === taken[at])) return undefined
  return segments.slice(0, -taken.length).join('/')
}

/** Returns the base for decoded text. `/auth/*` matches the part after the slash, `/auth*` the slash too. */
function beforeText(raw: string, taken: string): string | undefined {
  for (let at = raw.indexOf('/'); at >= 0; at = raw.indexOf('/', at + 1)) {
    const rest = decodePercent(raw.slice(at + 1))
    if (rest === taken || `/${rest}` === taken) return raw.slice(0, at)
  }
  return undefined
}

/**
 * Returns the base for a mount that matches the whole path without parameters (a regular expression): the route is
 * searched from the right.
 */
function rightmostBase(raw: string): string | undefined {
  const segments = raw.split('/')
  return [2, 1]
    .map((count) => segments.slice(0, -count).join('/'))
    .find((base) => findRoute(raw.slice(base.length)) !== undefined)
}
