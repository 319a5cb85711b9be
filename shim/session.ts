/** Reads sessions for `auth`: `getSession`, fed with what each kind of request has. */
import type { MessageHeaders } from '../lib/http/message.js'
import type { OriginSource } from '../lib/http/origin.js'
import { perOwner } from '../lib/memory.js'
import { readRequest } from '../lib/request-session.js'
import type { Session } from '../lib/types.js'
import { toHostCookie } from './cookies.js'
import type { Engine } from './engine.js'
import type { AmbientRequest, AuthHost, NodeResponse } from './host.js'
import { type FetchLike, toSource, withProxy } from './origin.js'
import { ResponseRecord } from './response-record.js'

/** A request as Node has it: of an API route, or of server-side props. */
export interface NodeRequest extends OriginSource {
  readonly headers: MessageHeaders
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** The session of a Fetch request. What is queued for its response goes to `response`; without one nothing is extended. */
export function readFetchSession(
  engine: Engine,
  request: FetchLike,
  response: NodeResponse | undefined,
): Promise<Session | null> {
  return readRequest({ ...toSource(engine, request), res: response }, engine.auth)
}

/** The session of a Node request. Of an IncomingMessage only what tells the session is taken. */
export function readNodeSession(
  engine: Engine,
  { headers, socket, app, protocol }: NodeRequest,
  response: NodeResponse | undefined,
): Promise<Session | null> {
  const source = {
    headers,
    app,
    ...(socket !== undefined && { socket }),
    ...(protocol !== undefined && { protocol }),
  }
  return readRequest({ ...withProxy(engine, source), res: response }, engine.auth)
}

/** Reads the session of the request that a host is answering: once, until a cookie is set. */
export function createAmbientReader(
  host: AuthHost,
): (engine: Engine, ambient: AmbientRequest) => Promise<Session | null> {
  const readings = perOwner((ambient: AmbientRequest) =>
    perOwner((engine: Engine) => readAmbient(host, engine, ambient)),
  )
  return (engine, ambient) => readings(ambient)(engine)
}

async function readAmbient(host: AuthHost, engine: Engine, ambient: AmbientRequest): Promise<Session | null> {
  if (!ambient.writable || ambient.response) {
    return readFetchSession(engine, ambient, ambient.writable ? ambient.response : undefined)
  }
  const record = new ResponseRecord()
  const session = await readFetchSession(engine, ambient, record)
  const cookies = record.takeCookies()
  if (cookies.length > 0) await host.setCookies(cookies.map(toHostCookie))
  return session
}
