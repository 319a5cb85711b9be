/**
 * A user with a browser and an authenticator in software, who answers the server's questions over HTTP.
 *
 * ```ts
 * const ann = new PasskeyPerson(app.browser(), new Authenticator())
 * await ann.register({ email: 'ann@example.com' })
 * await ann.signIn({}, { lies: { origin: 'https://evil.test' } })
 * ```
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { expect } from 'chai'
import type { Browser } from './app.js'
import type { Authenticator, Lies } from './authenticator.js'
import type { Answer } from './http-browser.js'

export type Ceremony = 'authenticate' | 'register'

interface OptionsOf {
  authenticate: PublicKeyCredentialRequestOptionsJSON
  register: PublicKeyCredentialCreationOptionsJSON
}

/** The options of a ceremony. */
export interface Ways {
  readonly lies?: Lies
  /** Further fields of the form. */
  readonly fields?: object
  readonly headers?: Record<string, string>
}

export class PasskeyPerson {
  readonly browser: Browser
  readonly key: Authenticator
  readonly #provider: string
  readonly #base: string

  constructor(browser: Browser, key: Authenticator, { provider = 'passkey', base = '/auth' } = {}) {
    this.browser = browser
    this.key = key
    this.#provider = provider
    this.#base = base
  }

  /** Returns the same user with another browser, authenticator or provider. */
  with({ browser = this.browser, key = this.key, provider = this.#provider } = {}): PasskeyPerson {
    return new PasskeyPerson(browser, key, { provider, base: this.#base })
  }

  /** `GET webauthn-options`, whatever comes of it. */
  ask(query: Record<string, string>): Promise<Answer> {
    return this.browser.get(`${this.#base}/webauthn-options/${this.#provider}?${new URLSearchParams(query)}`)
  }

  /** The options for a ceremony. */
  async options<C extends Ceremony>(action: C, query: Record<string, string> = {}): Promise<OptionsOf[C]> {
    const { status, body } = await this.ask({ ...query, action })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.action).to.equal(action)
    return body.options
  }

  /** `POST callback` with the CSRF token. */
  send(action: unknown, data: unknown, { fields, headers }: Omit<Ways, 'lies'> = {}): Promise<Answer> {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    return this.browser.submit(`${this.#base}/callback/${this.#provider}`, { action, data: text, ...fields }, headers)
  }

  /** Makes a passkey: for a new account, or while signed in. */
  async register(query: Record<string, string> = {}, { lies, ...ways }: Ways = {}): Promise<Answer> {
    return this.send('register', this.key.create(await this.options('register', query), lies), ways)
  }

  /** Signs in. */
  async signIn(query: Record<string, string> = {}, { lies, ...ways }: Ways = {}): Promise<Answer> {
    return this.send('authenticate', this.key.get(await this.options('authenticate', query), lies), ways)
  }

  signOut(): Promise<Answer> {
    return this.browser.submit(`${this.#base}/signout`)
  }
}
