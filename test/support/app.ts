/**
 * An application with the library mounted, and a browser without scripts that talks to it. Runs on the Express major
 * that `EXPRESS_MAJOR` names (see `express-major.mjs`).
 *
 * ```ts
 * const app = await startApp({ providers: [credentials()] })
 * const browser = app.browser()
 * await browser.signIn({ username: 'ann', password: 'right' })   // POST callback/credentials with the CSRF token
 * const { body } = await browser.get('/auth/session')
 * await app.close()
 * ```
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import request, { type Response } from 'supertest'
import { getSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import type { LoggerInstance } from '../../lib/types/logger.js'
import type { CredentialsConfig } from '../../lib/types/provider.js'
import { hearLog, tellCookie, tellFields, tellSecret } from './log-watch.js'

/** The Express major that this run uses. */
export const expressMajor = process.env.EXPRESS_MAJOR === '4' ? 4 : 5
/** The owner's wildcard mount, in the syntax of the major. */
export const wildcardMount = expressMajor === 4 ? '/auth/*' : '/auth/*splat'
/** A secret that is long enough. */
export const secret = 'a-test-secret-of-more-than-32-characters'

/** What the library logged. */
export interface Log {
  readonly errors: Error[]
  readonly warnings: Array<{ code: string; details: unknown[] }>
  readonly debugs: Array<{ message: string; details: unknown[] }>
  readonly logger: LoggerInstance
}

/** A logger that keeps what it is told. */
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

/** How the application is built around the library. */
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
export interface TestApp {
  readonly app: Express
  readonly server: Server
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly config: ServerAuthConfig
  readonly log: Log
  browser(): Browser
  close(): Promise<void>
}

/**
 * Starts an application. Besides the library it has `GET /me` (the session by `getSession`, as JSON), and answers
 * anything else with 404 and the JSON `{ app: true, url, baseUrl }`; errors that reach it become 500 `{ app: true, error }`.
 */
export async function startApp(config: Partial<ServerAuthConfig> = {}, options: AppOptions = {}): Promise<TestApp> {
  const log = createLog()
  const full: ServerAuthConfig = { secret, providers: [credentials()], logger: log.logger, ...config }
  const app = createApp(full, options)
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
    // A failed test that leaves its application open must not keep the run from ending.
    listening.unref()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    app,
    server,
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

/** A browser without scripts: keeps cookies, follows nothing by itself. `Secure` cookies are kept on http too. */
export class Browser {
  /** By name. Change it to tamper. */
  readonly cookies = new Map<string, string>()
  /** Sent with every request, for example `{ 'x-forwarded-proto': 'https' }`. */
  readonly headers: Record<string, string> = {}
  readonly #origin: string
  readonly #paths = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The `Cookie` header that a request to the path carries. */
  cookieHeader(path = '/'): string {
    return [...this.cookies]
      .filter(([name]) => path.startsWith(this.#paths.get(name) ?? '/'))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
  }

  /** GET a path or an absolute URL of the application. */
  get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('get', url, { headers })
  }

  /** POST fields as a form. The CSRF token is not added: see {@link submit}. */
  post(url: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('post', url, { fields, headers })
  }

  /** POST fields as a form, with a CSRF token fetched before. */
  async submit(url: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    const base = new URL(url, this.#origin).pathname.replace(
      /\/(?:signin|signout|signup|password|callback|session)(?:\/.*)?$/,
      '',
    )
    return this.post(url, { csrfToken: await this.csrf(base), ...fields }, headers)
  }

  /** The CSRF token of this browser. */
  async csrf(basePath = '/auth'): Promise<string> {
    const { body } = await this.get(`${basePath}/csrf`)
    return body.csrfToken
  }

  /** Signs in with the credentials provider. */
  signIn(fields: object = {}, basePath = '/auth'): Promise<Response> {
    return this.submit(`${basePath}/callback/credentials`, { username: 'ann', password: 'right', ...fields })
  }

  /** The session as the session endpoint tells it. */
  async session(basePath = '/auth'): Promise<unknown> {
    const { body } = await this.get(`${basePath}/session`)
    return body
  }

  /** Any request. `json` goes as JSON, `fields` as a form. */
  async send(
    method: 'get' | 'post' | 'head' | 'put' | 'patch' | 'delete' | 'options',
    url: string,
    what: { fields?: object; json?: object; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    tellFields({ ...what.fields, ...what.json })
    const { pathname, search } = new URL(url, this.#origin)
    const sent = request(this.#origin)
      [method](pathname + search)
      .redirects(0)
    const cookie = this.cookieHeader(pathname)
    if (cookie) sent.set('Cookie', cookie)
    sent.set({ ...this.headers, ...what.headers })
    if (what.fields) sent.type('form').send(what.fields)
    if (what.json) sent.send(what.json)
    const response = await sent.ok(() => true)
    this.keep(response)
    return response
  }

  private keep(response: Response): void {
    for (const line of setCookies(response)) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      tellCookie(name, value)
      if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else {
        this.cookies.set(name, value)
        this.#paths.set(name, attributes.find((each) => each.startsWith('Path='))?.slice(5) ?? '/')
      }
    }
  }
}

/** The `Set-Cookie` headers of a response. */
export function setCookies(response: Response): string[] {
  const value: unknown = response.headers['set-cookie']
  return Array.isArray(value) ? value : []
}

/**
 * The URL that a response sends a browser on to: `Location`, `Refresh`, or `{ url }`. Without the random reference of a
 * fault, which `test/actions/incidents.test.ts` is about.
 */
export function target(response: Response): string {
  const refresh = response.headers.refresh?.replace(/^0;url=/, '')
  const url: string = response.headers.location ?? refresh ?? response.body?.url ?? ''
  return url.replace(/&reference=[0-9a-f]{8}$/, '')
}

/** The JSON of a fault without its random reference: compares with `{ error, message }`. */
export function withoutReference(body: { error: string; message: string }): { error: string; message: string } {
  return { ...body, message: body.message.replace(/ Reference: [0-9a-f]{8}$/, '') }
}
