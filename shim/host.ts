/**
 * The port between the shim and the framework that hosts it. `shim/request-context.ts` is the host of plain Fetch servers;
 * another host is an object of this shape, given to `initAuth` as its second argument.
 */
import { after } from '../lib/base/after.js'
import type { WritableResponse } from '../lib/http/response.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { HostCookie } from './cookies.js'

/** A response as Node has it. */
export type NodeResponse = WritableResponse & {
  /** Sends the headers with this status. */
  writeHead(status: number): unknown
}

/** The request that the calling code is answering, as far as a host can tell. */
export interface AmbientRequest {
  /**
   * With the cookies as they are now: those that were set while this request is answered have taken the place of what the
   * browser sent. `withCookies` makes that header.
   */
  readonly headers: Headers
  /** The URL that the client asked for. Without it the site is known from `AUTH_URL` only. */
  readonly url?: string
  /** The client's address, where the host may believe it. */
  readonly ip?: string
  /** Whether a cookie can still be set on its response. Where it cannot, no session is extended and nobody signs in. */
  readonly writable: boolean
  /** The request itself: for `initAuth((request) => config)`, and to know it again when it is asked for once more. */
  readonly request?: Request
  /**
   * The response under way, as Node has it, if the host holds one: an extended session is written at the last moment then,
   * and left out where the response turns out to be public. Without it `setCookies` is called at once.
   */
  readonly response?: NodeResponse
}

/**
 * What the shim asks of a host.
 *
 * @example
 * ```ts
 * const host: AuthHost = {
 *   current() {
 *     const request = framework.request()
 *     const headers = new Headers(request.headers)
 *     headers.set('cookie', framework.cookies().toString()) // as they are now
 *     return { request, headers, url: request.url, writable: true }
 *   },
 *   setCookies: (cookies) => cookies.forEach(({ name, value, options }) => framework.cookies().set(name, value, options)),
 *   redirect: (url) => framework.redirect(url),
 * }
 * export const { handlers, auth, signIn, signOut } = initAuth(config, host)
 * ```
 */
export interface AuthHost<R extends Request = Request> {
  /**
   * The request that is being answered here; `null` where there is none. Its session is read once as long as its cookies
   * stay: known again by `request`, or where a framework has none by the same object each time. What it throws reaches the
   * caller as it is.
   */
  current(): Awaitable<AmbientRequest | null>
  /** Sets cookies on the response of {@link current}'s request, where that is `writable`. */
  setCookies(cookies: readonly HostCookie[]): Awaitable<void>
  /** Ends the caller's work with a redirect: throws what the framework takes for one. */
  redirect(url: string): never
  /**
   * What a middleware answers to let a request through. `headers` are the request's, with its cookies as they are from now
   * on. Left out where a framework has no such answer: `auth(request)` is `undefined` then.
   */
  next?(headers: Headers): Response
  /** The URL that the client asked for, where `request.url` does not say it. */
  url?(request: R): string
  /** The client's address, where the host may believe it. */
  ip?(request: R): string | undefined
  /** Keeps the process alive for what goes on after an answer, such as a mail under way. The promise never rejects. */
  waitUntil?(work: Promise<unknown>): void
}

/** The request that the host is answering, for functions that are called without one. @throws Error where there is none. */
export function currentRequest(host: AuthHost, caller: string): Awaitable<AmbientRequest> {
  return after(host.current(), (ambient) => {
    if (ambient) return ambient
    throw new Error(
      `${caller} was called where no request is being answered. Call it while one is: in a plain Fetch server below withRequest(request, …).`,
    )
  })
}

/** The same, for those who have a request in hand and do not depend on the host's: nothing where the host does not know. */
export function currentOf(host: AuthHost): Awaitable<AmbientRequest | undefined> {
  const nothing = () => undefined
  try {
    const current = host.current()
    if (current === null || !('then' in current)) return current ?? undefined
    return current.then((ambient) => ambient ?? undefined, nothing)
  } catch {
    return undefined
  }
}
