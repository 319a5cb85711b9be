/**
 * A pending response in Node's form, on which the routes and `getSession` write, and which becomes a Fetch Response.
 */
import { sessionTokenHeader } from '../lib/http/cookies.js'
import { addPersonalCookies, preventSharedCaching, targetedHeaders } from '../lib/http/response.js'
import type { ExpressLikeResponse } from '../lib/router/express-like.js'
import { type SessionRead, writeReadingCookies } from '../lib/session/reader.js'

/** The statuses whose responses have no body (RFC 9110 §6.4.1). The constructor of `Response` rejects one. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** The allowed characters of a header's value (RFC 9110 §5.5). */
const headerText = /^[\t -~\u0080-\u00ff]*$/

/** The headers that control caches. Cookies depend on them and change them. */
const cacheHeaders = ['cache-control', 'vary', ...targetedHeaders]

/** Status, headers and body in memory. Most records stay empty, so nothing is created before it is written. */
export class ResponseRecord implements ExpressLikeResponse {
  statusCode = 200
  headersSent = false
  /**
   * The headers by lower-case name; `Set-Cookie` is in `#cookies`. A Headers object would be slow, and is not needed
   * for a Response.
   */
  #headers: Map<string, string> | undefined
  #cookies: readonly string[] = []
  #queued: ReadonlyArray<SessionRead['cookies']> = []
  #body = ''
  #isPersonal = false

  /** `true` if nothing was written or queued. */
  get isEmpty(): boolean {
    return !this.#isPersonal && this.#headers === undefined && this.#cookies.length === 0 && this.#queued.length === 0
  }

  getHeader(name: string): string | readonly string[] | undefined {
    const key = name.toLowerCase()
    if (key !== 'set-cookie') return this.#headers?.get(key)
    return this.#cookies.length > 0 ? this.#cookies : undefined
  }

  /** Sets a header. @throws TypeError for a value that no header can have. */
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

  /** Queues the cookies of a session that was read. They are read and written when the headers are sent. */
  queue(cookies: SessionRead['cookies']): void {
    // The latest cookies come first, because the first that are written stay.
    if (!this.headersSent && cookies().size > 0) this.#queued = [cookies, ...this.#queued]
  }

  /** Marks the response as one visitor's, because it contains their CSRF token. No shared cache may store it. */
  markPersonal(): void {
    this.#isPersonal = true
  }

  /** Marks the headers as sent, and writes the queued cookies the first time. */
  writeHead(_status?: number): void {
    if (this.headersSent) return
    this.headersSent = true
    for (const cookies of this.#queued) writeReadingCookies(this, cookies())
  }

  end(body = ''): void {
    this.writeHead(this.statusCode)
    this.#body = body
  }

  /** Returns the Response, once it has ended. */
  toResponse(): Response {
    const status = this.statusCode
    const body = this.#body === '' || bodiless.has(status) ? null : this.#body
    // The host manages the connection (RFC 9110 §7.6.1).
    this.removeHeader('connection')
    const headers = [...(this.#headers ?? [])]
    if (this.#cookies.length === 0) return new Response(body, { status, headers: Object.fromEntries(headers) })
    const cookies = this.#cookies.map((line): [string, string] => ['set-cookie', line])
    return new Response(body, { status, headers: [...headers, ...cookies] })
  }

  /** Sends the headers now, and returns the cookies for another response. */
  takeCookies(): readonly string[] {
    this.writeHead()
    return this.#cookies
  }

  /** Adds cookies and queued ones to a response's headers. Returns whether there were any. */
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
    else if (this.#isPersonal) preventSharedCaching(this)
    const added = this.takeCookies().slice(own.length)
    if (added.length === 0 && !this.#isPersonal && !this.#headers?.has(sessionTokenHeader)) return false
    for (const cookie of added) headers.append('set-cookie', cookie)
    for (const [name, value] of this.#headers ?? []) headers.set(name, value)
    return true
  }

  /**
   * Returns the application's response with the headers that were set. They are set on it, because some frameworks ignore
   * another object; only responses whose headers cannot be changed are copied.
   */
  addHeadersTo(response: Response): Response {
    const added = [...(this.#headers ?? [])]
    const write = (headers: Headers) => {
      for (const [name, value] of added) name === 'vary' ? headers.append(name, value) : headers.set(name, value)
    }
    try {
      write(response.headers)
      return response
    } catch {
      const { body, status, statusText } = response
      const headers = new Headers(response.headers)
      write(headers)
      return new Response(body, { status, statusText, headers })
    }
  }

  /** Returns the application's response with cookies and queued ones; the same object if there are none. */
  addTo(response: Response, cookies: readonly string[] = []): Response {
    // The response is not read, because servers send a response faster if its parts were never accessed.
    if (this.isEmpty && cookies.length === 0) {
      this.writeHead()
      return response
    }
    const { body, status, statusText } = response
    const headers = new Headers(response.headers)
    // A switch of protocols (101) cannot be created again.
    if (!this.writeTo(headers, cookies) || status < 200) return response
    return new Response(body, { status, statusText, headers })
  }
}
