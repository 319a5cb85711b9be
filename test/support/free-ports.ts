/** Ports for servers that start a moment later, most of them in processes of their own. */
import { randomInt } from 'node:crypto'
import { createConnection, createServer } from 'node:net'

/** Returns free ports outside the range that the system assigns, which tests in other processes use all the time. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** One of them. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** Checks whether a server listens on the port. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
