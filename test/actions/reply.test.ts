/** Tests of the forms of a redirect: 303, a page that continues without a click, or a URL in JSON. */
import { expect } from 'chai'
import { type Browser, credentials, setCookies, startApp, type TestApp, target } from '../support/app.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { heading, links } from './page.js'

describe('a redirect after a POST', () => {
  let provider: OpenIdProvider
  let app: TestApp
  let browser: Browser

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp({
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }, credentials()],
      callbacks: {
        signIn: ({ user }) => (user.name === 'invited' ? 'https://other.test/welcome?a=1&b="x";c' : true),
      },
    })
  })
  after(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => {
    browser = app.browser()
  })

  for (const [what, fields, headers] of [
    ['Sec-Fetch-Mode: navigate', {}, { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }],
    ['the mark of our own forms', { navigation: 'form' }, {}],
  ] as const) {
    it(`that leads to a provider is a page for a form, detected by ${what}`, async () => {
      const response = await browser.submit('/auth/signin/test', fields, headers)
      expect(response.status).to.equal(200)
      expect(response.headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(response.headers).to.not.have.property('location')
      const [, url = ''] = /^0;url=(.+)$/.exec(String(response.headers.refresh)) ?? []
      expect(new URL(url).origin).to.equal(provider.issuer)
      expect(links(response)).to.deep.equal([url])
      expect(heading(response)).to.equal('One moment…')
      expect(response.text).to.include(`<strong>${new URL(provider.issuer).host}</strong>`)
      expect(response.headers['content-security-policy']).to.include("form-action 'self'")
      expect(response.headers['referrer-policy']).to.equal('same-origin')
      const end = await browser.get(await provider.signInAs(url, 'alice'))
      expect(end.status).to.equal(302)
      expect(await browser.session()).to.have.nested.property('user.name', 'Alice Example')
    })
  }

  for (const mode of ['cors', 'same-origin', undefined]) {
    it(`that leads to a provider is 303 for Sec-Fetch-Mode: ${mode ?? 'none'}`, async () => {
      const headers: Record<string, string> =
        mode === undefined ? {} : { 'sec-fetch-mode': mode, 'sec-fetch-site': 'same-origin' }
      const response = await browser.submit('/auth/signin/test', {}, headers)
      expect(response.status).to.equal(303)
      expect(new URL(target(response)).origin).to.equal(provider.issuer)
      expect(response.headers).to.not.have.property('refresh')
      expect(response.text).to.equal('')
    })
  }

  it('ignores a mark of another kind', async () => {
    for (const navigation of ['script', '', ['form']]) {
      const json = { csrfToken: await browser.csrf(), navigation }
      const response = await browser.send('post', '/auth/signin/test', { json })
      expect(response.status, JSON.stringify(navigation)).to.equal(303)
    }
  })

  it('that stays on the site is 303 for a form too', async () => {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
    const response = await browser.submit(
      '/auth/callback/credentials',
      { username: 'ann', password: 'right', callbackUrl: '/x', navigation: 'form' },
      headers,
    )
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/x`)
    expect(response.headers).to.not.have.property('refresh')
    expect(response.text).to.equal('')
  })

  it('off the site, by the application’s own callback, is a page, escaped', async () => {
    const response = await browser.signIn({ username: 'invited', navigation: 'form' })
    expect(response.status).to.equal(200)
    const url = 'https://other.test/welcome?a=1&b=%22x%22;c'
    expect(response.headers.refresh).to.equal(`0;url=${url}`)
    expect(links(response)).to.deep.equal([url])
    expect(response.text).to.not.include('"x"')
  })

  it('is 302 after a GET, also for a navigation', async () => {
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.signInAs(target(start), 'alice'), { 'sec-fetch-mode': 'navigate' })
    expect(end.status).to.equal(302)
    expect(target(end)).to.equal(`${app.origin}/`)
  })

  it('is an absolute URL in JSON with X-Auth-Return-Redirect, for a navigation and a mark too', async () => {
    for (const value of ['1', 'true', 'anything']) {
      const headers = { 'x-auth-return-redirect': value, 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
      const response = await browser.submit('/auth/signin/test', { navigation: 'form' }, headers)
      expect(response.status).to.equal(200)
      expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(response.body).to.have.all.keys('url')
      expect(new URL(response.body.url).origin).to.equal(provider.issuer)
      expect(response.headers).to.not.have.property('refresh')
      expect(setCookies(response).some((cookie) => cookie.startsWith('auth.transaction.'))).to.equal(true)
    }
  })

  for (const accept of ['application/json', 'application/json, text/plain, */*']) {
    it(`is an absolute URL in JSON for a client that accepts ${accept}`, async () => {
      const headers = { accept }
      const start = await browser.submit('/auth/signin/test', {}, headers)
      expect(start.status).to.equal(200)
      expect(start.body).to.have.all.keys('url')
      expect(new URL(start.body.url).origin).to.equal(provider.issuer)
      const fields = { username: 'ann', password: 'right', callbackUrl: '/x' }
      const end = await browser.submit('/auth/callback/credentials', fields, headers)
      expect([end.status, end.body]).to.deep.equal([200, { url: `${app.origin}/x` }])
      expect(end.headers).to.not.have.property('location')
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      const out = await browser.submit('/auth/signout', { callbackUrl: '/' }, headers)
      expect([out.status, out.body]).to.deep.equal([200, { url: `${app.origin}/` }])
      expect(await browser.session()).to.equal(null)
    })
  }

  it('stays a redirect for a client that asks for HTML too, and after a GET', async () => {
    const fields = { username: 'ann', password: 'right' }
    for (const accept of ['text/html, application/json', '*/*', 'text/html']) {
      expect((await browser.submit('/auth/callback/credentials', fields, { accept })).status).to.equal(303)
    }
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.signInAs(target(start), 'alice'), { accept: 'application/json' })
    expect(end.status).to.equal(302)
  })

  it('CA-02 is stored by no cache', async () => {
    for (const fields of [{}, { navigation: 'form' }]) {
      const { headers } = await browser.submit('/auth/signin/test', fields)
      expect(headers['cache-control']).to.equal('private, no-cache, no-store')
      expect(headers['x-content-type-options']).to.equal('nosniff')
    }
  })
})
