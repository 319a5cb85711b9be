import { expect } from 'chai'
import { startAppWithEnv } from '../actions/page.js'
import { credentials, setCookies, startApp, type TestApp, target, withoutReference } from '../support/app.js'
import { opened } from '../support/opened.js'
import { exchange, exchangeText, op, useEnvironment } from './fixtures.js'

const config = { providers: [op, credentials()] }

/** The headers with which a stranger can lie about the site. */
const spoofed = {
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '8443',
  forwarded: 'host=evil.test;proto=https',
  'x-host': 'evil.test',
  'x-original-host': 'evil.test',
  'x-original-url': '/auth/providers',
  'x-rewrite-url': '/auth/providers',
}

/** All that a reply says, to look for a host in it. */
const everything = ({ headers, text }: { headers: object; text: string }) => JSON.stringify(headers) + text

const codes = ({ log }: TestApp) => log.warnings.map(({ code }) => code)

/** The redirect_uri that a sign-in starts with. */
async function redirectUri(app: TestApp, headers: Record<string, string>): Promise<string | null> {
  const browser = app.browser()
  Object.assign(browser.headers, headers)
  const start = await browser.submit('/auth/signin/op')
  return new URL(target(start)).searchParams.get('redirect_uri')
}

describe('the origin without a trusted proxy', () => {
  const app = opened(() => startApp(config))

  it('is the Host header of the request', async () => {
    const { body } = await app.browser().get('/auth/providers', { host: 'app.test:3000' })
    expect(body.op.callbackUrl).to.equal('http://app.test:3000/auth/callback/op')
    expect(await redirectUri(app, { host: 'app.test' })).to.equal('http://app.test/auth/callback/op')
  })

  it('HH-03 does not come from any header that a stranger may send', async () => {
    for (const path of [
      '/auth/providers',
      '/auth/signin',
      '/auth/signin?callbackUrl=/x',
      '/auth/signout',
      '/auth/error',
    ]) {
      const response = await app.browser().get(path, spoofed)
      expect(response.status, path).to.equal(200)
      expect(everything(response), path).to.not.include('evil.test')
      for (const line of setCookies(response)) expect(line).to.not.include('Secure')
    }
    expect(await redirectUri(app, spoofed)).to.equal(`${app.origin}/auth/callback/op`)
  })

  it('is the same for Router and getSession: a lie about https loses no session', async () => {
    const browser = app.browser()
    await browser.signIn()
    for (const proto of ['https', 'https,http', 'javascript', 'http, https', '']) {
      const headers = { 'x-forwarded-proto': proto }
      expect((await browser.get('/me', headers)).body?.user?.name, `getSession, ${proto}`).to.equal('ann')
      expect((await browser.get('/auth/session', headers)).body?.user?.name, `Router, ${proto}`).to.equal('ann')
    }
  })

  for (const host of [
    'a b',
    'evil.test/x',
    'user@app.test',
    'app.test:99999',
    '[::1',
    'app.test, evil.test',
    'app.test:8o',
  ]) {
    it(`is 400 for the host ${host}`, async () => {
      const { status, headers, body } = await exchange(app.origin, 'GET /auth/session HTTP/1.1', [`Host: ${host}`])
      expect([status, headers['cache-control']]).to.deep.equal([400, 'private, no-cache, no-store'])
      expect(JSON.parse(body)).to.deep.equal({
        error: 'InvalidRequest',
        message: 'The Host header is missing or malformed.',
      })
    })
  }

  it('is 400 without a host, as HTTP/1.0 allows', async () => {
    const { status, body } = await exchangeText(app.origin, 'GET /auth/providers HTTP/1.0\r\n\r\n')
    expect([status, JSON.parse(body).message]).to.deep.equal([400, 'The Host header is missing or malformed.'])
    const me = await exchangeText(app.origin, 'GET /me HTTP/1.0\r\n\r\n')
    expect([me.status, me.body]).to.deep.equal([200, 'null'])
  })
})

