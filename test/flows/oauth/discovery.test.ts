/** Discovery of a provider's endpoints (OpenID Connect Discovery §4), and which endpoints may be called. */
import { expect } from 'chai'
import { ServerAuth } from '../../../lib/index.js'
import type { OAuthConfig } from '../../../lib/types/provider.js'
import { customFetch } from '../../../lib/types/symbols.js'
import { type Browser, createLog, secret, target } from '../../support/app.js'
import { advanceClock } from '../../support/clock.js'
import type { Reply } from '../../support/hostile-provider.js'
import { startLoopbackServer } from '../../support/loopback-server.js'
import { useStage } from './stage.js'

const wellKnownPath = '/.well-known/openid-configuration'

describe('discovery', () => {
  const stage = useStage()
  const discoveries = () => stage.provider.count(wellKnownPath)

  /** Checks that the sign-in ends at the sign-in page with OAuthSignInError, and that the log has the reason. */
  async function expectNoStart(reason: RegExp, browser: Browser = stage.browser) {
    const response = await browser.submit('/auth/signin/test', { callbackUrl: '/welcome' })
    expect(target(response)).to.equal(`${stage.app.origin}/auth/signin?error=OAuthSignInError`)
    expect(response.status).to.equal(303)
    expect(stage.app.log.errors.map(({ name }) => name)).to.deep.equal(['OAuthSignInError'])
    expect(stage.lastFault()).to.match(reason)
    expect(stage.transactions(), 'no attempt is kept').to.deep.equal([])
    stage.app.log.errors.length = 0
  }

  it('is not requested before a user signs in', async () => {
    await stage.browser.get('/auth/signin')
    await stage.browser.get('/auth/providers')
    expect(stage.provider.requests).to.deep.equal([])
  })

  it('is requested once, keys too; later sign-ins cost one request', async () => {
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal([wellKnownPath, '/token', '/jwks'])
    for (let time = 0; time < 3; time++) {
      stage.provider.requests.length = 0
      stage.newBrowser()
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/token'])
    }
  })

  it('DOS-09 is shared by 20 first requests at once', async () => {
    const browsers = Array.from({ length: 20 }, () => stage.app.browser())
    const tokens = await Promise.all(browsers.map((browser) => browser.csrf()))
    const responses = await Promise.all(
      browsers.map((browser, at) => browser.post('/auth/signin/test', { csrfToken: tokens[at] })),
    )
    for (const response of responses) expect(target(response)).to.include(`${stage.provider.issuer}/authorize?`)
    expect(discoveries()).to.equal(1)
  })

  it('DOS-09 that fails is shared too, and not remembered', async () => {
    stage.provider.onDiscovery = () => ({ status: 503, body: 'down' })
    const browsers = Array.from({ length: 20 }, () => stage.app.browser())
    const tokens = await Promise.all(browsers.map((browser) => browser.csrf()))
    const responses = await Promise.all(
      browsers.map((browser, at) => browser.post('/auth/signin/test', { csrfToken: tokens[at] })),
    )
    for (const response of responses) expect(target(response)).to.match(/error=OAuthSignInError$/)
    expect(discoveries()).to.be.below(20)
    stage.app.log.errors.length = 0
    stage.provider.reset()
    await stage.expectSignedIn(await stage.signIn())
    expect(discoveries()).to.equal(1)
  })

  describe('has a lifetime', () => {
    const minutes = (count: number) => advanceClock(count * 60)

    async function start(path = '/authorize'): Promise<void> {
      stage.newBrowser()
      expect(new URL(await stage.begin()).pathname).to.equal(path)
    }

    function move(): void {
      stage.provider.onDiscovery = () => document({ authorization_endpoint: `${stage.provider.issuer}/moved` })
    }

    it('of an hour: changes of the provider are followed then', async () => {
      await start()
      move()
      minutes(59)
      await start()
      expect(discoveries()).to.equal(1)
      minutes(2)
      await start('/moved')
      expect(discoveries()).to.equal(2)
      await start('/moved')
      expect(discoveries()).to.equal(2)
    })

    it('that ends with one request for 20 callers', async () => {
      await start()
      move()
      minutes(61)
      const browsers = Array.from({ length: 20 }, () => stage.app.browser())
      const tokens = await Promise.all(browsers.map((browser) => browser.csrf()))
      const responses = await Promise.all(
        browsers.map((browser, at) => browser.post('/auth/signin/test', { csrfToken: tokens[at] })),
      )
      for (const response of responses) expect(target(response)).to.include(`${stage.provider.issuer}/moved?`)
      expect(discoveries()).to.equal(2)
    })

    it('that outlasts a fault of the provider for a day, while it is requested again every 30 seconds', async () => {
      for (const fault of [
        () => ({ status: 503, body: 'down' }),
        () => ({ reset: true }),
        () => document({ issuer: 'https://evil.test' }),
        () => document({ authorization_endpoint: 'http://evil.test/authorize' }),
      ]) {
        await stage.restart()
        stage.provider.reset()
        await start()
        stage.provider.onDiscovery = fault
        minutes(61)
        await start()
        await start()
        expect(discoveries()).to.equal(2)
        minutes(1)
        await start()
        expect(discoveries()).to.equal(3)
        minutes(22 * 60)
        await start()
        expect(discoveries()).to.equal(4)
        minutes(60)
        await stage.browser.submit('/auth/signin/test')
        expect(stage.app.log.errors.map(({ name }) => name)).to.deep.equal(['OAuthSignInError'])
        stage.app.log.errors.length = 0
        move()
        await start('/moved')
      }
    })
  })

  const failures: ReadonlyArray<[what: string, reason: RegExp, reply: () => Reply]> = [
    ['a status of 500', /unexpected HTTP status 500/, () => ({ status: 500, body: 'oops' })],
    ['a status of 404', /unexpected HTTP status 404/, () => ({ status: 404, body: {} })],
    [
      'a redirect',
      /unexpected HTTP status 302/,
      () => ({ status: 302, headers: { location: `${stage.provider.issuer}/elsewhere` } }),
    ],
    ['no JSON', /not valid JSON/, () => ({ body: '<html>' })],
    ['an empty body', /not valid JSON/, () => ({ body: '' })],
    ['null', /does not name the configured issuer/, () => ({ body: 'null' })],
    ['an array', /does not name the configured issuer/, () => ({ body: [] })],
    ['an error with status 200', /does not name the configured issuer/, () => ({ body: { error: 'maintenance' } })],
    ['another issuer', /does not name the configured issuer/, () => document({ issuer: 'https://evil.test' })],
    [
      'a longer issuer',
      /does not name the configured issuer/,
      () => document({ issuer: `${stage.provider.issuer}/x` }),
    ],
    [
      'an issuer that is no text',
      /does not name the configured issuer/,
      () => document({ issuer: [stage.provider.issuer] }),
    ],
    ['no authorization endpoint', /authorization_endpoint/, () => document({ authorization_endpoint: undefined })],
    ['an endless body', /longer than/, () => ({ body: '{', endless: true })],
    ['a body of 2 MiB', /longer than/, () => ({ body: ' '.repeat(2 * 1024 * 1024) })],
    ['a cut connection', /fetch failed/, () => ({ reset: true })],
  ]
  for (const [what, reason, reply] of failures) {
    it(`SF-02 DOS-09 rejects ${what}`, async () => {
      stage.provider.onDiscovery = reply
      await expectNoStart(reason)
      expect(stage.provider.count('/elsewhere')).to.equal(0)
    })
  }

  for (const [what, , reply] of failures.filter(([name]) => name !== 'no authorization endpoint')) {
    it(`recovers from ${what} without a restart`, async () => {
      stage.provider.onDiscovery = reply
      await stage.browser.submit('/auth/signin/test')
      stage.app.log.errors.length = 0
      stage.provider.reset()
      await stage.expectSignedIn(await stage.signIn())
    })
  }

  function document(changes: object): Reply {
    return { body: { ...stage.provider.discovery, ...changes } }
  }

  it('DOS-09 gives up after the configured time, before and after the headers', async () => {
    for (const reply of [{ delay: 5000 }, { bodyDelay: 5000 }]) {
      await stage.restart({}, { timeout: 0.1 })
      stage.provider.onDiscovery = () => reply
      await expectNoStart(/TimeoutError/)
    }
  })

  it('SF-02 ignores the slash at the end of an issuer, and uses the exact value of the document', async () => {
    await stage.restart({ issuer: `${stage.provider.issuer}/` })
    await stage.expectSignedIn(await stage.signIn())
    stage.provider.discovery.issuer = `${stage.provider.issuer}/`
    await stage.restart()
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /"iss"/)
  })

  it('puts the well-known path behind an issuer with a path', async () => {
    const issuer = `${stage.provider.issuer}/tenant`
    stage.provider.routes.set(`/tenant${wellKnownPath}`, () => document({ issuer }))
    await stage.restart({ issuer })
    await stage.begin()
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal([`/tenant${wellKnownPath}`])
  })

  it('PP-05 does no harm with __proto__ in the document', async () => {
    stage.provider.onDiscovery = () => ({
      body: JSON.stringify(stage.provider.discovery).replace(/^\{/, '{"__proto__":{"polluted":true},'),
    })
    await stage.expectSignedIn(await stage.signIn())
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  describe('option wellKnown', () => {
    beforeEach(() => {
      stage.provider.routes.set('/metadata', () => document({}))
    })

    it('is the requested URL', async () => {
      await stage.restart({ wellKnown: `${stage.provider.issuer}/metadata` })
      await stage.expectSignedIn(await stage.signIn())
      expect([stage.provider.count('/metadata'), discoveries()]).to.deep.equal([1, 0])
    })

    it('needs no issuer, which is in its document', async () => {
      await stage.restart({ issuer: undefined, wellKnown: `${stage.provider.issuer}${wellKnownPath}` })
      await stage.expectSignedIn(await stage.signIn())
    })

    it('SF-02 does not make the issuer free', async () => {
      stage.provider.routes.set('/metadata', () => document({ issuer: 'https://evil.test' }))
      await stage.restart({ wellKnown: `${stage.provider.issuer}/metadata` })
      await expectNoStart(/does not name the configured issuer/)
      stage.provider.onDiscovery = () => document({ issuer: 'https://evil.test' })
      await stage.restart({ issuer: undefined, wellKnown: `${stage.provider.issuer}${wellKnownPath}` })
      await expectNoStart(/does not name the configured issuer/)
    })
  })

  describe('endpoints of the document', () => {
    const bad = [
      'http://10.0.0.1/x',
      'http://169.254.169.254/latest/meta-data',
      'http://evil.test/x',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://evil.test/x',
      '/relative',
      7,
    ]
    for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      for (const url of bad) {
        it(`SF-03 rejects ${endpoint} ${url}`, async () => {
          stage.provider.discovery[endpoint] = url
          await expectNoStart(/not https|Invalid URL/)
          expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal([wellKnownPath])
        })
      }
    }

    for (const url of bad) {
      it(`SF-03 rejects userinfo_endpoint ${url}`, async () => {
        await stage.restart({ idToken: false })
        stage.provider.discovery.userinfo_endpoint = url
        await stage.expectRefused(
          await stage.signIn(),
          'OAuthCallbackError',
          /not https|OAUTH_REQUEST_PROTOCOL_FORBIDDEN|OAUTH_INVALID_SERVER_METADATA/,
        )
        expect(stage.provider.count('/userinfo')).to.equal(0)
      })
    }

    it('accepts http on loopback only if the configured issuer is http on loopback', async () => {
      const asked: string[] = []
      const issuer = 'https://provider.test'
      const fetchFrom = async (url: string | URL | Request) => {
        asked.push(String(url))
        return Response.json({ ...stage.provider.discovery, issuer })
      }
      await stage.restart({ issuer, [customFetch]: fetchFrom })
      await expectNoStart(/names an endpoint that is not https: http:\/\/localhost/)
      expect(asked).to.deep.equal([`${issuer}${wellKnownPath}`])
    })

    it('is recovered from, once the provider corrects them', async () => {
      stage.provider.discovery.token_endpoint = 'http://evil.test/token'
      await expectNoStart(/not https/)
      stage.provider.reset()
      await stage.expectSignedIn(await stage.signIn())
    })
  })

  describe('configured endpoints', () => {
    it('override those of the document', async () => {
      stage.provider.routes.set('/own-token', (request) => stage.provider.onToken(request.body, request))
      await stage.restart({
        authorization: `${stage.provider.issuer}/own-authorize?x=1`,
        token: `${stage.provider.issuer}/own-token`,
        jwks_endpoint: `${stage.provider.issuer}/own-jwks`,
      })
      stage.provider.routes.set('/own-jwks', (request) => stage.provider.onJwks(request))
      const url = await stage.begin()
      expect(url).to.include(`${stage.provider.issuer}/own-authorize?`)
      expect(new URL(url).searchParams.getAll('x')).to.deep.equal(['1'])
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
      expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/own-token', '/own-jwks'])
    })

    it('need discovery only for missing ones', async () => {
      await stage.restart({ token: `${stage.provider.issuer}/token` })
      await stage.begin()
      expect(discoveries()).to.equal(1)
    })
  })

  describe('at construction', () => {
    function make(provider: object) {
      const config = { type: 'oidc', id: 'test', name: 'Test', clientId: 'x', clientSecret: 'y', ...provider }
      return () => ServerAuth({ secret, logger: createLog().logger, providers: [config as OAuthConfig] })
    }

    for (const url of ['http://provider.test', 'http://169.254.169.254', 'http://10.1.2.3', 'http://0x0a010203']) {
      it(`SF-01 rejects the issuer ${url}`, () => {
        expect(make({ issuer: url })).to.throw(/`providers\.test\.issuer` must be https/)
      })
    }

    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'provider.test', '//provider.test', '']) {
      it(`SF-01 rejects the issuer ${JSON.stringify(url)}`, () => {
        expect(make({ issuer: url })).to.throw(/issuer/)
      })
    }

    it('SF-03 rejects http in every configured endpoint, and with NODE_ENV=production on loopback too', () => {
      const issuer = 'https://provider.test'
      for (const name of ['wellKnown', 'authorization', 'token', 'userinfo', 'jwks_endpoint']) {
        expect(make({ issuer, [name]: 'http://evil.test/x' })).to.throw(new RegExp(`${name}\` must be https`))
      }
      const { NODE_ENV } = process.env
      process.env.NODE_ENV = 'production'
      try {
        expect(make({ issuer: 'http://localhost:1' })).to.throw(/must be https/)
        expect(make({ issuer: 'http://localhost:1', allowInsecureIssuer: true })).not.to.throw()
      } finally {
        if (NODE_ENV === undefined) delete process.env.NODE_ENV
        else process.env.NODE_ENV = NODE_ENV
      }
    })

    for (const url of [
      'http://localhost:1',
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'http://127.1:1',
      'https://x.test',
    ]) {
      it(`accepts the issuer ${url}`, () => {
        expect(make({ issuer: url })).not.to.throw()
      })
    }

    it('accepts http anywhere with allowInsecureIssuer', () => {
      expect(make({ issuer: 'http://provider.test', allowInsecureIssuer: true })).not.to.throw()
    })

    it('FO-01 rejects a provider without issuer and endpoints, and names the missing ones', () => {
      expect(make({})).to.throw(/authorization/)
      const [authorization, token] = ['https://x.test/a', 'https://x.test/t']
      expect(make({ authorization, token })).to.throw(/issuer/)
      expect(make({ type: 'oauth', authorization, token })).to.throw(/userinfo/)
    })

    it('MX-03 rejects two providers with one id', () => {
      const provider = { type: 'oidc', id: 'test', name: 'Test', clientId: 'x', issuer: 'https://x.test' } as const
      const start = () => ServerAuth({ secret, logger: createLog().logger, providers: [provider, { ...provider }] })
      expect(start).to.throw(/Two providers have the id "test"/)
    })
  })

  describe('DOS-09 a provider that is down', () => {
    it('answers 502 JSON if JSON is requested', async () => {
      stage.provider.onDiscovery = () => ({ reset: true })
      const csrfToken = await stage.browser.csrf()
      const response = await stage.browser.post('/auth/signin/test', { csrfToken }, { accept: 'application/json' })
      expect(response.status).to.equal(502)
      expect(response.body).to.deep.equal({
        error: 'OAuthSignInError',
        message: 'Signing in could not be started. Please try again, or choose another sign-in method.',
      })
    })

    it('shows the sign-in page with a text to a user', async () => {
      stage.provider.onDiscovery = () => ({ reset: true })
      const response = await stage.browser.submit('/auth/signin/test')
      const page = await stage.browser.get(target(response))
      expect(page.status).to.equal(200)
      expect(page.text).to.match(/role="alert"|class="error/)
    })

    it('causes an OAuthCallbackError at the callback; no session', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      stage.provider.onToken = () => ({ reset: true })
      await stage.expectRefused(await stage.browser.get(callback), 'OAuthCallbackError', /fetch failed/)
    })

    it('answers 400 JSON at the callback if JSON is requested', async () => {
      const callback = stage.provider.authorize(await stage.begin())
      stage.provider.onToken = () => ({ reset: true })
      const response = await stage.browser.get(callback, { accept: 'application/json' })
      expect(response.status).to.equal(400)
      expect(response.body.error).to.equal('OAuthCallbackError')
    })

    it('is detected when no server listens there at all', async () => {
      const gone = await startLoopbackServer(() => {})
      await gone.close()
      await stage.restart({ issuer: gone.origin })
      await expectNoStart(/ECONNREFUSED/)
    })
  })
})
