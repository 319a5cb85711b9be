/**
 * The stage of the passkey suites: applications on an adapter, users with browsers and authenticators in software, and
 * the recorded events.
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
import type { ServerAuthConfig } from '../../../lib/index.js'
import Passkey from '../../../lib/providers/passkey.js'
import type { Adapter, AdapterAuthenticator, AdapterMethod, AdapterUser } from '../../../lib/types/adapter.js'
import type { WebAuthnUserConfig } from '../../../lib/types/passkey.js'
import type { Provider } from '../../../lib/types/provider.js'
import { type AppOptions, type Browser, credentials, type Door, target } from '../../support/app.js'
import { Authenticator, type Traits } from '../../support/authenticator.js'
import type { Answer } from '../../support/http-browser.js'
import { PasskeyPerson } from '../../support/passkey-person.js'
import { present, type Strategy, useWorld, World } from '../../support/world.js'

export { present, type Strategy, strategies } from '../../support/world.js'

/** The options of an application of the stage. */
export interface StageOptions extends Partial<Omit<ServerAuthConfig, 'providers' | 'adapter'>> {
  readonly strategy?: Strategy
  /** Default: a memory adapter under the test's control, {@link PasskeyStage.db}. */
  readonly adapter?: Adapter
  /** Methods that the adapter must not have. */
  readonly without?: readonly AdapterMethod[]
  /** Options of the provider `passkey`. */
  readonly passkey?: WebAuthnUserConfig
  /** Providers beside `passkey`, `credentials` and `email`. */
  readonly more?: Provider[]
}

export class PasskeyStage extends World {
  #adapter: Adapter | undefined

  /** The adapter without the recording of {@link db}. */
  get stored(): Adapter {
    return this.#adapter ?? this.db.real
  }

  /** Does nothing, because tests start their applications themselves. */
  override async prepare(): Promise<void> {}

  /** Starts an application on an empty adapter. Earlier ones continue. */
  override start({ adapter, without = [], ...options }: StageOptions = {}, app: AppOptions = {}): Promise<Door> {
    this.#adapter = adapter
    if (!adapter) this.renewStore(without)
    return this.serve(options, app)
  }

  /** Starts a further application on the same adapter: another process, as far as the engine can tell. */
  override serve(options: Omit<StageOptions, 'without'> = {}, app: AppOptions = {}): Promise<Door> {
    const { strategy = 'database', passkey, more = [], session, experimental, ...config } = options
    const providers = [Passkey(passkey), credentials(), this.emailProvider(), ...more]
    return super.serve(
      {
        adapter: this.#adapter ?? this.db.adapter,
        session: { ...session, strategy },
        experimental: { enableWebAuthn: true, ...experimental },
        providers,
        ...config,
      },
      app,
    )
  }

  /** Returns a user with a browser and an authenticator. */
  person({ app = this.app, browser = app.browser(), provider = 'passkey', ...traits }: PersonOptions = {}) {
    return new PasskeyPerson(browser, new Authenticator(traits), { provider })
  }

  /** Returns a user who has an account with a passkey, and is signed in. */
  async member(email: string, options: PersonOptions = {}): Promise<PasskeyPerson> {
    const person = this.person(options)
    await this.expectSignedIn(await person.register({ email }), person, email)
    return person
  }

  /** Signs in by an email link, in the browser that requested it. */
  async enterByMail(browser: Browser, email: string): Promise<Answer> {
    return browser.get(await this.askForLink(browser, email))
  }

  /** Opens an email link in any browser, and confirms if required. */
  async openLink(browser: Browser, link: string): Promise<Answer> {
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

  /** Checks that the response ended at the site's root (or another path), signed in as the address. */
  async expectSignedIn(response: Answer, { browser }: PasskeyPerson, email: string, to = '/'): Promise<void> {
    this.expectNoFault()
    expect(new URL(target(response)).pathname + new URL(target(response)).search).to.equal(to)
    expect(await browser.session()).to.have.nested.property('user.email', email)
  }

  /** Checks that the answer rejects by this type, and that the session of the browser is unchanged. */
  async expectRefused(response: Answer, type: string, person: PasskeyPerson, email?: string): Promise<void> {
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
}

/** The options of a user of the stage, with traits of their authenticator. */
export interface PersonOptions extends Partial<Traits> {
  readonly app?: Door
  readonly browser?: Browser
  readonly provider?: string
}

/** Adds a stage to the surrounding suite. */
export function usePasskeys(): PasskeyStage {
  return useWorld(new PasskeyStage())
}

/** Returns the address of a session from `GET session`. */
export function emailOf(session: unknown): string | undefined {
  return (session as { user?: { email?: string } } | null)?.user?.email
}
