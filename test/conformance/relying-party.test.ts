/** The application for the official suite, with the scripted provider in the suite's place: `run.md` is true. */
import { expect } from 'chai'
import type { Express } from 'express'
import { Browser, createLog, secret, target } from '../support/app.js'
import { seconds } from '../support/clock.js'
import { startHostileProvider } from '../support/hostile-provider.js'
import { startLoopbackServer } from '../support/loopback-server.js'
import { createRelyingParty } from './relying-party.js'

describe('the application for the official conformance suite', () => {
  it('signs in, reads userinfo, signs out at the provider, and hears of sign-outs there', async () => {
    const provider = await startHostileProvider()
    provider.discovery.end_session_endpoint = `${provider.issuer}/logout`
    provider.onToken = (body) => provider.tokens(body, { sid: 'op-session' })
    const { logger, errors } = createLog()
    const app: Express = createRelyingParty(provider.settings, { secret, logger })
    const server = await startLoopbackServer(app)
    try {
      const signIn = async () => {
        const browser = new Browser(server.origin)
        const begun = await browser.submit('/auth/signin/suite')
        const answer = provider.authorize(target(begun))
        expect(new URL(answer).pathname).to.equal('/auth/callback/suite')
        await browser.get(answer)
        return browser
      }
      const [browser, other] = [await signIn(), await signIn()]
      expect((await browser.get('/')).body).to.nested.include({ 'user.email': 'person@example.com' })
      expect(provider.count('/userinfo')).to.equal(2)
      const to = new URL(target(await browser.submit('/auth/signout')))
      expect(to.origin + to.pathname).to.equal(`${provider.issuer}/logout`)
      expect(to.searchParams.get('post_logout_redirect_uri')).to.equal(`${server.origin}/auth/signout/suite`)

      const claims = {
        iss: provider.issuer,
        aud: provider.settings.clientId,
        iat: seconds(),
        exp: seconds() + 120,
        jti: 'logout-1',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        sid: 'op-session',
      }
      const tell = async (alg: 'RS256' | 'ES256') =>
        (
          await new Browser(server.origin).post('/auth/backchannel-logout/suite', {
            logout_token: await provider.signIdToken(claims, { alg }),
          })
        ).status
      expect(await tell('ES256')).to.equal(400)
      expect((await other.get('/')).body).to.have.property('user')
      expect(await tell('RS256')).to.equal(200)
      expect((await other.get('/')).body).to.equal(null)
      expect(errors).to.deep.equal([])
    } finally {
      await server.close()
      await provider.close()
    }
  })
})
