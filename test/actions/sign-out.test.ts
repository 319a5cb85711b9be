/** Tests of `GET|POST signout` over HTTP. */
import { expect } from 'chai'
import type { JWT, ServerAuthConfig } from '../../lib/index.js'
import { setCookies, startApp, type TestApp, target } from '../support/app.js'
import { formActions, heading, inputs, links } from './page.js'

describe('GET /auth/signout', () => {
  it('shows a page that asks, with a form', async () => {
    const app = await startApp()
    const browser = app.browser()
    await browser.signIn()
    const page = await browser.get('/auth/signout?callbackUrl=%2Fbye')
    expect(page.status).to.equal(200)
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(heading(page)).to.equal('Sign out')
    expect(formActions(page)).to.deep.equal([`${app.origin}/auth/signout`])
    expect(inputs(page, 'csrfToken')).to.deep.equal([await browser.csrf()])
    expect(inputs(page, 'callbackUrl')).to.deep.equal([`${app.origin}/bye`])
    expect(inputs(page, 'navigation')).to.deep.equal(['form'])
    expect(page.headers['content-security-policy']).to.include("form-action 'self'")
    await app.close()
  })

  it('shows nothing of the query except an allowed callback URL', async () => {
    const app = await startApp()
    const script = encodeURIComponent('"><script>alert(1)</script>')
    for (const query of [
      `callbackUrl=javascript:alert(1)`,
      `callbackUrl=${script}`,
      `csrfToken=${script}&user=${script}`,
    ]) {
      const browser = app.browser()
      await browser.signIn()
      const page = await browser.get(`/auth/signout?${query}`)
      expect(page.status).to.equal(200)
      expect(page.text).to.not.match(/<script|javascript:/i)
      expect(inputs(page, 'csrfToken')[0]).to.match(/^[0-9a-f]{64}$/)
      for (const url of [...links(page), ...formActions(page)]) expect(url).to.match(/^(http:\/\/127|\/)/)
    }
    await app.close()
  })

  for (const [signOut, expected] of [
    ['/bye', '/bye'],
    ['/bye?x=1', '/bye?x=1'],
  ] as const) {
    it(`goes to the custom page ${signOut}`, async () => {
      const app = await startApp({ pages: { signOut } })
      const response = await app.browser().get('/auth/signout?callbackUrl=%2Fx')
      expect(response.status).to.equal(302)
      expect(target(response)).to.equal(app.origin + expected)
      await app.close()
    })
  }

  it('shows the built-in page if the option names our own endpoint', async () => {
    const app = await startApp({ pages: { signOut: '/auth/signout' } })
    const page = await app.browser().get('/auth/signout')
    expect(page.status).to.equal(200)
    expect(heading(page)).to.equal('Sign out')
    await app.close()
  })
})

describe('POST /auth/signout', () => {
  const ended: Array<{ token?: JWT | null }> = []
  let app: TestApp

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<TestApp> {
    await app?.close()
    app = await startApp({ events: { signOut: (message) => void ended.push(message) }, ...config })
    return app
  }

  beforeEach(async () => {
    ended.length = 0
    await start()
  })
  after(() => app.close())

  it('ends the session, emits the event once, and redirects to the URL of the form', async () => {
    const browser = app.browser()
    await browser.signIn()
    expect(await browser.session()).to.be.an('object')
    const response = await browser.submit('/auth/signout', { callbackUrl: '/bye' })
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/bye`)
    expect(setCookies(response)).to.include('auth.session-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    expect(await browser.session()).to.equal(null)
    expect((await browser.get('/me')).body).to.equal(null)
    expect(ended).to.have.length(1)
    expect(ended[0]?.token).to.include({ name: 'ann', sub: 'id-of-ann' })
  })

  it('works as the form of the page', async () => {
    const browser = app.browser()
    await browser.signIn()
    const page = await browser.get('/auth/signout?callbackUrl=%2Fbye')
    const fields = { csrfToken: inputs(page, 'csrfToken')[0], callbackUrl: inputs(page, 'callbackUrl')[0] }
    const response = await browser.post(formActions(page)[0] ?? '', { ...fields, navigation: 'form' })
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/bye`)
    expect(await browser.session()).to.equal(null)
  })

  it('without a session redirects to the same URL and emits no event', async () => {
    const response = await app.browser().submit('/auth/signout', { callbackUrl: '/bye' })
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/bye`)
    expect(ended).to.deep.equal([])
    expect(setCookies(response).join()).to.not.include('session-token')
  })

  it('clears a session cookie that is not valid', async () => {
    const browser = app.browser()
    browser.cookies.set('auth.session-token', 'garbage')
    const response = await browser.submit('/auth/signout')
    expect(response.status).to.equal(303)
    expect(browser.cookies.has('auth.session-token')).to.equal(false)
    expect(ended.map(({ token }) => token)).to.satisfy((tokens: unknown[]) => tokens.every((token) => token === null))
  })

  it('falls back to the remembered URL, then to the root', async () => {
    const browser = app.browser()
    await browser.signIn({ callbackUrl: '/from-sign-in' })
    expect(target(await browser.submit('/auth/signout'))).to.equal(`${app.origin}/from-sign-in`)
    expect(target(await app.browser().submit('/auth/signout'))).to.equal(`${app.origin}/`)
  })

  it('returns a URL in a 200 answer to the published client', async () => {
    const browser = app.browser()
    await browser.signIn()
    const response = await browser.submit('/auth/signout', { callbackUrl: '/bye' }, { 'x-auth-return-redirect': '1' })
    expect(response.status).to.equal(200)
    expect(response.body).to.deep.equal({ url: `${app.origin}/bye` })
    expect(await browser.session()).to.equal(null)
  })

  it('from our own form, with an expired token, leads back to that form, which says so', async () => {
    await start()
    const browser = app.browser()
    await browser.signIn()
    for (const fields of [{ navigation: 'form' }, { navigation: 'form', csrfToken: 'x' }]) {
      const response = await browser.post('/auth/signout', fields)
      expect(target(response)).to.equal(`${app.origin}/auth/signout?error=MissingCSRF`)
    }
    expect((await browser.get('/auth/signout?error=MissingCSRF')).text).to.include('You are not signed out yet')
    expect((await browser.get('/auth/signout?error=Other')).text).not.to.include('role="alert"')
    expect(target(await browser.post('/auth/signout'))).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
    expect(await browser.session()).to.have.property('user')
  })

  for (const [how, signOut] of [
    [
      'throws',
      () => {
        throw new Error('audit log is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('audit log is full'))],
  ] as const) {
    it(`signs out when the event ${how}`, async () => {
      await start({ events: { signOut } })
      const browser = app.browser()
      await browser.signIn()
      const response = await browser.submit('/auth/signout', { callbackUrl: '/bye' })
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/bye`)
      expect(await browser.session()).to.equal(null)
      expect(app.log.errors).to.have.length(1)
      expect(app.log.errors[0]).to.have.property('type', 'EventError')
      expect(app.log.errors[0]).to.have.nested.property('cause.err.message', 'audit log is full')
    })
  }
})
