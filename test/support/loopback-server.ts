/** A server on a free loopback port, of HTTP or over TLS: the base of the fake and the real provider of the tests. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { authority, serverCertificate } from './certificates.js'

/** Two spellings of the same machine. A browser takes them for two sites: their cookies and origins are apart. */
export type LoopbackHost = 'localhost' | '127.0.0.1'

export interface LoopbackServer {
  /** For example `http://localhost:41234`. */
  readonly origin: string
  readonly port: number
  close(): Promise<void>
}

/** Starts a server on a free port (or the given one). `listener` may be set up after the origin is known. */
export async function startLoopbackServer(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0, tls = false }: { host?: LoopbackHost; port?: number; tls?: boolean } = {},
): Promise<LoopbackServer> {
  // Clients may show a certificate: who wants one looks at it.
  const certificates = { ...serverCertificate, ca: authority, requestCert: true, rejectUnauthorized: false }
  const server = tls ? createTlsServer(certificates, listener) : createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    origin: `${tls ? 'https' : 'http'}://${host}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
