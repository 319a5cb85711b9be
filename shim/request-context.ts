/** The host for all Fetch servers. `withRequest` determines the current request of the code that it runs. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Awaitable } from '../lib/types/identity.js'
import { type HostCookie, withCookies } from './cookies.js'
import type { AmbientRequest, AuthHost } from './host.js'
import { ResponseRecord } from './response-record.js'
import { redirectResponse } from './responses.js'
import { catchResponse, throwPlainResponse } from './thrown-responses.js'

/** The facts about a request that the server knows and a Fetch Request lacks. */
export interface RequestContextOptions {
  /** The client's IP address, if it is trustworthy. The limits of email sign-in and audit logs use it. */
  readonly ip?: string | undefined
  /** Keeps the process alive for pending mails, such as `context.waitUntil` on a worker. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** A request inside {@link withRequest}. */
interface RequestScope {
  readonly request: Request
  readonly options: RequestContextOptions
  readonly record: ResponseRecord
  /** The cookies by name, of which the last one is used. Absent if none was set. */
  cookies?: Map<string, HostCookie>
  /** The host's view of the request, replaced after each cookie. */
  ambient: AmbientRequest
}

const requestScopes = new AsyncLocalStorage<RequestScope>()

/**
 * Handles a request with `auth()`, `signIn()`, `signOut()` and `unstable_update()` available. They read this request,
 * and the cookies that they set are added to the response. Wrap your server's `fetch` in it, once.
 * `signIn()`, `signOut()`, and guards of rejected requests throw a Response, like React Router, which your code must not
 * catch. Code that streams a response after it was returned cannot set cookies.
 * @returns The response with the cookies; the same object if there are none.
 * If `respond` returns without awaiting a guard that it called, the request is answered with 500, and the log says which.
 * @throws Errors of `respond`, except a Response that a function of `initAuth` throws.
 * @example
 * ```ts
 * serve({ fetch: (request) => withRequest(request, () => app.fetch(request)) })
 * ```
 */
export async function withRequest(
  request: Request,
  respond: () => Awaitable<Response>,
  options: RequestContextOptions = {},
): Promise<Response> {
  const record = new ResponseRecord()
  const passage: RequestScope = {
    request,
    options,
    record,
    ambient: scopeToAmbientRequest({ request, options, record }),
  }
  const response = await catchResponse(request, () => requestScopes.run(passage, respond))
  const { ambient, cookies } = passage
  passage.ambient = { ...ambient, writable: false }
  return record.addTo(response, cookies && currentCookieHeaders(cookies))
}

/** Returns the headers of the cookies that may still be set. */
function currentCookieHeaders(cookies: ReadonlyMap<string, HostCookie>): string[] {
  return [...cookies.values()].flatMap(({ isStillValid, header }) => ((isStillValid?.() ?? true) ? [header] : []))
}

/**
 * The host of {@link withRequest}. Pass a copy to `initAuth` to change a part, such as the redirect.
 * @example
 * ```ts
 * initAuth(config, { ...requestHost, redirect: (url) => { throw redirectDocument(url) } })
 * ```
 */
export const requestHost: AuthHost = {
  current: () => requestScopes.getStore()?.ambient ?? null,
  setCookies(cookies) {
    const passage = currentScope()
    passage.cookies ??= new Map()
    for (const cookie of cookies) passage.cookies.set(cookie.name, cookie)
    passage.ambient = scopeToAmbientRequest(passage)
  },
  redirect: (url, response = redirectResponse(currentScope().request, url)) => throwPlainResponse(response),
  ip: () => requestScopes.getStore()?.options.ip,
  waitUntil: (work) => requestScopes.getStore()?.options.waitUntil?.(work),
}

function currentScope(): RequestScope {
  const passage = requestScopes.getStore()
  if (!passage) throw new Error('There is no current request. Call this inside withRequest(request, …).')
  return passage
}

function scopeToAmbientRequest({ request, options, record, cookies }: Omit<RequestScope, 'ambient'>): AmbientRequest {
  let { headers } = request
  if (cookies) {
    headers = new Headers(headers)
    headers.set('cookie', withCookies(headers.get('cookie'), cookies.values()))
  }
  return { headers, url: request.url, ip: options.ip, writable: true, request, response: record }
}
