/**
 * The edge: what of a request and a response we touch, and how it becomes plain values and back. Express objects of both
 * majors have this shape; the shim builds it.
 */
import { isRecord } from '../base/guards.js'
import type { Auth } from '../engine/index.js'
import { InvalidRequest } from '../errors.js'
import { isFromHere } from '../http/addresses.js'
import type { AuthReply, AuthRequest, MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
import { addCookies, setHeaders, type WritableResponse } from '../http/response.js'
import type { Mount, Route } from './routes.js'

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

/** The engine's request. @throws {@link InvalidRequest} when host and path make no URL. */
export function toAuthRequest(
  auth: Auth,
  request: ExpressLikeRequest,
  at: { mount: Mount; route: Route; body: unknown },
): AuthRequest {
  const { mount, route, body } = at
  const { headers, ip } = request
  const receivedOrigin = readOrigin(request)
  const origin = auth.config.site?.origin ?? receivedOrigin
  const target = `${origin}${mount.basePath}${mount.path}${mount.query}`
  if (origin === undefined || !URL.canParse(target))
    throw new InvalidRequest('The Host header is missing or malformed.')
  const method = toMethod(request.method)
  const providerId = route.takesProvider ? mount.path.split('/')[2] : undefined
  return {
    method,
    action: route.action,
    providerId: providerId === 'undefined' ? undefined : providerId,
    url: new URL(target),
    receivedOrigin,
    basePath: mount.basePath,
    headers,
    ip,
    isFromHere: isFromHere({ ip: request.socket ? request.socket.remoteAddress : ip, headers }),
    body: toBody(method === 'POST' ? body : undefined),
  }
}

/** Writes a reply. Cookies that the application has set before stay. */
export function sendAuthReply(response: ExpressLikeResponse, reply: AuthReply): void {
  response.statusCode = reply.status
  setHeaders(response, reply.headers)
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
  for (const [name, value] of Object.entries(body)) fields[name] = value
  return fields
}
