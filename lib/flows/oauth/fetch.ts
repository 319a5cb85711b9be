/**
 * The one `fetch` for calls to a provider: https (or loopback), a time-out, a limit of the size, no redirects. The provider
 * object's own functions get it, too, so that their calls have the same limits.
 */
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/recent.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { isLoopbackHost } from '../../http/addresses.js'
import { certificateFetch } from './certificate-fetch.js'

/** Bytes of a provider's answer. */
const maxBytes = 1024 * 1024

const withCertificate = perOwner(({ protocol, fetch }: ResolvedOAuthProvider): typeof globalThis.fetch =>
  protocol.certificate ? certificateFetch(protocol.certificate()) : fetch,
)

/** What sends requests to the provider and to its APIs: with the client's certificate, where there is one. */
export function fetchOf(provider: ResolvedOAuthProvider): typeof fetch {
  return withCertificate(provider)
}

/** Builds the provider's `fetch`. `timeout` is milliseconds, for headers and body together. */
export function createProviderFetch(provider: ResolvedOAuthProvider, timeout: number): typeof fetch {
  return async function providerFetch(input, init) {
    // No `instanceof`: servers put a Request of their own in the place of the global one.
    const url = new URL(typeof input === 'string' ? input : 'url' in input ? input.url : input.href)
    assertProviderUrl(provider, url)
    const deadline = AbortSignal.timeout(timeout)
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    const response = await fetchOf(provider)(input, { ...init, redirect: 'manual', signal })
    return capped(response)
  }
}

/** Refuses a URL without TLS: tokens, codes and secrets could be read on the way. For discovered endpoints, too. */
export function assertProviderUrl(provider: ResolvedOAuthProvider, url: URL): void {
  if (isSafeUrl(provider, url)) return
  throw new TypeError(`The provider "${provider.id}" names an endpoint that is not https: ${url.protocol}//${url.host}`)
}

/** Whether a URL has TLS, or the provider's configuration allows it to have none. */
export function isSafeUrl(provider: ResolvedOAuthProvider, url: URL): boolean {
  const loopback = url.protocol === 'http:' && isLoopbackHost(url.hostname)
  const configured = loopback && provider.plainHttp
  return url.protocol === 'https:' || configured || (url.protocol === 'http:' && provider.allowInsecure)
}

/** The response with a body that fails once it is longer than allowed. */
export function capped(response: Response): Response {
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

// Which failures of a request to a provider say that its endpoint is not there any more, and which that nobody has got the request.

/** There is no such endpoint (RFC 9110 §15.5.5, §15.5.6, §15.5.11): what has this address now did not take the request. */
const absent: ReadonlySet<number> = new Set([404, 405, 410])

/** Codes of Node and OpenSSL for a connection that never came about: no address, nobody listens, or not who we asked for. */
const unconnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

/** Whether there is nothing at the address that takes such requests. One that was answered so can be sent elsewhere once more. */
export function isAbsent({ status }: Response): boolean {
  return absent.has(status)
}

/** Whether a request certainly reached nobody. A connection that broke later, or took too long, may have been heard. */
export function isUnconnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  if ('code' in error && typeof error.code === 'string' && unconnected.test(error.code)) return true
  return isUnconnected(error.cause, depth + 1)
}

/* ---- shared document --------------------------------------------------------------------------------------------- */

// A document of a provider that many requests need. It is fetched once for all that wait; a failure is not kept.

/** How long a document is used. Milliseconds. */
export interface DocumentTimes {
  /** How long it is used without asking again. */
  readonly lifetime: number
  /** After a request that brought nothing new: how long nobody can cause another one. */
  readonly coolDown: number
  /** After its lifetime: how long the old one is used if a new one cannot be fetched. */
  readonly grace: number
}

/** Fetches on demand and keeps what came, parsed. */
export class SharedDocument {
  readonly #load: () => Promise<Response>
  readonly #times: DocumentTimes
  readonly #assert: (value: unknown) => void
  #current: { readonly text: string; readonly value: unknown; readonly fetchedAt: number } | undefined
  #underWay: Promise<unknown> | undefined
  #quietSince: number | undefined

  /** @param assert Throws for a document that cannot be used, which then counts as a failure. */
  constructor(load: () => Promise<Response>, times: DocumentTimes, assert: (value: unknown) => void = () => {}) {
    this.#load = load
    this.#times = times
    this.#assert = assert
  }

  /** The kept document, if it is not too old. */
  get fresh(): unknown {
    const document = this.#current
    return document && isRecent(document.fetchedAt, this.#times.lifetime) ? document.value : undefined
  }

  /** The kept document, or a new one; if that cannot be fetched, the old one within its `grace`. */
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
   * Fetches the document again, because something is missing in the kept one; within the cool-down it returns the kept one. If
   * the text has not changed, the same object is returned.
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
    // The JSON text `null` is no document.
    if (value !== null) this.#current = { text, value, fetchedAt: Date.now() }
    return value
  }
}
