/** Second factors at a sign-in: the question, and the state before it is answered. */
import { expect } from 'chai'
import { base, doors, type FactorStage, openFactorStage, strategies } from './stage.js'

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`second factors, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      beforeEach(async () => {
        stage = await openFactorStage(open, { session: { strategy } })
      })
      afterEach(() => stage.close())

      it('MF-02: a code of the app is asked for after a password and after an email link', async () => {
        const ann = stage.stranger()
        const first = await ann.followLink('ann@example.com')
        expect(first.status, first.body).to.equal(302)
        expect(await ann.session()).to.have.nested.property('assurance.aal', 1)
        const added = await ann.addApp()
        expect(added.status, added.body).to.equal(200)
        expect(ann.codes).to.have.length(10)
        expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
        const again = ann.elsewhere()
        const held = await again.followLink('ann@example.com')
        expect(held.headers.location).to.match(/\/api\/auth\/two-factor\?callbackUrl=/)
        expect(await again.session()).to.equal(null)
        const wrong = await again.answer('totp', { code: '000000' })
        expect(wrong.headers.location).to.match(/error=InvalidCode/)
        // The code of the setup is used up.
        const right = await again.answer('totp', { code: again.code(1) })
        expect(right.status, right.body + right.headers.location).to.equal(303)
        expect(await again.session()).to.have.nested.property('assurance.aal', 2)
      })
    })
  }
}
void base
