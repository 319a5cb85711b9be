/** A response under way, as Node's responses are: what our routes and `getSession` write on, and what becomes a Fetch Response. */
import { addPersonalCookies, targetedHeaders } from '../lib/http/response.js'
import type { ExpressLikeResponse } from '../lib/router/express-like.js'

/** Statuses whose responses have no body (RFC 9110 §6.4.1); `Response` refuses to be made with one. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Status and headers in memory. Names are compared in lower case, as in HTTP. */
export class ResponseRecord implements ExpressLikeResponse {
  statusCode = 200
  headersSent = false
  readonly #headers = new Map<string, string | readonly string[]>()
  #body = ''

  getHeader(name: string): string | readonly string[] | undefined {
    return this.#headers.get(name.toLowerCase())
  }

  setHeader(name: string, value: string | readonly string[]): void {
    this.#headers.set(name.toLowerCase(), value)
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }

  /** The moment at which headers are out. What waits for it (`on-headers`) replaces this method. */
  writeHead(_status?: number): void {
    this.headersSent = true
  }

  end(body = ''): void {
    this.writeHead(this.statusCode)
    this.#body = body
  }

  /** What was written, once it is ended. */
  toResponse(): Response {
    const status = this.statusCode
    const body = this.#body === '' || bodiless.has(status) ? null : this.#body
    return new Response(body, { status, headers: this.#toHeaders() })
  }

  /** Writes the headers out now: the cookies that were queued for a response that nobody else makes. */
  takeCookies(): readonly string[] {
    this.writeHead()
    const cookies = this.getHeader('set-cookie') ?? []
    return typeof cookies === 'string' ? [cookies] : cookies
  }

  /** Adds cookies, and what was queued, to a response's headers. Whether that was anything. */
  writeTo(headers: Headers, cookies: readonly string[] = []): boolean {
    const own = headers.getSetCookie()
    for (const [name, value] of headers) this.setHeader(name, value)
    if (own.length > 0) this.setHeader('set-cookie', own)
    if (cookies.length > 0) addPersonalCookies(this, cookies)
    const added = this.takeCookies().slice(own.length)
    if (added.length === 0) return false
    for (const cookie of added) headers.append('set-cookie', cookie)
    for (const name of ['cache-control', 'vary', ...targetedHeaders]) {
      const value = this.getHeader(name)
      if (value !== undefined) headers.set(name, String(value))
    }
    return true
  }

  /** The application's response with cookies, and with what was queued; the very same one where that is nothing. */
  addTo(response: Response, cookies: readonly string[] = []): Response {
    const { body, status, statusText } = response
    const headers = new Headers(response.headers)
    // A switch of protocols (101) cannot be made anew.
    if (!this.writeTo(headers, cookies) || status < 200) return response
    return new Response(body, { status, statusText, headers })
  }

  #toHeaders(): Headers {
    const headers = new Headers()
    for (const [name, value] of this.#headers) {
      // The connection is the host's own (RFC 9110 §7.6.1).
      if (name === 'connection') continue
      for (const line of typeof value === 'string' ? [value] : value) headers.append(name, line)
    }
    return headers
  }
}
