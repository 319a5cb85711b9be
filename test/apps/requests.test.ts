/** The requests of apps: which are accepted, and that nothing is sent to a URL that was not checked. */
import { expect } from 'chai'
import type { Browser } from '../support/http-browser.js'
import { strategies } from '../support/world.js'
import { AppClient, base, doorNames, formOf, link, openStage, pressContinue, type Stage } from './stage.js'

/** Parameters that no app of the application sends, by what is wrong. */
const wrong: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'no app': { app: undefined },
  'an unknown app': { app: 'other' },
  'an app of a prototype': { app: 'constructor' },
  'no redirect URL': { redirect_uri: undefined },
  'another path of a link': { app: 'ios', redirect_uri: `${link}/` },
  'a link with a query': { app: 'ios', redirect_uri: `${link}?x=1` },
  'a link with a fragment': { app: 'ios', redirect_uri: `${link}#x` },
  'a link of another host': { app: 'ios', redirect_uri: 'https://app.example.com.evil.test/signed-in' },
  'a link in other letters': { app: 'ios', redirect_uri: link.replace('signed', 'Signed') },
  'a link with a user': { app: 'ios', redirect_uri: 'https://app.example.com@evil.test/signed-in' },
  'loopback of an app without it': { app: 'ios' },
  'a link of another app': { redirect_uri: link },
  localhost: { redirect_uri: 'http://localhost:49152/done' },
  'a name of loopback': { redirect_uri: 'http://127.0.0.1.evil.test:49152/done' },
  'another loopback address': { redirect_uri: 'http://127.0.0.2:49152/done' },
  'a short loopback address': { redirect_uri: 'http://127.1:49152/done' },
  'https on loopback': { redirect_uri: 'https://127.0.0.1:49152/done' },
  'loopback without a port': { redirect_uri: 'http://127.0.0.1/done' },
  'port 0': { redirect_uri: 'http://127.0.0.1:0/done' },
  'a port that is too high': { redirect_uri: 'http://127.0.0.1:65536/done' },
  'loopback without a path': { redirect_uri: 'http://127.0.0.1:49152' },
  'loopback with dots': { redirect_uri: 'http://127.0.0.1:49152/a/../b' },
  'loopback with a query': { redirect_uri: 'http://127.0.0.1:49152/done?x=1' },
  'loopback with a user': { redirect_uri: 'http://127.0.0.1:49152@evil.test/done' },
  'loopback with a backslash': { redirect_uri: 'http://127.0.0.1:49152\\@evil.test/' },
  'loopback and a line break': { redirect_uri: 'http://127.0.0.1:49152/done\nx' },
  'a long path': { redirect_uri: `http://127.0.0.1:49152/${'x'.repeat(101)}` },
  'a custom scheme': { redirect_uri: 'com.example.notes:/signed-in' },
  'a script': { redirect_uri: 'javascript:alert(1)' },
  'no challenge': { code_challenge: undefined },
  'a short challenge': { code_challenge: 'x'.repeat(42) },
  'a challenge with padding': { code_challenge: `${'x'.repeat(43)}=` },
  'a plain challenge': { code_challenge_method: 'plain' },
  'no method': { code_challenge_method: undefined },
  'no state': { state: undefined },
  'a short state': { state: 'x'.repeat(7) },
  'a long state': { state: 'x'.repeat(129) },
  'a state with markup': { state: '<script>alert(1)' },
}

