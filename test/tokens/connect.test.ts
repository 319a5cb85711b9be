/** Connecting accounts at both doors: what is asked for, for whom, and what becomes of the session. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { InvalidConfiguration, InvalidProvider } from '../../lib/errors.js'
import { requireConnection } from '../../lib/features/tokens/require-connection.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { type Browser, target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { DoorApp } from '../support/doors.js'
import { rejectionOf } from '../support/rejection.js'
import { withRecords } from '../support/stores.js'
import {
  askToken,
  doorsFor,
  places,
  type RotatingProvider,
  signInAt,
  startRotatingProvider,
  tokenDoors,
} from './stage.js'

/** The session without its end, which moves. */
async function sessionOf(browser: Browser): Promise<object> {
  const { expires: _expires, ...rest } = (await browser.session()) as Record<string, unknown>
  return rest
}

const fromOwnPage = { 'sec-fetch-site': 'same-origin' }
const calendar = { scope: ['calendar'], callbackUrl: '/back?x=1' }

for (const [place, configure] of Object.entries(places)) {
  for (const [door, start] of doorsFor(place)) {
    describe(`connectUrl (${door}, ${place})`, () => {
      let provider: RotatingProvider
      let app: DoorApp
      let browser: Browser

      beforeEach(async () => {
        provider = await startRotatingProvider()
        app = await start({
          providers: [
            {
              id: 'test',
              name: 'Test',
              type: 'oidc',
              ...provider.hostile.settings,
              incrementalScopes: ['calendar', 'offline_access'],
            },
          ],
          ...configure(),
        })
        browser = app.browser()
      })
      afterEach(async () => {
        restoreClock()
        await app.close()
        await provider.hostile.close()
      })

      /** Returns the result of `connectUrl`, or the error. */
      const connectAs = async (who: Browser, options: object = calendar): Promise<{ url: string; error?: string }> =>
        (await who.get(`/connect?${new URLSearchParams({ options: JSON.stringify(options) })}`)).body

      /** Follows the URL to the provider. */
      async function leave(options: object = calendar, headers: Record<string, string> = {}): Promise<URL> {
        const { url } = await connectAs(browser, options)
        return new URL(target(await browser.get(url, headers)))
      }

      it('leads to the provider for more than before, and back with the same session', async () => {
        await signInAt(browser, provider)
        const before = await sessionOf(browser)
        expect(await askToken(browser, { scope: ['calendar'] })).to.include({
          error: 'ConsentRequired',
          reason: 'scope',
        })
        provider.scope = 'openid profile email calendar'
        const to = await leave()
        expect(to.searchParams.get('scope')).to.equal('openid profile email calendar')
        expect(to.searchParams.has('connect')).to.equal(false)
        const end = await browser.get(provider.hostile.authorize(to.href))
        expect(new URL(target(end), app.origin).pathname + new URL(target(end), app.origin).search).to.equal(
          '/back?x=1',
        )
        expect(await sessionOf(browser)).to.deep.equal(before)
        const token = await askToken(browser, { scope: ['calendar'] })
        expect(token.accessToken).to.equal(provider.given[2])
        // The granted scopes are requested again.
        expect((await leave({ scope: ['offline_access'] })).searchParams.get('scope')).to.equal(
          'openid profile email calendar offline_access',
        )
      })

      it('asks for consent where a refresh token is wished, and passes on what the application adds', async () => {
        await signInAt(browser, provider)
        const to = await leave({ scope: ['offline_access'], params: { access_type: 'offline' } })
        expect(Object.fromEntries(to.searchParams)).to.include({ prompt: 'consent', access_type: 'offline' })
      })

      it('AZ-01 is good in the session it was made for only', async () => {
        await signInAt(browser, provider)
        const { url } = await connectAs(browser)
        const other = app.browser()
        expect((await other.get(url)).status).to.equal(400)
        provider.hostile.person = { ...provider.hostile.person, sub: 'person-2', email: 'two@example.com' }
        await signInAt(other, provider)
        expect((await other.get(url)).status).to.equal(400)
        expect(await connectAs(app.browser())).to.deep.include({ error: 'NotConnected' })
        expect((await browser.get(`${url.replace('connect=', 'connect=x')}`)).status).to.equal(400)
        await browser.submit('/auth/signout')
        expect((await browser.get(url)).status).to.equal(400)
      })

      it('ends after an hour, and begins nothing for HEAD and prefetches', async () => {
        await signInAt(browser, provider)
        const { url } = await connectAs(browser)
        const cookies = browser.cookies.size
        expect((await browser.send('head', url)).status).to.equal(200)
        expect(browser.cookies.size).to.equal(cookies)
        freezeClock()
        advanceClock(3601)
        expect((await browser.get(url)).status).to.equal(400)
      })

      it('shows an error, and does not loop, if less is granted or the user cancels', async () => {
        await signInAt(browser, provider)
        const denied = await browser.get(
          provider.hostile.authorize((await leave()).href, { code: null, error: 'access_denied' }),
        )
        expect(target(denied)).to.include('/auth/error?error=ConsentRequired')
        const less = await browser.get(provider.hostile.authorize((await leave()).href))
        expect(target(less)).to.include('/auth/error?error=ConsentRequired')
        expect(await browser.session()).to.not.equal(null)
        expect((await askToken(browser)).accessToken).to.match(/^at-/)
      })

      it('AZ-01 rejects another user of the provider, and stores none of their tokens', async () => {
        await signInAt(browser, provider)
        const before = await sessionOf(browser)
        const to = await leave()
        provider.hostile.person = { ...provider.hostile.person, sub: 'person-2', email: 'two@example.com' }
        const end = await browser.get(provider.hostile.authorize(to.href))
        expect(target(end)).to.include('error=ConsentRequired')
        const page = await browser.get(target(end), { accept: 'text/html' })
        expect(page.text).to.include('you chose another account').and.not.include('Sign in')
        expect(app.log.errors.map(({ message }) => message).join()).to.include(
          '(account): the user chose a different account',
        )
        expect(await sessionOf(browser)).to.deep.equal(before)
        expect((await askToken(browser)).accessToken).to.equal(provider.given[0])
      })

      it('stores nothing where the session has ended meanwhile', async () => {
        await signInAt(browser, provider)
        const to = await leave()
        const attempt = [...browser.cookies].filter(([name]) => name.includes('transaction'))
        await browser.submit('/auth/signout')
        for (const [name, value] of attempt) browser.cookies.set(name, value)
        const end = await browser.get(provider.hostile.authorize(to.href))
        expect(target(end)).to.include('error=InvalidCheck')
        expect(await browser.session()).to.equal(null)
      })

      it('connects again what the provider has ended, and what was disconnected', async () => {
        provider.life = 0
        await signInAt(browser, provider)
        const good = provider.hostile.onToken
        provider.hostile.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } })
        expect(await askToken(browser)).to.include({ error: 'ConsentRequired', reason: 'refused' })
        provider.hostile.onToken = good
        provider.life = 3600
        await browser.get(provider.hostile.authorize((await leave({})).href))
        expect((await askToken(browser)).accessToken).to.match(/^at-/)
        await browser.get('/disconnect')
        expect(await askToken(browser)).to.include({ error: 'NotConnected', reason: 'account' })
        await browser.get(provider.hostile.authorize((await leave({}, fromOwnPage)).href))
        expect((await askToken(browser)).accessToken).to.match(/^at-/)
      })

      it('throws for scopes that are not listed, and for parameters that the flow sets', async () => {
        await signInAt(browser, provider)
        expect((await connectAs(browser, { scope: ['files'] })).error).to.include('`incrementalScopes`')
        expect((await connectAs(browser, { scope: ['a b'] })).error).to.include('without spaces')
        expect((await connectAs(browser, { params: { state: 'x' } })).error).to.include('params.state')
        expect((await connectAs(browser, { params: { note: 'x'.repeat(1000) } })).error).to.include('1000 characters')
      })

      it('lets a page ask for what is listed, and for nothing else', async () => {
        const begun = await browser.submit('/auth/signin/test?scope=files+calendar+openid')
        expect(new URL(target(begun)).searchParams.get('scope')).to.equal('openid profile email calendar')
        const plain = await browser.submit('/auth/signin/test?scope=files')
        expect(new URL(target(plain)).searchParams.get('scope')).to.equal('openid profile email')
      })
    })
  }
}

