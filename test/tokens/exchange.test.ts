/** One token for another (RFC 8693), at both doors. */
import { expect } from 'chai'
import type { Browser } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { tellSecret } from '../support/log-watch.js'
import { places, type RotatingProvider, signInAt, startRotatingProvider, tokenDoors } from './stage.js'

const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'

for (const [door, start] of Object.entries(tokenDoors)) {
  describe(`exchangeToken (${door})`, () => {
    let provider: RotatingProvider
    let app: DoorApp
    let browser: Browser
    let asked: Array<Readonly<Record<string, string>>>
    let answer: { status?: number; body: unknown }
    beforeEach(async () => {
      asked = []
      tellSecret('token-for-billing-1')
      answer = {
        body: {
          access_token: 'token-for-billing-1',
          issued_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          token_type: 'N_A',
          expires_in: 60,
          scope: 'read',
        },
      }
      provider = await startRotatingProvider()
      const plain = provider.hostile.onToken
      provider.hostile.onToken = (body, request) => {
        if (body.grant_type !== grant) return plain(body, request)
        asked.push(body)
        return answer
      }
      app = await start({
        providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }],
        ...places['a store, no adapter'](),
      })
      browser = app.browser()
    })
    afterEach(async () => {
      await app.close()
      await provider.hostile.close()
    })

    const exchange = async (options: object = {}) =>
      (await browser.get(`/exchange?${new URLSearchParams({ options: JSON.stringify(options) })}`)).body

    it('gives a token for the service, and stores nothing', async () => {
      await signInAt(browser, provider)
      const wish = {
        audience: 'billing',
        resource: 'https://billing.example/',
        scope: ['read', 'list'],
        requestedTokenType: 'urn:ietf:params:oauth:token-type:jwt',
      }
      const { expiresAt, ...token } = await exchange(wish)
      expect(token).to.deep.equal({
        accessToken: 'token-for-billing-1',
        tokenType: 'n_a',
        issuedTokenType: 'urn:ietf:params:oauth:token-type:jwt',
        scope: ['read'],
      })
      expect(Date.parse(expiresAt) - Date.now()).to.be.within(55_000, 60_000)
      expect(asked[0]).to.include({
        subject_token: provider.given[0],
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: 'billing',
        resource: 'https://billing.example/',
        scope: 'read list',
        requested_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      })
      await exchange(wish)
      expect(asked).to.have.length(2)
    })

    it('first renews the user’s token, if it is due', async () => {
      provider.life = 0
      await signInAt(browser, provider)
      provider.life = 3600
      await exchange({ audience: 'billing' })
      expect(provider.refreshes).to.equal(1)
      expect(asked[0]?.subject_token).to.equal(provider.given[2])
    })

    it('AZ-01 gives nothing to a visitor', async () => {
      expect(await exchange({ audience: 'billing' })).to.include({ error: 'NotConnected' })
      expect(asked).to.deep.equal([])
    })

    it('tells what the provider says, and what may be tried again', async () => {
      await signInAt(browser, provider)
      answer = { status: 400, body: { error: 'invalid_target' } }
      expect(await exchange({ audience: 'nowhere' })).to.include({ error: 'RefreshError', retryable: false })
      answer = { status: 503, body: 'later' }
      expect(await exchange({ audience: 'billing' })).to.include({ error: 'RefreshError', retryable: true })
    })
  })
}
