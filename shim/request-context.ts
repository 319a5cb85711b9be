/** The host for any server that speaks Fetch: `withRequest` says which request the code below it answers. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Awaitable } from '../lib/types/identity.js'
import { redirectResponse } from './answers.js'
import { type HostCookie, withCookies } from './cookies.js'
import type { AmbientRequest, AuthHost } from './host.js'
import { ResponseRecord } from './response-record.js'

/** What the server knows about a request, and a Fetch Request does not say. */
export interface RequestContextOptions {
  /** The client's address, as far as you trust who says it. Limits of e-mail sign-in and audit logs use it. */
  readonly ip?: string | undefined
  /** Keeps the process alive for mails under way, such as `context.waitUntil` on a worker. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** A request on its way through {@link withRequest}. */
interface Passage {
  readonly request: Request
  readonly options: RequestContextOptions
  readonly record: ResponseRecord
  /** By name: the last one that was set counts. None was set where there is no map. */
  cookies?: Map<string, HostCookie>
  /** Made anew after each cookie. */
  ambient: AmbientRequest
  /** The redirect by which the application's code was left. */
  left?: Response
}

const passages = new AsyncLocalStorage<Passage>()

/**
 * Answers a request with `auth()`, `signIn()`, `signOut()` and `unstable_update()` at hand: they read this request, and the
 * cookies that they set are on the response that comes out. Wrap your server's `fetch` in it, once.
 *
 * `signIn()` and `signOut()` leave by throwing a Response, as React Router has it: no `catch` of yours should keep it. What
 * a response streams after it was returned can set no cookies any more.
 *
 * @returns The response with the cookies on it; the very same one where there are none.
 * @throws What `respond` throws, unless it is a redirect of `signIn()` or `signOut()`.
 *
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
  const passage: Passage = { request, options, record, ambient: toAmbient({ request, options, record }) }
  let response: Response
  try {
    response = await passages.run(passage, respond)
  } catch (thrown) {
    // The redirect by which the application's code was left.
    if (passage.left === undefined || thrown !== passage.left) throw thrown
    response = passage.left
  }
  const { ambient, cookies } = passage
  passage.ambient = { ...ambient, writable: false }
  return record.addTo(response, cookies && dueOf(cookies))
}

/** The headers of the cookies that may still be set. */
function dueOf(cookies: ReadonlyMap<string, HostCookie>): string[] {
  return [...cookies.values()].flatMap(({ holds, header }) => ((holds?.() ?? true) ? [header] : []))
}

/** The host of {@link withRequest}. */
export const requestHost: AuthHost = {
  current: () => passages.getStore()?.ambient ?? null,
  setCookies(cookies) {
    const passage = currentPassage()
    passage.cookies ??= new Map()
    for (const cookie of cookies) passage.cookies.set(cookie.name, cookie)
    passage.ambient = toAmbient(passage)
  },
  redirect(url) {
    const passage = currentPassage()
    passage.left = redirectResponse(passage.request, url)
    throw passage.left
  },
  ip: () => passages.getStore()?.options.ip,
  waitUntil: (work) => passages.getStore()?.options.waitUntil?.(work),
}

function currentPassage(): Passage {
  const passage = passages.getStore()
  if (!passage) throw new Error('There is no request here: call this below withRequest(request, …).')
  return passage
}

function toAmbient({ request, options, record, cookies }: Omit<Passage, 'ambient'>): AmbientRequest {
  let { headers } = request
  if (cookies) {
    headers = new Headers(headers)
    headers.set('cookie', withCookies(headers.get('cookie'), cookies.values()))
  }
  return { headers, url: request.url, ip: options.ip, writable: true, request, response: record }
}
