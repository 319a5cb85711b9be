/** Next.js as a host of the shim. */

// What `next/navigation` re-exports. Under that name Turbopack finds it only without the `.js` that Node insists on.
import { redirect } from 'next/dist/client/components/redirect.js'
import { cookies, headers } from 'next/headers.js'
import { after, connection, type NextRequest, NextResponse } from 'next/server.js'
import { BoundedMap, perOwner } from '../../lib/base/memory.js'
import { InvalidRequest } from '../../lib/errors.js'
import { isHost } from '../../lib/http/origin.js'
import type { AmbientRequest, AuthHost } from '../host.js'
import { mergeCookies } from './next-cookies.js'

/** The host. Pages Router: `auth(req, res)` and `auth(context)` have what they need, and ask for nothing here. */
export const nextHost: AuthHost<NextRequest> = {
  async current() {
    const [received, jar] = await Promise.all([headers(), cookies()])
    const writable = isWritable(jar)
    // A server component that may be prepared before a request comes must not look at the clock until one has come.
    if (!writable) await connection()
    const cookie = mergeCookies(received.get('cookie'), jar.getAll())
    return ambientOf(received)({ received, cookie, writable })
  },
  async setCookies(list) {
    const jar = await cookies()
    for (const { name, value, options } of list) jar.set(name, value, { ...options })
  },
  redirect: (url) => redirect(url),
  next: (changed) => NextResponse.next({ request: { headers: changed } }),
  url: ({ url, headers: received }) => withHost(new URL(url), received).href,
  waitUntil(work) {
    // A page that is made while the application is built has no "after".
    try {
      after(work)
    } catch {
      // The process lives for as long as the build: nothing is lost.
    }
  },
}

type Jar = Awaited<ReturnType<typeof cookies>>

/** Next.js gives server components a jar whose methods all refuse, by one and the same function. */
function isWritable(jar: Jar): boolean {
  return jar.set !== (jar.delete as unknown)
}

interface Seen {
  readonly received: Headers
  readonly cookie: string
  readonly writable: boolean
}

/** One object for a request, as long as its cookies stay: the session is read once then. */
const ambientOf = perOwner((_received: Headers) => {
  let last: { readonly seen: Seen; readonly ambient: AmbientRequest } | undefined
  return (seen: Seen): AmbientRequest => {
    if (last?.seen.cookie === seen.cookie && last.seen.writable === seen.writable) return last.ambient
    last = { seen, ambient: toAmbient(seen) }
    return last.ambient
  }
})

function toAmbient({ received, cookie, writable }: Seen): AmbientRequest {
  // Next.js tells no path here; the origin is what counts.
  return { headers: withCookie(received, cookie), url: rootOf(received), writable }
}

function withCookie(received: Headers, cookie: string): Headers {
  if (cookie === (received.get('cookie') ?? '')) return received
  const changed = new Headers(received)
  if (cookie === '') changed.delete('cookie')
  else changed.set('cookie', cookie)
  return changed
}

/** By what {@link withHost} reads. A site has few; a client that makes up more only pushes out what is worked out again. */
const roots = new BoundedMap<string, string>(100)

function rootOf(received: Headers): string {
  const key = `${received.get('x-forwarded-proto')} ${received.get('host')}`
  const known = roots.get(key)
  if (known !== undefined) return known
  const root = withHost(new URL('http://localhost/'), received).href
  if (key.length < 300) roots.set(key, root)
  return root
}

/**
 * Next.js writes the name it listens on into URLs; what the client asked for is in the header.
 *
 * @throws {@link InvalidRequest} for a header that is no host: it could move the path, and with it what a guard sees.
 */
function withHost(url: URL, received: Pick<Headers, 'get'>): URL {
  const host = received.get('host')
  if (host === null) return url
  if (!isHost(host)) throw new InvalidRequest('The Host header is malformed.')
  const protocol = received.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  const asked = new URL(url)
  // Not by joining texts: only these parts can change.
  if (protocol === 'https' || protocol === 'http') asked.protocol = protocol
  asked.host = host
  if (!/:\d+$/.test(host)) asked.port = ''
  return asked
}
