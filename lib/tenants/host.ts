/** The request of a tenant: its host in one spelling, for Express and for Fetch. */
import { BoundedMap, copyText } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import type { SessionRequest } from '../get-session.js'
import { toFetchHeaders } from '../http/message.js'
import { isHostHeader, readHost } from '../http/origin.js'
import { splitTarget } from '../router/express-like.js'
import type { ReceivedRequest } from '../types/configuration-source.js'
import type { TenantRequest } from './types.js'

/** A request, whose host may be invalid. */
export interface FoundRequest extends Omit<TenantRequest, 'host'> {
  /** The host as it was sent. */
  readonly sentHost: string | undefined
}

/** The known spellings. Clients that invent hosts only evict entries that are computed again. */
const known = new BoundedMap<string, string>(10_000)

/**
 * Returns the one spelling of a host with an optional port; `undefined` if it is no host. The scheme is unknown behind
 * many proxies, so the default ports of both are left out.
 */
export function normalizeHost(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined
  const found = known.get(sent)
  if (found !== undefined) return found
  const url = isHostHeader(sent) ? parseUrl(`http://${sent}`) : undefined
  const name = url?.hostname.replace(/\.$/, '')
  // A second dot at the end would be another spelling.
  if (!url || !name || name.endsWith('.')) return undefined
  const host = url.port === '' || url.port === '443' ? name : `${name}:${url.port}`
  if (sent.length < 300) known.set(copyText(sent), copyText(host))
  return host
}

/** A request of Express or Node. A class, because headers and path are rarely read. */
export class NodeTenantRequest implements FoundRequest {
  readonly #request: SessionRequest
  readonly sentHost: string | undefined

  constructor(request: SessionRequest) {
    this.#request = request
    this.sentHost = readHost(request)
  }

  get path() {
    const { originalUrl, url }: { originalUrl?: unknown; url?: unknown } = this.#request as object
    return splitTarget(typeof originalUrl === 'string' ? originalUrl : typeof url === 'string' ? url : '/').path
  }

  get headers() {
    return new Headers(toFetchHeaders(this.#request.headers))
  }
}

/** Returns a request of Fetch. @param trustsProxy Whether `X-Forwarded-Host` is set by a proxy of the site. */
export function fetchTenantRequest({ headers, url }: ReceivedRequest, trustsProxy: boolean): FoundRequest {
  const forwarded = trustsProxy ? headers.get('x-forwarded-host')?.split(',')[0]?.trim() : undefined
  const parsed = url === undefined ? undefined : parseUrl(url)
  const sentHost = forwarded || (parsed?.host ?? headers.get('host') ?? undefined)
  return { headers, sentHost, path: parsed?.pathname ?? '/' }
}
