/** `session.absoluteMaxAge`: a session ends however active it is. */
import { expect } from 'chai'
import { ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import { credentials, secret, startApp, type TestApp } from '../support/app.js'

describe('session.absoluteMaxAge', () => {
  const { now } = Date
  let app: TestApp
  afterEach(async () => {
    Date.now = now
    await app?.close()
  })
  const pass = (seconds: number) => {
    Date.now = () => now() + seconds * 1000
  }

  it('SE-04 ends a session that is read every minute', async () => {
    app = await startApp({ session: { absoluteMaxAge: 600, maxAge: 300, updateAge: 0 } })
    const browser = app.browser()
    await browser.signIn()
    for (const minute of [1, 3, 5, 7, 9]) {
      pass(minute * 60)
      expect(await browser.session(), `minute ${minute}`).to.have.property('user')
    }
    pass(601)
    expect(await browser.session()).to.equal(null)
    expect(browser.cookies.has('auth.session-token')).to.equal(false)
  })

  it('SE-06 returns the real end', async () => {
    app = await startApp({ session: { absoluteMaxAge: 600, maxAge: 300, updateAge: 0 } })
    const browser = app.browser()
    const start = now()
    await browser.signIn()
    pass(240)
    const later = (await browser.session()) as { expires: string }
    expect(Date.parse(later.expires) - start).to.be.closeTo(540_000, 3000)
    pass(500)
    const last = (await browser.session()) as { expires: string }
    expect(Date.parse(last.expires) - start).to.be.closeTo(600_000, 3000)
  })

  it('AZ-07 cannot be moved by the `jwt` callback or a client update', async () => {
    const jwt: NonNullable<ServerAuthConfig['callbacks']>['jwt'] = ({ token, session }) => ({
      name: token.name ?? null,
      ...(session as object),
    })
    app = await startApp({ session: { absoluteMaxAge: 600, updateAge: 0 }, callbacks: { jwt } })
    const browser = app.browser()
    await browser.signIn()
    pass(300)
    const data = { auth_time: Math.floor(now() / 1000) + 10_000 }
    await browser.send('post', '/auth/session', { json: { csrfToken: await browser.csrf(), data } })
    expect(await browser.session()).to.have.property('user')
    pass(601)
    expect(await browser.session()).to.equal(null)
  })

  it('begins again with a sign-in', async () => {
    app = await startApp({ session: { absoluteMaxAge: 600, updateAge: 0 } })
    const browser = app.browser()
    await browser.signIn()
    pass(500)
    await browser.signIn()
    pass(1000)
    expect(await browser.session()).to.have.property('user')
  })

  it('counts from the last re-issue where the sign-in is not known: the option is new', async () => {
    app = await startApp()
    const browser = app.browser()
    await browser.signIn()
    const token = browser.cookies.get('auth.session-token') ?? ''
    await app.close()
    app = await startApp({ session: { absoluteMaxAge: 600 } })
    const same = app.browser()
    same.cookies.set('auth.session-token', token)
    expect(await same.session()).to.have.property('user')
    pass(601)
    expect(await same.session()).to.equal(null)
  })

  for (const wrong of [0, -1, '1h', Number.NaN]) {
    it(`rejects ${String(wrong)}`, () => {
      const session = { absoluteMaxAge: wrong as number }
      expect(() => ServerAuth({ secret, providers: [credentials()], session })).to.throw(/session\.absoluteMaxAge/)
    })
  }
})
