/** An application with `trustedOrigins` and an API of its own, at each door, which counts what requests do. */
import { createServer, type RequestListener } from 'node:http'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { createApp, createLog, credentials, type Door, secret, serve } from '../support/app.js'
import { openFetch } from '../support/doors.js'
import type { Strategy } from '../support/world.js'

/** The number of requests that arrived, without preflights, and of changes. */
export interface Counts {
  arrived: number
  changed: number
}

type Config = Partial<ServerAuthConfig>

function configOf(strategy: Strategy, counts: Counts, config: Config) {
  const log = createLog()
  const note = <T>(trigger: string | undefined, result: T): T => {
    if (trigger === 'update') counts.changed += 1
    return result
  }
  const full: ServerAuthConfig = {
    secret,
    logger: log.logger,
    providers: [credentials()],
    trustHost: true,
    ...(strategy === 'database' && { adapter: memoryAdapter() }),
    session: { strategy },
    callbacks:
      strategy === 'jwt'
        ? { jwt: ({ token, trigger }) => note(trigger, token) }
        : { session: ({ session, trigger }) => note(trigger, session) },
    ...config,
  }
  return { log, config: full }
}

/** Returns the application on Express. */
export function createExpressSite(strategy: Strategy, config: Config) {
  const counts: Counts = { arrived: 0, changed: 0 }
  const parts = configOf(strategy, counts, config)
  const auth = defineAuth(parts.config)
  const app = createApp(parts.config, {
    before(own) {
      own.use((req, _res, next) => {
        if (req.method !== 'OPTIONS') counts.arrived += 1
        next()
      })
      own.get('/page', (_req, res) => void res.type('html').send('<!doctype html><title>Page</title>'))
      own.use('/api', auth.cors(), auth.csrf.require(), auth.requireSession())
      own.all('/api/note', (_req, res) => {
        counts.changed += 1
        res.json({ done: true })
      })
    },
  })
  return { ...parts, app: app as RequestListener, counts, auth }
}

/** A running application. */
export interface OriginSite {
  readonly door: Door
  readonly counts: Counts
}

async function openExpress(strategy: Strategy, config: Config): Promise<OriginSite> {
  const site = createExpressSite(strategy, config)
  return { counts: site.counts, door: await serve(createServer(site.app), site.config, site.log) }
}

async function openShim(strategy: Strategy, config: Config): Promise<OriginSite> {
  const counts: Counts = { arrived: 0, changed: 0 }
  const parts = configOf(strategy, counts, { basePath: '/auth', ...config })
  const { auth, handlers } = initAuth(parts.config)
  const note = async (request: Request) => {
    const isForm = request.headers.get('content-type')?.includes('urlencoded')
    if (request.method !== 'GET') await (isForm ? auth.csrf.verify(request) : auth.csrf.verify(request, {}))
    await auth.require(request)
    counts.changed += 1
    return Response.json({ done: true })
  }
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'OPTIONS') counts.arrived += 1
    if (pathname.startsWith('/api/')) return auth.cors(request, () => note(request))
    return request.method === 'OPTIONS' ? handlers.OPTIONS(request) : handlers.GET(request)
  }
  return { counts, door: await openFetch(parts.log, answer, { ip: '127.0.0.1' }, parts.config) }
}

/** Starts the application, by the name of the door. */
export const sites = { Express: openExpress, Fetch: openShim } as const
