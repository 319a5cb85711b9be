/**
 * Writes headers on a response. Cookies and `Vary` are added to those of the application; other headers replace them.
 */

import { cookieNameOf } from './cookies.js'

/** The headers of a Node or Express response. */
export interface WritableResponse {
  /** True if the headers have been sent and cannot be set any more. */
  readonly headersSent: boolean
  /** Returns the value of a header that was set; `undefined` when it was not. */
  getHeader(name: string): number | string | readonly string[] | undefined
  /** Sets a header, replacing an older value. */
  setHeader(name: string, value: string | readonly string[]): unknown
}

/** A response whose headers have not been sent. */
export interface OpenResponse extends WritableResponse {
  /** Sends the headers with this status. */
  writeHead(status: number): unknown
}

/** Headers by which an application controls its CDN (RFC 9213 §2). The CDN then ignores `Cache-Control`. */
export const targetedHeaders = [
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'surrogate-control',
  'vercel-cdn-cache-control',
] as const

/** Sets headers. `Vary` keeps the application's names; `Cache-Control` also overrides the application's CDN headers. */
export function setHeaders(response: WritableResponse, headers: Readonly<Record<string, string>>): void {
  prepareHeaders(headers)(response)
}

/** Creates a function that sets the same headers on each response, by the rules of {@link setHeaders}. */
export function prepareHeaders(headers: Readonly<Record<string, string>>): (response: WritableResponse) => void {
  const { vary, ...others } = headers
  const pairs = Object.entries(others)
  const isUncached = headers['cache-control'] !== undefined
  return (response) => {
    if (isUncached) {
      for (const name of targetedHeaders) {
        if (response.getHeader(name) !== undefined) response.setHeader(name, 'no-store')
      }
    }
    // Looked up once: on Node 20, each response has a hidden class of its own.
    const { setHeader } = response
    for (const [name, value] of pairs) setHeader.call(response, name, value)
    if (vary !== undefined) response.setHeader('vary', withVary(headerValues(response, 'vary').join(', '), vary))
  }
}

/** Adds `Set-Cookie` headers, keeping the cookies that the application has set. */
export function addCookies(response: WritableResponse, cookies: Iterable<string>): void {
  const lines = [...headerValues(response, 'set-cookie'), ...cookies]
  if (lines.length > 0) response.setHeader('set-cookie', lines)
}

/** Adds a user's cookies to a response of the application and keeps it out of shared caches (RFC 9111 §5.2.2.7). */
export function addPersonalCookies(response: WritableResponse, cookies: Iterable<string>): void {
  addCookies(response, cookies)
  preventSharedCaching(response)
}

/** Sets a user's cookies on a response of the application, replacing those of the same name. */
export function setPersonalCookies(response: WritableResponse, cookies: ReadonlyMap<string, string>): void {
  const others = headerValues(response, 'set-cookie').filter((line) => !cookies.has(cookieNameOf(line)))
  response.setHeader('set-cookie', [...others, ...cookies.values()])
  preventSharedCaching(response)
}

/**
 * Removes cookies that were set.
 *
 * @param lines Whole `Set-Cookie` values.
 */
export function removeCookies(response: WritableResponse, lines: ReadonlySet<string>): void {
  const set = headerValues(response, 'set-cookie')
  if (set.some((line) => lines.has(line)))
    response.setHeader(
      'set-cookie',
      set.filter((line) => !lines.has(line)),
    )
}

/** Marks a response of the application as private to one user (RFC 9111 §5.2.2.5, §5.2.2.7). */
export function preventSharedCaching(response: WritableResponse): void {
  setHeaders(response, { 'cache-control': 'private, no-store', vary: 'Cookie' })
}

/** Returns the values of a header of a response. */
export function headerValues(response: WritableResponse, name: string): readonly string[] {
  const value = response.getHeader(name)
  if (value === undefined) return []
  return typeof value === 'object' ? value : [String(value)]
}

function withVary(present: string, added: string): string {
  if (present === '') return added
  const names = present.split(',').map((name) => name.trim())
  if (names.some((name) => name === '*' || name.toLowerCase() === added.toLowerCase())) return present
  return `${present}, ${added}`
}
