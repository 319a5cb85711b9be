/** The type of a framework's request, its origin (from the URL, the connection or a trusted proxy), and its route. */

import { isRecord } from '../lib/base/guards.js'
import { BoundedMap } from '../lib/base/memory.js'
import { isUrl, parseUrl } from '../lib/base/url.js'
import { InvalidRequest } from '../lib/errors.js'
import { hasHeaders, header, type MessageHeaders } from '../lib/http/message.js'
import type { OriginSource } from '../lib/http/origin.js'
import { findRoute, type Route } from '../lib/http/routes.js'
import type { ConfiguredEngine } from './engine.js'
import type { AuthHost } from './host.js'

/* ---- types, by shape: some frameworks have their own Request and Response ---------------------------------------- */

/**
 * Checks for a Fetch Response. Those of this runtime are recognised by their class, because servers create headers only
 * when they are read.
 */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true
  return isRecord(value) && typeof value.status === 'number' && hasHeaders(value)
}

/* ---- origin ------------------------------------------------------------------------------------------------------ */

/** A Fetch request, or the known parts of one. */
export interface FetchLike {
  readonly headers: Headers
  /** The requested URL. */
  readonly url?: string
}

/** Returns the request in the form from which Router and `getSession` read the origin. */
export function toSource(engine: ConfiguredEngine, { headers, url }: FetchLike): OriginSource {
  const sent = Object.fromEntries(headers)
  if (url === undefined) return withProxy(engine, { headers: sent })
  const { host, protocol } = hostAndProtocolOf(url)
  return withProxy(engine, { headers: { ...sent, host }, protocol })
}

/** Returns the same with only the headers that determine the origin. The others are read when they are needed. */
export function toOriginSource(engine: ConfiguredEngine, { headers, url }: FetchLike): OriginSource {
  const read = (name: string) => headers.get(name) ?? undefined
  const proto = read('x-forwarded-proto')
  const forwarded = engine.trustsProxy ? read('x-forwarded-host') : undefined
  const { host, protocol } = url === undefined ? { host: read('host') } : hostAndProtocolOf(url)
  return withProxy(engine, {
    headers: { host, 'x-forwarded-proto': proto, 'x-forwarded-host': forwarded },
    ...(protocol !== undefined && { protocol }),
  })
}

/** The scheme and host of a URL. */
interface HostAndProtocol {
  readonly host: string
  readonly protocol: string
}

/**
 * The known values by the start of the URL. A site has few; a client that invents more only evicts entries that are
 * computed again.
 */
const knownHosts = new BoundedMap<string, HostAndProtocol>(100)

function hostAndProtocolOf(url: string): HostAndProtocol {
  // The first slash after `http://` and a letter.
  const end = url.indexOf('/', 8)
  const start = end < 0 ? url : url.slice(0, end)
  const known = knownHosts.get(start)
  if (known) return known
  const parsed = parseUrl(url)
  if (!parsed) throw invalidUrlError()
  const { host, protocol } = parsed
  const result = { host, protocol: protocol.slice(0, -1) }
  const text = `${protocol}//${host}`
  // Only a start that is exactly scheme and host is stored, because every URL that begins with it has the same ones.
  if (text === start && text.length < 300) knownHosts.set(text, result)
  return result
}

/** Returns the source with the scheme and host from the proxy, if it is trusted. */
export function withProxy({ trustsProxy }: ConfiguredEngine, source: OriginSource): OriginSource {
  if (!trustsProxy) return source
  const { headers } = source
  const protocol = firstForwardedValue(headers, 'x-forwarded-proto')?.toLowerCase() ?? source.protocol
  const host = firstForwardedValue(headers, 'x-forwarded-host')
  return { ...source, protocol, headers: host === undefined ? headers : { ...headers, host } }
}

/** Returns the first value of a header, which is the client's, because each proxy appends its own. */
function firstForwardedValue(headers: MessageHeaders, name: string): string | undefined {
  return header(headers, name)?.split(',')[0]?.trim() || undefined
}

/**
 * Returns the requested URL, from the host or the request.
 * @throws {@link InvalidRequest} if it is not a URL: some servers pass the text of the `Host` header, such as `08`.
 */
export function requestedUrl(host: AuthHost, request: Request): string {
  const url = host.url?.(request) ?? request.url
  if (!isUrl(url)) throw invalidUrlError()
  return url
}

function invalidUrlError(): InvalidRequest {
  return new InvalidRequest('The URL of the request is invalid, because its `Host` header is malformed.')
}

/* ---- route ------------------------------------------------------------------------------------------------------- */

/** Returns the route of a path, and its part below the base path; `undefined` if the path is not a route. */
export function routeBelow(basePath: string, pathname: string): { path: string; route: Route } | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const path = pathname.slice(basePath.length)
  const route = findRoute(path)
  return route && { path, route }
}
