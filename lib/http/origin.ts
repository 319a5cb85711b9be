/**
 * Reads the site's origin from a request, following Express' `trust proxy`. The configuration handles `AUTH_URL`. The
 * router and `getSession` use it.
 */

import { BoundedMap } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import { header, type MessageHeaders } from './message.js'

/**
 * The parts of a request that determine its origin. Express requests have all of them, an upgrade request only headers
 * and socket.
 */
export interface OriginSource {
  /** The headers. `Host` is read from them, and with `trust proxy` Express reads the headers of proxies. */
  readonly headers: MessageHeaders
  /** `http` or `https`. Express derives it from the connection, or from a trusted proxy. */
  readonly protocol?: string
  /** The connection. */
  readonly socket?: {
    /** True if the connection uses TLS. */
    readonly encrypted?: boolean
    /** The remote address of the connection. */
    readonly remoteAddress?: string | undefined
  } | null
  /** The Express application: its `trust proxy` decides which headers are trusted. */
  readonly app?: unknown
}

/**
 * Returns the origin of a request: http or https, host and port. Returns `undefined` when the request has no valid one.
 */
export function readOrigin(request: OriginSource): string | undefined {
  const protocol = readProtocol(request)
  const host = readHost(request)
  if ((protocol !== 'http' && protocol !== 'https') || host === undefined) return undefined
  const known = originCaches[protocol].get(host)
  if (known !== undefined) return known
  const origin = isHostHeader(host) ? parseUrl(`${protocol}://${host}`)?.origin : undefined
  if (origin === undefined) return undefined
  if (host.length < 300) originCaches[protocol].set(host, origin)
  return origin
}

/**
 * Caches of parsed origins by host. A site has few; clients that invent hosts only evict entries that can be computed again.
 */
const originCaches = { http: new BoundedMap<string, string>(100), https: new BoundedMap<string, string>(100) }

/** Returns the protocol of a request; `undefined` when there is only a socket without TLS. */
export function readProtocol(request: OriginSource): string | undefined {
  if (request.protocol !== undefined) return request.protocol
  return request.socket?.encrypted ? 'https' : undefined
}

/**
 * Checks whether a proxy reports https while the application sees http. The proxy is then not trusted, and secure
 * cookies are not found.
 */
export function hasUntrustedHttps(request: OriginSource): boolean {
  const forwarded = header(request.headers, 'x-forwarded-proto')
  return forwarded !== undefined && /^\s*https\b/i.test(forwarded) && request.protocol === 'http'
}

/** Returns the client's scheme, if the connection or a proxy shows it. Plain http alone shows nothing. */
export function clientScheme(request: OriginSource): 'http' | 'https' | undefined {
  const forwarded = /^\s*(https?)\b/i.exec(header(request.headers, 'x-forwarded-proto') ?? '')?.[1]
  if (forwarded !== undefined) return forwarded.toLowerCase() === 'https' ? 'https' : 'http'
  return request.protocol === 'https' ? 'https' : undefined
}

/**
 * Checks whether a `Host` header is a host with an optional port (RFC 9110 §7.2), without path, user or white space.
 */
export function isHostHeader(text: string): boolean {
  return /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(text)
}

/** Returns the host of a request as it was sent, or as a trusted proxy received it. */
export function readHost(request: OriginSource): string | undefined {
  const forwarded = header(request.headers, 'x-forwarded-host')
  if (forwarded !== undefined && trustsProxy(request)) return forwarded.split(',')[0]?.trim()
  return header(request.headers, 'host')
}

/** Checks by the Express application whether it trusts the proxy, as Express does for `req.hostname`. */
function trustsProxy(request: OriginSource): boolean {
  const { app } = request
  if (typeof app !== 'function' || !('get' in app) || typeof app.get !== 'function') return false
  const trust: unknown = app.get('trust proxy fn')
  return typeof trust === 'function' && trust(request.socket?.remoteAddress, 0) === true
}