describe('the origin behind a trusted proxy', () => {
  const app = opened(() => startApp(config, { trustProxy: 1 }))

  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'site.test' }

  it('is what the proxy says', async () => {
    const { body } = await app.browser().get('/auth/providers', proxied)
    expect(body.op.callbackUrl).to.equal('https://site.test/auth/callback/op')
    expect(await redirectUri(app, proxied)).to.equal('https://site.test/auth/callback/op')
  })

  it('keeps the Host header when the proxy says only the protocol', async () => {
    const { body } = await app.browser().get('/auth/providers', { host: 'app.test', 'x-forwarded-proto': 'https' })
    expect(body.op.callbackUrl).to.equal('https://app.test/auth/callback/op')
  })

  it('HH-04 is the first of several, as Express has it', async () => {
    const headers = { 'x-forwarded-host': 'site.test, app.test', 'x-forwarded-proto': 'https,http' }
    const { body } = await app.browser().get('/auth/providers', headers)
    expect(body.op.callbackUrl).to.equal('https://site.test/auth/callback/op')
  })

  for (const proto of ['javascript', 'ftp', 'https:', 'http\\', '"https"']) {
    it(`HH-04 is 400 for the protocol ${proto}, and no session for getSession`, async () => {
      const { status, body } = await app.browser().get('/auth/providers', { 'x-forwarded-proto': proto })
      expect([status, body.error]).to.deep.equal([400, 'InvalidRequest'])
      expect(await app.browser().get('/me', { 'x-forwarded-proto': proto })).to.include({ status: 200, text: 'null' })
    })
  }

  it('is 400 for a malformed host of the proxy', async () => {
    const { status } = await app.browser().get('/auth/providers', { 'x-forwarded-host': 'evil.test/auth' })
    expect(status).to.equal(400)
  })

  it('believes no other header', async () => {
    const { 'x-forwarded-host': _host, 'x-forwarded-proto': _proto, ...others } = spoofed
    const response = await app.browser().get('/auth/providers', others)
    expect(response.body.op.callbackUrl).to.equal(`${app.origin}/auth/callback/op`)
  })

  it('signs in and reads the session, by Router and getSession', async () => {
    const browser = app.browser()
    Object.assign(browser.headers, proxied)
    const end = await browser.signIn({ callbackUrl: '/there' })
    expect(target(end)).to.equal('https://site.test/there')
    expect([...browser.cookies.keys()]).to.include.members(['__Secure-auth.session-token', '__Host-auth.csrf-token'])
    expect((await browser.get('/me')).body.user.name).to.equal('ann')
    expect(codes(app)).to.deep.equal([])
  })
})

describe('a proxy that the application does not trust', () => {
  const https = { 'x-forwarded-proto': 'https' }

  it('CK-12 gets one warning that says what to set', async () => {
    const app = await startApp(config)
    for (const path of ['/auth/session', '/auth/signin', '/me', '/auth/session']) await app.browser().get(path, https)
    await app.close()
    expect(codes(app)).to.deep.equal(['untrusted-proxy'])
    expect(String(app.log.warnings[0]?.details[0])).to.include('app.set("trust proxy", 1)').and.include('AUTH_URL')
  })

  it('gets it from getSession too', async () => {
    const app = await startApp(config)
    await app.browser().get('/me', https)
    await app.close()
    expect(codes(app)).to.deep.equal(['untrusted-proxy'])
  })

  it('gets none for what is not ours, for http, and where the proxy is trusted', async () => {
    const app = await startApp(config)
    await app.browser().get('/auth/nothing', https)
    await app.browser().get('/auth/session', { 'x-forwarded-proto': 'http' })
    await app.close()
    const trusted = await startApp(config, { trustProxy: true })
    await trusted.browser().get('/auth/session', https)
    await trusted.close()
    expect([codes(app), codes(trusted)]).to.deep.equal([[], []])
  })

  it('is named on the page that a user gets when only the scheme differs', async () => {
    const app = await startApp(config)
    const { status, text } = await app
      .browser()
      .submit('/auth/signin/op', {}, { origin: app.origin.replace('http:', 'https:'), accept: 'text/html' })
    await app.close()
    expect(status).to.equal(403)
    expect(text).to.include('trust proxy').and.include('AUTH_URL')
  })
})

