/** An application as a process of its own, on a free port. */
import { spawn } from 'node:child_process'
import { freePorts } from '../support/free-ports.js'

/** A running application. */
export interface Site {
  readonly origin: string
  log(): string
  stop(): Promise<void>
}

/** The origin, the path that is requested until the server listens, and the environment. */
interface Place {
  readonly origin: string
  readonly probe: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Starts it, and waits until it listens. @param command The runtime, the program in the folder, and its arguments. */
export async function startSite(
  folder: string,
  [runtime = process.execPath, ...words]: readonly string[],
  placeAt: (port: number) => Place,
): Promise<Site> {
  const [port = 0] = await freePorts(1)
  const { origin, probe, env } = placeAt(port)
  const child = spawn(runtime, words, { cwd: folder, env: env as NodeJS.ProcessEnv })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void chunks.push(String(chunk)))
  const log = () => chunks.join('')
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  while (!(await fetch(probe).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`it ended: ${log()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    origin,
    log,
    async stop() {
      child.kill()
      await closed
    },
  }
}
