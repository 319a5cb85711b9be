/** What we write on a response: cookies and `Vary` are added to what the application has set; the rest replaces. */

import { nameOf } from './cookies.js'

/** A Node or Express response, as far as headers go. */
export interface WritableResponse {
  /** Whether the headers are out: nothing can be set then. */
  readonly headersSent: boolean
  /** The value of a header that was set; `undefined` where it was not. */
  getHeader(name: string): number | string | readonly string[] | undefined
  /** Sets a header, in the place of an older one. */
  setHeader(name: string, value: string | readonly string[]): unknown
}

/** A response whose headers are not out yet. */
export interface OpenResponse extends WritableResponse {
  /** Sends the headers with this status. */
  writeHead(status: number): unknown
}

/** Headers by which an application speaks to its CDN alone (RFC 9213 §2): there `Cache-Control` counts for nothing. */
export const targetedHeaders = [
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'surrogate-control',
  'vercel-cdn-cache-control',
] as const

/** Sets headers. `Vary` also keeps what the application named there; what it told a CDN gives way to our `Cache-Control`. */
export function setHeaders(response: WritableResponse, headers: Readonly<Record<string, string>>): void {
  prepareHeaders(headers)(response)
}

/** Makes a function that sets the same headers on each response, by the rules of {@link setHeaders}. */
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
    for (const [name, value] of pairs) response.setHeader(name, value)
    if (vary !== undefined) response.setHeader('vary', withVary(headerValues(response, 'vary').join(', '), vary))
  }
}

/** Adds `Set-Cookie` headers. Cookies that the application has set before stay. */
export function addCookies(response: WritableResponse, cookies: Iterable<string>): void {
  response.setHeader('set-cookie', [...headerValues(response, 'set-cookie'), ...cookies])
}

/** Adds a person's cookies to a response of the application, which is for no shared cache then (RFC 9111 §5.2.2.7). */
export function addPersonalCookies(response: WritableResponse, cookies: Iterable<string>): void {
  addCookies(response, cookies)
  keepFromCaches(response)
}

/** Sets a person's cookies on a response of the application, each in the place of one of its name. */
export function setPersonalCookies(response: WritableResponse, cookies: ReadonlyMap<string, string>): void {
  const others = headerValues(response, 'set-cookie').filter((line) => !cookies.has(nameOf(line)))
  response.setHeader('set-cookie', [...others, ...cookies.values()])
  keepFromCaches(response)
}

/** Takes cookies back that were set. @param lines Whole `Set-Cookie` values. */
export function takeBackCookies(response: WritableResponse, lines: ReadonlySet<string>): void {
  const set = headerValues(response, 'set-cookie')
  if (set.some((line) => lines.has(line)))
    response.setHeader(
      'set-cookie',
      set.filter((line) => !lines.has(line)),
    )
}

/** Says that a response of the application holds what is one person's (RFC 9111 §5.2.2.5, §5.2.2.7). */
export function keepFromCaches(response: WritableResponse): void {
  setHeaders(response, { 'cache-control': 'private, no-store', vary: 'Cookie' })
}

/** The values of a response's header. */
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