describe('AUTH_URL', () => {
  useEnvironment({ AUTH_URL: 'https://app.example', NODE_ENV: 'production', AUTH_TRUST_HOST: undefined })
  const app = opened(() => startApp(config, { trustProxy: true }))

  const hosts: ReadonlyArray<[name: string, headers: Record<string, string>]> = [
    ['another Host', { host: 'evil.test' }],
    ['another X-Forwarded-Host', { 'x-forwarded-host': 'evil.test' }],
    ['a forwarded http', { 'x-forwarded-proto': 'http' }],
    ['a malformed host', { host: 'a b' }],
    ['a forwarded protocol that is none', { 'x-forwarded-proto': 'javascript' }],
  ]
  for (const [name, headers] of hosts) {
    it(`HH-01 wins over ${name}`, async () => {
      const { status, body } = await app.browser().get('/auth/providers', headers)
      expect([status, body.op.callbackUrl]).to.deep.equal([200, 'https://app.example/auth/callback/op'])
      const browser = app.browser()
      Object.assign(browser.headers, headers)
      const start = await browser.submit('/auth/signin/op')
      expect(new URL(target(start)).searchParams.get('redirect_uri')).to.equal('https://app.example/auth/callback/op')
      const end = await browser.signIn({ callbackUrl: '/there' })
      expect(target(end)).to.equal('https://app.example/there')
      for (const line of [...setCookies(start), ...setCookies(end)])
        expect(line).to.match(/^__(Secure|Host)-.*; Secure;/)
      expect(everything(end)).to.not.include('evil.test')
      expect((await browser.get('/me')).body.user.name).to.equal('ann')
    })
  }

  it('is where a sign-in on another host goes first', async () => {
    const { status, headers } = await app
      .browser()
      .get('/auth/signin/op?callbackUrl=%2Fthere%3Fa%3D1&error=Callback', { host: 'other.test' })
    expect([status, headers.location]).to.deep.equal([
      302,
      'https://app.example/auth/signin/op?callbackUrl=%2Fthere%3Fa%3D1&error=Callback&canonical=1',
    ])
    expect(headers['set-cookie']).to.equal(undefined)
  })

  it('is gone to once only: a proxy may hide the host from us', async () => {
    const { status, text } = await app.browser().get('/auth/signin?canonical=1', { host: 'other.test' })
    expect(status).to.equal(200)
    expect(text).to.include('action="https://app.example/auth/signin/op"')
  })

  it('is not gone to from itself, whatever the scheme', async () => {
    for (const proto of ['http', 'https']) {
      const headers = { host: 'app.example', 'x-forwarded-proto': proto }
      expect((await app.browser().get('/auth/signin', headers)).status, proto).to.equal(200)
    }
  })

  it('is reported once if it differs from the host of a request, in development only', async () => {
    for (const [NODE_ENV, expected] of [
      ['development', ['auth-url-elsewhere']],
      ['production', []],
    ] as const) {
      const other = await startAppWithEnv({ NODE_ENV, AUTH_URL: 'http://localhost:9999' }, config)
      for (const host of ['localhost:3000', 'localhost:3000', 'localhost:9999']) {
        await other.browser().get('/auth/signin', { host })
      }
      await other.close()
      expect(codes(other)).to.deep.equal(expected)
    }
  })

  it('makes a warning about proxies needless', async () => {
    const untrusting = await startApp(config)
    await untrusting.browser().get('/auth/session', { 'x-forwarded-proto': 'https' })
    await untrusting.close()
    expect(codes(untrusting)).to.deep.equal([])
  })
})

describe('AUTH_URL with a path', () => {
  useEnvironment({ AUTH_URL: 'https://app.example/auth/' })

  it('HH-10 goes with the same mount', async () => {
    const app = await startApp(config)
    const { body } = await app.browser().get('/auth/providers')
    await app.close()
    expect(body.op.callbackUrl).to.equal('https://app.example/auth/callback/op')
    expect(codes(app)).to.deep.equal([])
  })

  it('HH-10 does not move another mount: the mount counts, and one warning says so', async () => {
    const app = await startApp(config, { mount: '/api/auth' })
    const { body } = await app.browser().get('/api/auth/providers')
    await app.browser().get('/api/auth/providers')
    await app.close()
    expect(body.op.callbackUrl).to.equal('https://app.example/api/auth/callback/op')
    expect(codes(app)).to.deep.equal(['env-url-basepath-mismatch'])
  })
})