for (const door of doorNames) {
  describe(`the request of an app (${door})`, () => {
    let stage: Stage
    let browser: Browser
    before(async () => {
      stage = await openStage(door, 'database')
      browser = await stage.signIn()
    })
    after(() => stage.close())

    for (const [title, change] of Object.entries(wrong)) {
      it(`AP-03 with ${title} is rejected on a page, for users and visitors, GET and POST`, async () => {
        const params = Object.entries({ ...new AppClient(stage.origin).params, ...change })
        const sent = params.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
        const path = `${base}/app?${new URLSearchParams(sent)}`
        const csrfToken = await browser.csrf(base)
        const { id } = (await browser.get('/account')).body.sessions[0]
        for (const answer of [
          await browser.get(path),
          await stage.browser().get(path),
          await browser.post(path, { csrfToken, session: id, navigation: 'form' }),
        ]) {
          expect([answer.status, answer.type]).to.deep.equal([400, 'text/html'])
          expect(answer.headers).to.not.have.any.keys('location', 'refresh')
          expect(answer.text).to.not.include('evil.test').and.not.include('<script>alert')
        }
      })
    }

    it('AP-03 with a repeated parameter is rejected', async () => {
      const { params } = new AppClient(stage.origin)
      for (const [name, value] of Object.entries(params)) {
        for (const second of [value, 'https://evil.test/']) {
          const query = new URLSearchParams(params)
          query.append(name, second)
          expect((await browser.get(`${base}/app?${query}`)).status, name).to.equal(400)
        }
      }
    })

    it('accepts both families of loopback, any port, and the link of its app', async () => {
      const uris = ['http://127.0.0.1:1/', 'http://[::1]:65535/a-b/c_d.e~f', 'http://127.0.0.1:8080/x']
      const apps = uris.map((uri) => new AppClient(stage.origin, 'cli', uri))
      for (const app of [...apps, new AppClient(stage.origin, 'ios')]) {
        const url = await app.approve(browser)
        expect(url.origin + url.pathname).to.equal(new URL(app.redirectUri).href)
        expect((await app.redeem(url.searchParams.get('code') ?? '')).status).to.equal(200)
      }
    })

    it('AP-04 needs the CSRF token of the page, and its session', async () => {
      const app = new AppClient(stage.origin)
      const page = await browser.get(app.path)
      const { action, fields } = formOf(page)
      const { csrfToken: _token, ...without } = fields
      const forged = await browser.post(action, without)
      expect(forged.headers.refresh ?? forged.headers.location ?? '').to.not.include('code=')
      const foreign = await browser.post(action, fields, {
        origin: 'https://evil.test',
        'sec-fetch-site': 'cross-site',
      })
      expect(foreign.headers.refresh ?? foreign.headers.location ?? '').to.not.include('code=')
      const { session: _session, ...unknown } = fields
      const asked = await browser.post(action, unknown)
      expect([asked.status, asked.headers.refresh]).to.deep.equal([200, undefined])
      expect((await pressContinue(browser, asked)).headers.refresh).to.include('code=')
    })

    it('AP-04 shows a page that no other site frames, and that submits to the own site only', async () => {
      const { headers, text } = await browser.get(new AppClient(stage.origin).path)
      expect(headers['content-security-policy']).to.include("frame-ancestors 'none'").and.include("form-action 'self'")
      expect(headers['x-frame-options']).to.match(/deny/i)
      expect(text).to.not.include('<script')
    })

    it('is cancelled at the redirect URL', async () => {
      const app = new AppClient(stage.origin)
      const { text } = await browser.get(app.path)
      const cancel = /<a href="([^"]+)">Cancel/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? ''
      const { searchParams } = new URL(cancel)
      expect(cancel.startsWith(app.redirectUri)).to.equal(true)
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        error: 'access_denied',
        state: app.state,
        iss: stage.origin + base,
      })
    })

    it('offers another account, and returns after the sign-out', async () => {
      const app = new AppClient(stage.origin)
      const own = await stage.signIn('leaves')
      const { text } = await own.get(app.path)
      const out = new URL(/<a href="([^"]+signout[^"]+)">/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? '')
      const page = await own.get(out.pathname + out.search)
      const { fields } = formOf(page)
      const answer = await own.post(`${base}/signout`, fields)
      const back = new URL(answer.headers.location ?? '')
      expect(back.pathname + back.search).to.equal(app.path)
      expect((await own.follow(answer)).text).to.include('Sign in')
    })

    it('AP-05 is approved by no bearer token, and by no session that allows no lasting change', async () => {
      const app = new AppClient(stage.origin)
      const token = await app.signIn(browser)
      const byToken = await app.get(token, new AppClient(stage.origin).path)
      expect(new URL(byToken.headers.location ?? '').pathname).to.equal(`${base}/signin`)
      const short = stage.browser()
      await short.get('/start?email=short@example.com&max=600')
      expect(new URL((await short.get(app.path)).headers.location ?? '').pathname).to.equal(`${base}/signin`)
      const copied = stage.browser()
      for (const [name, value] of (await stage.signIn('copied')).cookies) {
        if (name.includes('session')) copied.cookies.set(name, value)
      }
      expect((await copied.get('/me')).body.user.email).to.equal('copied@example.com')
      expect(new URL((await copied.get(app.path)).headers.location ?? '').pathname).to.equal(`${base}/signin`)
    })
  })

  describe(`apps that are off (${door})`, () => {
    it('have no pages', async () => {
      for (const strategy of strategies) {
        const stage = await openStage(door, strategy, { apps: undefined as never })
        const app = new AppClient(stage.origin)
        expect((await (await stage.signIn()).get(app.path)).status).to.equal(404)
        expect((await app.redeem('x'.repeat(43))).status).to.equal(404)
        expect((await app.signOut('x')).status).to.equal(404)
        await stage.close()
      }
    })
  })
}
