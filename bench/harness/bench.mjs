/** The resources of a case: settings, servers that end with it, databases, and the OpenID provider. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { write } from './http.mjs'
import { compare, cpuPerRequest } from './measure.mjs'
import { startServer } from './servers.mjs'

export class Bench {
  #endings = []
  #provider

  /** @param settings `rounds`, `slices` of a round, `count` (requests a round), `warmUp`, `million`, `quick`. */
  constructor(settings) {
    this.settings = settings
  }

  /** Starts a variant of `apps`. */
  async start(module, name, options = {}) {
    const server = await startServer({ module, name, ...options })
    this.#endings.push(() => server.stop())
    return server
  }

  /** A lane of `measure`: a variant of `apps`, run by the chosen Node.js, and its work. */
  lane(module, variant, options, work) {
    const { node } = this.settings
    return { start: () => startServer({ node, module, name: variant, ...options }), work }
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

  /** Starts the provider once. */
  provider() {
    this.#provider ??= this.start('provider', 'provider', { beside: true })
    return this.#provider
  }

  /** The URL of a new SQLite file, or of a new PostgreSQL database beside the one that `BENCH_POSTGRES` names. */
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

  /** Ends what a case started, the newest first. */
  async end() {
    for (const ending of this.#endings.reverse()) await ending()
    this.#endings = []
    this.#provider = undefined
  }

  /** A variant that answers the same GET again and again. */
  get(name, server, { path = '/guarded', cookie, status, facts } = {}) {
    const text = write(server.port, { path, cookie })
    return { name, facts, run: (count) => cpuPerRequest(server, { count, status, message: () => text }) }
  }

  /** A variant that gets another cookie with each request. */
  distinct(name, server, mint) {
    const run = async (count) => {
      const texts = []
      for (let made = 0; made < count; made += 1)
        texts.push(write(server.port, { path: '/guarded', cookie: await mint() }))
      return cpuPerRequest(server, { count, message: (at) => texts[at] })
    }
    return { name, run }
  }

  /** Rows of a table. `scale`: of the usual number of requests. */
  compare(variants, { base, scale = 1 } = {}) {
    const { rounds, slices, count, warmUp } = this.settings
    const scaled = (number) => Math.max(8, Math.round(number * scale))
    return compare(variants, { base, rounds, slices, count: scaled(count), warmUp: scaled(warmUp) })
  }
}

async function onPostgres(url, statement) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}
