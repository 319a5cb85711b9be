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
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import Email, { type EmailOptions } from '../../../lib/providers/email.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import type { ServerAuthConfig } from '../../../lib/types/config.js'
import type { EmailConfig } from '../../../lib/types/provider.js'
import { type AppOptions, type Browser, target } from '../../support/app.js'
import type { Answer } from '../../support/http-browser.js'
import { formIn, linkIn } from '../../support/mail-server.js'
import { present, useWorld, World } from '../../support/world.js'

/** A call of an adapter's method. */
export interface AdapterCall {
  readonly method: string
  readonly args: readonly unknown[]
}

export class MailStage extends World {
  /** Calls of the adapter, in order. */
  readonly calls: AdapterCall[] = []
  #adapter: Adapter | undefined

  constructor() {
    super({ smtp: true })
  }

  /** The adapter of the tests' application, whose calls by tests are not counted. */
  get adapter(): Adapter {
    return present(this.#adapter)
  }

  /** Creates the provider over the suite's mail server. */
  email(options: Partial<EmailOptions> = {}): EmailConfig {
    return Email({ server: this.server.url, from: 'Example <hello@example.com>', ...options } as EmailOptions)
  }

  override async prepare(): Promise<void> {
    this.server.reset()
    await this.restart()
  }

  /** Starts the tests' application again, with other options. */
  async restart(
    options: Partial<EmailOptions> = {},
    config: Partial<ServerAuthConfig> = {},
    app: AppOptions = {},
  ): Promise<void> {
    this.calls.length = 0
    this.#adapter = config.adapter ?? memoryAdapter()
    const adapter = recorded(this.#adapter, this.calls)
    await this.start({ providers: [this.email(options)], ...config, adapter }, app)
  }

  /** Requests a link. */
  ask(address: unknown, { browser = this.browser, provider = 'email', ...others }: Asking = {}): Promise<Answer> {
    return browser.submit(`/auth/signin/${provider}`, { email: address, ...others.fields }, others.headers)
  }

  /** Returns the link in the next mail. */
  async link(): Promise<string> {
    return linkIn((await this.server.next()).parsed)
  }

  /** Requests a link, and reads it from the mail. */
  async linkFor(address: string, asking: Asking = {}): Promise<string> {
    const response = await this.ask(address, asking)
    expect(target(response)).to.match(/\/auth\/verify-request\?/)
    return this.link()
  }

  /** Opens a link, which must show the question, and confirms. */
  async confirm(browser: Browser, link: string): Promise<Answer> {
    const page = await browser.get(link)
    expectQuestion(page)
    const { action, fields } = formIn(page.text, '/callback/')
    return browser.post(action, fields)
  }

  /** Checks that the response ended at the site's root (or another path), signed in as the address. */
  async expectSignedIn(response: Answer, address: string, { browser = this.browser, to = '/' } = {}): Promise<void> {
    expect(target(response)).to.equal(new URL(to, this.app.origin).href)
    expect(response.status).to.be.oneOf([302, 303])
    expect(await browser.session()).to.have.nested.property('user.email', address)
  }

  /** Checks that the response leads to the page of an error, and that no user is signed in. */
  async expectRefused(response: Answer, type = 'Verification', { browser = this.browser } = {}): Promise<void> {
    expect(target(response)).to.match(new RegExp(`/auth/(?:error|signin)\\?error=${type}$`))
    expect(await browser.session()).to.equal(null)
  }

  /** Returns the types of the logged errors. */
  logged(): string[] {
    return this.faults()
  }

  /** Returns the names of the adapter's methods that were called since the last time. */
  called(): string[] {
    return this.calls.splice(0).map(({ method }) => method)
  }
}

/** The options of a request for a link. */
export interface Asking {
  readonly browser?: Browser
  readonly provider?: string
  readonly fields?: object
  readonly headers?: Record<string, string>
}

/** Adds a stage to the surrounding suite. */
export function useMailStage(): MailStage {
  return useWorld(new MailStage())
}

/** Checks that the response is the page that asks whether to sign in. */
export function expectQuestion(response: Answer): void {
  expect(response.status).to.equal(200)
  expect(response.headers['content-type']).to.match(/^text\/html/)
  expect(formIn(response.text, '/auth/callback/').fields).to.include.keys('token', 'email', 'csrfToken')
}

/** Returns the query of a link. */
export function queryOf(link: string): Record<string, string> {
  return Object.fromEntries(new URL(link).searchParams)
}

/** Returns a link with other parameters. `null` leaves one out. */
export function changed(link: string, changes: Readonly<Record<string, string | null>>): string {
  const url = new URL(link)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}

/** Returns an adapter without some of its methods. */
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
