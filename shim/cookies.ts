/** Cookies on their way to a host: as the header that we wrote, and taken apart for hosts that set cookies by name. */
import { cookieHeaderAfter, readSetCookie } from '../lib/http/cookies.js'
import { percentDecoded } from '../lib/http/urls.js'
import type { CookieAttributes } from '../lib/types/cookies.js'

/** A cookie to be set on a response. */
export interface HostCookie {
  /** The cookie's name. */
  readonly name: string
  /** Decoded: a host that writes cookies itself encodes it again. */
  readonly value: string
  /** Its attributes. Times are those of the header. */
  readonly options: Readonly<CookieAttributes>
  /** The whole value of the `Set-Cookie` header. */
  readonly header: string
  /** Whether it may still be set: ask when the response's headers are written. A session may have ended meanwhile. */
  readonly holds?: () => boolean
}

/** Takes a `Set-Cookie` header of ours apart (RFC 6265bis §4.1). */
export function toHostCookie(header: string): HostCookie {
  return { ...readSetCookie(header), header }
}

/**
 * The `Cookie` header of a request after these cookies were set on its response: what the browser sends next. A name that was
 * sent several times keeps all its values, and a cookie that was set takes the place of them all.
 */
export function withCookies(header: string | null, cookies: Iterable<HostCookie>): string {
  return cookieHeaderAfter(header ?? undefined, new Map([...cookies].map((cookie) => [cookie.name, cookie.header])))
}

/** The pairs of a `Cookie` header, as they were sent. */
export function pairsOf(header: string | null): string[] {
  return (header ?? '').split(/; */).filter((pair) => toPair(pair).name !== '')
}

/** Each name and value of a `Cookie` header, repeated ones too: decoded, where their text has a meaning. */
export function readPairs(header: string | null): Array<readonly [name: string, value: string]> {
  return pairsOf(header).map((pair) => {
    const { name, text } = toPair(pair)
    return [name, percentDecoded(text) ?? text]
  })
}

/** A pair's name and text. */
export function toPair(pair: string): { name: string; text: string } {
  const at = pair.indexOf('=')
  return at < 0 ? { name: pair, text: '' } : { name: pair.slice(0, at), text: pair.slice(at + 1) }
}
