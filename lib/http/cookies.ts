/** Cookies: one parser, one writer (RFC 6265bis). */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { CookieAttributes, CookieOption } from '../types.js'

/** Parses a `Cookie` header. The first of two same names wins; a bad percent-encoding is left as it is. */
export function parseCookieHeader(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  if (!header) return cookies
  for (const [name, value] of Object.entries(parseCookie(header))) if (value !== undefined) cookies.set(name, value)
  return cookies
}

/** A `Set-Cookie` header's value. @throws TypeError for a name or an attribute that no cookie can have. */
export function writeCookie({ name, options }: CookieOption, value: string): string {
  return stringifySetCookie(name, value, definedOnly(options))
}

/** The cookies of one request and of its answer. */
export class CookieJar {
  readonly received: ReadonlyMap<string, string>
  readonly #written = new Map<string, string>()

  constructor(header: string | undefined) {
    this.received = parseCookieHeader(header)
  }

  /** What the browser sent. */
  get(name: string): string | undefined {
    return this.received.get(name)
  }

  /** Sets a cookie. A second value for the same name replaces the first. */
  set(cookie: CookieOption, value: string): void {
    this.#written.set(cookie.name, writeCookie(cookie, value))
  }

  /** Tells the browser to drop a cookie: same attributes, no value, `Max-Age=0`. */
  clear(cookie: CookieOption): void {
    const { expires: _expires, ...attributes } = cookie.options
    this.set({ name: cookie.name, options: { ...attributes, maxAge: 0 } }, '')
  }

  /** The `Set-Cookie` headers of the answer, by cookie name. */
  get written(): ReadonlyMap<string, string> {
    return this.#written
  }
}

/** The attributes that say something: `undefined` is no attribute, and overrides none. */
export function definedOnly(attributes: CookieAttributes = {}): CookieAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
