/** Redis for tests: both client libraries on the server of the machine, and servers that tests stop and start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { IORedisClient, NodeRedisClient } from '../../lib/adapters/redis/index.js'

/** A client, and raw commands to look behind the adapter. */
export interface TestClient {
  readonly client: NodeRedisClient | IORedisClient
  command(...words: string[]): Promise<unknown>
  close(): Promise<void>
}

/** Opens a client that fails at once when there is no connection, as the documentation says. */
export type OpenClient = (port?: number, database?: number) => Promise<TestClient>

const ignore = () => {}

/** The clients by package name. Each starts to connect; the first command shows whether it could. */
export const libraries: Readonly<Record<string, OpenClient>> = {
  async redis(port = 6379, database = 0) {
    const client = createClient({
      socket: { host: '127.0.0.1', port, reconnectStrategy: 20 },
      database,
      disableOfflineQueue: true,
    })
    client.on('error', ignore)
    await Promise.race([client.connect().catch(ignore), once(client, 'error').catch(ignore)])
    return {
      client,
      command: (...words) => client.sendCommand(words),
      close: async () => client.destroy(),
    }
  },
  async ioredis(port = 6379, database = 0) {
    const client = new Redis({
      host: '127.0.0.1',
      port,
      db: database,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 20,
    })
    client.on('error', ignore)
    await client.connect().catch(ignore)
    return {
      client,
      command: (name = '', ...words) => client.call(name, ...words),
      close: async () => client.disconnect(),
    }
  },
}

/** Checks whether the machine has a Redis at the usual port. */
export async function hasRedis(): Promise<boolean> {
  const probe = await libraries.ioredis?.()
  const answer = await probe?.command('PING').catch(ignore)
  await probe?.close()
  return answer === 'PONG'
}

/**
 * Starts a Redis for the tests, empty and without persistence. Returns `undefined` where the program is not installed.
 */
export async function startRedis(port: number, ...options: string[]): Promise<{ stop(): Promise<void> } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...options]
  const server = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const started = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.once('exit', () => resolve(false))
    server.stdout.on('data', (text) => /ready to accept connections/i.test(String(text)) && resolve(true))
  })
  const clear = () => rm(folder, { recursive: true, force: true })
  if (!started) {
    await clear()
    return undefined
  }
  return {
    async stop() {
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      await clear()
    },
  }
}
