/**
 * The stage of the account linking suites: an application with an adapter that records its calls, and a scripted
 * provider that returns the claims that a test sets.
 *
 * ```ts
 * const stage = useLinking()
 * it('…', async () => {
 *   await stage.start({ strategy: 'jwt' })
 *   const browser = stage.app.browser()
 *   await stage.signIn(browser, 'one', { sub: 'ann', email: 'ann@example.com', email_verified: true })
 * })
 * ```
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Adapter, AdapterAccount, AdapterMethod, AdapterUser } from '../../lib/types/adapter.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { OAuthConfig, Provider } from '../../lib/types/provider.js'
import { type AppOptions, type Browser, type Door, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { present, type Strategy, useWorld, World } from '../support/world.js'

export { present, type Strategy, strategies } from '../support/world.js'

/** The claims of the provider about a user. */
export type Person = Readonly<{ sub: string } & Record<string, unknown>>

/** A recorded call, in order: a method of the adapter, a callback, an event. */
export interface Happening {
  /** `db.createUser`, `callbacks.signIn`, `events.linkAccount` … */
  readonly name: string
  readonly details: unknown
}

const writing = /^db\.(create|update|delete|link|unlink|use)/

/** An adapter that records its calls. */
export class Recorder {
  readonly happenings: Happening[] = []
  /** Users as `createUser` returned them, those that a transaction took back included. */
  readonly made: AdapterUser[] = []
  /** Runs before a method's own work. What it throws is what the method is rejected with. */
  readonly before = new Map<AdapterMethod, (...args: unknown[]) => unknown>()
  /** Runs after a method's own work, before its answer is out. */
  readonly after = new Map<AdapterMethod, (...args: unknown[]) => unknown>()
  readonly inner: Adapter
  readonly adapter: Adapter

  /** @param without Methods that the adapter shall not have. */
  constructor(inner: Adapter, without: readonly AdapterMethod[] = []) {
    this.inner = inner
    this.adapter = this.wrap(inner, without)
  }

  note(name: string, details?: unknown): void {
    this.happenings.push({ name, details })
  }

  /** Returns the names of the recorded calls. The connection of a `transaction` is represented by its methods alone. */
  names(pattern = /./): string[] {
    return this.happenings.map(({ name }) => name).filter((name) => pattern.test(name))
  }

  /** Returns the methods that wrote. */
  writes(): string[] {
    return this.names(writing)
  }

  details(name: string): unknown[] {
    return this.happenings.filter((each) => each.name === name).map(({ details }) => details)
  }

  clear(): void {
    this.happenings.length = 0
  }

  /** Returns the existing users. */
  async users(): Promise<AdapterUser[]> {
    const found = await Promise.all(this.made.map(async ({ id }) => this.inner.getUser?.(id)))
    return found.filter((user) => user !== null && user !== undefined)
  }

  /** Returns the accounts of a user, as `provider:id`. */
  async accountsOf(user: { id: string } | null | undefined): Promise<string[]> {
    const rows = (await this.inner.listAccountsByUserId?.(user?.id ?? '')) ?? []
    return rows.map(({ provider, providerAccountId }) => `${provider}:${providerAccountId}`).sort()
  }

  async sessionsOf(user: { id: string } | null | undefined): Promise<number> {
    return ((await this.inner.listSessionsByUserId?.(user?.id ?? '')) ?? []).length
  }

  private wrap(inner: Adapter, without: readonly AdapterMethod[]): Adapter {
    const methods = Object.entries(inner).filter(
      ([name, method]) => typeof method === 'function' && !without.some((each) => each === name),
    )
    return Object.fromEntries(
      methods.map(([name]) => [
        name,
        name === 'store' ? Reflect.get(inner, name) : this.method(inner, name as AdapterMethod),
      ]),
    )
  }

  private method(inner: Adapter, name: AdapterMethod): unknown {
    if (name === 'transaction') {
      return async (work: (adapter: Adapter) => Promise<unknown>) => {
        await this.before.get(name)?.()
        return inner.transaction?.((inside) => work(this.wrap(inside, [])))
      }
    }
    return async (...args: unknown[]) => {
      this.note(`db.${name}`, args.length > 1 ? args : args[0])
      await this.before.get(name)?.(...args)
      const result: unknown = await (inner[name] as (...given: unknown[]) => unknown)(...args)
      if (name === 'createUser') this.made.push(result as AdapterUser)
      await this.after.get(name)?.(...args)
      return result
    }
  }
}

/** The methods that published adapters do not have. */
export const extensions: readonly AdapterMethod[] = [
  'store',
  'transaction',
  'listAccountsByUserId',
  'listSessionsByUserId',
  'deleteSessionsByUserId',
  'deleteVerificationTokens',
  'deleteAuthenticator',
  'renameAuthenticator',
]

/** The options of an application of the stage. */
export interface LinkingOptions extends Partial<Omit<ServerAuthConfig, 'providers' | 'adapter'>> {
  readonly strategy?: Strategy
  /** Default: a memory adapter. */
  readonly adapter?: Adapter
  /** Methods that the adapter shall not have. */
  readonly without?: readonly AdapterMethod[]
  /** Options of the provider `one`, and of `two`. */
  readonly one?: Partial<OAuthConfig>
  readonly two?: Partial<OAuthConfig>
  /** Providers beside `one` and `two`. */
  readonly more?: Provider[]
}

export class Linking extends World {
  #recorder: Recorder | undefined

  constructor() {
    super({ provider: true })
  }

