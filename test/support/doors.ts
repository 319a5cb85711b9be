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
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { ServerAuthConfig } from '../../lib/index.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { Browser, createLog, credentials, expressMajor, secret, startApp, type TestApp } from './app.js'

/** What an application at either door has. */
export type DoorApp = Pick<TestApp, 'origin' | 'config' | 'log' | 'browser' | 'close'>

export interface DoorOptions {
  /** A proxy in front says host and scheme. */
  readonly behindProxy?: boolean
  /** Where the routes are; default `/auth`. With Express it is escaped where it would be a pattern. */
  readonly mount?: string
}

export type StartAtDoor = (config?: Partial<ServerAuthConfig>, options?: DoorOptions) => Promise<DoorApp>

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
const startFetch: StartAtDoor = async (config = {}, { behindProxy, mount = '/auth' } = {}) => {
  const log = createLog()
  const full: ServerAuthConfig = {
    secret,
    providers: [credentials()],
    logger: log.logger,
    basePath: mount,
    ...(behindProxy && { trustHost: true }),
    ...config,
  }
  const { handlers, auth } = initAuth(full)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`${mount}/`)) return handlers.GET(request)
    if (pathname === '/me') return Response.json(await auth())
    return Response.json({ app: true }, { status: 404 })
  }
  const listener = getRequestListener((request) => withRequest(request, () => answer(request), { ip: '127.0.0.1' }), {
    overrideGlobalObjects: false,
    // What is no URL is no Request either: the server refuses it before anybody is asked.
    errorHandler: (error) =>
      Response.json({ app: true, error: String(error) }, { status: error instanceof RequestError ? 400 : 500 }),
  })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    config: full,
    log,
    browser: () => new Browser(origin),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Both, by name. */
export const doors: ReadonlyArray<readonly [name: string, start: StartAtDoor]> = [
  ['Express', startExpress],
  ['Fetch', startFetch],
]
