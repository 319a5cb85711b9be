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
import { AuthError } from '../../../lib/errors.js'
import type { ServerAuthConfig } from '../../../lib/types/config.js'
import type { Account, Profile, User } from '../../../lib/types/identity.js'
import type { OAuthConfig } from '../../../lib/types/provider.js'
import { setCookies, target } from '../../support/app.js'
import type { HostileProvider } from '../../support/hostile-provider.js'
import type { Answer } from '../../support/http-browser.js'
import { useWorld, World } from '../../support/world.js'

/** The options of a provider object besides id, name and settings. */
export type ProviderOptions = Partial<OAuthConfig> | Record<string | symbol, unknown>

/** A message of the `signIn` event. */
export interface SignedIn {
  readonly user: User
  readonly account: Account | null
  readonly profile?: Profile
}

/** The page of each type of error. */
const landings: Readonly<Record<string, string>> = {
  InvalidCheck: '/auth/error?error=InvalidCheck',
  OAuthCallbackError: '/auth/signin?error=OAuthCallbackError',
  OAuthProfileParseError: '/auth/error?error=Configuration',
  OAuthSignInError: '/auth/signin?error=OAuthSignInError',
}

export class Stage extends World {
  /** Messages of the `signIn` event. */
  readonly signedIn: SignedIn[] = []
  readonly #options: ProviderOptions

  constructor(options: ProviderOptions) {
    super({ provider: true })
    this.#options = options
  }

  /** Returns the object of the provider `test`. */
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

  override async prepare(): Promise<void> {
    this.provider.reset()
    await this.restart()
  }

  /** Starts the tests' application again, with other options. */
  async restart(options: ProviderOptions = {}, config: Partial<ServerAuthConfig> = {}): Promise<void> {
    this.signedIn.length = 0
    const events = { signIn: (message: SignedIn) => void this.signedIn.push(message) }
    await this.start({ providers: [this.config(options)], events, ...config })
  }

  /** Starts a sign-in and returns the authorization request. */
  async begin(id = 'test', query = ''): Promise<string> {
    const response = await this.browser.submit(`/auth/signin/${id}${query}`, { callbackUrl: '/welcome' })
    expect(response.status, JSON.stringify(response.headers)).to.equal(303)
    const url = target(response)
    expect(url.startsWith(this.app.origin), `${url} must lead to the provider`).to.equal(false)
    return url
  }

  /** Signs in; `changes` to the provider's redirect as in {@link HostileProvider.authorize}. */
  async signIn(changes: Readonly<Record<string, string | null>> = {}, query = ''): Promise<Answer> {
    return this.browser.get(this.provider.authorize(await this.begin('test', query), changes))
  }

  /** Checks that the return of a sign-in ended at the callback URL, with a session. */
  async expectSignedIn(response: Answer): Promise<void> {
    expect(this.lastFault(), 'nothing is logged').to.equal('')
    expect(response.status).to.equal(302)
    expect(target(response)).to.equal(`${this.app.origin}/welcome`)
    expect(await this.browser.session()).to.have.property('user')
  }

  /** Checks that the return of a sign-in was rejected: page, logged type and reason, used attempt, no session. */
  async expectRefused(response: Answer, type: string, reason: RegExp): Promise<void> {
    expect(this.app.log.errors.map((error) => (error as AuthError).type)).to.deep.equal([type])
    expect(this.lastFault()).to.match(reason)
    expect(target(response)).to.equal(`${this.app.origin}${landings[type]}`)
    expect(response.status).to.equal(302)
    const named = setCookies(response).filter((line) => /session-token/.test(line))
    expect(named, 'no session cookie is written').to.deep.equal([])
    expect(await this.browser.session()).to.equal(null)
    expect(this.signedIn).to.deep.equal([])
  }

  /** Checks that the user cancelled at the provider: like {@link expectRefused}, without an error in the log. */
  async expectCancelled(response: Answer): Promise<void> {
    expect(this.app.log.errors).to.deep.equal([])
    const told = this.app.log.debugs.flatMap(({ details }) => details).filter((each) => each instanceof AuthError)
    expect(told.map(({ type }) => type)).to.deep.equal(['OAuthCallbackError'])
    expect(target(response)).to.equal(`${this.app.origin}${landings.OAuthCallbackError}`)
    expect(await this.browser.session()).to.equal(null)
    expect(this.signedIn).to.deep.equal([])
  }

  /** Returns messages and codes of the last logged error and of its causes, or an empty text if there is none. */
  lastFault(): string {
    const lines: string[] = []
    let next: unknown = this.app.log.errors.at(-1)
    while (next instanceof Error) {
      lines.push([next.name, 'code' in next ? next.code : '', next.message].join(' '))
      next = next instanceof AuthError ? next.cause?.err : next.cause
    }
    return lines.join('\n')
  }

  /** Returns the cookies of open sign-ins that the browser has. */
  transactions(): string[] {
    return [...this.browser.cookies.keys()].filter((name) => name.includes('auth.transaction'))
  }
}

/** Adds a stage to the surrounding suite. */
export function useStage(options: ProviderOptions = {}): Stage {
  return useWorld(new Stage(options))
}
