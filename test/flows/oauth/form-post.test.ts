/** `response_mode=form_post`: the provider's POST has none of our cookies, so our own GET follows it. */
import { expect } from 'chai'
import { setCookies, startApp, type TestApp, target } from '../../support/app.js'
import { advanceClock } from '../../support/clock.js'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.js'
import { useStage } from './stage.js'

const formPost = { authorization: { params: { scope: 'openid profile email', response_mode: 'form_post' } } }

/** The headers of a browser for a form that a provider's page submits. It does not send our cookies. */
const crossSite = { origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

describe('response_mode=form_post with a real OpenID provider', () => {
  let provider: OpenIdProvider
  let app: TestApp

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp({
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings(), ...formPost }],
    })
  })
  after(async () => {
    await app.close()
    await provider.close()
  })

  it('ends at the callback URL with a session', async () => {
    const browser = app.browser()
    const start = await browser.submit('/auth/signin/test', { callbackUrl: '/welcome' })
    for (const line of setCookies(start)) expect(line).not.to.match(/SameSite=None/i)
    const answer = await provider.answerTo(target(start), 'alice')
    expect(answer.method).to.equal('POST')
    const bounced = await app.browser().post(answer.url, answer.body, crossSite)
    expect(bounced.status).to.equal(303)
    expect(setCookies(bounced)).to.deep.equal([])
    for (const name of ['code', 'state']) expect(target(bounced)).not.to.include(answer.body[name])
    expect(target(bounced).startsWith(`${app.origin}/auth/callback/test?form_post=`)).to.equal(true)
    const end = await browser.get(target(bounced))
    expect(app.log.errors).to.deep.equal([])
    expect(target(end)).to.equal(`${app.origin}/welcome`)
    expect(await browser.session()).to.have.nested.property('user.name', 'Alice Example')
  })

  it('delivers rejections too', async () => {
    const browser = app.browser()
    const start = await browser.submit('/auth/signin/test')
    const answer = await provider.answerTo(target(start), undefined)
    const end = await browser.get(target(await app.browser().post(answer.url, answer.body, crossSite)))
    expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
    expect(app.log.errors).to.deep.equal([])
    expect(app.log.debugs.at(-1)?.details[0]).to.have.property('message').that.includes('access_denied')
    expect(await browser.session()).to.equal(null)
  })
})

describe('POST /auth/callback/:provider', () => {
  const stage = useStage(formPost)

  /** Returns the fields of a correct provider's form. */
  async function fields(): Promise<Record<string, string>> {
    return Object.fromEntries(new URL(stage.provider.authorize(await stage.begin())).searchParams)
  }

  /** Sends the provider's POST from a browser without cookies. Returns the target of the redirect. */
  async function relay(body: object, id = 'test'): Promise<string> {
    const response = await stage.app.browser().post(`/auth/callback/${id}`, body, crossSite)
    expect(response.status).to.equal(303)
    return target(response)
  }

  it('signs in: the control of this suite', async () => {
    await stage.expectSignedIn(await stage.browser.get(await relay(await fields())))
  })

  it('proves nothing on its own: the attempt of the browser is required', async () => {
    const url = await relay(await fields())
    stage.newBrowser()
    await stage.expectRefused(await stage.browser.get(url), 'InvalidCheck', /no open sign-in/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('is rejected with another state, with none, and with two', async () => {
    for (const state of ['x', undefined, '']) {
      await stage.restart()
      const { state: _own, ...others } = await fields()
      const url = await relay(state === undefined ? others : { ...others, state })
      await stage.expectRefused(await stage.browser.get(url), 'InvalidCheck', state === 'x' ? /no open/ : /no state/)
    }
    await stage.restart()
    const { state, ...others } = await fields()
    const url = await relay({ ...others, state: [state, state] })
    await stage.expectRefused(await stage.browser.get(url), 'InvalidCheck', /no state/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('is rejected with another issuer', async () => {
    const url = await relay({ ...(await fields()), iss: 'https://evil.test' })
    await stage.expectRefused(await stage.browser.get(url), 'OAuthCallbackError', /"iss"/)
  })

  it('is valid for a minute', async () => {
    const url = await relay(await fields())
    advanceClock(61)
    await stage.expectRefused(await stage.browser.get(url), 'InvalidCheck', /is invalid, or has expired/)
  })

  it('works once', async () => {
    const url = await relay(await fields())
    const attempt = stage.browser.cookies.get('auth.transaction.0') ?? ''
    await stage.expectSignedIn(await stage.browser.get(url))
    stage.browser.cookies.set('auth.transaction.0', attempt)
    // A signed-in user continues, as after a reload.
    expect(target(await stage.browser.get(url))).to.equal(`${stage.app.origin}/welcome`)
    expect(await stage.browser.session()).to.have.property('user')
    const known = stage.browser.cookies.get('auth.browser') ?? ''
    stage.newBrowser().cookies.set('auth.transaction.0', attempt)
    stage.browser.cookies.set('auth.browser', known)
    expect(target(await stage.browser.get(url))).to.match(/error=InvalidCheck$/)
    expect(stage.lastFault()).to.match(/was completed before/)
    expect(stage.provider.count('/token')).to.equal(1)
  })

  it('cannot be forged, nor made of another sealed value', async () => {
    const good = new URL(await relay(await fields()))
    const sealed = good.searchParams.get('form_post') ?? ''
    const attempt = stage.browser.cookies.get('auth.transaction.0') ?? ''
    for (const forged of [
      '',
      'garbage',
      sealed.slice(0, -4),
      `${sealed.slice(0, 40)}AAAA${sealed.slice(44)}`,
      attempt,
    ]) {
      good.searchParams.set('form_post', forged)
      expect(target(await stage.browser.get(good.href)), forged).to.match(/error=InvalidCheck$/)
      expect(stage.lastFault()).to.match(/is invalid, or has expired/)
    }
    stage.browser.cookies.set('auth.transaction.0', sealed)
    good.searchParams.set('form_post', sealed)
    expect(target(await stage.browser.get(good.href))).to.match(/error=InvalidCheck$/)
    expect(stage.lastFault()).to.match(/no open sign-in/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('is for one provider', async () => {
    await stage.restart({}, { providers: [stage.config(), stage.config({ id: 'other', name: 'Other' })] })
    const url = await relay(await fields(), 'other')
    const response = await stage.browser.get(url.replace('/callback/other', '/callback/test'))
    await stage.expectRefused(response, 'InvalidCheck', /is invalid, or has expired/)
  })

  it('is ignored in a GET that also has parameters of its own', async () => {
    const url = new URL(await relay({ ...(await fields()), state: 'x' }))
    const genuine = new URL(stage.provider.authorize(await stage.begin())).searchParams
    for (const [name, value] of genuine) url.searchParams.set(name, value)
    await stage.expectRefused(await stage.browser.get(url.href), 'InvalidCheck', /no open sign-in/)
  })

  it('does not exist for a provider that answers by GET', async () => {
    await stage.restart({ authorization: { params: { scope: 'openid' } } })
    const body = await fields()
    const response = await stage.browser.post('/auth/callback/test', body, crossSite)
    expect(response.status).to.equal(405)
    expect(response.headers.allow).to.equal('GET, HEAD')
    expect(stage.provider.count('/token')).to.equal(0)
    const sealed = await stage.browser.get('/auth/callback/test?form_post=x')
    expect(target(sealed)).to.match(/error=InvalidCheck$/)
  })
})
