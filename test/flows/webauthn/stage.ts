/**
 * The stage of the passkey suites: applications on an adapter, people with browsers and authenticators in software, and
 * what happened.
 *
 * ```ts
 * const stage = usePasskeys()
 * it('…', async () => {
 *   await stage.start({ strategy: 'jwt' })
 *   const ann = stage.person()
 *   await stage.expectSignedIn(await ann.register({ email: 'ann@example.com' }), ann, 'ann@example.com')
 * })
 * ```
 */
import { expect } from 'chai'
import type { Response } from 'supertest'
import type { AuthError } from '../../../lib/errors.js'
import { ServerAuth } from '../../../lib/index.js'
import Passkey from '../../../lib/providers/passkey.js'
import type { Adapter, AdapterAuthenticator, AdapterMethod, AdapterUser } from '../../../lib/types/adapter.js'
import type { FailureMessage, ServerAuthConfig } from '../../../lib/types/config.js'
import type { WebAuthnUserConfig } from '../../../lib/types/passkey.js'
import type { EmailConfig, Provider } from '../../../lib/types/provider.js'
import { type TestDatabase, testDatabase } from '../../support/adapter.js'
import { type AppOptions, type Browser, credentials, startApp, type TestApp, target } from '../../support/app.js'
import { Authenticator, type Traits } from '../../support/authenticator.js'
import { restoreClock } from '../../support/clock.js'
import { PasskeyPerson } from '../../support/passkey-person.js'

export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

/** How an application of the stage is started. */
export interface StageOptions extends Partial<Omit<ServerAuthConfig, 'providers' | 'adapter'>> {
  readonly strategy?: Strategy
  /** Default: a memory adapter under the test's control, {@link PasskeyStage.db}. */
  readonly adapter?: Adapter
  /** Methods that the adapter shall not have. */
  readonly without?: readonly AdapterMethod[]
  /** Options of the provider `passkey`. */
  readonly passkey?: WebAuthnUserConfig
  /** Providers beside `passkey`, `credentials` and `email`. */
  readonly more?: Provider[]
}

export class PasskeyStage {
  readonly failures: FailureMessage[] = []
  /** Events in their order. */
  readonly events: Array<{ readonly name: string; readonly message: unknown }> = []
  /** Mailed links by address, the newest last. */
  readonly mails: Array<{ identifier: string; url: string }> = []
  readonly #apps: TestApp[] = []
  #db: TestDatabase | undefined
  #adapter: Adapter | undefined

