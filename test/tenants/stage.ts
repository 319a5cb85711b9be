/** Tenants at one server, on Express or behind the shim, and browsers that visit one of them. */
import { createServer } from 'node:http'
import express, { type Express } from 'express'
import { type TenantConfig, type Tenants, type TenantsOptions, tenants } from '../../lib/tenants/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { Browser, createLog, credentials, type Log, secret, serve } from '../support/app.js'
import { openFetch } from '../support/doors.js'

/** The configuration of a test's tenant, without its origins. */
export type Loaded = Partial<FullStackAuthConfig> & { origins?: readonly string[] }

/** The options of a test. */
export interface StageOptions extends Partial<Omit<TenantsOptions<FullStackAuthConfig>, 'load'>> {
  /** Returns the configuration of a tenant. Default: credentials, at `http://<id>.test`. */
  readonly load?: (id: string) => Loaded | null | Promise<Loaded | null>
  /** Runs before the routes, on Express. */
  readonly before?: (app: Express, auth: Tenants<FullStackAuthConfig>) => void
  readonly trustProxy?: boolean
}

/** Tenants that listen. */
export interface TenantStage {
  readonly origin: string
  readonly log: Log
  readonly auth: Tenants<FullStackAuthConfig>
  /** The ids that were loaded, in order. */
  readonly loads: string[]
  /** A browser that visits `http://<host>`. */
  browser(host: string, headers?: Readonly<Record<string, string>>): Browser
  close(): Promise<void>
}

export type OpenTenants = (options?: StageOptions) => Promise<TenantStage>

/** The configuration of a tenant at `http://<id>.test`. */
export function site(id: string, config: Loaded = {}): TenantConfig<FullStackAuthConfig> {
  return { origins: [`http://${id}.test`], providers: [credentials()], ...config }
}

/** The first label of a host. */
export const firstLabel = ({ host }: { host: string }) => host.split('.')[0] ?? null

/** Creates tenants whose log and loads are recorded. */
export function createTenants({
  load = () => ({}),
  before: _before,
  trustProxy: _proxy,
  ...options
}: StageOptions = {}) {
  const log = createLog()
  const loads: string[] = []
  const auth = tenants<FullStackAuthConfig>({
    key: firstLabel,
    async load(id) {
      loads.push(id)
      const own = await load(id)
      return own && site(id, { logger: log.logger, ...own })
    },
    secret,
    logger: log.logger,
    ...options,
  })
  return { log, loads, auth }
}

const openExpressTenants: OpenTenants = async (options = {}) => {
  const { log, loads, auth } = createTenants(options)
  const app = express()
  if (options.trustProxy) app.set('trust proxy', true)
  options.before?.(app, auth)
  app.use('/auth', auth.router)
  app.get('/me', (req, res, next) => {
    auth.getSession(req).then((session) => res.json(session), next)
  })
  app.get('/tenant', auth.requireTenant(), async (req, res) => void res.json(await auth.tenant(req)))
  app.get('/guarded', auth.requireSession(), (_req, res) => void res.json('in'))
  app.get('/live', auth.requireSession({ live: true }), (_req, res) => void res.json('in'))
  app.post('/form', auth.csrf.require(), (_req, res) => void res.json('in'))
  app.use((error: { status?: number; type?: string }, _req: unknown, res: express.Response, _next: unknown) => {
    res.status(error.status ?? 500).json({ app: true, error: error.type ?? String(error) })
  })
  const door = await serve(createServer(app), { providers: [] }, log)
  return stageOf(door, { log, loads, auth })
}

const openFetchTenants: OpenTenants = async (options = {}) => {
  const {
    log,
    loads,
    auth: all,
  } = createTenants({
    ...options,
    load: async (id) => {
      const own = await (options.load ?? (() => ({})))(id)
      return own && { basePath: '/auth', ...own }
    },
  })
  const { handlers, auth } = initAuth(all)
  const routes: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
    '/me': () => auth(),
    '/tenant': (request) => all.tenant(request),
    '/guarded': async (request) => (await auth.require(request)) && 'in',
    '/live': async (request) => (await auth.require(request, { live: true })) && 'in',
    '/form': async (request) => (await auth.csrf.verify(request)) && 'in',
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const route = routes[pathname]
    if (!route) return handlers.GET(request)
    try {
      return Response.json(await route(request))
    } catch (error) {
      if (error instanceof Response) throw error
      const { status = 500, type = String(error) } = error as { status?: number; type?: string }
      return Response.json({ app: true, error: type }, { status })
    }
  }
  const door = await openFetch(log, answer, { ip: '127.0.0.1' })
  return stageOf(door, { log, loads, auth: all })
}

function stageOf(
  { origin, close }: { origin: string; close(): Promise<void> },
  parts: Pick<TenantStage, 'log' | 'loads' | 'auth'>,
): TenantStage {
  return {
    ...parts,
    origin,
    browser: (host, headers = {}) => new Browser(origin, { headers: { host, ...headers } }),
    close,
  }
}

/** Both entry points, by name. */
export const tenantDoors: ReadonlyArray<readonly [name: string, open: OpenTenants]> = [
  ['Express', openExpressTenants],
  ['Fetch', openFetchTenants],
]
