/** Passwords and second factors at once: what an old password has begun, and what a mailbox alone comes to. */
import { expect } from 'chai'
import { RecoveryCodes, Totp } from '../../lib/assurance/kinds.js'
import { codeAt, stepAt } from '../../lib/factors/totp.js'
import { keyIn } from '../factors/stage.js'
import { target } from '../support/app.js'
import { formIn } from '../support/mail-server.js'
import { better, expectNobody, open, places, type Stage, send, sessionOf, startStage } from './stage.js'

const ann = 'ann@example.com'

for (const { name, start, strategy } of places) {
  describe(`passwords in combination, ${name}`, () => {
    let stage: Stage
    afterEach(() => stage.close())

    /** A new password, by a link. */
    async function reset(): Promise<void> {
      const browser = stage.browser()
      await browser.submit('/auth/password/forgot', { email: ann })
      const page = await open(browser, await stage.link(ann, 'reset-password'))
      expect((await send(browser, page, { password: better })).status).to.equal(303)
    }

    it('CD-14, MF-01: a sign-in by the old password that waits for its second factor ends with that password', async () => {
      let needed: 1 | 2 = 1
      const assurance = { require: () => needed }
      stage = await startStage({
        start,
        config: { ...sessionOf(strategy), factors: [Totp(), RecoveryCodes()], assurance },
      })
      await stage.register(stage.browser(), ann)
      needed = 2
      const eve = stage.browser()
      expect(target(await stage.signIn(eve, ann))).to.include('/auth/two-factor')
      const page = await eve.get('/auth/two-factor/totp?setup')
      const [key, { action, fields }] = [keyIn(page.text), formIn(page.text, '/auth/two-factor')]
      await reset()
      // An app of hers would be the user's from now on.
      const answer = await eve.post(action, { ...fields, code: codeAt(key, stepAt(Date.now())) })
      expect(target(answer)).to.include('error=ReauthenticationRequired')
      await expectNobody(eve)
      const user = await stage.adapter.getUserByEmail?.(ann)
      const rows = await stage.adapter.factorStore().list(user?.id ?? '')
      expect(rows.map(({ type }) => type)).to.not.include('totp')
    })
  })
}
