/**
 * The site's origin as a request shows it: what `AUTH_URL` says is the configuration's
 * matter; here is what Express' `trust proxy` makes of the connection and its headers. Router and `getSession` ask here.
 */

import { BoundedMap } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import { header, type MessageHeaders } from './message.js'

/** What of a request tells its origin. Express requests have all of it, an upgrade request only headers and socket. */
export interface OriginSource {
  /** The headers: `Host` is read from them, and, where `trust proxy` is set, by Express what proxies say. */
  readonly headers: MessageHeaders
  /** `http` or `https`; Express derives it from the connection, or from a proxy that the app trusts. */
  readonly protocol?: string
  /** The connection. */
  readonly socket?: {
    /** Whether it is one of TLS. */
    readonly encrypted?: boolean
    /** The address at its other end. */
    readonly remoteAddress?: string | undefined
  } | null
  /** The Express application: its `trust proxy` decides which headers are believed. */
  readonly app?: unknown
}

/** The origin of a request: http or https, host and port. `undefined` when it does not make one. */
export function readOrigin(request: OriginSource): string | undefined {
  const protocol = readProtocol(request)
  const host = readHost(request)
  if ((protocol !== 'http' && protocol !== 'https') || host === undefined) return undefined
  const text = `${protocol}://${host}`
  const known = origins.get(text)
  if (known !== undefined) return known
  const origin = isHost(host) ? parseUrl(text)?.origin : undefined
  if (origin === undefined) return undefined
  if (text.length < 300) origins.set(text, origin)
  return origin
}

/** A site has few; a client that makes up more only pushes out what is worked out again. */
const origins = new BoundedMap<string, string>(100)

/** The protocol of a request; `undefined` where nothing but a bare socket is there and it is not encrypted. */
export function readProtocol(request: OriginSource): string | undefined {
  if (request.protocol !== undefined) return request.protocol
  return request.socket?.encrypted ? 'https' : undefined
}

/** A proxy in front says https while the app sees http: it is not trusted, and secure cookies will not be found. */
export function hasUntrustedHttps(request: OriginSource): boolean {
  const forwarded = header(request.headers, 'x-forwarded-proto')
  return forwarded !== undefined && /^\s*https\b/i.test(forwarded) && request.protocol === 'http'
}

/** The scheme that the client used, as far as the connection or a proxy says it: plain http says nothing of its own. */
export function clientScheme(request: OriginSource): 'http' | 'https' | undefined {
  const forwarded = /^\s*(https?)\b/i.exec(header(request.headers, 'x-forwarded-proto') ?? '')?.[1]
  if (forwarded !== undefined) return forwarded.toLowerCase() === 'https' ? 'https' : 'http'
  return request.protocol === 'https' ? 'https' : undefined
}

/** Whether a `Host` header is a host with an optional port (RFC 9110 §7.2): no path, no user, no white space. */
export function isHost(text: string): boolean {
  return /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(text)
}

function readHost(request: OriginSource): string | undefined {
  const forwarded = header(request.headers, 'x-forwarded-host')
  if (forwarded !== undefined && trustsProxy(request)) return forwarded.split(',')[0]?.trim()
  return header(request.headers, 'host')
}

/** Asks the Express application, as Express itself does for `req.hostname`. */
function trustsProxy(request: OriginSource): boolean {
  const { app } = request
  if (typeof app !== 'function' || !('get' in app) || typeof app.get !== 'function') return false
  const trust: unknown = app.get('trust proxy fn')
  return typeof trust === 'function' && trust(request.socket?.remoteAddress, 0) === true
}
