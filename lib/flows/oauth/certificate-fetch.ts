/**
 * A `fetch` whose connections present a client certificate (RFC 8705). It uses the package undici, because Node's own
 * `fetch` does not support that.
 */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { ClientCertificate } from '../../types/protocol.js'

const howToInstall = '`clientCertificate` needs the package undici: npm install undici'

/** Creates the function. Later requests reuse its connections. */
export function certificateFetch({ cert, key, ca, passphrase }: ClientCertificate): typeof globalThis.fetch {
  const connect = { cert, key, ...(ca !== undefined && { ca }), ...(passphrase !== undefined && { passphrase }) }
  const prepared = createLazyLoader('Client certificates', async () => {
    const { Agent, fetch } = await import(/* webpackIgnore: true */ 'undici').catch((cause: unknown) => {
      throw new Error(howToInstall, { cause })
    })
    return { fetch, dispatcher: new Agent({ connect }) }
  })
  return async function fetchWithCertificate(input, init) {
    const { fetch, dispatcher } = await prepared()
    const request = new Request(input, init)
    // The body has a known length, because token endpoints need not accept chunks.
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null
    const { method, redirect, signal, url } = request
    const headers = [...request.headers] as Array<[string, string]>
    const response = await fetch(url, { method, headers, body, redirect, signal, dispatcher })
    const { status, statusText } = response
    return new Response(response.body as globalThis.ReadableStream | null, {
      status,
      statusText,
      headers: [...response.headers] as Array<[string, string]>,
    })
  }
}
