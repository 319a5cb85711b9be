/** The session of a request, read once, and extended through its response. Runs on any runtime. */

import { perOwner } from '../base/memory.js'
import { header, type MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
import {
  addPersonalCookies,
  headerValues,
  type OpenResponse,
  targetedHeaders,
  type WritableResponse,
} from '../http/response.js'
import type { Session } from '../types/session.js'
import type { SessionRead, SessionSource } from './read-session.js'

/** What `getSession` reads: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  readonly headers: MessageHeaders
  /** The response, where the request knows it (Express sets it): a session in use is extended through it. */
  readonly res?: unknown
}

/** Who reads. */
export interface RequestReader {
  readSession(source: SessionSource): Promise<SessionRead>
  /** Calls back right before a response's headers are out. */
  beforeHeaders(response: OpenResponse, callback: (open: OpenResponse) => void): void
  /** Looks at how the request arrived. */
  notice(source: OriginSource): void
}

/** The session of a request; `null` when nobody is signed in. Whoever asks again gets the same reading. */
export function readRequest(req: SessionRequest, reader: RequestReader): Promise<Session | null> {
  return readsOf(req)(reader)
}

/** The request's reading, by engine: begun once, shared by all who ask. */
const readsOf = perOwner((req: SessionRequest) => perOwner((reader: RequestReader) => readOnce(req, reader)))

async function readOnce(req: SessionRequest, reader: RequestReader): Promise<Session | null> {
  reader.notice(req)
  const response = isResponse(req.res) && !req.res.headersSent ? req.res : undefined
  const { session, cookies } = await reader.readSession({
    cookie: header(req.headers, 'cookie'),
    authorization: header(req.headers, 'authorization'),
    origin: req.protocol === undefined && !req.socket?.encrypted ? undefined : readOrigin(req),
    writable: response !== undefined,
  })
  if (response && cookies().size > 0 && !response.headersSent) {
    reader.beforeHeaders(response, (open) => writeCookies(open, cookies()))
  }
  return session
}

function isResponse(value: unknown): value is OpenResponse {
  return typeof value === 'object' && value !== null && 'setHeader' in value && 'writeHead' in value
}

/** At the last moment it is known what the application made of its response. */
function writeCookies(response: OpenResponse, cookies: ReadonlyMap<string, string>): void {
  if (cookies.size === 0 || isForSharedCaches(response) || setsSession(headerValues(response, 'set-cookie'), cookies))
    return
  addPersonalCookies(response, cookies.values())
}

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
