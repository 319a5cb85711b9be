/** The offer of a passkey after a sign-in with a stored password, with both strategies. */
import { expect } from 'chai'
import Passkey from '../../lib/providers/passkey.js'
import { type Browser, target } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { doors } from '../support/doors.js'
import { PasskeyPerson } from '../support/passkey-person.js'
import { good, type Stage, startStage } from './stage.js'

const address = 'ann@example.com'

for (const [door, start] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`the offer of a passkey after a stored password (${door}, ${strategy})`, () => {
      let stage: Stage
      before(async () => {
        const config = { session: { strategy }, experimental: { enableWebAuthn: true } }
        stage = await startStage({ start, more: [Passkey()], config })
      })
      after(() => stage.close())

      function browser(): Browser {
        const made = stage.browser()
        Object.assign(made.headers, { host: `localhost:${new URL(stage.app.origin).port}` })
        return made
      }

      const enter = (who: Browser) =>
        who.submit('/auth/callback/password', {
          email: address,
          password: good,
          callbackUrl: '/wanted',
          navigation: 'form',
        })

      it('is made after the password, not after the link of the sign-up, until there is a passkey', async () => {
        const who = browser()
        const created = await stage.register(who, address)
        expect(target(created)).to.not.include('offer')
        expect(target(await enter(who))).to.include('/auth/signin/passkey?offer=1')
        const added = await new PasskeyPerson(who, new Authenticator()).register(
          {},
          { fields: { callbackUrl: '/wanted' } },
        )
        expect(new URL(target(added)).pathname).to.equal('/wanted')
        expect(new URL(target(await enter(browser()))).pathname).to.equal('/wanted')
      })
    })
  }
}
