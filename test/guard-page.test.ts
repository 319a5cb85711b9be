/** A page or a form of a browser that a guard rejects: a page with a link to continue. API clients get JSON. */
import { expect } from 'chai'
import type { Express } from 'express'
import { memoryAdapter } from '../lib/adapters/memory/index.js'
import { Totp } from '../lib/features/factors/index.js'
import de from '../lib/i18n/de.js'
import { type RequireSessionOptions, requireSession, type ServerAuthConfig, type Session } from '../lib/index.js'
import { type AppOptions, credentials, startApp, type TestApp, target } from './support/app.js'
import type { Answer } from './support/http-browser.js'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const form = { accept: html, 'sec-fetch-mode': 'navigate' }
/** Over plain http browsers send no fetch metadata. */
const oldForm = { accept: html }

describe('a form behind a guard', () => {
  const apps: TestApp[] = []
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

  async function start({
    options,
    config,
    more,
  }: {
    options?: RequireSessionOptions<Session>
    config?: Partial<ServerAuthConfig>
    more?: AppOptions
  } = {}): Promise<TestApp> {
    const app = await startApp(config, {
      ...more,
      after: (express: Express, full) =>
        express.use('/guarded', requireSession(full, options), (_req, res) => void res.json({ through: true })),
    })
    apps.push(app)
    return app
  }
  const post = (app: TestApp, headers: Record<string, string>, browser = app.browser()) =>
    browser.send('post', '/guarded/save?x=1', { headers })

  function expectPage(response: Answer, status: number): void {
    expect(response.status).to.equal(status)
    expect(response.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(response.headers['cache-control']).to.include('no-store')
    expect(response.headers.vary).to.match(/(?:^|, )Cookie(?:,|$)/)
    expect(response.headers['x-frame-options']).to.equal('DENY')
    const policy = String(response.headers['content-security-policy'])
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'").and.include('nonce-')
    expect(response.headers).to.not.have.property('location')
    expect(response.text)
      .to.match(/^<!doctype html>/i)
      .and.not.include('<script')
  }

  /** Returns the URL of the link to continue. */
  function wayOf(response: Answer): URL {
    const [, href = ''] = /<a class="button" href="([^"]*)"/.exec(response.text) ?? []
    return new URL(href.replaceAll('&#38;', '&'), 'http://app.test')
  }

  for (const [name, headers] of Object.entries({ 'with fetch metadata': form, without: oldForm })) {
    it(`RD-23: shows who is not signed in a page, and the way back to the form (${name})`, async () => {
      const app = await start()
      const response = await post(app, { ...headers, referer: `${app.origin}/page/of/form?a=b%20c` })
      expectPage(response, 401)
      expect(response.text).to.include('You are not signed in').and.include('was not saved')
      expect(wayOf(response).pathname).to.equal('/auth/signin')
      expect(wayOf(response).searchParams.get('callbackUrl')).to.equal('/page/of/form?a=b%20c')
      // The way works.
      const browser = app.browser()
      const page = await browser.get(wayOf(response).pathname + wayOf(response).search)
      expect(page.status).to.equal(200)
      await browser.signIn()
      expect((await post(app, headers, browser)).body).to.deep.equal({ through: true })
    })
  }

  it('RD-23: leads back to no other site, and not to the sign-in page', async () => {
    const app = await start()
    const { origin } = app
    const foreign = [
      ['https://evil.test/page', '/'],
      ['javascript:alert(1)', '/'],
      [`${origin}@evil.test/page`, '/'],
      [`${origin}//evil.test/page`, '/evil.test/page'],
      [`${origin}/%5cevil.test`, '/%5cevil.test'],
      [`${origin}/auth/signin?callbackUrl=/x`, '/'],
      [`${origin}/"><script>`, '/%22%3E%3Cscript%3E'],
      ['', '/'],
    ]
    for (const [referer = '', back] of foreign) {
      const response = await post(app, { ...form, referer })
      expectPage(response, 401)
      expect(wayOf(response).searchParams.get('callbackUrl'), referer).to.equal(back)
    }
  })

  it('RD-23: answers API clients with JSON, as before', async () => {
    const app = await start()
    const clients: Record<string, string>[] = [
      { accept: 'application/json' },
      { accept: '*/*' },
      { accept: html, 'sec-fetch-mode': 'cors' },
      { accept: html, 'sec-fetch-mode': 'same-origin' },
    ]
    for (const headers of clients) {
      const response = await post(app, headers)
      expect(response.status).to.equal(401)
      expect(response.body).to.deep.equal({ error: 'Unauthorized', message: 'Sign in first.' })
    }
  })

  it('RD-23: shows a page where `allow` says no', async () => {
    const app = await start({ options: { allow: () => false } })
    const browser = app.browser()
    await browser.signIn()
    const response = await post(app, form, browser)
    expectPage(response, 403)
    expect(response.text).to.include('You have no access').and.not.include('class="button"')
    expect((await post(app, { accept: 'application/json' }, browser)).body.error).to.equal('Forbidden')
  })

  it('shows a page, too, when a browser opens a page that `allow` rejects', async () => {
    const app = await start({ options: { allow: () => false } })
    const browser = app.browser()
    await browser.signIn()
    for (const headers of [form, oldForm]) {
      const response = await browser.get('/guarded/secret', headers)
      expectPage(response, 403)
      expect(response.text).to.include('You have no access').and.not.include('class="button"')
    }
    const clients: Record<string, string>[] = [{ accept: '*/*' }, { accept: html, 'sec-fetch-mode': 'cors' }]
    for (const headers of clients) {
      expect((await browser.get('/guarded/secret', headers)).body.error).to.equal('Forbidden')
    }
  })

  it('RD-23: shows the way to prove more, with the challenge of RFC 9470', async () => {
    const app = await start({
      options: { aal: 2 },
      config: { adapter: memoryAdapter(), factors: [Totp()], providers: [credentials()] },
    })
    const browser = app.browser()
    await browser.signIn()
    const response = await post(app, { ...form, referer: `${app.origin}/form` }, browser)
    expectPage(response, 401)
    expect(response.headers['www-authenticate']).to.include('insufficient_user_authentication')
    expect(response.text).to.include('Please confirm that it is you')
    expect(wayOf(response).pathname).to.equal('/auth/two-factor')
    expect(wayOf(response).searchParams.get('callbackUrl')).to.equal('/form')
  })

  it('speaks the language of the browser', async () => {
    const app = await start({ config: { i18n: { locales: ['en', 'de'], messages: { de } } } })
    const response = await post(app, { ...form, 'accept-language': 'de' })
    expectPage(response, 401)
    expect(response.text).to.include('Sie sind nicht angemeldet').and.include('<html lang="de"')
    expect(response.headers['content-language']).to.equal('de')
    expect(response.headers.vary).to.include('Accept-Language')
  })

  it('leads to a sign-in page of the application', async () => {
    const app = await start({ options: { signInUrl: '/login?area=staff#top' } })
    const response = await post(app, form)
    expectPage(response, 401)
    expect(wayOf(response).href).to.equal('http://app.test/login?area=staff&callbackUrl=%2F#top')
    expect(target(response)).to.equal('')
  })
})
