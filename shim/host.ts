/**
 * The interface between the shim and a framework. `shim/request-context.ts` is the host of plain Fetch servers. Another
 * host is an object of this type, passed to `initAuth` as its second argument.
 */
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import type { WritableResponse } from '../lib/http/response.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { HostCookie } from './cookies.js'

/** A Node response. */
export type NodeResponse = WritableResponse & {
  /** Sends the headers with this status. */
  writeHead(status: number): unknown
}

/** The request that the calling code handles, as far as a host knows it. */
export interface AmbientRequest {
  /**
   * The headers with the current cookies: those that were set during this request replace the browser's. `withCookies`
   * returns that header.
   */
  readonly headers: Headers
  /** The requested URL. Without it the site is only known from `AUTH_URL`. */
  readonly url?: string
  /** The client's IP address, if the host can trust it. */
  readonly ip?: string
  /** `true` if a cookie can still be set on the response. Otherwise no session is extended and sign-ins fail. */
  readonly writable: boolean
  /** The request object: for `initAuth((request) => config)`, and to recognise the request in later calls. */
  readonly request?: Request
  /**
   * The pending response in Node's form, if the host has one. An extended session is then written at the last moment,
   * and omitted if the response is public. Without it `setCookies` is called at once.
   */
  readonly response?: NodeResponse
}

/**
 * A framework that hosts the shim.
 * @example
 * ```ts
 * const host: AuthHost = {
 *  current() {
 *   const request = framework.request()
 *   const headers = new Headers(request.headers)
 *   headers.set('cookie', framework.cookies().toString()) // as they are now
 *   return { request, headers, url: request.url, writable: true }
 *  },
 *  setCookies: (cookies) => cookies.forEach(({ name, value, options }) => framework.cookies().set(name, value, options)),
 *  redirect: (url) => framework.redirect(url),
 *  reject: (response) => framework.error(response.status),
 * }
 * export const { handlers, auth, signIn, signOut } = initAuth(config, host)
 * ```
 */
export interface AuthHost<R extends Request = Request> {
  /**
   * Returns the current request, or `null`. Its session is read once while its cookies do not change. The request is
   * recognised by `request`, or if a framework has none, by the same returned object. Errors are passed to the caller.
   */
  current(): Awaitable<AmbientRequest | null>
  /** Sets cookies on the response of {@link current}'s request, if that is `writable`. */
  setCookies(cookies: readonly HostCookie[]): Awaitable<void>
  /**
   * Redirects by throwing the framework's redirect, which ends the caller's work.
   * @param response The same redirect as a Response, with its headers, if a guard of a request redirects.
   */
  redirect(url: string, response?: Response): never
  /**
   * Throws the response to a request that a guard rejects, in the form that the framework answers with: status 400, 401,
   * 403 or 413. Each call throws a new value. Default: throws the Response itself.
   */
  reject?(response: Response): never
  /**
   * Returns a middleware's response that allows a request. `headers` are the request's, with its new cookies. Omit it
   * if the framework has no such response: `auth(request)` then returns `undefined`.
   */
  next?(headers: Headers): Response
  /** Returns the requested URL, if it is not `request.url`. */
  url?(request: R): string
  /** Returns the client's IP address, if the host can trust it. */
  ip?(request: R): string | undefined
  /** Keeps the process alive for work after a response, such as the sending of a mail. The promise never rejects. */
  waitUntil?(work: Promise<unknown>): void
}

/** Returns the host's current request, for functions that are called without one. @throws Error if there is none. */
export function currentRequest(host: AuthHost, caller: string): Awaitable<AmbientRequest> {
  return mapMaybePromise(host.current(), (ambient) => {
    if (ambient) return ambient
    throw new Error(
      `${caller} was called outside a request. Call it while a request is handled: in a plain Fetch server inside withRequest(request, …).`,
    )
  })
}

/**
 * Returns the host's current request, or `undefined` if there is none or the host fails, for callers that have their
 * own request.
 */
export function findCurrentRequest(host: AuthHost): Awaitable<AmbientRequest | undefined> {
  const nothing = () => undefined
  try {
    const current = host.current()
    if (current === null || !('then' in current)) return current ?? undefined
    return current.then((ambient) => ambient ?? undefined, nothing)
  } catch {
    return undefined
  }
}
