/**
 * The stage of the OAuth suites: a hostile provider for the suite, a fresh application and browser for each test.
 *
 * ```ts
 * const stage = useStage()
 * it('refuses …', async () => {
 *   stage.provider.onToken = (body) => stage.provider.tokens(body, { aud: 'somebody-else' })
 *   await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /"aud"/)
 * })
 * ```
 */
import { expect } from 'chai'
import type { Response } from 'supertest'
import { AuthError } from '../../../lib/errors.js'
import type { ServerAuthConfig } from '../../../lib/types/config.js'
import type { Account, Profile, User } from '../../../lib/types/identity.js'
import type { OAuthConfig } from '../../../lib/types/provider.js'
import { type Browser, setCookies, startApp, type TestApp, target } from '../../support/app.js'
import { restoreClock } from '../../support/clock.js'
import { type HostileProvider, startHostileProvider } from '../../support/hostile-provider.js'

/** What a provider object may say besides id, name and settings. */
export type ProviderOptions = Partial<OAuthConfig> | Record<string | symbol, unknown>

/** What the `signIn` event told. */
export interface SignedIn {
  readonly user: User
  readonly account: Account | null
  readonly profile?: Profile
}

/** Where a person lands, by the type of the error. */
const landings: Readonly<Record<string, string>> = {
  InvalidCheck: '/auth/error?error=InvalidCheck',
  OAuthCallbackError: '/auth/signin?error=OAuthCallbackError',
  OAuthProfileParseError: '/auth/error?error=Configuration',
  OAuthSignInError: '/auth/signin?error=OAuthSignInError',
}

export class Stage {
  readonly signedIn: SignedIn[] = []
  readonly #options: ProviderOptions
  #provider: HostileProvider | undefined
  #app: TestApp | undefined
  #browser: Browser | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
  }

  get provider(): HostileProvider {
    return present(this.#provider)
  }

  get app(): TestApp {
    return present(this.#app)
  }

  get browser(): Browser {
    return present(this.#browser)
  }

  /** The object of the provider `test`. */
  config(options: ProviderOptions = {}): OAuthConfig {
    return {
      type: 'oidc',
      id: 'test',
      name: 'Test',
      ...this.provider.settings,
      ...this.#options,
      ...options,
    } as OAuthConfig
  }

  /** The tests' application anew, with other options. */
  async restart(options: ProviderOptions = {}, config: Partial<ServerAuthConfig> = {}): Promise<void> {
    await this.#app?.close()
    this.signedIn.length = 0
    this.#app = await startApp({
      providers: [this.config(options)],
      events: { signIn: (message) => void this.signedIn.push(message) },
      ...config,
    })
    this.newBrowser()
  }

  /** Another person's browser: no cookies. */
  newBrowser(): Browser {
    this.#browser = this.app.browser()
    return this.#browser
  }

  /** Starts a sign-in and returns the authorization request. */
  async begin(id = 'test', query = ''): Promise<string> {
    const response = await this.browser.submit(`/auth/signin/${id}${query}`, { callbackUrl: '/welcome' })
    expect(response.status, JSON.stringify(response.headers)).to.equal(303)
    const url = target(response)
    expect(url.startsWith(this.app.origin), `${url} must lead to the provider`).to.equal(false)
    return url
  }

  /** A whole sign-in; `changes` to the provider's redirect as in {@link HostileProvider.authorize}. */
  async signIn(changes: Readonly<Record<string, string | null>> = {}, query = ''): Promise<Response> {
    return this.browser.get(this.provider.authorize(await this.begin('test', query), changes))
  }

  /** The return of a sign-in ended at the callback URL, with a session. */
  async expectSignedIn(response: Response): Promise<void> {
    expect(this.lastFault(), 'nothing is logged').to.equal('')
    expect(response.status).to.equal(302)
    expect(target(response)).to.equal(`${this.app.origin}/welcome`)
    expect(await this.browser.session()).to.have.property('user')
  }

  /** The return of a sign-in was refused: page, logged type and reason, spent attempt, no session. */
  async expectRefused(response: Response, type: string, reason: RegExp): Promise<void> {
    expect(this.app.log.errors.map((error) => (error as AuthError).type)).to.deep.equal([type])
    expect(this.lastFault()).to.match(reason)
    expect(target(response)).to.equal(`${this.app.origin}${landings[type]}`)
    expect(response.status).to.equal(302)
    const named = setCookies(response).filter((line) => /session-token/.test(line))
    expect(named, 'no session cookie is written').to.deep.equal([])
    expect(await this.browser.session()).to.equal(null)
    expect(this.signedIn).to.deep.equal([])
  }

  /** The person said no at the provider: like {@link expectRefused}, and no error of the log. */
  async expectCancelled(response: Response): Promise<void> {
    expect(this.app.log.errors).to.deep.equal([])
    const told = this.app.log.debugs.flatMap(({ details }) => details).filter((each) => each instanceof AuthError)
    expect(told.map(({ type }) => type)).to.deep.equal(['OAuthCallbackError'])
    expect(target(response)).to.equal(`${this.app.origin}${landings.OAuthCallbackError}`)
    expect(await this.browser.session()).to.equal(null)
    expect(this.signedIn).to.deep.equal([])
  }

  /** Messages and codes of the last logged error and of what led to it; empty when there is none. */
  lastFault(): string {
    const lines: string[] = []
    let next: unknown = this.app.log.errors.at(-1)
    while (next instanceof Error) {
      lines.push([next.name, 'code' in next ? next.code : '', next.message].join(' '))
      next = next instanceof AuthError ? next.cause?.err : next.cause
    }
    return lines.join('\n')
  }

  /** Cookies of open sign-ins that the browser holds. */
  transactions(): string[] {
    return [...this.browser.cookies.keys()].filter((name) => name.includes('auth.transaction'))
  }

  async open(): Promise<void> {
    this.#provider = await startHostileProvider()
  }

  async leave(): Promise<void> {
    await this.#app?.close()
    this.#app = undefined
  }

  async close(): Promise<void> {
    await this.#provider?.close()
  }
}

/** Hooks a stage into the suite around. */
export function useStage(options: ProviderOptions = {}): Stage {
  const stage = new Stage(options)
  before(() => stage.open())
  beforeEach(async () => {
    stage.provider.reset()
    await stage.restart()
  })
  afterEach(async () => {
    restoreClock()
    await stage.leave()
  })
  after(() => stage.close())
  return stage
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the stage is set up in hooks: use it in tests only')
  return value
}
