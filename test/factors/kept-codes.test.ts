/** The form below new recovery codes, and the factor that the list recommends. */
import { expect } from 'chai'
import { restoreClock } from '../support/clock.js'
import { base, doors, enrolled, type FactorStage, openFactorStage, stopClock, whereTo } from './stage.js'

for (const [name, open] of Object.entries(doors)) {
  describe(`recovery codes that are kept, ${name}`, () => {
    let stage: FactorStage
    before(async () => {
      stage = await openFactorStage(open)
    })
    beforeEach(stopClock)
    afterEach(restoreClock)
    after(() => stage.close())

    it('are shown with a form that leads to the requested page, with a valid token', async () => {
      const ann = await enrolled(stage)
      const { text } = await ann.ask(`${base}/two-factor/recovery`, {
        form: { csrfToken: true, intent: 'codes', callbackUrl: '/page/1' },
      })
      expect(text).to.include('<input type="hidden" name="intent" value="kept">')
      expect(text).to.match(/<input type="checkbox" name="kept" value="1" id="kept" required>/)
      const form = Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, field, value]) => [
          field,
          value,
        ]),
      )
      const answer = await ann.ask(`${base}/two-factor`, { form: { ...form, kept: '1' } })
      expect(whereTo(answer)).to.match(/\/two-factor\?setup=1/)
    })

    for (const [callbackUrl, end] of [
      ['/page/1?x=%20', '/page/1?x=%20'],
      ['https://evil.test/', '/'],
      ['//evil.test', '/'],
      ['javascript:alert(1)', '/'],
      [`${base}/signout`, '/'],
    ] as const) {
      it(`lead to ${end} for ${callbackUrl}`, async () => {
        const answer = await stage
          .stranger()
          .ask(`${base}/two-factor`, { form: { csrfToken: true, intent: 'kept', callbackUrl } })
        expect(whereTo(answer)).to.match(/^(?!.*evil)/)
        expect(whereTo(answer).endsWith(end)).to.equal(true)
        expect(answer.cookies.filter((line) => line.startsWith('auth.callback-url'))).to.deep.equal([])
      })
    }

    it('CS-01 need the token', async () => {
      const answer = await stage
        .stranger()
        .ask(`${base}/two-factor`, { form: { intent: 'kept', callbackUrl: '/page/1' } })
      expect(whereTo(answer)).to.include('MissingCSRF')
    })

    it('recommends an app to a user without a factor, also in JSON, and nothing to others', async () => {
      const ben = stage.stranger()
      await stage.adapter.createUser({ id: 'ben', email: 'ben@example.com', emailVerified: new Date() })
      await ben.ask('/own-sign-in?user=ben')
      const json = { headers: { accept: 'application/json' } }
      const list = await ben.ask(`${base}/two-factor?setup`, json)
      expect(list.body).to.include({ asksFor: 'setup', recommended: 'totp' })
      expect((await ben.ask(`${base}/two-factor?setup`)).text).to.include('>Recommended</span>')
      const ann = await enrolled(stage, 'ann2@example.com')
      expect((await ann.ask(`${base}/two-factor?setup`, json)).body).to.not.have.property('recommended')
    })
  })
}
