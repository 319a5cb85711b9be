/** The main job: a whole sign-in against a real OpenID provider. */
import { expect } from 'chai'
import { type Browser, startApp, type TestApp, target } from './support/app.js'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.js'

describe('sign-in with a real OpenID provider', () => {
  let provider: OpenIdProvider
  let app: TestApp
  let browser: Browser

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp({ providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }] })
  })
  after(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => {
    browser = app.browser()
    provider.requests.length = 0
  })

  async function signIn(login = 'alice') {
    const start = await browser.submit('/auth/signin/test', { callbackUrl: '/profile?tab=1' })
    return browser.get(await provider.signInAs(target(start), login))
  }

  it('ends at the callback URL with a session', async () => {
    const end = await signIn()
    expect(end.status).to.equal(302)
    expect(target(end)).to.equal(`${app.origin}/profile?tab=1`)
    const { body } = await browser.get('/me')
    const { id, ...user } = body.user
    expect(id).to.be.a('string').that.is.not.empty
    expect(user).to.deep.equal({
      name: 'Alice Example',
      email: 'alice@example.com',
      image: 'https://example.com/alice.png',
    })
  })

  it('costs one of our requests to the provider once warm', async () => {
    await signIn()
    provider.requests.length = 0
    browser = app.browser()
    const start = await browser.submit('/auth/signin/test')
    const back = await provider.signInAs(target(start), 'bob')
    const before = provider.requests.length
    await browser.get(back)
    expect(provider.requests.slice(before).map(({ path }) => path)).to.deep.equal(['/token'])
    expect(provider.count('/.well-known/openid-configuration')).to.equal(0)
  })

  it('accepts keys that were rotated since the last sign-in', async () => {
    await signIn()
    await provider.rotateKeys()
    browser = app.browser()
    expect(target(await signIn('bob'))).to.equal(`${app.origin}/profile?tab=1`)
  })

  it('redirects the user back to the sign-in page after a cancellation at the provider', async () => {
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.refuse(target(start)))
    expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
    expect(await browser.session()).to.equal(null)
  })
})
