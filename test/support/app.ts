/**
 * An application with the library mounted, and a browser without scripts that talks to it. Runs on the Express major
 * that `EXPRESS_VERSION` names (see `express-version.mjs`).
 *
 * ```ts
 * const app = await startApp({ providers: [credentials()] })
 * const browser = app.browser()
 * await browser.signIn({ username: 'ann', password: 'right' })   // POST callback/credentials with the CSRF token
 * const { body } = await browser.get('/auth/session')
 * await app.close()
 * ```
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import { getSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import type { LoggerInstance } from '../../lib/types/logger.js'
import type { CredentialsConfig } from '../../lib/types/provider.js'
import { Browser } from './http-browser.js'
import { hearLog, tellSecret } from './log-watch.js'

export { type Answer, Browser, type Question, setCookies, target } from './http-browser.js'

/** The Express major that this run uses. */
export const expressMajor = process.env.EXPRESS_VERSION?.startsWith('4') ? 4 : 5
/** The owner's wildcard mount, in the syntax of the major. */
export const wildcardMount = expressMajor === 4 ? '/auth/*' : '/auth/*splat'
/** A secret that is long enough. */
export const secret = 'a-test-secret-of-more-than-32-characters'

/** The recorded log entries of the library. */
export interface Log {
  readonly errors: Error[]
  readonly warnings: Array<{ code: string; details: unknown[] }>
  readonly debugs: Array<{ message: string; details: unknown[] }>
  readonly logger: LoggerInstance
}

/** Creates a logger that records its calls. */
export function createLog(): Log {
  tellSecret(secret)
  const log = { errors: [] as Log['errors'], warnings: [] as Log['warnings'], debugs: [] as Log['debugs'] }
  const logger: LoggerInstance = {
    error: (error, ...details) => {
      hearLog(error, ...details)
      log.errors.push(error)
    },
    warn: (code, ...details) => {
      hearLog(code, ...details)
      log.warnings.push({ code, details })
    },
    debug: (message, ...details) => {
      hearLog(message, ...details)
      log.debugs.push({ message, details })
    },
  }
  return { ...log, logger }
}

/** A credentials provider: any user name, and the password `right`. */
export function credentials(options: Partial<CredentialsConfig> = {}): CredentialsConfig {
  return Credentials({
    credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
    authorize: ({ username, password }) =>
      password === 'right'
        ? { id: `id-of-${username}`, name: String(username), email: `${username}@example.com` }
        : null,
    ...options,
  }) as CredentialsConfig
}

/** The options of the application around the library. */
export interface AppOptions {
  /** Default `/auth`. */
  readonly mount?: string | RegExp
  readonly trustProxy?: boolean | number
  /** Runs before the library is mounted: parsers, other routers. */
  readonly before?: (app: Express) => void
  /** Runs after it is mounted, before the test's own routes. */
  readonly after?: (app: Express, config: ServerAuthConfig) => void
}

/** An application that listens on loopback. */
export interface Door {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly server: Server
  readonly config: ServerAuthConfig
  readonly log: Log
  /** A browser without cookies. @param headers Sent with each of its requests */
  browser(headers?: Readonly<Record<string, string>>): Browser
  close(): Promise<void>
}

/** An application on Express. */
export interface TestApp extends Door {
  readonly app: Express
}

/**
 * Starts an application. Besides the library it has `GET /me` (the session by `getSession`, as JSON), and answers
 * anything else with 404 and the JSON `{ app: true, url, baseUrl }`; errors that reach it become 500 `{ app: true, error }`.
 */
export async function startApp(config: Partial<ServerAuthConfig> = {}, options: AppOptions = {}): Promise<TestApp> {
  const log = createLog()
  const full = complete(config, log)
  const app = createApp(full, options)
  return { app, ...(await serve(createServer(app), full, log, options.mount)) }
}

/** The configuration of an application, with what a test leaves out. */
export function complete<C extends object>(config: C, log: Log): C & ServerAuthConfig {
  return { secret, providers: [credentials()], logger: log.logger, ...config }
}

/** Lets a server listen on a port of its own. */
export async function serve(
  server: Server,
  config: ServerAuthConfig,
  log: Log,
  mount: string | RegExp = '/auth',
): Promise<Door> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A failed test that leaves its application open must not keep the run from ending.
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const base = typeof mount === 'string' && !mount.includes('*') ? mount : '/auth'
  return {
    origin,
    server,
    config,
    log,
    browser: (headers = {}) => new Browser(origin, { headers, base }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The application of {@link startApp}, not listening. */
export function createApp(config: ServerAuthConfig, options: AppOptions = {}): Express {
  const app = express()
  if (options.trustProxy !== undefined) app.set('trust proxy', options.trustProxy)
  options.before?.(app)
  app.use(options.mount ?? '/auth', ServerAuth(config))
  options.after?.(app, config)
  app.get('/me', (req, res, next) => {
    getSession(req, config).then((session) => res.json(session), next)
  })
  app.use((req, res) => {
    res.status(404).json({ app: true, url: req.url, baseUrl: req.baseUrl, originalUrl: req.originalUrl })
  })
  app.use((error: Error, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    if (!res.headersSent)
      res.status(500).json({ app: true, error: error?.message, type: (error as { type?: string })?.type })
  })
  return app
}

/** The JSON of a fault without its random reference: compares with `{ error, message }`. */
export function withoutReference(body: { error: string; message: string }): { error: string; message: string } {
  return { ...body, message: body.message.replace(/ Reference: [0-9a-f]{8}$/, '') }
}
