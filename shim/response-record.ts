/** A response under way, as Node's responses are: what our routes and `getSession` write on, and what becomes a Fetch Response. */
import { addPersonalCookies, targetedHeaders } from '../lib/http/response.js'
import type { ExpressLikeResponse } from '../lib/router/express-like.js'
import { type SessionRead, writeCookies } from '../lib/session/reader.js'

/** Statuses whose responses have no body (RFC 9110 §6.4.1); `Response` refuses to be made with one. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** What may be in the value of a header (RFC 9110 §5.5). */
const headerText = /^[\t -~\u0080-\u00ff]*$/

/** What tells caches about a response: cookies depend on it, and change it. */
const cacheHeaders = ['cache-control', 'vary', ...targetedHeaders]

/** Status, headers and body in memory. Most records stay empty: nothing is made for what nobody writes. */
export class ResponseRecord implements ExpressLikeResponse {
  statusCode = 200
  headersSent = false
  /** By lower-case name; `Set-Cookie` in `#cookies`. No Headers: they are slow, and a response is made of plain values as well. */
  #headers: Map<string, string> | undefined
  #cookies: readonly string[] = []
  #queued: ReadonlyArray<SessionRead['cookies']> = []
  #body = ''

  /** Whether nothing was written or queued. */
  get isEmpty(): boolean {
    return this.#headers === undefined && this.#cookies.length === 0 && this.#queued.length === 0
  }

  getHeader(name: string): string | readonly string[] | undefined {
    const key = name.toLowerCase()
    if (key !== 'set-cookie') return this.#headers?.get(key)
    return this.#cookies.length > 0 ? this.#cookies : undefined
  }

  /** @throws TypeError for a value that no header can have. */
  setHeader(name: string, value: string | readonly string[]): void {
    const key = name.toLowerCase()
    const lines = typeof value === 'string' ? [value] : value
    if (!lines.every((line) => headerText.test(line))) throw new TypeError(`The header ${key} cannot have this value.`)
    this.#set(key, lines)
  }

  #set(key: string, lines: readonly string[]): void {
    if (key === 'set-cookie') this.#cookies = lines
    else {
      this.#headers ??= new Map()
      this.#headers.set(key, lines.join(', '))
    }
  }

  removeHeader(name: string): void {
    const key = name.toLowerCase()
    if (key === 'set-cookie') this.#cookies = []
    else this.#headers?.delete(key)
  }

  /** Cookies of a session that was read: they are asked for, and written, as the headers go out. */
  queue(cookies: SessionRead['cookies']): void {
    // Of two readings the later one counts: the first that is written is the one that stays.
    if (!this.headersSent && cookies().size > 0) this.#queued = [cookies, ...this.#queued]
  }

  /** The moment at which headers are out: what was queued is written, unless they are out already. */
  writeHead(_status?: number): void {
    if (this.headersSent) return
    this.headersSent = true
    for (const cookies of this.#queued) writeCookies(this, cookies())
  }

  end(body = ''): void {
    this.writeHead(this.statusCode)
    this.#body = body
  }

  /** What was written, once it is ended. */
  toResponse(): Response {
    const status = this.statusCode
    const body = this.#body === '' || bodiless.has(status) ? null : this.#body
    // The connection is the host's own (RFC 9110 §7.6.1).
    this.removeHeader('connection')
    const headers = [...(this.#headers ?? [])]
    if (this.#cookies.length === 0) return new Response(body, { status, headers: Object.fromEntries(headers) })
    const cookies = this.#cookies.map((line): [string, string] => ['set-cookie', line])
    return new Response(body, { status, headers: [...headers, ...cookies] })
  }

  /** Writes the headers out now: the cookies that were queued for a response that nobody else makes. */
  takeCookies(): readonly string[] {
    this.writeHead()
    return this.#cookies
  }

  /** Adds cookies, and what was queued, to a response's headers. Whether that was anything. */
  writeTo(headers: Headers, cookies: readonly string[] = []): boolean {
    if (this.isEmpty && cookies.length === 0) {
      this.writeHead()
      return false
    }
    const own = headers.getSetCookie()
    this.#cookies = own
    for (const name of cacheHeaders) {
      const value = headers.get(name)
      if (value !== null) this.#set(name, [value])
    }
    if (cookies.length > 0) addPersonalCookies(this, cookies)
    const added = this.takeCookies().slice(own.length)
    if (added.length === 0) return false
    for (const cookie of added) headers.append('set-cookie', cookie)
    for (const [name, value] of this.#headers ?? []) headers.set(name, value)
    return true
  }

  /** The application's response with cookies, and with what was queued; the very same one where that is nothing. */
  addTo(response: Response, cookies: readonly string[] = []): Response {
    // Not looked at: servers send a response faster whose parts nobody has asked for.
    if (this.isEmpty && cookies.length === 0) {
      this.writeHead()
      return response
    }
    const { body, status, statusText } = response
    const headers = new Headers(response.headers)
    // A switch of protocols (101) cannot be made anew.
    if (!this.writeTo(headers, cookies) || status < 200) return response
    return new Response(body, { status, statusText, headers })
  }
}
