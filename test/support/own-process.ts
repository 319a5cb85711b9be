/** A server program of another project, started by a test on a loopback port, with all that it writes in one folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { answers } from './free-ports.js'
import { timeLimit } from './time-limits.js'

/** A running program. */
export interface OwnProcess {
  /** Returns its output on both streams. */
  log(): string
  /** Ends it, and removes its folder. */
  close(): Promise<void>
}

/** Milliseconds until a program answers at its port. */
const patience = timeLimit(20_000)

/** Starts a program. Rejects, with what it wrote, when it ends or does not answer. @param folder Removed in the end. */
export async function startProcess({
  command: [program, ...args],
  port,
  folder,
  env,
}: {
  readonly command: readonly [program: string, ...args: string[]]
  readonly port: number
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}): Promise<OwnProcess> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()))
  const ended = once(child, 'exit')
  let isOver = false
  ended.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  const own: OwnProcess = {
    log: () => written,
    async close() {
      if (!isOver) child.kill('SIGTERM')
      await ended.catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const until = Date.now() + patience
  while (!(await answers(port))) {
    if (isOver || Date.now() > until) {
      await own.close()
      throw new Error(`${program} does not answer: ${written.slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return own
}
