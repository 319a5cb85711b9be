/** A provider that moves its endpoints and its keys while the application runs: it is found again without a restart. */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import { advanceClock } from '../../support/clock.js'
import { freePorts } from '../../support/free-ports.js'
import { useStage } from './stage.js'

const wellKnownPath = '/.well-known/openid-configuration'

describe('a provider that moves', () => {
  const stage = useStage()
  const paths = () => stage.provider.requests.map(({ path }) => path)

  /** Signs a user in, so that the metadata are cached. Then the provider changes its metadata. */
  async function moved(changes: (issuer: string) => Record<string, unknown>): Promise<void> {
    await stage.expectSignedIn(await stage.signIn())
    Object.assign(stage.provider.discovery, changes(stage.provider.issuer))
    stage.provider.requests.length = 0
    stage.signedIn.length = 0
    stage.newBrowser()
  }

  async function expectRefusal(): Promise<void> {
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /./)
    stage.app.log.errors.length = 0
  }

  for (const status of [404, 405, 410]) {
    it(`its token endpoint, and answers ${status} at the old address: the same sign-in works`, async () => {
      stage.provider.routes.set('/new/token', (request) => stage.provider.onToken(request.body, request))
      await moved((issuer) => ({ token_endpoint: `${issuer}/new/token` }))
      stage.provider.routes.set('/token', () => ({ status, body: { error: 'not_found' } }))
      await stage.expectSignedIn(await stage.signIn())
      expect(paths()).to.deep.equal(['/token', wellKnownPath, '/new/token'])
      stage.provider.requests.length = 0
      stage.newBrowser()
      await stage.expectSignedIn(await stage.signIn())
      expect(paths()).to.deep.equal(['/new/token'])
    })
  }

  it('its token endpoint to another server, and no server listens at the old one: the same sign-in works', async () => {
    const [port] = await freePorts(1)
    stage.provider.discovery.token_endpoint = `http://localhost:${port}/token`
    await stage.begin()
    stage.newBrowser()
    stage.provider.discovery.token_endpoint = `${stage.provider.issuer}/token`
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.count('/token')).to.equal(1)
  })

  it('its token endpoint, which may have received the code: no code is sent twice, and the next sign-in works', async () => {
    for (const fault of [() => ({ reset: true }), () => ({ status: 503, body: 'gone' })]) {
      await stage.restart()
      stage.provider.reset()
      stage.provider.routes.set('/new/token', (request) => stage.provider.onToken(request.body, request))
      await moved((issuer) => ({ token_endpoint: `${issuer}/new/token` }))
      stage.provider.routes.set('/token', fault)
      await expectRefusal()
      expect(stage.provider.count('/new/token')).to.equal(0)
      await until(() => stage.provider.count(wellKnownPath) === 1)
      stage.newBrowser()
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.provider.count('/token')).to.equal(1)
    }
  })

  it('its userinfo endpoint: the same sign-in works, and the code is sent once', async () => {
    await stage.restart({ idToken: false })
    stage.provider.routes.set('/new/userinfo', (request) => stage.provider.onUserinfo(request))
    await moved((issuer) => ({ userinfo_endpoint: `${issuer}/new/userinfo` }))
    stage.provider.routes.set('/userinfo', () => ({ status: 404 }))
    await stage.expectSignedIn(await stage.signIn())
    expect(paths().filter((path) => path !== '/jwks')).to.deep.equal([
      '/token',
      '/userinfo',
      wellKnownPath,
      '/new/userinfo',
    ])
  })

  for (const [what, old] of Object.entries({
    'is gone': () => ({ status: 404 }),
    'has the old ones still': undefined,
  })) {
    it(`its keys to another address, and creates new ones, while the old address ${what}: the same sign-in works`, async () => {
      const { jwks } = stage.provider
      stage.provider.routes.set('/new/jwks', () => ({ body: stage.provider.jwks }))
      await moved((issuer) => ({ jwks_uri: `${issuer}/new/jwks` }))
      await stage.provider.rotateKeys()
      stage.provider.routes.set('/jwks', old ?? (() => ({ body: jwks })))
      await stage.expectSignedIn(await stage.signIn())
      expect(paths()).to.deep.equal(['/token', '/jwks', wellKnownPath, '/new/jwks'])
      stage.newBrowser()
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.provider.count('/new/jwks')).to.equal(1)
    })
  }

  it('its keys to another address, and creates new ones under the old names: the same sign-in works', async () => {
    const { jwks } = stage.provider
    stage.provider.routes.set('/new/jwks', () => ({ body: stage.provider.jwks }))
    await moved((issuer) => ({ jwks_uri: `${issuer}/new/jwks` }))
    await stage.provider.rotateKeys({ sameNames: true })
    stage.provider.routes.set('/jwks', () => ({ body: jwks }))
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.count('/token')).to.equal(1)
  })

  it('nothing, but has new keys under the old names: no sign-in fails', async () => {
    await moved(() => ({}))
    for (let time = 0; time < 3; time++) {
      await stage.provider.rotateKeys({ sameNames: true })
      advanceClock(31)
      stage.newBrowser()
      await stage.expectSignedIn(await stage.signIn())
    }
    expect(stage.provider.count(wellKnownPath)).to.equal(0)
  })

  it('to another issuer: this is not followed', async () => {
    await moved((issuer) => ({ issuer: 'https://evil.test', token_endpoint: `${issuer}/new/token` }))
    stage.provider.routes.set('/token', () => ({ status: 404 }))
    await expectRefusal()
    expect(stage.provider.count('/new/token')).to.equal(0)
  })

  it('DOS-09 nothing, and rejects everything: its metadata are requested once in half a minute', async () => {
    await moved(() => ({}))
    stage.provider.routes.set('/token', () => ({ status: 404 }))
    for (let time = 0; time < 5; time++) {
      stage.newBrowser()
      await expectRefusal()
    }
    expect([stage.provider.count('/token'), stage.provider.count(wellKnownPath)]).to.deep.equal([5, 1])
    advanceClock(31)
    stage.newBrowser()
    await expectRefusal()
    expect(stage.provider.count(wellKnownPath)).to.equal(2)
  })

  it('DOS-09 nothing, and is down altogether: the same', async () => {
    await moved(() => ({}))
    stage.provider.onDiscovery = () => ({ status: 503 })
    stage.provider.routes.set('/token', () => ({ status: 410 }))
    for (let time = 0; time < 5; time++) {
      stage.newBrowser()
      await expectRefusal()
    }
    expect(stage.provider.count(wellKnownPath)).to.equal(1)
  })

  it('DOS-09 while a hundred users return: each signs in, and its metadata and keys are requested once', async () => {
    stage.provider.routes.set('/new/token', (request) => stage.provider.onToken(request.body, request))
    stage.provider.routes.set('/new/jwks', () => ({ body: stage.provider.jwks, delay: 50 }))
    await moved((issuer) => ({ token_endpoint: `${issuer}/new/token`, jwks_uri: `${issuer}/new/jwks` }))
    await stage.provider.rotateKeys()
    const gone = () => ({ status: 404 })
    stage.provider.routes.set('/token', gone).set('/jwks', gone)
    const { onDiscovery } = stage.provider
    stage.provider.onDiscovery = async (request) => ({ ...(await onDiscovery(request)), delay: 300 })
    const browsers = Array.from({ length: 100 }, () => stage.app.browser())
    const answers = await Promise.all(
      browsers.map(async (browser) => {
        const begun = await browser.submit('/auth/signin/test', { callbackUrl: '/welcome' })
        const back = new URL(stage.provider.authorize(target(begun)))
        return browser.get(back.pathname + back.search)
      }),
    )
    expect(answers.map(target)).to.deep.equal(answers.map(() => `${stage.app.origin}/welcome`))
    expect(stage.provider.count(wellKnownPath)).to.equal(1)
    expect(stage.provider.count('/new/jwks')).to.be.within(1, 2)
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}
