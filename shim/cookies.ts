/** The cookies for a host: as a header, and parsed for hosts that set cookies by name. */
import { cookieHeaderAfter, readSetCookie } from '../lib/http/cookies.js'
import { decodePercent } from '../lib/http/urls.js'
import type { CookieAttributes } from '../lib/types/cookies.js'

/** A cookie to set on a response. */
export interface HostCookie {
  /** The cookie's name. */
  readonly name: string
  /** The decoded value. A host that writes cookies itself encodes it again. */
  readonly value: string
  /** The attributes. Times are those of the header. */
  readonly options: Readonly<CookieAttributes>
  /** The whole value of the `Set-Cookie` header. */
  readonly header: string
  /**
   * Returns whether it may still be set. Call it when the response's headers are written, because the session may have
   * ended.
   */
  readonly isStillValid?: () => boolean
}

/** Parses a `Set-Cookie` header of this library (RFC 6265bis §4.1). */
export function toHostCookie(header: string): HostCookie {
  return { ...readSetCookie(header), header }
}

/**
 * Returns the `Cookie` header that the browser sends after these cookies were set. A repeated name keeps all its
 * values, and a cookie that was set replaces all of them.
 */
export function withCookies(header: string | null, cookies: Iterable<HostCookie>): string {
  return cookieHeaderAfter(header ?? undefined, new Map([...cookies].map((cookie) => [cookie.name, cookie.header])))
}

/** Returns the pairs of a `Cookie` header, unchanged. */
export function cookiePairs(header: string | null): string[] {
  return (header ?? '').split(/; */).filter((pair) => splitPair(pair).name !== '')
}

/** Returns each name and value of a `Cookie` header, including repeated ones, decoded if possible. */
export function readPairs(header: string | null): Array<readonly [name: string, value: string]> {
  return cookiePairs(header).map((pair) => {
    const { name, text } = splitPair(pair)
    return [name, decodePercent(text) ?? text]
  })
}

/** Splits a pair into name and text. */
export function splitPair(pair: string): { name: string; text: string } {
  const at = pair.indexOf('=')
  return at < 0 ? { name: pair, text: '' } : { name: pair.slice(0, at), text: pair.slice(at + 1) }
}
