/** A Fetch Request as the Express-like object that the Router takes (`facts.md`, section 2). */

import { Readable } from 'node:stream'
import type { Auth } from '../lib/auth.js'
import type { MessageHeaders } from '../lib/http/message.js'
import type { ExpressLikeRequest } from '../lib/router/express-like.js'
import { type Body, noBody, readBody } from './body.js'
import type { Engine } from './engine.js'
import { toSource } from './origin.js'

/** A request to one of our routes, and what is known of it besides. */
export interface RouteRequest {
  readonly request: Request
  /** What the client asked for. */
  readonly url: URL
  /** The path below the base path. */
  readonly path: string
  readonly ip: string | undefined
}

/** Converts a request. @throws `InvalidRequest` where its body does not come. */
export async function toExpressLike(
  engine: Engine<Auth>,
  { request, url, path, ip }: RouteRequest,
): Promise<Readable & ExpressLikeRequest> {
  const { basePath } = engine.auth.config
  const { headers, ...source } = toSource(engine, { headers: request.headers, url: url.href })
  const body = request.method === 'POST' ? await readBody(request) : noBody
  return Object.assign(Readable.from(body.bytes.length > 0 ? [body.bytes] : [], { objectMode: false }), {
    ...source,
    method: request.method,
    url: path + url.search,
    originalUrl: basePath + path + url.search,
    baseUrl: basePath,
    headers: withLength(headers, body),
    ...(ip !== undefined && { ip }),
  })
}

/** The length is that of what was read: parsers look at it to know whether there is a body at all. */
function withLength(headers: MessageHeaders, { length }: Body): MessageHeaders {
  const { 'content-length': _announced, ...others } = headers
  return length === undefined ? others : { ...others, 'content-length': String(length) }
}
