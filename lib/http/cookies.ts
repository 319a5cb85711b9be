/** Parses and writes cookies (RFC 6265bis). */
import { parseCookie, parseSetCookie, type SetCookie, stringifySetCookie } from 'cookie'
import { BoundedMap } from '../base/memory.js'
import type { CookieAttributes, CookieOption } from '../types/cookies.js'

/** The received cookies: all values of each name, in the order of the header. */
export type ReceivedCookies = ReadonlyMap<string, readonly string[]>

/**
 * Parses a `Cookie` header. A name may be repeated: a sibling subdomain can set cookies for the whole domain, and only
 * their content tells them apart (RFC 6265 §8.6). A malformed percent-encoding is kept as it is.
 *
 * @param prefixes Cookies whose names begin differently are skipped: most of a header belongs to other software.
 *   Default: all are read.
 */
export function parseCookieHeader(header = '', prefixes?: readonly string[]): ReceivedCookies {
  const cookies = new Map<string, string[]>()
  for (let start = 0, end = 0; start < header.length; start = end + 1) {
    const next = header.indexOf(';', start)
    end = next === -1 ? header.length : next
    if (!prefixes || startsWithOne(header, start, prefixes)) addReceived(cookies, parseCookie(header.slice(start, end)))
  }
  return cookies
}