  /** The newest application. */
  get app(): TestApp {
    return present(this.#apps.at(-1))
  }

  get db(): TestDatabase {
    return present(this.#db)
  }

  /** The adapter past the notes of {@link db}: what is stored. */
  get stored(): Adapter {
    return present(this.#db?.real ?? this.#adapter)
  }

  /** An application on an empty adapter. */
  async start({ adapter, without = [], ...options }: StageOptions = {}, app: AppOptions = {}): Promise<TestApp> {
    this.#db = adapter ? undefined : testDatabase({ without })
    this.#adapter = adapter ?? this.#db?.adapter
    return this.serve(options, app)
  }

  /** A further application on the same adapter: another process, as far as the engine can tell. */
  async serve(options: Omit<StageOptions, 'without'> = {}, appOptions: AppOptions = {}): Promise<TestApp> {
    const { strategy = 'database', passkey, more = [], events, session, experimental, ...config } = options
    const app = await startApp(
      {
        adapter: present(this.#adapter),
        session: { ...session, strategy },
        experimental: { enableWebAuthn: true, ...experimental },
        providers: [Passkey(passkey), credentials(), this.#email(), ...more],
        events: { ...this.#recorded(), ...events },
        ...config,
      },
      appOptions,
    )
    this.#apps.push(app)
    return app
  }

  /** Somebody with a browser and an authenticator. */
  person({ app = this.app, browser = app.browser(), provider = 'passkey', ...traits }: PersonOptions = {}) {
    return new PasskeyPerson(browser, new Authenticator(traits), { provider })
  }

  /** Somebody who has an account with a passkey, and is signed in. */
  async member(email: string, options: PersonOptions = {}): Promise<PasskeyPerson> {
    const person = this.person(options)
    await this.expectSignedIn(await person.register({ email }), person, email)
    return person
  }

  /** Signs in by a mailed link, in the browser that asked for it. */
  async enterByMail(browser: Browser, email: string): Promise<Response> {
    return browser.get(await this.askForLink(browser, email))
  }

  /** Opens a mailed link in any browser, and confirms where that is asked for. */
  async openLink(browser: Browser, link: string): Promise<Response> {
    const response = await browser.get(link)
    if (response.status !== 200) return response
    return browser.submit('/auth/callback/email', Object.fromEntries(new URL(link).searchParams))
  }

  async askForLink(browser: Browser, email: string): Promise<string> {
    await browser.submit('/auth/signin/email', { email })
    return present(this.mails.findLast(({ identifier }) => identifier === email)).url
  }

  async userOf(email: string): Promise<AdapterUser> {
    return present(await this.stored.getUserByEmail?.(email))
  }

  async passkeysOf(email: string): Promise<AdapterAuthenticator[]> {
    return present(await this.stored.listAuthenticatorsByUserId?.((await this.userOf(email)).id))
  }

  async accountsOf(email: string): Promise<string[]> {
    const rows = present(await this.stored.listAccountsByUserId?.((await this.userOf(email)).id))
    return rows.map(({ provider, type, providerAccountId }) => `${provider} ${type} ${providerAccountId}`)
  }

  /** The response ended at the site's root (or another path), signed in as the address. */
  async expectSignedIn(response: Response, { browser }: PasskeyPerson, email: string, to = '/'): Promise<void> {
    this.expectNoFault()
    expect(new URL(target(response)).pathname + new URL(target(response)).search).to.equal(to)
    expect(await browser.session()).to.have.nested.property('user.email', email)
  }

  /** The answer refuses by this type, and whose session the browser holds is as before. */
  async expectRefused(response: Response, type: string, person: PasskeyPerson, email?: string): Promise<void> {
    expect(target(response)).to.match(new RegExp(`[?&]error=${type}$`))
    expect(this.faults().at(-1)).to.equal(type)
    expect(emailOf(await person.browser.session())).to.equal(email)
  }

  /** Runs something that must store nothing. */
  async expectNoWrite<T>(act: () => Promise<T>): Promise<T> {
    this.db.calls.length = 0
    const result = await act()
    expect(this.db.calls.filter((name) => /^(?:create|update|rename|delete|link|unlink)/.test(name))).to.deep.equal([])
    return result
  }

  /** Types of what was logged as errors. */
  faults(): string[] {
    return this.#apps.flatMap(({ log }) => log.errors.map((error) => (error as AuthError).type))
  }

  expectNoFault(): void {
    const errors = this.#apps.flatMap(({ log }) => log.errors) as AuthError[]
    expect(errors.map(({ message, cause }) => [message, cause?.err?.message])).to.deep.equal([])
  }

  /** Forgets what was logged and told. */
  forgive(): void {
    for (const { log } of this.#apps) log.errors.length = 0
    this.failures.length = 0
    this.events.length = 0
  }

  /** Ends the applications. */
  async leave(): Promise<void> {
    const apps = this.#apps.splice(0)
    await Promise.all(apps.map((app) => ServerAuth(app.config).close()))
    await Promise.all(apps.map((app) => app.close()))
    this.failures.length = 0
    this.events.length = 0
    this.mails.length = 0
  }

  #recorded(): NonNullable<ServerAuthConfig['events']> {
    const note = (name: string) => (message: unknown) => void this.events.push({ name, message })
    return {
      createUser: note('createUser'),
      linkAccount: note('linkAccount'),
      signIn: note('signIn'),
      updateUser: note('updateUser'),
      failure: (message) => void this.failures.push(message),
    }
  }

  #email(): EmailConfig {
    return {
      id: 'email',
      type: 'email',
      name: 'E-mail',
      limit: false,
      sendVerificationRequest: ({ identifier, url }) => void this.mails.push({ identifier, url }),
    }
  }
}

/** A person of the stage, with traits of their authenticator. */
export interface PersonOptions extends Partial<Traits> {
  readonly app?: TestApp
  readonly browser?: Browser
  readonly provider?: string
}

/** Hooks a stage into the suite around. */
export function usePasskeys(): PasskeyStage {
  const stage = new PasskeyStage()
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    restoreClock()
    await stage.leave()
    // Node tells of them after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections, 'unhandled rejections').to.deep.equal([])
  })
  return stage
}

/** The address of a session, as `GET session` tells it. */
export function emailOf(session: unknown): string | undefined {
  return (session as { user?: { email?: string } } | null)?.user?.email
}

/** A value that has to be there. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('it is not there')
  return value
}
