/**
 * The `fetch` for all calls to a provider: https (or loopback), a time-out, a size limit, no redirects. The provider
 * object's own functions get it too, so that their calls have the same limits.
 */
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/time.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { isLoopbackHost } from '../../http/ip-addresses.js'
import { certificateFetch } from './certificate-fetch.js'

/** The maximum size of a provider's response, in bytes. */
const maxBytes = 1024 * 1024

const withCertificate = perOwner(({ protocol, fetch }: ResolvedOAuthProvider): typeof globalThis.fetch =>
  protocol.certificate ? certificateFetch(protocol.certificate()) : fetch,
)

/** Returns the `fetch` for the provider and its APIs. It presents the client's certificate, if configured. */
export function fetchOf(provider: ResolvedOAuthProvider): typeof fetch {
  return withCertificate(provider)
}

/** Creates the provider's `fetch`. `timeout` is in milliseconds, for headers and body together. */
export function createProviderFetch(provider: ResolvedOAuthProvider, timeout: number): typeof fetch {
  return async function providerFetch(input, init) {
    // It avoids `instanceof`, because servers replace the global Request by their own.
    const url = new URL(typeof input === 'string' ? input : 'url' in input ? input.url : input.href)
    assertProviderUrl(provider, url)
    const deadline = AbortSignal.timeout(timeout)
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    const response = await fetchOf(provider)(input, { ...init, redirect: 'manual', signal })
    return withSizeLimit(response)
  }
}

/** Rejects a URL without TLS, where tokens, codes and secrets could be intercepted. Also for discovered endpoints. */
export function assertProviderUrl(provider: ResolvedOAuthProvider, url: URL): void {
  if (isSafeUrl(provider, url)) return
  throw new TypeError(`The provider "${provider.id}" names an endpoint that is not https: ${url.protocol}//${url.host}`)
}

/** Checks whether a URL has TLS, or the provider's configuration allows plain HTTP. */
export function isSafeUrl(provider: ResolvedOAuthProvider, url: URL): boolean {
  const loopback = url.protocol === 'http:' && isLoopbackHost(url.hostname)
  const configured = loopback && provider.plainHttp
  return url.protocol === 'https:' || configured || (url.protocol === 'http:' && provider.allowInsecure)
}

/** Returns the response with a body that fails if it is too long. */
export function withSizeLimit(response: Response): Response {
  if (!response.body) return response
  let bytes = 0
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > maxBytes) controller.error(new RangeError(`The answer is longer than ${maxBytes} bytes`))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}

/* ---- reach ------------------------------------------------------------------------------------------------------- */

// Failed requests to a provider: whether the endpoint is missing, and whether the request certainly did not reach it.

/**
 * The status codes of a missing endpoint (RFC 9110 §15.5.5, §15.5.6, §15.5.11). The server did not process the request.
 */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 410])

/**
 * The codes of Node and OpenSSL for a connection that was not established: no address, no listener, or a wrong
 * certificate.
 */
const connectionErrorCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

/** Checks whether no endpoint accepts such requests at the URL. The request can then be sent to another URL. */
export function isMissingEndpoint({ status }: Response): boolean {
  return missingStatuses.has(status)
}

/** Checks whether a request certainly was not received. A connection that broke later, or timed out, may have been. */
export function isConnectionError(error: unknown): boolean {
  return hasErrorCode(error, connectionErrorCodes)
}

/** Checks whether an error or one of its causes has such a code. */
export function hasErrorCode(error: unknown, codes: RegExp, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  if ('code' in error && typeof error.code === 'string' && codes.test(error.code)) return true
  return hasErrorCode(error.cause, codes, depth + 1)
}

/* ---- shared document --------------------------------------------------------------------------------------------- */

// A document of a provider that many requests need. Concurrent requests share one fetch; a failure is not cached.

/** The cache times of a document, in milliseconds. */
export interface DocumentTimes {
  /** The time for which it is used without a new fetch. */
  readonly lifetime: number
  /** The minimum time between fetches, after one that brought nothing new. */
  readonly coolDown: number
  /** The time after `lifetime` for which the old document is used if a fetch fails. */
  readonly grace: number
}

/** A document that is fetched on demand and cached, parsed. */
export class SharedDocument {
  readonly #load: () => Promise<Response>
  readonly #times: DocumentTimes
  readonly #assert: (value: unknown) => void
  #current: { readonly text: string; readonly value: unknown; readonly fetchedAt: number } | undefined
  #underWay: Promise<unknown> | undefined
  #quietSince: number | undefined

  /** @param assert Throws for an unusable document, which is then treated as a failed fetch. */
  constructor(load: () => Promise<Response>, times: DocumentTimes, assert: (value: unknown) => void = () => {}) {
    this.#load = load
    this.#times = times
    this.#assert = assert
  }

  /** The cached document, if it is not too old. */
  get fresh(): unknown {
    const document = this.#current
    return document && isRecent(document.fetchedAt, this.#times.lifetime) ? document.value : undefined
  }

  /** Returns the cached document, or a new one; if the fetch fails, the old one within its `grace`. */
  async get(): Promise<unknown> {
    const old = this.#current
    const { lifetime, grace, coolDown } = this.#times
    if (this.fresh !== undefined) return this.fresh
    if (!old || Date.now() - old.fetchedAt >= lifetime + grace) return this.#fetchOnce()
    if (isRecent(this.#quietSince, coolDown)) return old.value
    return this.#fetchOnce().catch(() => {
      this.#quietSince = Date.now()
      return old.value
    })
  }

  /**
   * Fetches the document again, because something is missing in the cached one; within the cool-down it returns the
   * cached one. If the text has not changed, it returns the same object.
   */
  async renew(): Promise<unknown> {
    const before = this.#current
    if (before === undefined || this.fresh === undefined) return this.#fetchOnce()
    if (isRecent(this.#quietSince, this.#times.coolDown)) return before.value
    const value = await this.#fetchOnce()
    if (value === before.value) this.#quietSince = Date.now()
    return value
  }

  #fetchOnce(): Promise<unknown> {
    this.#underWay ??= this.#fetchNow().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #fetchNow(): Promise<unknown> {
    const response = await this.#load()
    if (response.status !== 200) {
      await response.body?.cancel()
      throw Object.assign(new Error(`unexpected HTTP status ${response.status}`), { status: response.status })
    }
    const text = await response.text()
    const value: unknown = text === this.#current?.text ? this.#current.value : JSON.parse(text)
    this.#assert(value)
    // The JSON text `null` is not a document.
    if (value !== null) this.#current = { text, value, fetchedAt: Date.now() }
    return value
  }
}
