/** Emailed second factors have a limit of their own, by user: strangers who ask for other emails use up nothing of it. */
import { expect } from 'chai'
import { EmailCode, Totp } from '../../lib/features/factors/index-kinds.js'
import Password from '../../lib/providers/password.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { credentials } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  waiting,
  whereTo,
} from './stage.js'

for (const [door, open] of Object.entries(doors)) {
  describe(`the limit of emailed second factors (${door})`, () => {
    let stage: FactorStage
    let ann: Person
    beforeEach(async () => {
      stopClock()
      const mails: VerificationRequest[] = []
      stage = await openFactorStage(open, {
        providers: [credentials(), mailProvider(mails), Password({ signUp: false })],
        factors: [Totp(), EmailCode()],
        rateLimit: {},
      })
      ann = await enrolled(stage)
      ann.mailbox = mails
      await ann.answer('email', { intent: 'setup-send' })
      const { token = '' } = await ann.mail(0)
      await ann.answer('email', { intent: 'setup', code: token })
      // The window of the emails so far is over.
      advanceClock(20 * 60)
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const forget = (who: Person) =>
      who.ask(`${base}/password/forgot`, { form: { csrfToken: true, email: 'ann@example.com' } })
    const send = (who: Person) => who.answer('email', { intent: 'send' })

    it('MF-15 EM-17: strangers who ask for emails to the address do not keep a code from its owner', async () => {
      const held = await waiting(ann)
      const asked = []
      for (let at = 0; at < 8; at += 1) asked.push((await forget(stage.stranger())).status)
      for (let at = 0; at < 8; at += 1) {
        await stage.stranger().ask(`${base}/signin/email`, { form: { csrfToken: true, email: 'ann@example.com' } })
      }
      expect(asked.slice(5)).to.deep.equal([429, 429, 429])
      const before = held.mailCount
      expect(whereTo(await send(held))).to.match(/sent=1/)
      const { token = '' } = await held.mail(before)
      await held.answer('email', { code: token })
      expect(await held.session()).to.have.nested.property('assurance.aal', 2)
    })

    it('MF-15: codes use up nothing of the emails that a visitor may ask for', async () => {
      const held = await waiting(ann)
      for (let at = 0; at < 5; at += 1) expect(whereTo(await send(held))).to.match(/sent=1/)
      expect((await forget(stage.stranger())).status).to.equal(303)
    })

    it('MF-15 EM-17: codes are limited by user, in all sign-ins of the user together', async () => {
      const statuses = []
      for (let at = 0; at < 7; at += 1) statuses.push((await send(await waiting(ann))).status)
      expect(statuses).to.deep.equal([303, 303, 303, 303, 303, 429, 429])
      advanceClock(15 * 60)
      expect((await send(await waiting(ann))).status).to.equal(303)
    })
  })
}