/** The headers of browsers for requests that other pages cause, and of old browsers for any request. */
const notOfOwnPage: Readonly<Record<string, Record<string, string>>> = {
  'from another site': { 'sec-fetch-site': 'cross-site' },
  'from a sibling of the site': { 'sec-fetch-site': 'same-site' },
  'by a link in a mail': { 'sec-fetch-site': 'none' },
  'in a browser that does not say': {},
}

for (const [door, start] of Object.entries(tokenDoors)) {
  describe(`requireConnection, ${door}`, () => {
    let provider: RotatingProvider
    let app: DoorApp
    let browser: Browser
    const page = { accept: 'text/html' }

    beforeEach(async () => {
      provider = await startRotatingProvider()
      const adapter = memoryAdapter()
      app = await start({
        providers: [
          { id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings },
          { id: 'other', name: 'Other', type: 'oidc', ...provider.hostile.settings },
        ],
        adapter,
        tokens: { store: memoryStore() },
      })
      browser = app.browser()
    })
    afterEach(async () => {
      await app.close()
      await provider.hostile.close()
    })

    it('redirects users to the sign-in, then to the provider, then back to their page', async () => {
      const first = await browser.get('/calendar?day=1', page)
      expect(target(first).replace(app.origin, '')).to.equal('/auth/signin?callbackUrl=%2Fcalendar%3Fday%3D1')
      await signInAt(browser, provider)
      const second = await browser.get('/calendar?day=1', page)
      expect(second.status).to.equal(302)
      expect(second.headers['cache-control']).to.include('no-store')
      provider.scope = 'openid profile email calendar'
      const to = target(await browser.get(target(second)))
      const back = await browser.get(provider.hostile.authorize(to))
      expect(target(back)).to.equal(`${app.origin}/calendar?day=1`)
      const { email } = (await browser.get('/auth/session')).body.user
      expect((await browser.get('/calendar?day=1', page)).body).to.deep.equal({ calendar: true, user: email })
    })

    it('tells other clients what to do', async () => {
      expect((await browser.get('/calendar')).body).to.deep.equal({ error: 'Unauthorized', message: 'Sign in first.' })
      await signInAt(browser, provider)
      const refused = await browser.get('/calendar')
      expect(refused.status).to.equal(403)
      expect(refused.body).to.include({ error: 'ConsentRequired', provider: 'test', reason: 'scope' })
      expect((await browser.get(refused.body.connectUrl)).status).to.equal(302)
      expect((await browser.post('/calendar', {}, page)).status).to.equal(403)
    })

    it('links an account of another provider to who is signed in', async () => {
      const start = await browser.submit('/auth/signin/other')
      await browser.get(provider.hostile.authorize(target(start)))
      const user = await sessionOf(browser)
      const guarded = await browser.get('/calendar', page)
      provider.scope = 'openid profile email calendar'
      provider.hostile.person = { ...provider.hostile.person, sub: 'person-9', email: 'nine@example.com' }
      await browser.get(provider.hostile.authorize(target(await browser.get(target(guarded), fromOwnPage))))
      expect((await browser.get('/calendar', page)).status).to.equal(200)
      expect(await sessionOf(browser)).to.deep.equal(user)
    })

    // The browser may be signed in at the provider as an attacker, whose account would become a way into this user.
    for (const [from, headers] of Object.entries(notOfOwnPage)) {
      it(`CS-16 asks before an account becomes the user’s, where they come ${from}`, async () => {
        const start = await browser.submit('/auth/signin/other')
        await browser.get(provider.hostile.authorize(target(start)))
        const { email } = (await browser.get('/auth/session')).body.user
        const guarded = await browser.get('/calendar?day=1', { ...page, ...headers })
        const asked = await browser.get(target(guarded), { ...page, ...headers })
        expect(asked.status).to.equal(200)
        expect(asked.text).to.include('Connect your account at <bdi>Test</bdi>?').and.include(email)
        expect([...browser.cookies.keys()].filter((name) => name.includes('transaction'))).to.deep.equal([])

        const [connect = '', callbackUrl = ''] = ['connect', 'callbackUrl'].map(
          (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(asked.text)?.[1] ?? '',
        )
        const forged = await browser.post('/auth/signin/test', { connect, callbackUrl }, headers)
        expect(target(forged)).to.include('error=MissingCSRF')
        const begun = await browser.submit('/auth/signin/test', { connect, callbackUrl })
        provider.scope = 'openid profile email calendar'
        provider.hostile.person = { ...provider.hostile.person, sub: 'person-9', email: 'nine@example.com' }
        const back = await browser.get(provider.hostile.authorize(target(begun)))
        expect(target(back)).to.equal(`${app.origin}/calendar?day=1`)
        expect((await browser.get('/calendar', page)).status).to.equal(200)
      })
    }

    it('allows no request if the store is unavailable', async () => {
      await app.close()
      const store = memoryStore()
      app = await start({
        providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }],
        tokens: { store: withRecords(store, { list: () => Promise.reject(new Error('away')) }) },
      })
      browser = app.browser()
      await signInAt(browser, provider)
      const answer = await browser.get('/calendar', page)
      expect(answer.status).to.equal(500)
      expect(answer.body.calendar).to.equal(undefined)
    })

    it('throws for what cannot work', async () => {
      const request = new Request(`${app.origin}/calendar`)
      const { auth } = initAuth({ ...app.config, tokens: undefined })
      const errors = await Promise.all([
        rejectionOf(auth.requireConnection(request, { provider: 'test' })),
        rejectionOf(initAuth(app.config).auth.requireConnection(request, { provider: 'tset' })),
      ])
      expect(errors[0]).to.be.instanceOf(InvalidConfiguration)
      expect(errors[1]).to.be.instanceOf(InvalidProvider)

      const config: ServerAuthConfig = { ...app.config, tokens: undefined }
      expect(() => requireConnection(config, { provider: 'test' })).to.throw(InvalidConfiguration, '`tokens`')
      expect(() => requireConnection(app.config, { provider: 'tset' })).to.throw(
        InvalidProvider,
        '"tset". `providers` has "test", "other"',
      )
    })
  })
}
