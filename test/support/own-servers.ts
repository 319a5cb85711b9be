/** Servers of a test's own, which it may stop and start: PostgreSQL and Redis, on free loopback ports. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, freePort } from './free-ports.js'

/** A server that a test stops and starts. */
export interface OwnServer {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** As an administrator would: connections are cut, what was committed stays. */
  stop(): Promise<void>
  /** Stops it, and removes what it stored. */
  remove(): Promise<void>
}

/** A fresh PostgreSQL, started. Rejects where it is not installed. */
export async function startOwnPostgres(): Promise<OwnServer> {
  const bin = postgresFolder()
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-postgres-'))
  const owner = postgresOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const options = { ...owner, stdio: 'ignore' as const, cwd: folder }
  execFileSync(join(bin, 'initdb'), ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-N'], options)
  const port = await freePort()
  const args = ['-D', join(folder, 'data'), '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-F']
  return ownServer({
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    run: () => spawn(join(bin, 'postgres'), args, options),
    // SIGINT is PostgreSQL's fast shutdown.
    signal: 'SIGINT',
    isReady: async () => {
      try {
        execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], options)
        return true
      } catch {
        return false
      }
    },
  })
}

/**
 * Starts a fresh Redis. Rejects where it is not installed.
 *
 * @param keeps Keeps the data when it is stopped, which is then as in a power cut. Otherwise the data are lost.
 */
export async function startOwnRedis(keeps = false): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-redis-'))
  const port = await freePort()
  const file = ['--save', '', '--appendonly', keeps ? 'yes' : 'no', '--appendfsync', 'always', '--dir', folder]
  const args = ['--bind', '127.0.0.1', '--port', String(port), ...file]
  return ownServer({
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    run: () => spawn('redis-server', args, { stdio: 'ignore' }),
    signal: keeps ? 'SIGKILL' : 'SIGTERM',
    isReady: () => answers(port),
  })
}

interface Recipe {
  readonly port: number
  readonly url: string
  readonly folder: string
  readonly signal: NodeJS.Signals
  run(): ChildProcess
  isReady(): Promise<boolean>
}

async function ownServer({ port, url, folder, signal, run, isReady }: Recipe): Promise<OwnServer> {
  const running: { child?: ChildProcess } = {}
  const server: OwnServer = {
    url,
    port,
    async start() {
      const child = run()
      const failed = new Promise<never>((_resolve, reject) => child.once('error', reject))
      running.child = child
      await Promise.race([untilReady(child, isReady), failed])
    },
    async stop() {
      const { child } = running
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

async function untilReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function postgresFolder(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(a) - Number(b)) : []
  const newest = versions.at(-1)
  if (newest === undefined) throw new Error('PostgreSQL is not installed')
  return join(root, newest, 'bin')
}

/** PostgreSQL refuses to run as root. */
function postgresOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
