/** Bun and Deno: the whole engine, on Fetch and on Express. Needs `npm run build`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type DatabaseKind, requireDatabase, type TestDatabase } from '../../support/databases.js'
import { type Site, startSite } from '../site.js'
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
      let site: Site | undefined

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
        const { url: databaseUrl } = database
        site = await startSite(process.cwd(), [command, ...words[runtime], program], (port) => {
          const origin = `http://localhost:${port}`
          const settings = { ...services.settings(origin), door, port, databaseUrl }
          const env = { ...process.env, NODE_OPTIONS: '', SETTINGS: JSON.stringify(settings) }
          return { origin, probe: `${origin}/api/auth/csrf`, env }
        })
      })
      after(async () => {
        await site?.stop()
        await services?.close()
        await database?.close()
      })
      afterEach(function () {
        if (this.currentTest?.state === 'failed') console.error(site?.log().slice(-3000))
      })

      itSignsIn(() => ({ origin: site?.origin ?? '', services }))
    })
  }
}
