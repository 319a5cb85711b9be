/**
 * The edge: what of a request and a response we touch, and how it becomes plain values and back. Express objects of both
 * majors have this shape; the shim builds it.
 */
import { isRecord, isTooDeep } from '../base/guards.js'
import type { Auth } from '../engine/index.js'
import { InvalidRequest } from '../errors.js'
import { isFromHere } from '../http/addresses.js'
import type { AuthReply, AuthRequest, MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
import { addCookies, type WritableResponse } from '../http/response.js'
import type { Mount, Route } from '../http/routes.js'

/** What we read of a request. */
export interface ExpressLikeRequest extends OriginSource {
  method?: string | undefined
  url?: string | undefined
  originalUrl?: string
  baseUrl?: string
  params?: unknown
  ip?: string | undefined
  headers: MessageHeaders
}

/** What we write of a response. */
export interface ExpressLikeResponse extends WritableResponse {
  statusCode: number
  removeHeader(name: string): void
  end(body?: string): unknown
}

/** The engine's request. @throws {@link InvalidRequest} when host and path make no URL, and for a body that goes too deep. */
export function toAuthRequest(
  auth: Auth,
  request: ExpressLikeRequest,
  at: { mount: Mount; route: Route; body: unknown },
): AuthRequest {
  const { mount, route, body } = at
  const { headers, ip } = request
  const receivedOrigin = readOrigin(request)
  const origin = auth.config.site?.origin ?? receivedOrigin
  const target = `${mount.basePath}${mount.path}${mount.query}`
  // Behind an origin, every text that begins with a slash is a path.
  if (origin === undefined || !target.startsWith('/')) {
    throw new InvalidRequest('The Host header is missing or malformed.')
  }
  const method = toMethod(request.method)
  const providerId = route.takesProvider ? mount.path.split('/')[2] : undefined
  // Read now: the connection may be gone before somebody asks.
  const connectedIp = request.socket ? request.socket.remoteAddress : ip
  let url: URL | undefined
  return {
    method,
    action: route.action,
    providerId: providerId === 'undefined' ? undefined : providerId,
    origin,
    get url() {
      url ??= new URL(origin + target)
      return url
    },
    receivedOrigin,
    basePath: mount.basePath,
    headers,
    ip,
    get isFromHere() {
      return isFromHere({ ip: connectedIp, headers })
    },
    body: method === 'POST' ? toBody(body) : noFields,
  }
}

const noFields: AuthRequest['body'] = Object.freeze(Object.create(null))

/** Writes a reply. Cookies that the application has set before stay. */
export function sendAuthReply(response: ExpressLikeResponse, reply: AuthReply): void {
  response.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value)
  if (reply.cookies.length > 0) addCookies(response, reply.cookies)
  response.end(reply.body)
}

function toMethod(method: string | undefined): AuthRequest['method'] {
  return method === 'POST' || method === 'HEAD' ? method : 'GET'
}

/** The parsed body's own fields, in a record without a prototype. */
function toBody(body: unknown): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null)
  if (!isRecord(body) || ArrayBuffer.isView(body)) return fields
  if (isTooDeep(body)) throw new InvalidRequest('The body is nested too deeply.')
  for (const [name, value] of Object.entries(body)) fields[name] = value
  return fields
}
