/** Access tokens at both doors, wherever they are kept: given, renewed once, refused. */
import { expect } from 'chai'
import type { Browser } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { askToken, doorsFor, places, type RotatingProvider, signInAt, startRotatingProvider } from './stage.js'

for (const [place, configure] of Object.entries(places)) {
  for (const [door, start] of doorsFor(place)) {
    describe(`getAccessToken (${door}, ${place})`, () => {
      let provider: RotatingProvider
      let app: DoorApp
      let browser: Browser

      beforeEach(async () => {
        provider = await startRotatingProvider()
        app = await start({
          providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }],
          ...configure(),
        })
        browser = app.browser()
      })
      afterEach(async () => {
        await app.close()
        await provider.hostile.close()
      })

      it('gives the token of the sign-in, without a request to the provider', async () => {
        await signInAt(browser, provider)
        provider.hostile.requests.length = 0
        const token = await askToken(browser)
        expect(token).to.deep.include({
          accessToken: provider.given[0],
          scope: ['openid', 'profile', 'email'],
          tokenType: 'bearer',
        })
        expect(token.account).to.deep.equal({ provider: 'test', providerAccountId: 'person-1' })
        expect(Date.parse(token.expiresAt ?? '') - Date.now()).to.be.within(3_500_000, 3_600_000)
        expect(provider.hostile.requests).to.deep.equal([])
      })

      it('OA-09 RC-04 renews once for fifty requests at a time, and again when that has ended', async () => {
        provider.life = 0
        await signInAt(browser, provider)
        provider.life = 3600
        const cookies = browser.cookieHeader()
        const answers = await Promise.all(
          Array.from({ length: 50 }, async () => {
            const other = app.browser()
            for (const [name, value] of browser.cookies) other.cookies.set(name, value)
            return askToken(other)
          }),
        )
        expect(cookies).to.not.equal('')
        expect(new Set(answers.map(({ accessToken }) => accessToken))).to.deep.equal(new Set([provider.given[2]]))
        expect(provider.refreshes).to.equal(1)
        const forced = await askToken(browser, { forceRefresh: true })
        expect(forced.accessToken).to.equal(provider.given[4])
        expect(provider.isRevoked).to.equal(false)
      })

      it('AZ-01 gives nothing to a visitor', async () => {
        await signInAt(browser, provider)
        expect(await askToken(app.browser())).to.deep.include({ error: 'NotConnected', reason: 'session' })
      })

      it('asks for consent once the grant has ended, and not again until then', async () => {
        provider.life = 0
        await signInAt(browser, provider)
        provider.hostile.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } })
        expect(await askToken(browser)).to.deep.include({ error: 'ConsentRequired', reason: 'refused' })
        const asked = provider.hostile.count('/token')
        expect(await askToken(browser)).to.deep.include({ error: 'ConsentRequired', reason: 'refused' })
        expect(provider.hostile.count('/token')).to.equal(asked)
      })

      it('asks for consent where the token has ended and no refresh token came', async () => {
        Object.assign(provider, { life: 0, gives: false })
        await signInAt(browser, provider)
        expect(await askToken(browser)).to.deep.include({ error: 'ConsentRequired', reason: 'expired' })
      })

      it('gives the old token while the provider is down and it is good, and else says to try again', async () => {
        provider.life = 20
        await signInAt(browser, provider)
        provider.hostile.onToken = () => ({ status: 503, body: 'down' })
        const [old] = provider.given
        expect(await askToken(browser, { minTtl: 10 })).to.include({ accessToken: old })
        const failed = await askToken(browser, { forceRefresh: true })
        expect(failed).to.deep.include({ error: 'RefreshError', retryable: true })
        expect(await askToken(browser, { minTtl: 0 })).to.include({ accessToken: old })
      })

      it('says to try again if a server has replaced the global Response by its own', async () => {
        const { Response: real } = globalThis
        provider.life = 0
        await signInAt(browser, provider)
        provider.hostile.onToken = () => ({ status: 503, body: 'down' })
        globalThis.Response = class extends real {}
        try {
          expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
        } finally {
          globalThis.Response = real
        }
      })

      it('unites the scopes of two sign-ins: what the refresh token covers can be had', async () => {
        provider.scope = 'openid profile email calendar'
        await signInAt(browser, provider)
        provider.scope = 'openid profile email'
        await signInAt(browser, provider)
        expect((await askToken(browser)).accessToken).to.equal(provider.given[2])
        const wide = await askToken(browser, { scope: ['calendar'] })
        expect(wide.scope).to.include('calendar')
        expect(await askToken(browser, { scope: ['mail'] })).to.deep.include({
          error: 'ConsentRequired',
          reason: 'scope',
        })
      })

      it('takes a refresh token for offline_access, which not every provider names', async () => {
        await signInAt(browser, provider)
        const scope = ['email', 'offline_access']
        expect((await askToken(browser, { scope })).accessToken).to.equal(provider.given[0])
        expect((await askToken(browser, { scope, forceRefresh: true })).accessToken).to.equal(provider.given[2])
        expect(await askToken(browser, { scope: ['mail', 'offline_access'] })).to.include({ reason: 'scope' })
      })

      it('finds no offline_access without a refresh token', async () => {
        provider.gives = false
        await signInAt(browser, provider)
        expect(await askToken(browser, { scope: ['offline_access'] })).to.include({ reason: 'scope' })
      })

      it('keeps the refresh token where a second sign-in brings none', async () => {
        await signInAt(browser, provider)
        Object.assign(provider, { gives: false, life: 0 })
        await signInAt(browser, provider)
        provider.life = 3600
        expect((await askToken(browser)).accessToken).to.equal(provider.given[4])
      })

      it('adds the token to requests, and renews it where the API refuses it', async () => {
        await signInAt(browser, provider)
        const seen: Array<string | undefined> = []
        provider.hostile.routes.set('/api', ({ headers }) => {
          seen.push(headers.authorization)
          if (seen.length > 1) return { body: { fine: true } }
          return { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, body: {} }
        })
        const { body } = await browser.get(`/call?${new URLSearchParams({ url: `${provider.hostile.origin}/api` })}`)
        expect(body).to.deep.equal({ status: 200, body: '{"fine":true}' })
        expect(seen).to.deep.equal([`Bearer ${provider.given[0]}`, `Bearer ${provider.given[2]}`])
      })

      it('forgets and revokes', async () => {
        const revoked: string[] = []
        provider.hostile.discovery.revocation_endpoint = `${provider.hostile.origin}/revoke`
        provider.hostile.routes.set('/revoke', ({ body }) => {
          revoked.push(body.token ?? '')
          return { body: {} }
        })
        await signInAt(browser, provider)
        const { body } = await browser.get('/disconnect', { 'sec-fetch-site': 'same-origin' })
        expect(body).to.deep.equal({ result: { ok: true, revoked: true } })
        expect(revoked).to.deep.equal([provider.given[1]])
        expect(await askToken(browser)).to.deep.include({ error: 'NotConnected', reason: 'account' })
      })

      it('forgets where the provider does not revoke', async () => {
        await signInAt(browser, provider)
        const { body } = await browser.get('/disconnect', { 'sec-fetch-site': 'same-origin' })
        expect(body).to.deep.equal({ result: { ok: true, revoked: false } })
        expect(await askToken(browser)).to.deep.include({ error: 'NotConnected', reason: 'account' })
      })

      it('OA-10 stores nothing of a refresh that is about another user', async () => {
        provider.life = 0
        await signInAt(browser, provider)
        const { hostile } = provider
        hostile.onToken = async () => {
          const now = Math.floor(Date.now() / 1000)
          const claims = { iss: hostile.issuer, aud: 'hostile-client', iat: now, exp: now + 60, sub: 'somebody-else' }
          const idToken = await hostile.signIdToken(claims)
          return { body: { access_token: 'at-of-another', token_type: 'Bearer', id_token: idToken } }
        }
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: false })
        provider.hostile.onToken = () => ({ status: 503 })
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
      })

      const hostileAnswers = {
        'a huge answer': { body: 'x'.repeat(2_000_000) },
        'no token_type': { body: { access_token: 'at-of-nowhere' } },
        'an error with status 200': { body: { error: 'bad_refresh_token' } },
        'no JSON': { body: 'oops' },
      }
      for (const [name, reply] of Object.entries(hostileAnswers)) {
        it(`takes no token from a refresh with ${name}`, async () => {
          provider.life = 0
          await signInAt(browser, provider)
          provider.hostile.onToken = () => reply
          const answer = await askToken(browser)
          expect(answer.accessToken).to.equal(undefined)
          expect(answer.error).to.be.oneOf(['RefreshError', 'ConsentRequired'])
        })
      }

      it('drops what a browser has at the sign-out', async () => {
        await signInAt(browser, provider)
        const before = [...browser.cookies.keys()].filter((name) => name.includes('auth.tokens'))
        expect(before.length > 0).to.equal(place === 'cookies')
        await browser.submit('/auth/signout')
        expect([...browser.cookies.keys()].filter((name) => name.includes('auth.tokens'))).to.deep.equal([])
        expect(await askToken(browser)).to.deep.include({ error: 'NotConnected', reason: 'session' })
      })

      it('AZ-01 gives nothing of who was signed in here before', async () => {
        await signInAt(browser, provider)
        provider.hostile.person = { ...provider.hostile.person, sub: 'person-2', email: 'two@example.com' }
        if (place.startsWith('a store,') && !place.endsWith('no adapter')) {
          await signInAt(browser, provider)
          // Linked: which one is meant has to be said.
          expect(await askToken(browser)).to.deep.include({ error: 'NotConnected', reason: 'several' })
          expect((await askToken(browser, { providerAccountId: 'person-2' })).accessToken).to.equal(provider.given[2])
          return
        }
        await signInAt(browser, provider)
        const token = await askToken(browser)
        expect(token.account).to.deep.equal({ provider: 'test', providerAccountId: 'person-2' })
        expect(token.accessToken).to.equal(provider.given[2])
        expect(await askToken(browser, { providerAccountId: 'person-1' })).to.deep.include({ error: 'NotConnected' })
      })
    })
  }
}
