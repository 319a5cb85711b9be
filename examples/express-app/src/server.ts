/** Starting and stopping HTTP servers. */
import { createServer, type RequestListener, type Server } from 'node:http'

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

/** Starts a server. Port 0 takes a free one. */
export async function listen(listener: RequestListener, port: number, host?: string): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, resolve)
  })
  return { port: portOf(server), close: () => close(server) }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** Answers under way get three seconds to finish. */
function close(server: Server): Promise<void> {
  const impatience = setTimeout(() => server.closeAllConnections(), 3000)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
    server.closeIdleConnections()
  })
}
