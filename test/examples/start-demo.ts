/** The demo of the example as `npm start` starts it, in this process: for browsers. Needs `npm run build`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../support/free-ports.js'

export interface RunningDemo {
  /** `http://localhost:<port>`; the provider is on 127.0.0.1, another site for a browser. */
  readonly origin: string
  close(): Promise<void>
}

const environment = { AUTH_SECRET: 'a-secret-for-tests-of-at-least-32-chars', AUTH_URL: '', SMTP_URL: '' }

/** Starts it on a fresh SQLite file. Until it is closed the environment of this process is the demo's. */
export async function startDemo(): Promise<RunningDemo> {
  const demo = await import('../../examples/express-app/demo/demo.js')
  const { openDatabase } = await import('../../examples/express-app/src/database.js')
  const { stopAll } = await import('../../examples/express-app/demo/server.js')
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-example-'))
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  const database = await openDatabase(`sqlite:${join(folder, 'app.db')}`)
  const running = [database]
  const [port = 0, providerPort = 0] = await freePorts(2)
  await demo.startDemo({ port, providerPort }, database, running)
  return {
    origin: `http://localhost:${port}`,
    async close() {
      await stopAll(running)
      rmSync(folder, { recursive: true })
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}
