/** Bun and Deno: the whole engine, on Fetch and on Express. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type DatabaseKind, requireDatabase, type TestDatabase } from '../../support/databases.js'
import { freePorts } from '../../support/free-ports.js'
import { programOf } from './install.js'
import { itSignsIn, type Services, startServices } from './suite.js'

const entry = fileURLToPath(new URL('./serve.ts', import.meta.url))
// Beside the packages of this folder, where the runtimes find the library and its packages.
const built = fileURLToPath(new URL('./dist/', import.meta.url))
const program = `${built}serve.mjs`

/** The arguments of a runtime, before the program. */
const words = {
  bun: ['run'],
  deno: ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock', '--quiet'],
} as const

/** SQLite needs a native driver, which both load with `libsql`. */
const databases: readonly DatabaseKind[] = ['postgres', 'mysql', 'sqlite']

for (const runtime of ['bun', 'deno'] as const) {
  for (const [door, kind] of [
    ['Fetch', databases[0]],
    ['Express', databases[1]],
    ['Fetch', databases[2]],
  ] as const) {
    describe(`${runtime}, ${door}, ${kind}`, function () {
      this.timeout(120_000)
      let services: Services
      let database: TestDatabase | undefined
      let child: ChildProcess | undefined
      let origin = ''
      let log = ''

      before(async function () {
        const command = programOf(runtime)
        database = await requireDatabase(this, kind ?? 'postgres')
        services = await startServices()
        mkdirSync(built, { recursive: true })
        const options = {
          bundle: true,
          packages: 'external',
          format: 'esm',
          platform: 'node',
          target: 'es2022',
        } as const
        await build({ entryPoints: [entry], outfile: program, ...options })
        const [port = 0] = await freePorts(1)
        origin = `http://localhost:${port}`
        const settings = { ...services.settings(origin), door, port, databaseUrl: database.url }
        child = spawn(command, [...words[runtime], program], {
          env: { ...process.env, NODE_OPTIONS: '', SETTINGS: JSON.stringify(settings) },
        })
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += String(chunk)))
        while (!(await fetch(`${origin}/api/auth/csrf`).catch(() => undefined))) {
          if (child.exitCode !== null) throw new Error(`${runtime} ended: ${log}`)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })
      after(async () => {
        if (child?.exitCode === null) {
          child.kill()
          await once(child, 'close')
        }
        await services?.close()
        await database?.close()
      })
      afterEach(function () {
        if (this.currentTest?.state === 'failed') console.error(log.slice(-3000))
      })

      itSignsIn(() => ({ origin, services }))
    })
  }
}
