/**
 * Sign-ins that are pending, for a second factor or an email link, while the account or session that they depend on
 * ends.
 */

import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Password from '../../lib/providers/password.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { credentials } from '../support/app.js'
import { restoreClock } from '../support/clock.js'
import { factorsIn, passwordsIn } from '../support/stores.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  fieldIn,
  mailProvider,
  openFactorStage,
  stopClock,
  strategies,
  whereTo,
} from './stage.js'

const email = 'ann@example.com'

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`ends during a pending sign-in, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      beforeEach(stopClock)
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      const newUser = () => stage.adapter.createUser({ id: '', email, emailVerified: new Date() })

      it('MF-12: a session with an end of its own enrols no factor, where two are required', async () => {
        stage = await openFactorStage(open, { session: { strategy }, factors: { require: () => 2 } })
        const { id } = await newUser()
        const user = stage.stranger()
        await user.ask(`/own-sign-in?user=${id}`)
        const setup = fieldIn((await user.ask(`${base}/two-factor/totp?setup`)).text, 'setup')
        expect(setup, 'the user may').to.not.equal('')
        const support = stage.stranger()
        await support.ask(`/own-sign-in?user=${id}&maxAge=900`)
        for (const path of ['', '/totp', '/email']) {
          const page = await support.ask(`${base}/two-factor${path}?setup`)
          expect(page.status, path).to.equal(403)
          expect(page.text).to.not.match(/otpauth|setup-send/)
        }
        for (const [path, intent] of [
          ['/totp', 'setup-begin'],
          ['/totp', 'setup'],
          ['/email', 'setup-send'],
        ] as const) {
          const answer = await support.ask(`${base}/two-factor${path}`, { form: { csrfToken: true, intent, setup } })
          expect(whereTo(answer), intent).to.include('error=ReauthenticationRequired')
        }
        const rows = await factorsIn(stage.adapter.store()).list(id)
        expect(rows.map(({ type }) => type)).to.deep.equal(['held', 'held'])
        expect(await support.session()).to.equal(null)
      })

      it('MF-21: a sign-in by an email link ends with the email address', async () => {
        stage = await openFactorStage(open, { session: { strategy } })
        const ann = await enrolled(stage)
        const [stays, ends] = [ann.elsewhere(), ann.elsewhere()]
        for (const browser of [stays, ends]) {
          await browser.followLink(email)
          expect([...browser.cookies.keys()].some((each) => each.endsWith('.pending'))).to.equal(true)
        }
        await stays.answer('totp', { code: ann.code() })
        expect(await stays.session()).to.have.nested.property('assurance.aal', 2)
        await stage.adapter.updateUser({ id: ann.userId, email: 'new@example.com', emailVerified: new Date() })
        const answer = await ends.answer('totp', { code: ann.code(1) })
        expect(whereTo(answer)).to.include('error=ReauthenticationRequired')
        expect(await ends.session()).to.equal(null)
      })

      it('RC-11: a link to set a password ends with all sessions', async () => {
        const mails: VerificationRequest[] = []
        stage = await openFactorStage(open, {
          session: { strategy, revocation: true },
          providers: [credentials(), mailProvider([]), Password({ mail: mailProvider(mails) })],
        })
        const { id } = await newUser()
        const request = { headers: { host: new URL(stage.door.origin).host }, protocol: 'http' } as never
        const person = stage.stranger()
        person.mailbox = mails
        await expressFunctions(stage.config).passwords.sendLink({ userId: id }, request)
        const before = await person.mail(0)
        await expressFunctions(stage.config).sessions.endAll(id)
        const set = (token: string) =>
          person.ask(`${base}/password/reset`, { form: { csrfToken: true, token, password: 'four words in a row' } })
        expect(whereTo(await set(before.token))).to.include('error=Verification')
        expect(await person.session()).to.equal(null)
        expect(await passwordsIn(stage.adapter.store()).find(id)).to.equal(null)
        await expressFunctions(stage.config).passwords.sendLink({ userId: id }, request)
        const after = await person.mail(1)
        expect(whereTo(await set(after.token))).to.not.include('error=')
        expect(await person.session()).to.have.nested.property('user.email', email)
      })
    })
  }
}
