/** A TCP proxy on loopback: a server that can be taken away during traffic, and given back. */
import { createServer, connect as open, type Server, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Cuts all connections; new ones are accepted. */
  cut(): void
  /** Cuts all connections and refuses new ones. */
  stop(): Promise<void>
  /** Accepts connections again, on the same port. */
  start(): Promise<void>
}

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let server = createServer(forward)
  await listen(server, 0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const { port } = address

  function forward(client: Socket): void {
    const upstream = open(target)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port,
    cut,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      await closed
    },
    async start() {
      server = createServer(forward)
      await listen(server, port)
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
