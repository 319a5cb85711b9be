/**
 * The entry for servers: the application on Fetch or Express, with a database. `SETTINGS` of the environment has the settings of the
 * test as JSON.
 */
import { createServer } from 'node:http'
import express from 'express'
import { defineAuth } from 'server-auth'
import { connect, migrate, sqlAdapter } from 'server-auth/adapters/sql'
import { type AppSettings, authConfig, createFetchApp } from './fetch-app.js'

interface ServerSettings extends AppSettings {
  readonly door: 'Express' | 'Fetch'
  readonly port: number
  readonly databaseUrl: string
}

/** The used parts of the servers of Bun and Deno. */
interface Runtimes {
  readonly Bun?: {
    serve(options: {
      port: number
      hostname: string
      fetch(request: Request, server: { requestIP(request: Request): { address: string } | null }): Promise<Response>
    }): unknown
  }
  readonly Deno?: {
    serve(
      options: { port: number; hostname: string },
      fetch: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
    ): unknown
  }
}

const { Bun, Deno } = globalThis as Runtimes
const settings: ServerSettings = JSON.parse(process.env.SETTINGS ?? '{}')
const db = connect(settings.databaseUrl)
await migrate(db)
const adapter = sqlAdapter(db)
const { port } = settings
const hostname = '127.0.0.1'

if (settings.door === 'Fetch') {
  const app = createFetchApp(settings, adapter)
  if (Bun) {
    Bun.serve({ port, hostname, fetch: (request, server) => app(request, { ip: server.requestIP(request)?.address }) })
  } else {
    Deno?.serve({ port, hostname }, (request, { remoteAddr }) => app(request, { ip: remoteAddr.hostname }))
  }
} else {
  const auth = defineAuth(authConfig(settings, adapter))
  const app = express()
  app.use('/api/auth', auth.router)
  app.get('/private', auth.requireSession(), async (req, res) => void res.json(await auth.getSession(req)))
  createServer(app).listen(port, hostname)
}