  get recorder(): Recorder {
    return present(this.#recorder)
  }

  /** Starts an application. The one before continues, with its own adapter. */
  override start(options: LinkingOptions = {}, app: AppOptions = {}): Promise<Door> {
    const { adapter = memoryAdapter(), without = [], ...others } = options
    this.#recorder = new Recorder(adapter, without)
    return this.serve(others, app)
  }

  /** Starts a further application on the same adapter: another process, as far as the engine can tell. */
  override serve(options: Omit<LinkingOptions, 'adapter' | 'without'> = {}, app: AppOptions = {}): Promise<Door> {
    const { strategy = 'database', one, two, more = [], callbacks, events, session, ...config } = options
    const { recorder } = this
    const note = (name: string) => (message: unknown) => recorder.note(`events.${name}`, message)
    return super.serve(
      {
        ...config,
        adapter: recorder.adapter,
        session: { ...session, strategy },
        providers: [this.config('one', one), this.config('two', two), this.emailProvider(), ...more],
        callbacks: {
          session: ({ session: shown, user, token }) => ({
            ...shown,
            user: { ...shown.user, id: user?.id ?? token?.sub },
          }),
          ...callbacks,
        },
        events: {
          createUser: note('createUser'),
          updateUser: note('updateUser'),
          linkAccount: note('linkAccount'),
          signIn: note('signIn'),
          ...events,
        },
      },
      app,
    )
  }

  config(id: string, options: Partial<OAuthConfig> = {}): OAuthConfig {
    return { type: 'oidc', id, name: id, ...this.provider.settings, ...options } as OAuthConfig
  }

  /** Starts a sign-in, and returns the authorization request. */
  async begin(browser: Browser, id: string, callbackUrl = '/welcome'): Promise<string> {
    const response = await browser.submit(`/auth/signin/${id}`, { callbackUrl })
    expect(target(response), 'leads to the provider').to.include(this.provider.origin)
    return target(response)
  }

  /** Returns from the provider as this user. */
  finish(browser: Browser, authorizationUrl: string, person: Person): Promise<Answer> {
    const callback = this.provider.authorize(authorizationUrl)
    const code = new URL(callback).searchParams.get('code') ?? ''
    // The user is found by the code, so that several users can sign in at the same time.
    this.#people.set(code, person)
    return browser.get(callback)
  }

  readonly #people = new Map<string, Person>()

  /** Signs in, from the start to the callback. */
  async signIn(browser: Browser, id: string, person: Person): Promise<Answer> {
    return this.finish(browser, await this.begin(browser, id), person)
  }

  /** Signs in, which has to succeed. Returns the user's id. */
  async enter(browser: Browser, id: string, person: Person): Promise<string> {
    const response = await this.signIn(browser, id, person)
    this.expectNoFault()
    expect(target(response)).to.equal(`${this.app.origin}/welcome`)
    return present(await this.who(browser))
  }

  /** Requests an email link, and returns it. */
  async askForLink(browser: Browser, email: string): Promise<string> {
    await browser.submit('/auth/signin/email', { email })
    return present(this.mails.findLast(({ identifier }) => identifier === email.toLowerCase())).url
  }

  /** Signs in by an email link, in the browser that requested it. */
  async enterByMail(browser: Browser, email: string): Promise<Answer> {
    return browser.get(await this.askForLink(browser, email))
  }

  /** Returns the id of the user whose session the browser has. */
  async who(browser: Browser): Promise<string | undefined> {
    const session = (await browser.session()) as { user?: { id?: string } } | null
    return session?.user?.id
  }

  userByEmail(email: string): Promise<AdapterUser | null> {
    return Promise.resolve(this.recorder.inner.getUserByEmail?.(email) ?? null)
  }

  account(provider: string, providerAccountId: string): Promise<AdapterAccount | null> {
    return Promise.resolve(this.recorder.inner.getAccount?.(providerAccountId, provider) ?? null)
  }

  /** Stores a user as if it had been created before. */
  async have(user: Partial<AdapterUser>, accounts: readonly string[] = []): Promise<AdapterUser> {
    const { inner } = this.recorder
    const made = present(await inner.createUser?.({ id: crypto.randomUUID(), email: '', emailVerified: null, ...user }))
    this.recorder.made.push(made)
    for (const account of accounts) {
      const [provider = '', providerAccountId = ''] = account.split(':')
      await inner.linkAccount?.({ provider, providerAccountId, type: 'oidc', userId: made.id })
    }
    return made
  }

  /** Checks that the response rejects, that no session is written, and that only this error is logged. */
  async expectRefused(response: Answer, type: string, browser?: Browser, before?: string): Promise<void> {
    expect(this.faults()).to.deep.equal([type])
    if (type === 'AdapterError') expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '30'])
    else expect(target(response)).to.match(new RegExp(`[?&]error=(?:${type}|Configuration)$`))
    const written = response.cookies.filter((line) => /session-token=[^;]/.test(line))
    expect(written, 'no session cookie').to.deep.equal([])
    if (browser) expect(await this.who(browser)).to.equal(before)
  }

  override async prepare(): Promise<void> {
    const { provider } = this
    provider.reset()
    this.#people.clear()
    provider.onToken = (body) => {
      const { sub, ...claims } = this.#people.get(body.code ?? '') ?? { sub: 'person-1' }
      return provider.tokens(body, { name: undefined, email: undefined, email_verified: undefined, ...claims, sub })
    }
  }
}

/** Adds a stage to the surrounding suite. */
export function useLinking(): Linking {
  return useWorld(new Linking())
}

/** Something to wait for. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const waiting: Array<() => void> = []
  return {
    opened: new Promise((resolve) => void waiting.push(resolve)),
    open: () => {
      for (const resolve of waiting) resolve()
    },
  }
}
