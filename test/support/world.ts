/**
 * The world of a suite: an application with the real parts that it needs, and a browser that talks to it.
 *
 * ```ts
 * const site = world({ door: 'fetch', strategy: 'database', store: 'memory', provider: true })
 * it('signs in', async () => {
 *   await site.start({ pages: { newUser: '/welcome' } })   // the application again, with other options
 *   expect(await site.browser.session()).to.equal(null)
 *   expect(site.told('signIn')).to.deep.equal([])          // messages of the event
 * })
 * ```
 *
 * The provider, the mail server and the database run for the suite; the application and the browser are new for each
 * test. After it the time is restored, applications are closed, and an unhandled rejection fails the test.
 */
import { expect } from 'chai'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { AuthError } from '../../lib/errors.js'
import { ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { Adapter, AdapterMethod } from '../../lib/types/adapter.js'
import type { EventCallbacks, FailureMessage } from '../../lib/types/config.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { type TestDatabase, testDatabase } from './adapter.js'
import { type AppOptions, type Browser, type Door, startApp } from './app.js'
import { restoreClock } from './clock.js'
import { type DatabaseKind, requireDatabase } from './databases.js'
import { type FetchOptions, startFetch } from './doors.js'
import { type HostileProvider, startHostileProvider } from './hostile-provider.js'
import { type MailServer, startMailServer } from './mail-server.js'

export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

type Config = Partial<ServerAuthConfig>
type StartOptions = AppOptions & FetchOptions

/** The parts of a world. */
export interface WorldOptions {
  /** Default `express`. */
  readonly door?: 'express' | 'fetch'
  /** Default: what the configuration and the store come to. */
  readonly strategy?: Strategy
  /** `memory` notes its calls and can be made to fail: {@link World.db}. Default: none. */
  readonly store?: 'memory' | DatabaseKind
  /** Methods that the store in the memory does not have. */
  readonly without?: readonly AdapterMethod[]
  /** A scripted identity provider: {@link World.provider}. */
  readonly provider?: boolean
  /** A mail server: {@link World.server}. */
  readonly smtp?: boolean
  /** Options of every application; a function is called when the parts run. */
  readonly config?: Config | ((site: World) => Config)
  /** The path of the routes, and the application around them. */
  readonly app?: StartOptions
}

/** Events that are noted. */
const noted = ['createUser', 'updateUser', 'linkAccount', 'signIn'] as const

export class World {
  /** Messages of events, in their order. */
  readonly events: Array<{ readonly name: string; readonly message: unknown }> = []
  readonly failures: FailureMessage[] = []
  /** Email links of {@link emailProvider}, the newest last. */
  readonly mails: Array<{ identifier: string; url: string }> = []
  readonly options: WorldOptions
  readonly #apps: Door[] = []
  #provider: HostileProvider | undefined
  #server: MailServer | undefined
  #db: TestDatabase | undefined
  #sql: { adapter: Adapter; close(): Promise<void> } | undefined
  #browser: Browser | undefined

  constructor(options: WorldOptions = {}) {
    this.options = options
  }

  /** The newest application. */
  get app(): Door {
    return present(this.#apps.at(-1))
  }

  /** All applications of the test. */
  get apps(): readonly Door[] {
    return this.#apps
  }

  get browser(): Browser {
    this.#browser ??= this.app.browser()
    return this.#browser
  }

  get provider(): HostileProvider {
    return present(this.#provider)
  }

  get server(): MailServer {
    return present(this.#server)
  }

  get db(): TestDatabase {
    return present(this.#db)
  }

  /** A browser without cookies, which is {@link browser} from now on. */
  newBrowser(): Browser {
    this.#browser = this.app.browser()
    return this.#browser
  }

  /** Starts an application with these options, instead of the earlier ones, on an empty store. */
  async start(config: Config = {}, options: StartOptions = {}): Promise<Door> {
    await this.leave()
    if (this.options.store === 'memory') this.renewStore(this.options.without)
    return this.serve(config, options)
  }

  /** An empty store in the memory. @param without Methods that it does not have */
  renewStore(without: readonly AdapterMethod[] = []): void {
    this.#db = testDatabase({ without })
  }

  /** One more application on the same store: another process, as far as the engine can tell. */
  async serve(config: Config = {}, options: StartOptions = {}): Promise<Door> {
    const { door = 'express', strategy, config: given = {} } = this.options
    const shared = typeof given === 'function' ? given(this) : given
    const adapter = this.#db?.adapter ?? this.#sql?.adapter
    const full = {
      ...(adapter && { adapter }),
      ...shared,
      ...config,
      ...(strategy && { session: { ...shared.session, ...config.session, strategy } }),
      events: { ...this.#notes(), ...shared.events, ...config.events },
    }
    const all = { ...this.options.app, ...options }
    const app = await (door === 'fetch' ? startFetch(full, all) : startApp(full, all))
    this.#apps.push(app)
    this.#browser = undefined
    return app
  }

  /** Messages of an event. */
  told(event: string): unknown[] {
    return this.events.flatMap(({ name, message }) => (name === event ? [message] : []))
  }

  /** An email provider whose links arrive in {@link mails}. */
  emailProvider(options: Partial<EmailConfig> = {}): EmailConfig {
    const sendVerificationRequest: EmailConfig['sendVerificationRequest'] = ({ identifier, url }) =>
      void this.mails.push({ identifier, url })
    return { id: 'email', type: 'email', name: 'E-mail', limit: false, sendVerificationRequest, ...options }
  }

  /** Types of the logged errors. */
  faults(): string[] {
    return this.#apps.flatMap(({ log }) => log.errors.map((error) => (error as AuthError).type))
  }

  expectNoFault(): void {
    const errors = this.#apps.flatMap(({ log }) => log.errors) as AuthError[]
    expect(errors.map(({ message, cause }) => [message, cause?.err?.message])).to.deep.equal([])
  }

  /** Forgets what was logged and emitted. */
  forgive(): void {
    for (const { log } of this.#apps) log.errors.length = 0
    this.events.length = 0
    this.failures.length = 0
  }

  clear(): void {
    this.forgive()
    this.mails.length = 0
  }

  /** Waits for work that continues after answers. */
  async settled(): Promise<void> {
    await Promise.all(this.#apps.map(({ config }) => ServerAuth(config).close()))
  }

  /** Starts the parts that serve the whole suite. */
  async open(context?: Mocha.Context): Promise<void> {
    const { provider, smtp, store } = this.options
    if (provider) this.#provider = await startHostileProvider()
    if (smtp) this.#server = await startMailServer()
    if (store === undefined || store === 'memory' || !context) return
    const database = await requireDatabase(context, store)
    await migrate(database.db)
    this.#sql = { adapter: sqlAdapter(database.db), close: () => database.close() }
  }

  /** Prepares each test. */
  async prepare(): Promise<void> {
    this.#provider?.reset()
    this.#server?.reset()
    await this.start()
  }

  /** Ends the applications, once their mails are out. */
  async leave(): Promise<void> {
    this.#server?.release()
    await this.settled()
    await Promise.all(this.#apps.splice(0).map((app) => app.close()))
    this.#browser = undefined
    this.clear()
  }

  async close(): Promise<void> {
    await Promise.all([this.#provider?.close(), this.#server?.stop(), this.#sql?.close()])
  }

  #notes(): Partial<EventCallbacks> {
    const note = (name: string) => (message: unknown) => void this.events.push({ name, message })
    return {
      ...Object.fromEntries(noted.map((name) => [name, note(name)])),
      failure: (message) => void this.failures.push(message),
    }
  }
}

/** Creates a world for the suite around. */
export function world(options: WorldOptions = {}): World {
  return useWorld(new World(options))
}

/** Hooks a world into the suite around. */
export function useWorld<W extends World>(site: W): W {
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  before(async function () {
    await site.open(this)
  })
  beforeEach(async () => {
    rejections.length = 0
    process.on('unhandledRejection', note)
    await site.prepare()
  })
  afterEach(async () => {
    restoreClock()
    await site.leave()
    // Node reports them after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections, 'unhandled rejections').to.deep.equal([])
  })
  after(() => site.close())
  return site
}

/** A value that has to be there. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('it is not there: what hooks set up is used in tests only')
  return value
}
