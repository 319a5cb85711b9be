/** Plain messages: what the engine takes and gives. Express and Fetch are converted to and from these at the edges. */

import type { Action } from './routes.js'

/** Headers by lower-case name, as Node gives them. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request to one of our routes. Everything in it comes from a stranger. */
export interface AuthRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly action: Action
  /** The last path segment as it was sent, for the actions that have one. */
  readonly providerId?: string | undefined
  /** The site's effective origin. */
  readonly origin: string
  /** The URL that was asked for, on that origin. */
  readonly url: URL
  /** The origin that the client itself used, where it can be known. Differs from `origin` where `AUTH_URL` decides. */
  readonly receivedOrigin?: string | undefined
  /** Path of the mount, without a trailing slash; empty when mounted on `/`. */
  readonly basePath: string
  readonly headers: MessageHeaders
  /** The client's address, as the app's trust in proxies gives it. */
  readonly ip?: string | undefined
  /** Whether it was sent from the machine that answers it, as far as that is known for certain. */
  readonly isFromHere?: boolean
  /** Fields of the body: a record without a prototype. Empty when there was none. */
  readonly body: Readonly<Record<string, unknown>>
}

declare const safe: unique symbol
/** An absolute http(s) URL that we may send a browser to. Only `safeRedirect` in `http/urls.ts` makes one. */
export type SafeRedirect = string & { readonly [safe]: true }

/** What an action answers. */
export type AuthResponse =
  | { readonly kind: 'redirect'; readonly to: SafeRedirect }
  | {
      readonly kind: 'page'
      readonly html: string
      /** Carried by the page's inline style, and by its Content-Security-Policy. */
      readonly nonce: string
      /** It shows the captcha of the configuration. */
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
  /** An empty page for frames of these origins, and of no others. */
  | { readonly kind: 'frame'; readonly status: number; readonly ancestors: readonly string[] }
  | { readonly kind: 'empty'; readonly status: number }

/** What leaves the engine: the one place where the answer and its cookies meet. */
export interface AuthReply {
  readonly status: number
  /** Beside those that every answer has: see {@link uncachedHeaders}, and `router/security-headers`. */
  readonly headers: Readonly<Record<string, string>>
  /** Values of `Set-Cookie` headers. */
  readonly cookies: readonly string[]
  readonly body: string
  /** For pages: the nonce that their inline style and script carry. */
  readonly nonce?: string
  /** The page shows the captcha of the configuration, and may load it. */
  readonly captcha?: boolean
  /** The content security policy says who may frame it: `X-Frame-Options` must not say that nobody may. */
  readonly framed?: true
}

/** What all replies say: they are one person's, and for nobody's cache (RFC 9111 §5.2.2). */
export const uncachedHeaders = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
  vary: 'Cookie',
} as const

/** Whether `Accept` names JSON and not HTML. */
export function asksForJson(headers: MessageHeaders): boolean {
  const accept = header(headers, 'accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** One header's text; several are joined as RFC 9110 §5.3 has it. */
export function header(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/**
 * Headers as Fetch takes them, for functions of the developer's: without the length of a body that does not come along.
 *
 * @param except One more that is left out.
 */
export function toFetchHeaders(headers: MessageHeaders, except?: string): [name: string, value: string][] {
  const lines: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    // Pseudo-headers of HTTP/2 are none.
    if (value === undefined || name.startsWith(':') || name === 'content-length' || name === except) continue
    if (typeof value === 'string') lines.push([name, value])
    else for (const line of value) lines.push([name, line])
  }
  return lines
}

/** Characters of a header that a client made up. */
const maxUserAgent = 512

/** Where a request came from, for audit logs. */
export function requestInfo({ ip, headers }: Pick<AuthRequest, 'ip' | 'headers'>): { ip?: string; userAgent?: string } {
  const userAgent = header(headers, 'user-agent')?.slice(0, maxUserAgent)
  return { ...(ip !== undefined && { ip }), ...(userAgent !== undefined && { userAgent }) }
}
