/**
 * The stage of the e-mail suites: a real mail server for the suite, a fresh application, adapter and browser for each test.
 *
 * ```ts
 * const stage = useMailStage()
 * it('signs in', async () => {
 *   await stage.ask('ann@example.com')
 *   await stage.expectSignedIn(await stage.browser.get(await stage.link()), 'ann@example.com')
 * })
 * ```
 */
import { expect } from 'chai'
import type { Response } from 'supertest'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import type { AuthError } from '../../../lib/errors.js'
import { ServerAuth } from '../../../lib/index.js'
import Email, { type EmailOptions } from '../../../lib/providers/email.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import type { FailureMessage, ServerAuthConfig } from '../../../lib/types/config.js'
import type { EmailConfig } from '../../../lib/types/provider.js'
import { type AppOptions, type Browser, startApp, type TestApp, target } from '../../support/app.js'
import { restoreClock } from '../../support/clock.js'
import { formIn, linkIn, type MailServer, startMailServer } from '../../support/mail-server.js'

/** A call of an adapter's method. */
export interface AdapterCall {
  readonly method: string
  readonly args: readonly unknown[]
}

export class MailStage {
  /** Calls of the adapter, in order. */
  readonly calls: AdapterCall[] = []
  readonly failures: FailureMessage[] = []
  #server: MailServer | undefined
  #app: TestApp | undefined
  #browser: Browser | undefined
  #adapter: Adapter | undefined

  get server(): MailServer {
    return present(this.#server)
  }

  get app(): TestApp {
    return present(this.#app)
  }

  get browser(): Browser {
    return present(this.#browser)
  }

  /** The adapter of the tests' application, with its own calls not counted. */
  get adapter(): Adapter {
    return present(this.#adapter)
  }

  /** The provider over the suite's mail server. */
  email(options: Partial<EmailOptions> = {}): EmailConfig {
    return Email({ server: this.server.url, from: 'Example <hello@example.com>', ...options } as EmailOptions)
  }

  /** The tests' application anew, with other options. */
  async restart(
    options: Partial<EmailOptions> = {},
    config: Partial<ServerAuthConfig> = {},
    appOptions: AppOptions = {},
  ): Promise<void> {
    await this.leave()
    this.calls.length = 0
    this.failures.length = 0
    this.#adapter = config.adapter ?? memoryAdapter()
    this.#app = await startApp(
      {
        providers: [this.email(options)],
        events: { failure: (message) => void this.failures.push(message) },
        ...config,
        adapter: recorded(this.#adapter, this.calls),
      },
      appOptions,
    )
    this.#browser = this.app.browser()
  }

  /** Asks for a link. */
  ask(address: unknown, { browser = this.browser, provider = 'email', ...others }: Asking = {}): Promise<Response> {
    return browser.submit(`/auth/signin/${provider}`, { email: address, ...others.fields }, others.headers)
  }

  /** The link in the next mail. */
  async link(): Promise<string> {
    return linkIn((await this.server.next()).parsed)
  }

  /** Asks for a link, and takes it out of the mail. */
  async linkFor(address: string, asking: Asking = {}): Promise<string> {
    const response = await this.ask(address, asking)
    expect(target(response)).to.match(/\/auth\/verify-request\?/)
    return this.link()
  }

  /** Opens a link, which must show the question, and says yes. */
  async confirm(browser: Browser, link: string): Promise<Response> {
    const page = await browser.get(link)
    expectQuestion(page)
    const { action, fields } = formIn(page.text, '/callback/')
    return browser.post(action, fields)
  }

  /** Waits for what goes on after answers are out. */
  settled(): Promise<void> {
    return ServerAuth(this.app.config).close()
  }

  /** The response ended at the site's root (or another path), signed in as the address. */
  async expectSignedIn(response: Response, address: string, { browser = this.browser, to = '/' } = {}): Promise<void> {
    expect(target(response)).to.equal(new URL(to, this.app.origin).href)
    expect(response.status).to.be.oneOf([302, 303])
    expect(await browser.session()).to.have.nested.property('user.email', address)
  }

  /** The response leads to the page of an error, and nobody is signed in. */
  async expectRefused(response: Response, type = 'Verification', { browser = this.browser } = {}): Promise<void> {
    expect(target(response)).to.match(new RegExp(`/auth/(?:error|signin)\\?error=${type}$`))
    expect(await browser.session()).to.equal(null)
  }

  /** Types of what was logged as errors. */
  logged(): string[] {
    return this.app.log.errors.map((error) => (error as AuthError).type)
  }

  /** Names of the adapter's methods that were called since the last time. */
  called(): string[] {
    return this.calls.splice(0).map(({ method }) => method)
  }

  async open(): Promise<void> {
    this.#server = await startMailServer()
  }

  /** Ends the application, once its mails are out. */
  async leave(): Promise<void> {
    if (!this.#app) return
    this.server.release()
    await this.settled()
    await this.#app.close()
    this.#app = undefined
  }

  async close(): Promise<void> {
    await this.#server?.stop()
  }
}

/** How a link is asked for. */
export interface Asking {
  readonly browser?: Browser
  readonly provider?: string
  readonly fields?: object
  readonly headers?: Record<string, string>
}

/** Hooks a stage into the suite around. */
export function useMailStage(): MailStage {
  const stage = new MailStage()
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  before(() => stage.open())
  beforeEach(async () => {
    rejections.length = 0
    process.on('unhandledRejection', note)
    stage.server.reset()
    await stage.restart()
  })
  afterEach(async () => {
    restoreClock()
    await stage.leave()
    // Node tells of them after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections, 'unhandled rejections').to.deep.equal([])
  })
  after(() => stage.close())
  return stage
}

/** The page that asks whether a person wants to sign in. */
export function expectQuestion(response: Response): void {
  expect(response.status).to.equal(200)
  expect(response.headers['content-type']).to.match(/^text\/html/)
  expect(formIn(response.text, '/auth/callback/').fields).to.include.keys('token', 'email', 'csrfToken')
}

/** The query of a link. */
export function queryOf(link: string): Record<string, string> {
  return Object.fromEntries(new URL(link).searchParams)
}

/** A link with other parameters; `null` leaves one out. */
export function changed(link: string, changes: Readonly<Record<string, string | null>>): string {
  const url = new URL(link)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}

/** An adapter without some of its methods. */
export function without(adapter: Adapter, ...methods: Array<keyof Adapter>): Adapter {
  const names = new Set<PropertyKey>(methods)
  return new Proxy(adapter, { get: (from, name) => (names.has(name) ? undefined : Reflect.get(from, name)) })
}

function recorded(adapter: Adapter, calls: AdapterCall[]): Adapter {
  return new Proxy(adapter, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name)
      if (typeof value !== 'function' || name === 'store') return value
      return (...args: unknown[]) => {
        calls.push({ method: String(name), args })
        return Reflect.apply(value, from, args)
      }
    },
  })
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the stage is set up in hooks: use it in tests only')
  return value
}
