import { expect } from 'chai'
import { encode } from '../../lib/jwt.js'
import type { OAuth2Config } from '../../lib/types/provider.js'
import { type Browser, credentials, secret, startApp, target } from '../support/app.js'
import { opened } from '../support/opened.js'
import { heldToken, plant, plantSession, sessionName } from '../support/session.js'

/** Creates a provider with endpoints that do not answer: the flows of this file never reach them. */
function provider(id: string, params: Record<string, string> = {}): OAuth2Config {
  return {
    id,
    name: id,
    type: 'oauth',
    clientId: 'c',
    clientSecret: 's',
    authorization: { url: 'https://op.test/authorize', params },
    token: 'https://op.test/token',
    userinfo: 'https://op.test/me',
  }
}

describe('values of one purpose are invalid for another', () => {
  let browser: Browser

  const app = opened(() =>
    startApp({
      providers: [credentials(), provider('plain'), provider('posting', { response_mode: 'form_post' })],
      session: { bearer: true },
    }),
  )
  beforeEach(() => {
    browser = app.browser()
  })

  /** Values of our other cookies and seals, each as this application made it. */
  const minters: Record<string, () => Promise<string>> = {
    'a transaction cookie': async () => {
      await browser.submit('/auth/signin/plain')
      return browser.cookies.get('auth.transaction.0') ?? ''
    },
    'a state': async () => {
      const start = await browser.submit('/auth/signin/plain')
      return new URL(target(start)).searchParams.get('state') ?? ''
    },
    'a CSRF cookie': async () => {
      await browser.csrf()
      return browser.cookies.get('auth.csrf-token') ?? ''
    },
    'a CSRF token': () => browser.csrf(),
    'a callback-url cookie': async () => {
      await browser.submit('/auth/signin/plain', { callbackUrl: '/x' })
      return browser.cookies.get('auth.callback-url') ?? ''
    },
    'a relayed form_post answer': async () => {
      const relay = await browser.post('/auth/callback/posting', { code: 'c', state: 's' })
      return new URL(target(relay)).searchParams.get('form_post') ?? ''
    },
  }

  for (const [name, mint] of Object.entries(minters)) {
    it(`PC-01 ${name} as session cookie or bearer token is no session`, async () => {
      const value = await mint()
      expect(value, 'minted').to.have.length.above(8)
      plant(browser, value)
      const me = await browser.get('/me')
      expect(me.body).to.equal(null)
      plant(browser, value)
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(browser.cookies.has(sessionName)).to.equal(false)
      const bare = app.browser()
      expect((await bare.get('/me', { authorization: `Bearer ${value}` })).body).to.equal(null)
    })
  }

  it('(control) a session token as session cookie and as bearer token is one', async () => {
    const token = await plantSession(browser)
    expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
    expect((await app.browser().get('/me', { authorization: `Bearer ${token}` })).body).to.nested.include({
      'user.name': 'ann',
    })
  })

  it('JW-04 PC-01 a session token as transaction opens no sign-in, and keeps the session', async () => {
    const payload = { id: 'i', provider: 'plain', clientId: 'c', state: 'chosen', startedAt: Date.now() }
    const values = {
      redirectUri: `${app.origin}/auth/callback/plain`,
      callbackUrl: `${app.origin}/`,
      codeVerifier: 'v'.repeat(43),
    }
    const forged = await encode({ token: { ...payload, ...values }, secret, salt: sessionName })
    const session = await plantSession(browser)
    for (const salt of ['auth.transaction.0', 'auth.transaction', 'transaction']) {
      browser.cookies.set('auth.transaction.1', await encode({ token: { ...payload, ...values }, secret, salt }))
      browser.cookies.set('auth.transaction.0', forged)
      const response = await browser.get('/auth/callback/plain?code=c&state=chosen')
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=InvalidCheck`)
      expect(heldToken(browser)).to.equal(session)
    }
  })

  it('a session token, or a transaction, as relayed form_post answer is refused', async () => {
    const session = await encode({ token: { provider: 'posting', fields: { state: 's' } }, secret, salt: sessionName })
    await browser.submit('/auth/signin/posting')
    for (const value of [session, browser.cookies.get('auth.transaction.0') ?? '']) {
      const response = await browser.get(`/auth/callback/posting?form_post=${value}`)
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=InvalidCheck`)
    }
  })

  it('a session token as CSRF cookie and token passes no check', async () => {
    const token = await plantSession(browser)
    browser.cookies.set('auth.csrf-token', token)
    const response = await browser.post('/auth/signout', { csrfToken: token })
    expect(target(response)).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
    expect(heldToken(browser)).to.equal(token)
  })

  it('JW-08 a session of another application with the same secret is none here, where the cookie names differ', async () => {
    const other = await startApp({ cookies: { sessionToken: { name: 'other.session' } } })
    const there = other.browser()
    await there.signIn()
    const token = there.cookies.get('other.session') ?? ''
    expect(await there.session()).to.nested.include({ 'user.name': 'ann' })
    plant(browser, token)
    expect(await browser.session()).to.equal(null)
    await other.close()
  })
})
