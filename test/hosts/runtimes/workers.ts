/** The entry of a Cloudflare Worker: the application on D1. */
import { env } from 'cloudflare:workers'
import { connectD1, type D1Binding, d1Adapter, migrate } from 'server-auth/adapters/d1'
import { type AppSettings, createFetchApp } from './fetch-app.js'

/** The bindings that the test configures. */
const { DB, SETTINGS } = env as { readonly DB: D1Binding; readonly SETTINGS: AppSettings }

const app = createFetchApp(SETTINGS, d1Adapter(DB))

export default {
  async fetch(request: Request, _env: unknown, context: { waitUntil(work: Promise<unknown>): void }) {
    if (new URL(request.url).pathname === '/migrate') return Response.json(await migrate(connectD1(DB)))
    return app(request, { ip: '203.0.113.7', waitUntil: (work) => context.waitUntil(work) })
  },
}
