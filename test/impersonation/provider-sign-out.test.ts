/** A provider ends the own session of support, and with it the session of the other user. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { base, type LogoutStage, startLogoutStage } from '../flows/oauth/logout-stage.js'
import { seconds } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import { strategies } from '../support/world.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'

for (const strategy of strategies) {
  describe(`an impersonated session, and a sign-out at the provider of its actor (${strategy} sessions)`, () => {
    let stage: LogoutStage
    beforeEach(async () => {
      const adapter = memoryAdapter()
      const ann = await adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
      stage = await startLogoutStage(
        (config) =>
          openExpress(config, {
            after(app, full) {
              const { impersonation } = expressFunctions(full)
              app.post('/begin', (req, res, next) => {
                const begun = impersonation.begin(req, res, { userId: ann.id, reason: 'ticket 7' })
                begun.then((outcome) => res.json(outcome), next)
              })
            },
          }),
        { logout: { backchannel: true, frontchannel: true } },
        { adapter, impersonation: { allow: () => true }, session: { strategy, revocation: true } },
      )
      await stage.signIn({ sid: 'op-session', auth_time: seconds() })
      const begun = await stage.visitor.ask('/begin', {
        method: 'POST',
        body: '',
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin' },
      })
      expect(begun.body, begun.text).to.deep.equal({ ok: true })
      expect(await stage.session()).to.have.nested.property('user.email', 'ann@example.com')
    })
    afterEach(() => stage.close())

    for (const [what, claims] of [
      ['of the session there', { sid: 'op-session', sub: 'person-1' }],
      ['of all sessions of the user', { sub: 'person-1' }],
    ] as const) {
      it(`AZ-03 ends with it: ${what}`, async () => {
        const { provider, door } = stage
        const logout_token = await provider.signIdToken(
          {
            ...{ iss: provider.issuer, aud: provider.settings.clientId, iat: seconds(), exp: seconds() + 120 },
            ...{ jti: `${strategy} ${what}`, events: { [event]: {} }, sid: undefined },
            ...claims,
          },
          { header: { typ: 'logout+jwt' } },
        )
        const { status } = await door.browser().ask(`${base}/backchannel-logout/test`, { form: { logout_token } })
        expect(status).to.equal(200)
        expect(await stage.session()).to.equal(null)
      })
    }

    it('AZ-03 ends with it: in a frame', async () => {
      const query = new URLSearchParams({ iss: stage.provider.issuer, sid: 'op-session' })
      const { status } = await stage.door.browser().ask(`${base}/frontchannel-logout/test?${query}`)
      expect(status).to.equal(200)
      expect(await stage.session()).to.equal(null)
    })
  })
}
