/**
 * Our endpoints as the published browser client drives them (`next-auth/react` 5): the functions
 * below do what its `getProviders`, `getCsrfToken`, `getSession`, `signIn`, `signOut` and `update` do, by `fetch`.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../lib/features/factors/totp-factor.js'
import { CredentialsSignin } from '../lib/index.js'
import { fieldIn, keyIn, plain } from './factors/stage.js'
import { credentials, secret, startApp, type TestApp } from './support/app.js'
import { advanceClock, freezeClock, restoreClock } from './support/clock.js'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.js'

/** A page of the site with the client in it. */
class PublishedClient {
  readonly cookies = new Map<string, string>()
  readonly #base: string
  readonly #page: string

  constructor(origin: string, basePath = '/auth', page = '/login') {
    this.#base = origin + basePath
    this.#page = origin + page
  }

  /** Sends a request as the browser does for `fetch` of a script. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    headers.set('sec-fetch-site', 'same-origin')
    headers.set('sec-fetch-mode', 'cors')
    if (init.method && init.method !== 'GET') headers.set('origin', new URL(this.#base).origin)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** `fetchData`: anything but a 2xx with JSON is null. */
  async fetchData(path: string, body?: object): Promise<unknown> {
    try {
      const response = await this.fetch(`${this.#base}/${path}`, {
        headers: { 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const data: unknown = await response.json()
      if (!response.ok) throw data
      return data
    } catch {
      return null
    }
  }

  getSession = () => this.fetchData('session')
  getProviders = () => this.fetchData('providers') as Promise<Record<string, { type: string }> | null>

  async getCsrfToken(): Promise<string> {
    const data = (await this.fetchData('csrf')) as { csrfToken?: string } | null
    return data?.csrfToken ?? ''
  }

  /** Sends a form of one of our pages, as a user does. */
  async post(url: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ csrfToken: await this.getCsrfToken(), ...fields })
    return this.fetch(url, { method: 'POST', body, headers: { Accept: 'text/html' } })
  }

  async update(data: unknown): Promise<unknown> {
    return this.fetchData('session', { csrfToken: await this.getCsrfToken(), data })
  }

  /** With `redirect: false`, as a page that shows errors itself does. */
  async signIn(provider?: string, options: Record<string, string> = {}, params?: Record<string, string>) {
    const { callbackUrl = this.#page, ...fields } = options
    const providers = await this.getProviders()
    if (!providers) return { goTo: `${this.#base}/error` }
    if (!provider || !providers[provider]) {
      return { goTo: `${this.#base}/signin?${new URLSearchParams({ callbackUrl })}` }
    }
    const action = providers[provider].type === 'credentials' ? 'callback' : 'signin'
    const csrfToken = await this.getCsrfToken()
    return this.#submit(`${this.#base}/${action}/${provider}?${new URLSearchParams(params)}`, {
      ...fields,
      csrfToken,
      callbackUrl,
    })
  }

  async signOut({ callbackUrl = this.#page } = {}) {
    const csrfToken = await this.getCsrfToken()
    return this.#submit(`${this.#base}/signout`, { csrfToken, callbackUrl })
  }

  async #submit(url: string, fields: Record<string, string>) {
    const response = await this.fetch(url, {
      method: 'post',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Auth-Return-Redirect': '1' },
      body: new URLSearchParams(fields),
    })
    const data = (await response.json()) as { url: string }
    // Without a base: a relative URL throws here, in the client too.
    const { searchParams } = new URL(data.url)
    const error = searchParams.get('error') ?? undefined
    const code = searchParams.get('code') ?? undefined
    return { error, code, status: response.status, ok: response.ok, url: error ? null : data.url }
  }
}

