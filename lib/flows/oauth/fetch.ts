/**
 * The one `fetch` for calls to a provider: https (or loopback), a time-out, a limit of the size, no redirects. The provider
 * object's own functions get it, too, so that their calls have the same limits.
 */

import { perOwner } from '../../base/memory.js'
import { isLoopback } from '../../config/resolve-oauth.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
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
  const loopback = url.protocol === 'http:' && isLoopback(url.hostname)
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
