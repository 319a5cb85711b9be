/** Starting and stopping servers. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { StartError } from './settings.js'

/** Something that is stopped when the example ends. */
export interface Closable {
  close(): Promise<void>
}

/** The running servers, in the order in which they were started. */
export type Running = Closable[]

export interface Listening extends Closable {
  readonly port: number
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

/** Starts something on the port that a variable names. @throws {@link StartError} when the port cannot be had. */
export async function listenOn<T>(name: string, port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is in use. Choose another: ${name}=${port + 10} npm start`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} is not allowed here. Choose another: ${name}=3000 npm start`)
    throw error
  }
}

/**
 * Stops the servers in reverse order: requests have ended when mails are waited for, and the database is closed last.
 */
export async function stopAll(running: Running): Promise<void> {
  for (const each of running.splice(0).reverse()) await each.close()
}