describe('a host that is not trusted', () => {
  const production = {
    NODE_ENV: 'production',
    AUTH_URL: undefined,
    LEGACYAUTH_URL: undefined,
    AUTH_TRUST_HOST: undefined,
    VERCEL: undefined,
    CF_PAGES: undefined,
  }

  describe('in production', () => {
    useEnvironment(production)
    const calls: string[] = []
    let app: TestApp
    before(async () => {
      const authorize = () => {
        calls.push('authorize')
        return null
      }
      app = await startApp({ providers: [op, credentials({ authorize })] })
    })
    after(() => app.close())
    beforeEach(() => {
      app.log.errors.length = 0
    })

    const types = () => app.log.errors.map((error) => (error as { type?: string }).type)

    for (const path of ['session', 'csrf', 'providers', 'webauthn-options/op']) {
      it(`HH-02 is refused as JSON: GET ${path}`, async () => {
        const { status, body } = await app.browser().get(`/auth/${path}`, { host: 'evil.test' })
        expect([status, withoutReference(body)]).to.deep.equal([
          500,
          {
            error: 'Configuration',
            message: 'This site has a problem, so signing in does not work right now. Please try again later.',
          },
        ])
        expect(types()).to.deep.equal(['UntrustedHost'])
      })
    }

    for (const path of ['signin', 'signin/op', 'signout', 'error', 'verify-request', 'callback/op']) {
      it(`is refused with a page that says nothing of the server: GET ${path}`, async () => {
        const response = await app.browser().get(`/auth/${path}`, { host: 'evil.test' })
        expect([response.status, response.type]).to.deep.equal([500, 'text/html'])
        expect(response.headers).to.not.have.any.keys('location', 'set-cookie')
        expect(response.text).to.not.include('AUTH_URL').and.not.include('trustHost')
        expect(types()).to.deep.equal(['UntrustedHost'])
      })
    }

    for (const path of ['signin/op', 'signout', 'callback/credentials', 'session']) {
      it(`HH-02 starts and ends nothing: POST ${path}`, async () => {
        const response = await app.browser().post(`/auth/${path}`, { username: 'ann', password: 'right' })
        expect(response.status).to.equal(500)
        expect(response.headers).to.not.have.any.keys('location', 'refresh', 'set-cookie')
        expect([types(), calls]).to.deep.equal([['UntrustedHost'], []])
      })
    }

    it('makes getSession throw, so that a guard allows no request', async () => {
      const { status, body } = await app.browser().get('/me')
      expect([status, body.type]).to.deep.equal([500, 'UntrustedHost'])
      expect(body.error).to.include('AUTH_URL')
    })
  })

  const vouched: ReadonlyArray<[name: string, variables: Record<string, string>, trustHost?: boolean]> = [
    ['AUTH_TRUST_HOST', { AUTH_TRUST_HOST: 'true' }],
    ['a known platform', { VERCEL: '1' }],
    ['`trustHost: true`', {}, true],
    ['AUTH_URL, even with `trustHost: false`', { AUTH_URL: 'https://app.example' }, false],
  ]
  for (const [name, variables, trustHost] of vouched) {
    describe(`but for ${name}`, () => {
      useEnvironment({ ...production, ...variables })
      it('is served in production', async () => {
        const app = await startApp({ ...config, ...(trustHost !== undefined && { trustHost }) })
        const { status, body } = await app.browser().get('/auth/providers')
        await app.close()
        expect([status, Object.keys(body)]).to.deep.equal([200, ['op', 'credentials']])
      })
    })
  }

  const refused: ReadonlyArray<[name: string, variables: Record<string, string | undefined>, trustHost?: boolean]> = [
    ['AUTH_TRUST_HOST=false outside production', { ...production, NODE_ENV: 'test', AUTH_TRUST_HOST: 'false' }],
    ['`trustHost: false` outside production', { ...production, NODE_ENV: 'test' }, false],
    ['`trustHost: false` on a platform', { ...production, VERCEL: '1' }, false],
  ]
  for (const [name, variables, trustHost] of refused) {
    describe(`because of ${name}`, () => {
      useEnvironment(variables)
      it('is refused', async () => {
        const app = await startApp({ ...config, ...(trustHost !== undefined && { trustHost }) })
        const { status, body } = await app.browser().get('/auth/providers')
        await app.close()
        expect([status, body.error]).to.deep.equal([500, 'Configuration'])
        expect(app.log.errors.map((error) => (error as { type?: string }).type)).to.deep.equal(['UntrustedHost'])
      })
    })
  }
})
