/** Cookies: one parser, one writer (RFC 6265bis). */
import { parseCookie, parseSetCookie, stringifySetCookie } from 'cookie'
import { definedOnly } from '../base/guards.js'
import type { CookieAttributes, CookieOption } from '../types/cookies.js'

/** What a browser sent: all values of each name, in the order in which they came. */
export type ReceivedCookies = ReadonlyMap<string, readonly string[]>

/**
 * Parses a `Cookie` header. A name may come several times: a sibling subdomain sets cookies for the whole domain, and nothing
 * but their content tells them apart (RFC 6265 §8.6). A bad percent-encoding is left as it is.
 *
 * @param prefixes Cookies whose names begin otherwise are passed over: most of a header is nothing of ours. Default: none is.
 */
export function parseCookieHeader(header = '', prefixes?: readonly string[]): ReceivedCookies {
  const cookies = new Map<string, string[]>()
  for (let start = 0, end = 0; start < header.length; start = end + 1) {
    const next = header.indexOf(';', start)
    end = next === -1 ? header.length : next
    if (!prefixes || startsWithOne(header, start, prefixes)) add(cookies, parseCookie(header.slice(start, end)))
  }
  return cookies
}

function add(cookies: Map<string, string[]>, pair: Readonly<Record<string, string | undefined>>): void {
  for (const name in pair) {
    const value = pair[name]
    if (value === undefined) continue
    const known = cookies.get(name)
    if (known) known.push(value)
    else cookies.set(name, [value])
  }
}

function startsWithOne(header: string, from: number, prefixes: readonly string[]): boolean {
  let start = from
  while (header.charCodeAt(start) === space || header.charCodeAt(start) === tab) start += 1
  for (const prefix of prefixes) if (header.startsWith(prefix, start)) return true
  return false
}

const space = 0x20
const tab = 0x09

/** A `Set-Cookie` header's value. @throws TypeError for a name or an attribute that no cookie can have. */
export function writeCookie({ name, options }: CookieOption, value: string): string {
  return stringifySetCookie(name, value, definedOnly(options))
}

/** Takes a `Set-Cookie` header's value of ours apart again. */
export function readSetCookie(line: string): { name: string; value: string; options: CookieAttributes } {
  const { name, value = '', ...options } = parseSetCookie(line)
  return { name, value, options }
}

/**
 * The `Cookie` header of a request after these cookies were set on its response: what the browser sends next. A name that was
 * sent several times keeps all its values, and a cookie that was set takes the place of them all.
 *
 * @param set `Set-Cookie` values by cookie name.
 */
export function cookieHeaderAfter(header: string | undefined, set: ReadonlyMap<string, string>): string {
  const sent = (header ?? '').split(/; */).filter((pair) => nameOf(pair) !== '')
  const kept = sent.filter((pair) => !set.has(nameOf(pair)))
  const lines = [...set.values()].filter((line) => readSetCookie(line).options.maxAge !== 0)
  return [...kept, ...lines.map(pairOf)].join('; ')
}

/** A cookie to be set, and whether that still holds. */
interface Written {
  readonly line: string
  readonly holds: () => boolean
}

/** Bytes that a value will take, in the place of the cookies that it replaces. */
export interface Reserved {
  readonly name: string
  readonly bytes: number
  /** Whether a cookie is one that is replaced. */
  isOne(name: string): boolean
}

/** The cookies of one request and of its answer. */
export class CookieJar {
  readonly #header: string | undefined
  readonly #prefixes: readonly string[] | undefined
  #received: ReceivedCookies | undefined
  readonly #written = new Map<string, Written>()
  #reserved: Reserved | undefined

  /** @param prefixes How the names of all cookies begin that are asked for. */
  constructor(header: string | undefined, prefixes?: readonly string[]) {
    this.#header = header
    this.#prefixes = prefixes
  }

  /** What the browser sent. */
  get received(): ReceivedCookies {
    this.#received ??= parseCookieHeader(this.#header, this.#prefixes)
    return this.#received
  }

  /** What the browser sent; of several values the first. */
  get(name: string): string | undefined {
    return this.received.get(name)?.[0]
  }

  /** All values that the browser sent under a name. */
  getAll(name: string): readonly string[] {
    return this.received.get(name) ?? []
  }

  /**
   * Sets a cookie. A second value for the same name replaces the first.
   *
   * @param holds Asked when the answer's headers are written: whether the cookie may still be set then.
   */
  set(cookie: CookieOption, value: string, holds: () => boolean = always): void {
    this.#written.set(cookie.name, { line: writeCookie(cookie, value), holds })
  }

  /** Tells the browser to drop a cookie: same attributes, no value, `Max-Age=0`. */
  clear(cookie: CookieOption, holds?: () => boolean): void {
    const { expires: _expires, ...attributes } = cookie.options
    this.set({ name: cookie.name, options: { ...attributes, maxAge: 0 } }, '', holds)
  }

  /** Takes back what was to be set under these names. */
  withdraw(isOne: (name: string) => boolean): void {
    for (const name of this.#written.keys()) if (isOne(name)) this.#written.delete(name)
  }

  /** Whether the answer sets or clears a cookie of this name. */
  sets(name: string): boolean {
    return this.#written.has(name)
  }

  /** Counts bytes for a value that is written later. @param reserved Absent: nothing is reserved from now on. */
  reserve(reserved?: Reserved): void {
    this.#reserved = reserved
  }

  /** Bytes that these cookies take in the header of the browser's next request to the same path. */
  size(isCounted: (name: string) => boolean = always): number {
    const reserved = this.#reserved
    const kept = this.#sent().filter((pair) => !this.#written.has(nameOf(pair)))
    const set = [...this.#written.values()].map(({ line }) => pairOf(line)).filter((pair) => !pair.endsWith('='))
    const counted = bytesOf([...kept, ...set], (name) => isCounted(name) && !reserved?.isOne(name))
    return reserved && isCounted(reserved.name) ? counted + reserved.bytes : counted
  }

  /** Bytes that these cookies take in the header of this request. */
  sentSize(isCounted: (name: string) => boolean): number {
    return bytesOf(this.#sent(), isCounted)
  }

  #sent(): string[] {
    return (this.#header ?? '').split(/; */).filter((pair) => pair !== '')
  }

  /** The `Set-Cookie` headers of the answer, by cookie name. Take them when the headers are written, and not before. */
  get written(): ReadonlyMap<string, string> {
    // As with most requests.
    if (this.#written.size === 0) return nothing
    return new Map([...this.#written].flatMap(([name, { line, holds }]) => (holds() ? [[name, line]] : [])))
  }
}

function bytesOf(pairs: readonly string[], isCounted: (name: string) => boolean): number {
  return pairs.reduce((bytes, pair) => (isCounted(nameOf(pair)) ? bytes + pair.length + '; '.length : bytes), 0)
}

const always = (): boolean => true

const nothing: ReadonlyMap<string, string> = new Map()

/** The name of a pair, or of a `Set-Cookie` value. */
export function nameOf(pair: string): string {
  return pair.split('=', 1).join().trim()
}

/** Name and value of a `Set-Cookie` value. */
function pairOf(line: string): string {
  return line.split(';', 1).join()
}
