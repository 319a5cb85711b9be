/**
 * One application behind each of the two doors: Express, and the shim behind a Fetch server. Suites that are about HTTP run
 * at both, with the same browser.
 *
 * ```ts
 * for (const [door, start] of doors) {
 *   describe(`redirects (${door})`, () => {
 *     before(async () => { app = await start({ providers: [credentials()] }) })
 * ```
 */
import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { type RequestContextOptions, withRequest } from '../../shim/index.js'
import { type AppOptions, complete, createLog, type Door, expressMajor, type Log, serve, startApp } from './app.js'

export type { Door }
/** An application at either door. */
export type DoorApp = Door

export interface DoorOptions {
  /** A proxy in front says host and scheme. */
  readonly behindProxy?: boolean
  /** The path of the routes; default `/auth`. With Express it is escaped where it would be a pattern. */
  readonly mount?: string
}

type Config = Partial<FullStackAuthConfig>

/** Options of {@link startFetch}, whose routes are at a path. */
export type FetchOptions = Pick<DoorOptions, 'behindProxy'> & Pick<AppOptions, 'mount'>

export type StartAtDoor = (config?: Partial<ServerAuthConfig>, options?: DoorOptions) => Promise<Door>

const startExpress: StartAtDoor = (config = {}, { behindProxy, mount } = {}) =>
  startApp(config, {
    ...(behindProxy && { trustProxy: true }),
    ...(mount !== undefined && { mount: asWritten(mount) }),
  })

/** A mount at exactly this path. Express 4 escapes nothing: there it is a pattern of one's own. */
function asWritten(path: string): string | RegExp {
  const escaped = path.replace(/[\\^$.*+?()[\]{}|:!]/g, '\\$&')
  return expressMajor === 4 ? new RegExp(`^${escaped}(?=/|$)`) : escaped
}

/** The routes by `handlers`, and `GET /me`, the session by `auth()`. Anything else is 404 `{ app: true }`. */
export const startFetch = async (
  config: Config = {},
  { behindProxy, mount: path = '/auth' }: FetchOptions = {},
): Promise<Door> => {
  const mount = String(path)
  const log = createLog()
  const full = complete({ basePath: mount, ...(behindProxy && { trustHost: true }), ...config }, log)
  const { handlers, auth } = initAuth(full)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`${mount}/`)) return handlers.GET(request)
    if (pathname === '/me') return Response.json(await auth())
    return Response.json({ app: true }, { status: 404 })
  }
  return openFetch(log, answer, { ip: '127.0.0.1' }, full)
}

/** The Router, mounted at `/api/auth` of an Express application. */
export function openExpress(config: Config, options: AppOptions = {}): Promise<Door> {
  return startApp({ basePath: '/api/auth', ...config }, { mount: '/api/auth', ...options })
}

/** `handlers` of the shim, behind a Node server that speaks Fetch. */
export function openShim(config: Config): Promise<Door> {
  const log = createLog()
  const full = complete({ basePath: '/api/auth', ...config }, log)
  const { handlers } = initAuth(full)
  return openFetch(log, (request) => handlers.GET(request), { ip: '127.0.0.1' }, full)
}

/** Any function of Fetch, behind such a server. */
export function openFetch(
  log: Log,
  answer: (request: Request) => Response | Promise<Response>,
  options: RequestContextOptions = {},
  config: FullStackAuthConfig = complete({ basePath: '/api/auth' }, log),
): Promise<Door> {
  const listener = getRequestListener((request) => withRequest(request, () => answer(request), options), {
    // The tests of other files want Node's own Request and Response.
    overrideGlobalObjects: false,
    // An invalid URL is no valid Request: the server rejects it before it calls the application.
    errorHandler: (error) =>
      Response.json({ app: true, error: String(error) }, { status: error instanceof RequestError ? 400 : 500 }),
  })
  return serve(createServer(listener), config, log, config.basePath)
}

/** Both, by name. */
export const doors: ReadonlyArray<readonly [name: string, start: StartAtDoor]> = [
  ['Express', startExpress],
  ['Fetch', startFetch],
]
