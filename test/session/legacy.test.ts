/** `jwt.legacy`: sessions that Auth.js really issued are taken over (`@auth/core` seals them here). */
import { encode as encodeLegacy } from '@auth/core/jwt'
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, secret, setCookies, startApp, type TestApp } from '../support/app.js'

const cookieName = 'authjs.session-token'
const person = { name: 'Ann', email: 'ann@example.com', picture: null, sub: 'user-1' }
const soon = () => new Date(Date.now() + 60_000)

describe('jwt.legacy', () => {
  let app: TestApp
  afterEach(() => app.close())

  async function visit(config: Partial<ServerAuthConfig>, params: { secret?: string; salt?: string } = {}) {
    app = await startApp(config)
    const browser = app.browser()
    const token = await encodeLegacy({ token: person, secret, salt: cookieName, ...params })
    browser.cookies.set(cookieName, token)
    return { browser, token }
  }
  const userOf = async (browser: Browser) => (await browser.get('/me')).body?.user?.email

  it('reads a session of Auth.js, re-issues it as ours and clears the old cookie', async () => {
    const { browser } = await visit({ jwt: { legacy: { cookieName, until: soon() } } })
    const response = await browser.get('/auth/session')
    expect(response.body.user).to.deep.equal({ id: 'user-1', name: 'Ann', email: 'ann@example.com', image: null })
    expect(setCookies(response).find((cookie) => cookie.startsWith(`${cookieName}=;`))).to.contain('Max-Age=0')
    expect([...browser.cookies.keys()]).to.deep.equal(['auth.session-token'])
    expect(await userOf(browser)).to.equal('ann@example.com')
  })

  it('takes over through getSession too', async () => {
    const { browser } = await visit({ jwt: { legacy: { cookieName, until: soon().toISOString() } } })
    expect(await userOf(browser)).to.equal('ann@example.com')
    expect([...browser.cookies.keys()]).to.deep.equal(['auth.session-token'])
  })

  it('keeps the claims of the token', async () => {
    const seen: unknown[] = []
    const jwt: NonNullable<ServerAuthConfig['callbacks']>['jwt'] = ({ token }) => {
      seen.push(token.sub)
      return token
    }
    const { browser } = await visit({ jwt: { legacy: { cookieName, until: soon() } }, callbacks: { jwt } })
    await browser.get('/me')
    await browser.get('/me')
    expect(seen).to.deep.equal(['user-1', 'user-1'])
  })

  it('reads chunks', async () => {
    const { browser, token } = await visit({ jwt: { legacy: { cookieName, until: soon() } } })
    browser.cookies.clear()
    const long = await encodeLegacy({ token: { ...person, note: 'x'.repeat(4000) }, secret, salt: cookieName })
    expect(long.length).to.be.greaterThan(3936)
    browser.cookies.set(`${cookieName}.0`, long.slice(0, 3936)).set(`${cookieName}.1`, long.slice(3936))
    expect(token.length).to.be.lessThan(3936)
    expect(await userOf(browser)).to.equal('ann@example.com')
    expect([...browser.cookies.keys()].some((name) => name.startsWith(cookieName))).to.equal(false)
  })

  it('ends such a session at sign-out', async () => {
    const tokens: unknown[] = []
    const { browser } = await visit({
      jwt: { legacy: { cookieName, until: soon() } },
      events: { signOut: (message) => void tokens.push(message.token?.sub) },
    })
    await browser.submit('/auth/signout')
    expect(tokens).to.deep.equal(['user-1'])
    expect(await browser.session()).to.equal(null)
    expect(browser.cookies.has(cookieName)).to.equal(false)
  })

  it('prefers our own session', async () => {
    const { browser } = await visit({ jwt: { legacy: { cookieName, until: soon() } } })
    const legacy = browser.cookies.get(cookieName) ?? ''
    await browser.signIn({ username: 'bob' })
    expect(browser.cookies.has(cookieName)).to.equal(false)
    browser.cookies.set(cookieName, legacy)
    expect(await userOf(browser)).to.equal('bob@example.com')
  })

  it('reads none without the option', async () => {
    const { browser } = await visit({})
    expect(await browser.session()).to.equal(null)
  })

  it('reads none under another secret or for another cookie', async () => {
    const legacy = { cookieName, until: soon() }
    const stranger = await visit({ jwt: { legacy } }, { secret: 'another-secret-of-more-than-32-characters' })
    expect(await stranger.browser.session()).to.equal(null)
    await app.close()
    const other = await visit({ jwt: { legacy } }, { salt: 'authjs.pkce.code_verifier' })
    expect(await other.browser.session()).to.equal(null)
  })

  it('reads none after the date, neither at construction nor later', async () => {
    const past = await visit({ jwt: { legacy: { cookieName, until: '2020-01-01' } } })
    expect(await past.browser.session()).to.equal(null)
    expect(app.log.warnings.map(({ code }) => code)).to.deep.equal(['legacy-ended'])
    await app.close()
    const { browser } = await visit({ jwt: { legacy: { cookieName, until: soon() } } })
    const { now } = Date
    Date.now = () => now() + 61_000
    try {
      expect(await browser.session()).to.equal(null)
    } finally {
      Date.now = now
    }
  })

  it('does not accept the token of Auth.js in our own cookie', async () => {
    const { browser, token } = await visit({ jwt: { legacy: { cookieName, until: soon() } } })
    browser.cookies.clear()
    browser.cookies.set('auth.session-token', token)
    expect(await browser.session()).to.equal(null)
  })

  for (const wrong of [
    { cookieName },
    { until: '2030-01-01' },
    { cookieName, until: 'soon' },
    { cookieName: '', until: soon() },
  ]) {
    it(`refuses ${JSON.stringify(wrong)}`, async () => {
      app = await startApp()
      let thrown: unknown
      await startApp({ jwt: { legacy: wrong as { cookieName: string; until: string } } }).catch((error) => {
        thrown = error
      })
      expect(thrown)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/jwt\.legacy/)
    })
  }
})
