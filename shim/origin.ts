/** Where a request came in: its URL or connection, or what a trusted proxy says. */
import { header, type MessageHeaders } from '../lib/http/message.js'
import { type OriginSource, readOrigin } from '../lib/http/origin.js'
import type { Engine } from './engine.js'
import type { AuthHost } from './host.js'

/** A Fetch request, or what is known of one. */
export interface FetchLike {
  readonly headers: Headers
  /** What the client asked for. */
  readonly url?: string
}

/** The request for the one rule by which Router and `getSession` read an origin. */
export function toSource(engine: Engine, { headers, url }: FetchLike): OriginSource {
  const asked = url === undefined ? undefined : new URL(url)
  const source = { headers: Object.fromEntries(headers), ...(asked && { protocol: asked.protocol.slice(0, -1) }) }
  return withProxy(engine, asked ? { ...source, headers: { ...source.headers, host: asked.host } } : source)
}

/** Whatever else it says, a request behind a proxy that is trusted came in where the proxy says. */
export function withProxy<S extends OriginSource>({ trustsProxy }: Engine, source: S): S {
  if (!trustsProxy) return source
  const [protocol, host] = ['proto', 'host'].map((name) => firstWord(source.headers, `x-forwarded-${name}`))
  return {
    ...source,
    ...(protocol !== undefined && { protocol: protocol.toLowerCase() }),
    ...(host !== undefined && { headers: { ...source.headers, host } }),
  }
}

/** Each proxy adds a word at the end: the first is what the client used. */
function firstWord(headers: MessageHeaders, name: string): string | undefined {
  return header(headers, name)?.split(',')[0]?.trim() || undefined
}

/** What the client asked for. A host may know better than the request. */
export function urlOf(host: AuthHost, request: Request): string {
  return host.url?.(request) ?? request.url
}

/** The site's origin: what `AUTH_URL` says, else the request's. `undefined` where neither tells. */
export function originOf(engine: Engine, request: FetchLike): string | undefined {
  return engine.auth.config.site?.origin ?? readOrigin(toSource(engine, request))
}