describe('the published browser client', () => {
  class TooMany extends CredentialsSignin {
    override code = 'too_many_attempts'
  }
  let provider: OpenIdProvider
  let app: TestApp
  let client: PublishedClient

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp({
      providers: [
        { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() },
        credentials(),
        credentials({
          id: 'odd',
          authorize({ username }) {
            if (username === 'locked') throw new TooMany()
            throw new Error('the database is down')
          },
        }),
        { id: 'down', name: 'Down', type: 'oidc', issuer: 'http://127.0.0.1:9', clientId: 'c', clientSecret: 's' },
      ],
      callbacks: {
        signIn: ({ user }) => user.name !== 'banned',
        jwt({ token, trigger, session }) {
          if (trigger === 'update') token.name = (session as { name: string }).name
          return token
        },
      },
    })
  })
  after(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => {
    client = new PublishedClient(app.origin)
  })

  it('reads the providers', async () => {
    const providers = await client.getProviders()
    expect(Object.keys(providers ?? {})).to.deep.equal(['test', 'credentials', 'odd', 'down'])
    expect(providers?.test).to.deep.equal({
      id: 'test',
      name: 'Test',
      type: 'oidc',
      signinUrl: `${app.origin}/auth/signin/test`,
      callbackUrl: `${app.origin}/auth/callback/test`,
    })
  })

  it('reads null for a visitor', async () => {
    const response = await client.fetch(`${app.origin}/auth/session`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(await response.json()).to.equal(null)
  })

  it('signs in with credentials, and reads the session', async () => {
    const result = await client.signIn('credentials', { username: 'ann', password: 'right', callbackUrl: '/profile' })
    expect(result).to.deep.equal({
      error: undefined,
      code: undefined,
      status: 200,
      ok: true,
      url: `${app.origin}/profile`,
    })
    expect(await client.getSession()).to.have.nested.property('user.name', 'ann')
  })

  it('comes back to the page it is on by default', async () => {
    const result = await client.signIn('credentials', { username: 'ann', password: 'right' })
    expect(result).to.include({ ok: true, url: `${app.origin}/login` })
  })

  for (const [what, id, fields, error, code] of [
    ['a wrong password', 'credentials', { username: 'ann', password: 'wrong' }, 'CredentialsSignin', 'credentials'],
    ['a code of its own', 'odd', { username: 'locked', password: 'x' }, 'CredentialsSignin', 'too_many_attempts'],
    ['an `authorize` that throws', 'odd', { username: 'x', password: 'x' }, 'Configuration', undefined],
    ['a refusal by `signIn`', 'credentials', { username: 'banned', password: 'right' }, 'AccessDenied', undefined],
    ['a provider that is down', 'down', {}, 'OAuthSignInError', undefined],
  ] as const) {
    it(`learns error and code of ${what} from the URL, with status 200`, async () => {
      const result = await client.signIn(id, { ...fields })
      expect(result).to.deep.equal({ error, code, status: 200, ok: true, url: null })
      expect(await client.getSession()).to.equal(null)
    })
  }

  it('gets the page that asks for a second factor as `url`, with `ok`; no user is signed in until it is answered', async () => {
    const adapter = memoryAdapter()
    const careful = await startApp({
      adapter,
      session: { strategy: 'jwt' },
      factors: [Totp(), RecoveryCodes()],
      providers: [
        credentials({
          authorize: ({ username, password }) =>
            password === 'right' ? adapter.getUserByEmail(`${username}@example.com`) : null,
        }),
      ],
    })
    await adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
    // A new code for the sign-in: the one of the setup is used up.
    freezeClock()
    const first = new PublishedClient(careful.origin)
    expect(await first.signIn('credentials', { username: 'ann', password: 'right' })).to.include({ ok: true })
    const page = await (await first.fetch(`${careful.origin}/auth/two-factor/totp?setup`)).text()
    const key = keyIn(page)
    const code = () => totpCodeAt(key, totpStepAt(Date.now()))
    const form = { intent: 'setup', setup: fieldIn(page, 'setup'), code: code() }
    await first.post(`${careful.origin}/auth/two-factor/totp`, form)
    advanceClock(30)

    const other = new PublishedClient(careful.origin)
    const result = await other.signIn('credentials', { username: 'ann', password: 'right', callbackUrl: '/profile' })
    const url = `${careful.origin}/auth/two-factor?callbackUrl=${encodeURIComponent(`${careful.origin}/profile`)}`
    expect(result).to.deep.equal({ error: undefined, code: undefined, status: 200, ok: true, url })
    expect(await other.getSession()).to.equal(null)
    // The application then sets `location.href = result.url`.
    const asked = await (await other.fetch(url)).text()
    expect(asked).to.include('<h1>Confirm that it is you</h1>')
    const answer = plain(/action="([^"]*\/two-factor\/totp[^"]*)"/.exec(asked)?.[1] ?? '')
    const fields = { callbackUrl: fieldIn(asked, 'callbackUrl'), code: code() }
    const done = await other.post(new URL(answer, careful.origin).href, fields)
    expect(done.status).to.equal(303)
    expect(done.headers.get('location')).to.equal(`${careful.origin}/profile`)
    expect(await other.getSession()).to.have.nested.property('assurance.aal', 2)
    restoreClock()
    await careful.close()
  })

  it('learns from the URL and the status that a limit refused it', async () => {
    const limited = await startApp({ rateLimit: {}, secret: `${secret} of the limited application` })
    const other = new PublishedClient(limited.origin)
    // On a busy machine more than a second may pass between two guesses.
    freezeClock()
    for (let at = 0; at < 5; at += 1) {
      expect(await other.signIn('credentials', { username: 'ann', password: 'wrong' })).to.include({ status: 200 })
    }
    const result = await other.signIn('credentials', { username: 'ann', password: 'right' })
    expect(result).to.deep.equal({ error: 'TooManyRequests', code: undefined, status: 429, ok: false, url: null })
    expect(await other.getSession()).to.equal(null)
    restoreClock()
    await limited.close()
  })

  it('learns of a stale CSRF token', async () => {
    const response = await client.fetch(`${app.origin}/auth/callback/credentials`, {
      method: 'post',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Auth-Return-Redirect': '1' },
      body: new URLSearchParams({ csrfToken: 'stale', callbackUrl: app.origin, username: 'ann', password: 'right' }),
    })
    expect(response.status).to.equal(200)
    expect(await response.json()).to.deep.equal({ url: `${app.origin}/auth/signin?error=MissingCSRF` })
  })

  it('goes to the sign-in page for a provider that it does not know', async () => {
    const result = await client.signIn('nobody', { callbackUrl: '/x' })
    expect(result).to.deep.equal({ goTo: `${app.origin}/auth/signin?callbackUrl=%2Fx` })
    const page = await client.fetch(`${app.origin}/auth/signin?callbackUrl=%2Fx`)
    expect(page.status).to.equal(200)
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8')
  })

  it('starts an OpenID Connect sign-in, with parameters, and comes back signed in', async () => {
    const result = await client.signIn('test', { callbackUrl: '/profile' }, { login_hint: 'alice', client_id: 'evil' })
    expect(result).to.include({ ok: true, status: 200, error: undefined })
    const url = new URL('url' in result ? (result.url ?? '') : '')
    expect(url.origin).to.equal(provider.issuer)
    expect(url.searchParams.get('login_hint')).to.equal('alice')
    expect(url.searchParams.get('client_id')).to.equal(provider.settings().clientId)
    const end = await client.fetch(await provider.signInAs(url.href, 'alice'))
    expect(end.status).to.equal(302)
    expect(end.headers.get('location')).to.equal(`${app.origin}/profile`)
    expect(await client.getSession()).to.have.nested.property('user.email', 'alice@example.com')
  })

  it('updates the session', async () => {
    await client.signIn('credentials', { username: 'ann', password: 'right' })
    expect(await client.update({ name: 'Ann of the hill' })).to.have.nested.property('user.name', 'Ann of the hill')
    expect(await client.getSession()).to.have.nested.property('user.name', 'Ann of the hill')
  })

  it('gets null for an update without its token', async () => {
    await client.signIn('credentials', { username: 'ann', password: 'right' })
    expect(await client.fetchData('session', { csrfToken: 'wrong', data: { name: 'Eve' } })).to.equal(null)
    expect(await client.getSession()).to.have.nested.property('user.name', 'ann')
  })

  it('gets null for an update by a visitor', async () => {
    expect(await client.update({ name: 'Eve' })).to.equal(null)
  })

  it('signs out', async () => {
    await client.signIn('credentials', { username: 'ann', password: 'right' })
    const result = await client.signOut({ callbackUrl: '/bye' })
    expect(result).to.include({ ok: true, status: 200, url: `${app.origin}/bye` })
    expect(await client.getSession()).to.equal(null)
  })

  it('is never sent off the site by a callback URL', async () => {
    const callbackUrl = 'https://evil.test/'
    const result = await client.signIn('credentials', { username: 'ann', password: 'right', callbackUrl })
    expect(result).to.include({ ok: true, url: `${app.origin}/` })
    expect(await client.signOut({ callbackUrl })).to.include({ ok: true, url: `${app.origin}/` })
  })

  it('works below another path', async () => {
    const nested = await startApp({}, { mount: '/api/auth' })
    const other = new PublishedClient(nested.origin, '/api/auth')
    const wrong = await other.signIn('credentials', { username: 'ann', password: 'wrong' })
    expect(wrong).to.include({ ok: true, error: 'CredentialsSignin' })
    const right = await other.signIn('credentials', { username: 'ann', password: 'right' })
    expect(right).to.include({ ok: true, url: `${nested.origin}/login` })
    expect(await other.getSession()).to.have.nested.property('user.name', 'ann')
    await nested.close()
  })
})
