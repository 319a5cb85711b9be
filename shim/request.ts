/** What a framework handed over, where it came in (its URL or connection, or what a trusted proxy says), and whether it is for us. */

import { isRecord } from '../lib/base/guards.js'
import { BoundedMap } from '../lib/base/memory.js'
import { isUrl, parseUrl } from '../lib/base/url.js'
import { InvalidRequest } from '../lib/errors.js'
import { header, type MessageHeaders } from '../lib/http/message.js'
import type { OriginSource } from '../lib/http/origin.js'
import { findRoute, type Route } from '../lib/http/routes.js'
import type { Engine } from './engine.js'
import type { AuthHost } from './host.js'

/* ---- what it is: by shape, since some frameworks have Requests and Responses of their own, or of another realm ---- */

/** A Fetch Request. Node's has its headers in a plain record. */
export function isFetchRequest(value: unknown): value is Request {
  return isRecord(value) && typeof value.url === 'string' && hasHeaders(value)
}

/** A Fetch Response. One of this runtime's is known by its class: servers make the headers only for who looks at them. */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true
  return isRecord(value) && typeof value.status === 'number' && hasHeaders(value)
}

/** Something with Fetch headers. */
export function hasHeaders(value: unknown): value is { readonly headers: Headers } {
  if (!isRecord(value) || !isRecord(value.headers)) return false
  return typeof value.headers.get === 'function' && typeof value.headers.append === 'function'
}

/* ---- where it came in ------------------------------------------------------------------------------------------- */

/** A Fetch request, or what is known of one. */
export interface FetchLike {
  readonly headers: Headers
  /** What the client asked for. */
  readonly url?: string
}

/** The request for the one rule by which Router and `getSession` read an origin. */
export function toSource(engine: Engine, { headers, url }: FetchLike): OriginSource {
  const sent = Object.fromEntries(headers)
  if (url === undefined) return withProxy(engine, { headers: sent })
  const { host, protocol } = placeOf(url)
  return withProxy(engine, { headers: { ...sent, host }, protocol })
}

/** The same with those headers only that tell the origin: the others are taken one by one where they are needed. */
export function toOriginSource(engine: Engine, { headers, url }: FetchLike): OriginSource {
  const read = (name: string) => headers.get(name) ?? undefined
  const proto = read('x-forwarded-proto')
  const forwarded = engine.trustsProxy ? read('x-forwarded-host') : undefined
  const { host, protocol } = url === undefined ? { host: read('host') } : placeOf(url)
  return withProxy(engine, {
    headers: { host, 'x-forwarded-proto': proto, 'x-forwarded-host': forwarded },
    ...(protocol !== undefined && { protocol }),
  })
}

/** Scheme and host of a URL. */
interface Place {
  readonly host: string
  readonly protocol: string
}

/** By scheme and host. A site has few; a client that makes up more only pushes out what is worked out again. */
const places = new BoundedMap<string, Place>(100)

function placeOf(url: string): Place {
  // The first slash behind `http://` and a letter.
  const end = url.indexOf('/', 8)
  const start = end < 0 ? url : url.slice(0, end)
  const known = places.get(start)
  if (known) return known
  const parsed = parseUrl(url)
  if (!parsed) throw notAnUrl()
  const { host, protocol } = parsed
  const place = { host, protocol: protocol.slice(0, -1) }
  const text = `${protocol}//${host}`
  // Only what is the place and nothing else: any URL that begins with it is at that place.
  if (text === start && text.length < 300) places.set(text, place)
  return place
}

/** Whatever else it says, a request behind a proxy that is trusted came in where the proxy says. */
export function withProxy({ trustsProxy }: Engine, source: OriginSource): OriginSource {
  if (!trustsProxy) return source
  const { headers } = source
  const protocol = firstWord(headers, 'x-forwarded-proto')?.toLowerCase() ?? source.protocol
  const host = firstWord(headers, 'x-forwarded-host')
  return { ...source, protocol, headers: host === undefined ? headers : { ...headers, host } }
}

/** Each proxy adds a word at the end: the first is what the client used. */
function firstWord(headers: MessageHeaders, name: string): string | undefined {
  return header(headers, name)?.split(',')[0]?.trim() || undefined
}

/**
 * What the client asked for. A host may know better than the request.
 *
 * @throws {@link InvalidRequest} where it is no URL: some servers hand over what stood in the `Host` header, such as `08`.
 */
export function urlOf(host: AuthHost, request: Request): string {
  const url = host.url?.(request) ?? request.url
  if (!isUrl(url)) throw notAnUrl()
  return url
}

function notAnUrl(): InvalidRequest {
  return new InvalidRequest('The request is for no URL that there can be: its `Host` header is wrong.')
}

/* ---- whether it is for us --------------------------------------------------------------------------------------- */

/** The route of a path, and the part of it below the base path; `undefined` for one that is none of our routes. */
export function routeBelow(basePath: string, pathname: string): { path: string; route: Route } | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const path = pathname.slice(basePath.length)
  const route = findRoute(path)
  return route && { path, route }
}
