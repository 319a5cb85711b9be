/** The Next.js host of the shim. */

// The module that `next/navigation` re-exports. Turbopack finds `next/navigation` only without the `.js` that Node
// requires.
import { redirect } from 'next/dist/client/components/redirect.js'
import { cookies, headers } from 'next/headers.js'
import { after, connection, type NextRequest, NextResponse } from 'next/server.js'
import { BoundedMap, perOwner } from '../../lib/base/memory.js'
import { InvalidRequest } from '../../lib/errors.js'
import { isHostHeader } from '../../lib/http/origin.js'
import type { AmbientRequest, AuthHost } from '../host.js'
import { mergeCookies } from './next-cookies.js'

/** The host. In the Pages Router, `auth(req, res)` and `auth(context)` do not use it. */
export const nextHost: AuthHost<NextRequest> = {
  async current() {
    const [received, jar] = await Promise.all([headers(), cookies()])
    // Next.js prerenders pages at run time too, with the cookies of a request. The clock may be read only after this.
    await connection()
    const cookie = mergeCookies(received.get('cookie'), jar.getAll())
    return ambientRequestFor(received)({ received, cookie, writable: isWritable(jar) })
  },
  async setCookies(list) {
    const jar = await cookies()
    for (const { name, value, options } of list) jar.set(name, value, { ...options })
  },
  redirect: (url) => redirect(url),
  reject({ status }) {
    // Next.js answers a route handler's error with 401 or 403 by this digest, as `unauthorized()` and `forbidden()` do,
    // which need an experimental flag. It answers other errors with 500.
    throw Object.assign(new Error(rejectedMessage(status)), { digest: `NEXT_HTTP_ERROR_FALLBACK;${status}` })
  },
  next: (changed) => NextResponse.next({ request: { headers: changed } }),
  url: ({ url, headers: received }) => withHost(new URL(url), received).href,
  waitUntil(work) {
    // A page that is generated at build time has no "after".
    try {
      after(work)
    } catch {
      // The process lives as long as the build, so no work is lost.
    }
  },
}

const rejectedMessage = (status: number) =>
  `A guard of server-auth rejected the request with status ${status}. Export the route handler inside auth(), which sends the whole response.`

type Jar = Awaited<ReturnType<typeof cookies>>

/**
 * Checks whether cookies can be set. The writable jar is that of a response, which has no method `clear`. A read-only jar
 * has the methods of a request's cookies, of which those that write throw.
 */
function isWritable(jar: Jar): boolean {
  return !('clear' in jar)
}

interface RequestState {
  readonly received: Headers
  readonly cookie: string
  readonly writable: boolean
}

/** Returns the same object for a request while its cookies do not change, so that the session is read once. */
const ambientRequestFor = perOwner((_received: Headers) => {
  let last: { readonly seen: RequestState; readonly ambient: AmbientRequest } | undefined
  return (seen: RequestState): AmbientRequest => {
    if (last?.seen.cookie === seen.cookie && last.seen.writable === seen.writable) return last.ambient
    last = { seen, ambient: createAmbientRequest(seen) }
    return last.ambient
  }
})

function createAmbientRequest({ received, cookie, writable }: RequestState): AmbientRequest {
  // Next.js provides no path here; only the origin is used.
  return { headers: withCookie(received, cookie), url: requestRoot(received), writable }
}

function withCookie(received: Headers, cookie: string): Headers {
  if (cookie === (received.get('cookie') ?? '')) return received
  const changed = new Headers(received)
  if (cookie === '') changed.delete('cookie')
  else changed.set('cookie', cookie)
  return changed
}

/**
 * The roots by the headers that {@link withHost} reads. A site has few; a client that invents more only evicts entries
 * that are computed again.
 */
const roots = new BoundedMap<string, string>(100)

function requestRoot(received: Headers): string {
  const key = `${received.get('x-forwarded-proto')} ${received.get('host')}`
  const known = roots.get(key)
  if (known !== undefined) return known
  const root = withHost(new URL('http://localhost/'), received).href
  if (key.length < 300) roots.set(key, root)
  return root
}

/**
 * Returns the URL with the requested host. Next.js uses its listening host in URLs; the requested one is in the header.
 * @throws {@link InvalidRequest} for a header that is not a host: it could change the path, and with it what a guard
 *   sees.
 */
function withHost(url: URL, received: Pick<Headers, 'get'>): URL {
  const host = received.get('host')
  if (host === null) return url
  if (!isHostHeader(host)) throw new InvalidRequest('The Host header is malformed.')
  const protocol = received.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  const asked = new URL(url)
  // Text concatenation could change other parts of the URL; these setters cannot.
  if (protocol === 'https' || protocol === 'http') asked.protocol = protocol
  asked.host = host
  if (!/:\d+$/.test(host)) asked.port = ''
  return asked
}
