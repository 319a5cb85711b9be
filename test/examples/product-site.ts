/** The product example as `npm run dev` starts it, in a process with a database file of its own. Needs `npm run build`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-ports.js'

/** The folder of the example. */
export const productFolder = fileURLToPath(new URL('../../examples/product/', import.meta.url))

/** A program of the example: its result, and what it printed. */
export interface Ran {
  readonly status: number | null
  readonly output: string
}

/** Runs a program of the example to its end, as its scripts in `package.json` do. */
export function runInProduct(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: productFolder,
    env: { ...process.env, NODE_OPTIONS: '', AUTH_URL: '', ...env },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

/** The running example. */
export class ProductSite {
  readonly origin: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'server-auth-product-'))
  readonly #env: NodeJS.ProcessEnv
  #server: ChildProcess | undefined
  #output = ''

  constructor(port: number) {
    this.origin = `http://localhost:${port}`
    this.#env = {
      PORT: String(port),
      AUTH_SECRET: 'a-secret-for-tests-of-32-characters',
      DATABASE_URL: `sqlite:${join(this.#folder, 'product.db')}`,
    }
  }

  async start(): Promise<this> {
    const env = { ...process.env, NODE_OPTIONS: '', AUTH_URL: '', ...this.#env }
    const server = spawn(process.execPath, ['--import', 'tsx', 'dev/main.ts'], { cwd: productFolder, env })
    this.#server = server
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.#output += text
      })
    await this.#printed(/^http:/m)
    return this
  }

  /** Returns the first link that was sent to the email address. */
  async linkFor(email: string): Promise<string> {
    const [, url = ''] = await this.#printed(new RegExp(`^To ${email}: (\\S+)$`, 'm'))
    return url
  }

  /** Makes the user an administrator, in another process. */
  promote(email: string): Ran {
    return runInProduct(['--import', 'tsx', 'src/promote.ts', email], this.#env)
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server && server.exitCode === null) {
      server.kill()
      await once(server, 'exit')
    }
    rmSync(this.#folder, { recursive: true })
  }

  async #printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = pattern.exec(this.#output)
      if (found) return found
      if (this.#server?.exitCode != null) break
      await setTimeout(100)
    }
    throw new Error(`The example did not print ${pattern}:\n${this.#output}`)
  }
}

/** Starts the example on a free port. */
export async function startProduct(): Promise<ProductSite> {
  return new ProductSite(await freePort()).start()
}
