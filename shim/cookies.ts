/** Cookies on their way to a host: as the header that we wrote, and taken apart for hosts that set cookies by name. */
import type { CookieAttributes } from '../lib/types.js'

/** A cookie to be set on a response. */
export interface HostCookie {
  readonly name: string
  /** Decoded: a host that writes cookies itself encodes it again. */
  readonly value: string
  readonly options: Readonly<CookieAttributes>
  /** The whole value of the `Set-Cookie` header. */
  readonly header: string
}

/** Takes a `Set-Cookie` header of ours apart (RFC 6265bis §4.1). */
export function toHostCookie(header: string): HostCookie {
  const [pair = '', ...attributes] = header.split('; ')
  const { name, text } = toPair(pair)
  const options = Object.assign({}, ...attributes.map(toAttribute))
  return { name, value: decodeURIComponent(text), options, header }
}

/** The `Cookie` header of a request after these cookies were set on its response: what the browser sends next. */
export function withCookies(header: string | null, cookies: Iterable<HostCookie>): string {
  const pairs = new Map<string, string>()
  // Of two cookies of one name the first counts, as wherever else they are read.
  for (const pair of (header ?? '').split(/; */)) {
    const { name } = toPair(pair)
    if (!pairs.has(name)) pairs.set(name, pair)
  }
  for (const cookie of cookies) {
    if (cookie.options.maxAge === 0) pairs.delete(cookie.name)
    else pairs.set(cookie.name, cookie.header.split('; ', 1).join())
  }
  pairs.delete('')
  return [...pairs.values()].join('; ')
}

function toPair(pair: string): { name: string; text: string } {
  const at = pair.indexOf('=')
  return at < 0 ? { name: pair, text: '' } : { name: pair.slice(0, at), text: pair.slice(at + 1) }
}

function toAttribute(attribute: string): CookieAttributes {
  const { name, text } = toPair(attribute)
  return attributes[name]?.(text) ?? {}
}

const attributes: Readonly<Record<string, (text: string) => CookieAttributes>> = {
  Domain: (domain) => ({ domain }),
  Expires: (date) => ({ expires: new Date(date) }),
  HttpOnly: () => ({ httpOnly: true }),
  'Max-Age': (seconds) => ({ maxAge: Number(seconds) }),
  Partitioned: () => ({ partitioned: true }),
  Path: (path) => ({ path }),
  Priority: (word) => ({ priority: word.toLowerCase() as 'low' | 'medium' | 'high' }),
  SameSite: (word) => ({ sameSite: word.toLowerCase() as 'lax' | 'strict' | 'none' }),
  Secure: () => ({ secure: true }),
}
