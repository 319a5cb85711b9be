/** The door for handlers and guards: reads the session of a request. Runs without Express. */
import onHeaders from 'on-headers'
import { type Auth, authOf } from './auth.js'
import { header, type MessageHeaders } from './http/message.js'
import { type OriginSource, readOrigin } from './http/origin.js'
import { addPersonalCookies, headerValues, type WritableResponse } from './http/response.js'
import { perOwner } from './memory.js'
import type { DefaultSession, ServerAuthConfig, Session } from './types.js'

/** What `getSession` reads: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  readonly headers: MessageHeaders
  /** The response, where the request knows it (Express sets it): a session in use is extended through it. */
  readonly res?: unknown
}

/** The session of a configuration: what its `session` callback returns, else {@link Session}. */
export type SessionOf<C> = C extends { callbacks: { session: (...params: never[]) => infer Returned } }
  ? Awaited<Returned> extends DefaultSession
    ? Awaited<Returned>
    : Session
  : Session

/**
 * Reads the session. One decryption, once per request; further calls get the same result.
 *
 * A session in use is extended (`session.updateAge`) by a cookie on `req.res`, unless the response is public, its headers
 * are out, or it sets that cookie itself. A bare Node request has no response: nothing is extended then.
 *
 * @returns The session as the `session` callback shows it; `null` when nobody is signed in.
 * @throws What your `jwt` or `session` callback throws, and {@link UntrustedHost}: a guard must treat that as "no".
 *
 * @example
 * ```ts
 * const session = await getSession(req, config)
 * if (!session?.user) return res.redirect('/auth/signin')
 * ```
 */
export async function getSession<const C extends ServerAuthConfig>(
  req: SessionRequest,
  config: C,
): Promise<SessionOf<C> | null> {
  const auth = authOf(config)
  if (!req?.headers) throw new TypeError('getSession needs the request as its first argument: getSession(req, config).')
  // The type is what the `session` callback of this very configuration returns.
  return readsOf(req)(auth) as Promise<SessionOf<C> | null>
}

/** The request's reading, by engine: begun once, shared by all who ask. */
const readsOf = perOwner((req: SessionRequest) => perOwner((auth: Auth) => readOnce(req, auth)))

async function readOnce(req: SessionRequest, auth: Auth): Promise<Session | null> {
  auth.notice(req)
  const response = isResponse(req.res) && !req.res.headersSent ? req.res : undefined
  const { session, cookies } = await auth.readSession({
    cookie: header(req.headers, 'cookie'),
    authorization: header(req.headers, 'authorization'),
    origin: req.protocol === undefined && !req.socket?.encrypted ? undefined : readOrigin(req),
    writable: response !== undefined,
  })
  if (response && cookies.size > 0 && !response.headersSent) queueCookies(response, cookies)
  return session
}

function isResponse(value: unknown): value is WritableResponse & Parameters<typeof onHeaders>[0] {
  return typeof value === 'object' && value !== null && 'setHeader' in value && 'writeHead' in value
}

/** Writes the cookies at the last moment, when it is known what the application made of its response. */
function queueCookies(
  response: WritableResponse & Parameters<typeof onHeaders>[0],
  cookies: ReadonlyMap<string, string>,
): void {
  onHeaders(response, () => {
    if (isForSharedCaches(response) || setsSession(headerValues(response, 'set-cookie'), cookies)) return
    addPersonalCookies(response, cookies.values())
  })
}

/** Headers by which an application speaks to its CDN alone (RFC 9213 §2): there our `Cache-Control` counts for nothing. */
const targetedHeaders = [
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'surrogate-control',
  'vercel-cdn-cache-control',
]

/** Whether the application lets caches keep the response for everybody: no place for one person's cookie. */
function isForSharedCaches(response: WritableResponse): boolean {
  const read = (name: string) => headerValues(response, name).join(',')
  if (/\bpublic\b/i.test(read('cache-control'))) return true
  return targetedHeaders.map(read).some((value) => value !== '' && !/\b(?:no-store|private)\b/i.test(value))
}

/** Whether the application itself has set or cleared the session cookie: a sign-out in the same request stays. */
function setsSession(present: readonly string[], cookies: ReadonlyMap<string, string>): boolean {
  const bases = new Set([...cookies.keys()].map(withoutChunk))
  return present.some((cookie) => bases.has(withoutChunk(cookie.split('=')[0]?.trim() ?? '')))
}

function withoutChunk(name: string): string {
  return name.replace(/\.\d+$/, '')
}