function addReceived(cookies: Map<string, string[]>, pair: Readonly<Record<string, string | undefined>>): void {
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

/**
 * Returns the value of a `Set-Cookie` header.
 *
 * @throws TypeError for a name or an attribute that cookies cannot have.
 */
export function writeCookie({ name, options }: CookieOption, value: string): string {
  const { maxAge, expires } = options
  const { start, scope, flags } = fixedParts(name, options)
  const seconds = maxAge === undefined ? '' : `; Max-Age=${checkedSeconds(maxAge)}`
  const end = !expires ? '' : `; Expires=${checkedDate(expires).toUTCString()}`
  return start + encodeURIComponent(value) + seconds + scope + end + flags
}

/** The parts of a `Set-Cookie` value that do not change: before the value, before `Expires`, and after it. */
interface FixedParts {
  readonly start: string
  readonly scope: string
  readonly flags: string
}

/** The parts by name and attributes. A configuration has few cookies, and few mounts, which are the paths of some. */
const knownParts = new BoundedMap<string, FixedParts>(200)

/** Returns the parts that do not change. They are checked and written once. @throws TypeError for an invalid one. */
function fixedParts(name: string, options: CookieAttributes): FixedParts {
  const { domain, path, httpOnly, secure, partitioned, priority, sameSite } = options
  // No valid part contains a line break, and an empty one is not written, so only the same parts have the same key.
  const texts = `${name}\n${domain || ''}\n${path || ''}\n${priority || ''}`
  const key = `${texts}\n${httpOnly}\n${secure}\n${partitioned}\n${typeof sameSite}\n${sameSite}`
  const known = knownParts.get(key)
  if (known) return known
  const start = stringifySetCookie({ name, value: '' })
  const attributes = (given: Partial<SetCookie>) =>
    stringifySetCookie({ ...given, name, value: '' }).slice(start.length)
  const flags = attributes({ httpOnly, secure, partitioned, priority, sameSite })
  const parts = { start, scope: attributes({ domain, path }), flags }
  if (key.length < 500) knownParts.set(key, parts)
  return parts
}

function checkedSeconds(maxAge: number): number {
  if (Number.isInteger(maxAge)) return maxAge
  throw new TypeError('The `maxAge` of a cookie is not a whole number of seconds.')
}

function checkedDate(expires: Date): Date {
  if (Object.prototype.toString.call(expires) === '[object Date]' && Number.isFinite(expires.valueOf())) return expires
  throw new TypeError('The `expires` of a cookie is not a valid date.')
}

/** Parses the value of a `Set-Cookie` header that this library wrote. */
export function readSetCookie(line: string): { name: string; value: string; options: CookieAttributes } {
  const { name, value = '', ...options } = parseSetCookie(line)
  return { name, value, options }
}

/**
 * Returns the `Cookie` header that the browser sends after these cookies were set. A repeated name keeps all its
 * values; a cookie that was set replaces them all.
 *
 * @param set The `Set-Cookie` values by cookie name.
 */
export function cookieHeaderAfter(header: string | undefined, set: ReadonlyMap<string, string>): string {
  const sent = (header ?? '').split(/; */).filter((pair) => cookieNameOf(pair) !== '')
  const kept = sent.filter((pair) => !set.has(cookieNameOf(pair)))
  const lines = [...set.values()].filter((line) => readSetCookie(line).options.maxAge !== 0)
  return [...kept, ...lines.map(cookiePairOf)].join('; ')
}

/** A cookie to set, and whether it may still be set. */
interface WrittenCookie {
  readonly line: string
  readonly isStillValid: () => boolean
}

/** The bytes that a value will take in place of the cookies that it replaces. */
export interface ReservedCookie {
  readonly name: string
  readonly bytes: number
  /** Checks whether a cookie will be replaced. */
  isReplaced(name: string): boolean
}

/** The response header with the renewed token of an app. No cookie has this name. */
export const sessionTokenHeader = 'x-session-token'

/** The cookies of one request and of its response. */
export class CookieJar {
  readonly #header: string | undefined
  readonly #prefixes: readonly string[] | undefined
  #received: ReceivedCookies | undefined
  /** Absent until the first cookie is set: most requests set none. */
  #written: Map<string, WrittenCookie> | undefined
  #reserved: ReservedCookie | undefined

  /** @param prefixes The prefixes of the names of all cookies that are read. */
  constructor(header: string | undefined, prefixes?: readonly string[]) {
    this.#header = header
    this.#prefixes = prefixes
  }

  /** The cookies of the request. */
  get received(): ReceivedCookies {
    this.#received ??= parseCookieHeader(this.#header, this.#prefixes)
    return this.#received
  }

  /** Returns the value of a received cookie; the first one of several. */
  get(name: string): string | undefined {
    return this.received.get(name)?.[0]
  }

  /** Returns all received values of a name. */
  getAll(name: string): readonly string[] {
    return this.received.get(name) ?? []
  }

  /**
   * Sets a cookie. A second value for the same name replaces the first.
   *
   * @param isStillValid Called when the headers are written. Returns whether the cookie may still be set.
   */
  set(cookie: CookieOption, value: string, isStillValid: () => boolean = alwaysValid): void {
    this.#written ??= new Map()
    this.#written.set(cookie.name, { line: writeCookie(cookie, value), isStillValid })
  }

  /** Sends a renewed token to an app, in the header {@link sessionTokenHeader} in place of a cookie. */
  sendToken(token: string, isStillValid: () => boolean): void {
    this.#written ??= new Map()
    this.#written.set(sessionTokenHeader, { line: token, isStillValid })
  }

  /** Clears a cookie in the browser: same attributes, no value, `Max-Age=0`. */
  clear(cookie: CookieOption, isStillValid?: () => boolean): void {
    const { expires: _expires, ...attributes } = cookie.options
    this.set({ name: cookie.name, options: { ...attributes, maxAge: 0 } }, '', isStillValid)
  }

  /** Withdraws the cookies that were to be set under these names. */
  withdraw(isOne: (name: string) => boolean): void {
    for (const name of this.#written?.keys() ?? []) if (isOne(name)) this.#written?.delete(name)
  }

  /** Checks whether the response sets or clears a cookie of this name. */
  sets(name: string): boolean {
    return this.#written?.has(name) === true
  }

  /**
   * Reserves bytes for a value that is written later.
   *
   * @param reserved Absent: ends the reservation.
   */
  reserve(reserved?: ReservedCookie): void {
    this.#reserved = reserved
  }

  /**
   * Returns bytes that {@link size} does not exceed, by the lengths of both headers. Only a jar that may be too full has
   * to be counted exactly.
   */
  get sizeAtMost(): number {
    let characters = (this.#header?.length ?? 0) + '; '.length
    for (const { line } of this.#written?.values() ?? []) characters += line.length + '; '.length
    // A pair of one character and `;` becomes one with `; `.
    return characters * 2 + (this.#reserved?.bytes ?? 0)
  }

  /** Returns the bytes that these cookies take in the browser's next request to the same path. */
  size(isCounted: (name: string) => boolean = alwaysValid): number {
    const reserved = this.#reserved
    const kept = this.#sent().filter((pair) => !this.sets(cookieNameOf(pair)))
    const set = [...(this.#written?.values() ?? [])]
      .map(({ line }) => cookiePairOf(line))
      .filter((pair) => !pair.endsWith('='))
    const counted = pairBytes([...kept, ...set], (name) => isCounted(name) && !reserved?.isReplaced(name))
    return reserved && isCounted(reserved.name) ? counted + reserved.bytes : counted
  }

  /** Returns the bytes that these cookies take in this request. */
  sentSize(isCounted: (name: string) => boolean): number {
    return pairBytes(this.#sent(), isCounted)
  }

  #sent(): string[] {
    return (this.#header ?? '').split(/; */).filter((pair) => pair !== '')
  }

  /**
   * The `Set-Cookie` headers of the response, by cookie name, and the token of {@link sendToken} by the name of its header. Read it only
   * when the headers are written.
   */
  get written(): ReadonlyMap<string, string> {
    if (this.#written === undefined) return noCookies
    return new Map(
      [...this.#written].flatMap(([name, { line, isStillValid }]) => (isStillValid() ? [[name, line]] : [])),
    )
  }
}

function pairBytes(pairs: readonly string[], isCounted: (name: string) => boolean): number {
  return pairs.reduce((bytes, pair) => (isCounted(cookieNameOf(pair)) ? bytes + pair.length + '; '.length : bytes), 0)
}

const alwaysValid = (): boolean => true

const noCookies: ReadonlyMap<string, string> = new Map()

/** Returns the name of a pair or of a `Set-Cookie` value. */
export function cookieNameOf(pair: string): string {
  return pair.split('=', 1).join().trim()
}

/** Returns name and value of a `Set-Cookie` value. */
function cookiePairOf(line: string): string {
  return line.split(';', 1).join()
}
