/** Starts the applications that are measured, each in a process of its own, on another CPU than the load where there is one. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../apps/server.mjs', import.meta.url))

/** True if processes can be kept on a CPU: `taskset` is there, and more than one CPU. */
export const pinned = canPin()

function canPin() {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Keeps this process, which makes the load, on the first CPU. */
export function pinLoad() {
  if (pinned) execFileSync('taskset', ['-a', '-p', '-c', '0', String(process.pid)], { stdio: 'ignore' })
}

/**
 * Starts a variant.
 *
 * @param options `module` and `name` of the variant; it gets the rest. `beside`: runs on the CPU of the load, because the
 * server is not measured. `node`: the program that runs it.
 */
export async function startServer({ beside = false, node = process.execPath, nodeOptions = [], ...options }) {
  const words = [...nodeOptions, script, JSON.stringify(options)]
  const settings = { env: { ...process.env, NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
  const child = pinned
    ? fork(words[0], words.slice(1), {
        ...settings,
        execPath: 'taskset',
        execArgv: ['-c', beside ? '0' : '1', node],
      })
    : fork(words[0], words.slice(1), { ...settings, execPath: node, execArgv: [] })
  const log = collect(child)
  const port = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${options.module} ${options.name} ended with ${code}\n${log()}`)))
    child.once('message', (message) => resolve(message.port))
  })
  return new Server(child, port, options)
}

/**
 * Collects the output of a process, which is shown only when it fails: several libraries warn that they are not in
 * production.
 */
function collect(child) {
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      chunks.push(chunk)
      if (chunks.length > 100) chunks.shift()
    })
  }
  return () => chunks.join('')
}

/** A running variant. */
export class Server {
  #child

  constructor(child, port, { module, name }) {
    this.#child = child
    this.pid = child.pid
    this.port = port
    this.origin = `http://127.0.0.1:${port}`
    this.module = module
    this.name = name
  }

  /** Asks the process; see `apps/server.mjs` for what it knows. */
  ask(question) {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`${this.module} ${this.name} ended`))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer) => {
        this.#child.off('exit', ended)
        resolve(answer)
      })
      this.#child.send(question)
    })
  }

  async stop() {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.send('stop')
    await exited
  }
}
