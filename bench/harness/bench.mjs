/** The resources of a job: lanes, databases, and the OpenID provider. They end with the job. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './servers.mjs'

export class Bench {
  #endings = []
  #provider

  /** @param node the program that runs the measured servers */
  constructor(node) {
    this.node = node
  }

  /** Returns a lane: a variant of `apps` in a process of its own, and its work. */
  lane(module, variant, options, work) {
    return { start: () => startServer({ node: this.node, module, name: variant, ...options }), work }
  }

  /** Starts the server of a lane for one question. */
  async briefly(lane, ask) {
    const server = await lane.start()
    try {
      return await ask(server)
    } finally {
      await server.stop()
    }
  }

  /** Starts the OpenID provider once, on the CPU of the load. */
  provider() {
    this.#provider ??= this.#startProvider()
    return this.#provider
  }

  async #startProvider() {
    const server = await startServer({ module: 'provider', name: 'provider', beside: true })
    this.#endings.push(() => server.stop())
    return server
  }

  /** Returns the path of a new SQLite file, or the URL of a new database beside the one that `BENCH_POSTGRES` names. */
  async database(kind) {
    if (kind === 'sqlite') {
      const folder = mkdtempSync(join(tmpdir(), 'server-auth-bench-'))
      this.#endings.push(() => rmSync(folder, { recursive: true }))
      return join(folder, 'bench.db')
    }
    const url = new URL(process.env.BENCH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test')
    const name = `server_auth_bench_${process.pid}_${this.#endings.length}`
    await onPostgres(url, `create database ${name}`)
    this.#endings.push(() => onPostgres(url, `drop database ${name} with (force)`))
    return Object.assign(new URL(url), { pathname: `/${name}` }).href
  }

  /** Ends what a job started, the newest first. */
  async end() {
    for (const ending of this.#endings.reverse()) await ending()
    this.#endings = []
    this.#provider = undefined
  }
}

async function onPostgres(url, statement) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}
