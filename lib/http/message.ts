/** The engine's own requests and responses. The edges convert Express and Fetch messages to and from them. */

import { isRecord } from '../base/guards.js'
import type { Action } from './routes.js'

/** Headers by lower-case name, as in Node. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request to one of the library's routes. All of its content is untrusted. */
export interface AuthRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly action: Action
  /** The last path segment as it was sent, for actions that have one. */
  readonly providerId?: string | undefined
  /** The site's effective origin. */
  readonly origin: string
  /** The requested URL, on that origin. */
  readonly url: URL
  /** The origin that the client used, if it is known. It differs from `origin` when `AUTH_URL` is set. */
  readonly receivedOrigin?: string | undefined
  /** The path of the mount, without a trailing slash; empty when mounted on `/`. */
  readonly basePath: string
  readonly headers: MessageHeaders
  /** The client's IP address, as determined by the application's proxy settings. */
  readonly ip?: string | undefined
  /** True if the request certainly came from the machine that answers it. */
  readonly isFromThisMachine?: boolean
  /** The fields of the body: a record without a prototype, empty when there is no body. */
  readonly body: Readonly<Record<string, unknown>>
}

declare const safe: unique symbol
/** An absolute http(s) URL that a browser may be redirected to. Only `safeRedirect` in `http/urls.ts` creates one. */
export type SafeRedirect = string & { readonly [safe]: true }

/** The result of an action. */
export type AuthResponse =
  | { readonly kind: 'redirect'; readonly to: SafeRedirect }
  | {
      readonly kind: 'page'
      readonly html: string
      /** The nonce of the page's inline style and of its Content-Security-Policy. */
      readonly nonce: string
      /** True if the page shows the configured captcha. */
      readonly captcha?: boolean
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'json'
      readonly data: unknown
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /** An empty page that only these origins may frame. */
  | { readonly kind: 'frame'; readonly status: number; readonly ancestors: readonly string[] }
  | { readonly kind: 'empty'; readonly status: number }

/** The engine's final answer: the response together with its cookies. */
export interface AuthReply {
  readonly status: number
  /** The headers in addition to those of every reply: see {@link uncachedHeaders} and `router/security-headers`. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of the `Set-Cookie` headers. */
  readonly cookies: readonly string[]
  readonly body: string
  /** The nonce of a page's inline style and script. */
  readonly nonce?: string
  /** True if the page shows the configured captcha and may load it. */
  readonly captcha?: boolean
  /**
   * Set when the content security policy names the origins that may frame the page. `X-Frame-Options` must then not
   * deny framing.
   */
  readonly framed?: true
}

/** The cache headers of all replies: each belongs to one user and must not be cached (RFC 9111 §5.2.2). */
export const uncachedHeaders = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
  vary: 'Cookie',
} as const

/** Checks whether `Accept` names JSON and not HTML. */
export function prefersJson(headers: MessageHeaders): boolean {
  const accept = header(headers, 'accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Returns the text of one header. Several values are joined (RFC 9110 §5.3). */
export function header(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/**
 * Converts headers for `new Headers()` in callbacks. Leaves out the content length, because the body is not passed.
 *
 * @param except Another header to leave out.
 */
export function toFetchHeaders(headers: MessageHeaders, except?: string): [name: string, value: string][] {
  const lines: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    // The pseudo-headers of HTTP/2 are not headers.
    if (value === undefined || name.startsWith(':') || name === 'content-length' || name === except) continue
    if (typeof value === 'string') lines.push([name, value])
    else for (const line of value) lines.push([name, line])
  }
  return lines
}

/** Checks for a Fetch Request, by its shape: some frameworks have their own. Node's has its headers in a plain record. */
export function isFetchRequest(value: unknown): value is Request {
  return isRecord(value) && typeof value.url === 'string' && hasHeaders(value)
}

/** Checks for an object with Fetch headers. */
export function hasHeaders(value: unknown): value is { readonly headers: Headers } {
  if (!isRecord(value) || !isRecord(value.headers)) return false
  return typeof value.headers.get === 'function' && typeof value.headers.append === 'function'
}

/** The longest stored user agent, in characters: clients can send any text. */
const maxUserAgent = 512

/** Returns the client's address and user agent, for audit logs. */
export function requestInfo({ ip, headers }: Pick<AuthRequest, 'ip' | 'headers'>): { ip?: string; userAgent?: string } {
  const userAgent = header(headers, 'user-agent')?.slice(0, maxUserAgent)
  return { ...(ip !== undefined && { ip }), ...(userAgent !== undefined && { userAgent }) }
}
