/**
 * Adding and removing second factors: by users who have just verified all their factors; and which methods are two
 * factors.
 */

import { expect } from 'chai'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import type { FactorsOptions } from '../../lib/features/factors/types.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { factorsIn } from '../support/stores.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  fieldIn,
  keyIn,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  whereTo,
} from './stage.js'

/** All changes, as forms. `setup` is one that was sealed while it was allowed. */
const changes = (id: string, setup: string, code: string) =>
  [
    ['', { intent: 'remove', id }],
    ['/recovery', { intent: 'codes' }],
    ['/totp', { intent: 'setup', setup, code }],
    ['/totp', { intent: 'setup-begin' }],
    ['/email', { intent: 'setup-send' }],
    ['/email', { intent: 'setup', code: '123456' }],
  ] as const

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`managing second factors, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      const start = async (factors: Partial<FactorsOptions> = {}) => {
        stage = await openFactorStage(open, { session: { strategy }, factors })
      }
      beforeEach(stopClock)
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      const rowsOf = (userId: string) => factorsIn(stage.adapter.store()).list(userId)

      /** Tries all changes, and checks that none was made. */
      async function expectRefused(person: Person, userId: string, setup: string): Promise<void> {
        const before = await rowsOf(userId)
        const told = stage.changes.length
        const [app] = before.filter(({ type }) => type === 'totp')
        for (const [path, form] of changes(app?.id ?? 'none', setup, person.code(1))) {
          const answer = await person.ask(`${base}/two-factor${path}`, { form: { csrfToken: true, ...form } })
          expect(`${answer.status} ${whereTo(answer)}`, `${path} ${form.intent}`).to.match(
            /^403|error=ReauthenticationRequired/,
          )
          expect(answer.text).to.not.match(/otpauth|<code>/)
        }
        expect(await rowsOf(userId)).to.deep.equal(before)
        expect(stage.changes).to.have.length(told)
        expect(person.mailCount).to.equal(stage.mails.length)
      }

      it('MF-07: is rejected five minutes after the sign-in, and allowed again with a second factor', async () => {
        await start()
        const ann = await enrolled(stage)
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        const setup = fieldIn(page.text, 'setup')
        expect(setup).to.not.equal('')
        advanceClock(301)
        await expectRefused(ann, ann.userId, setup)
        // The page asks for the second factor, and shows no secret.
        const asked = await ann.ask(`${base}/two-factor/totp?setup`)
        expect(asked.status).to.equal(200)
        expect(asked.text)
          .to.match(/name="code"/)
          .and.not.match(/otpauth|name="setup"/)
        expect(
          whereTo(await ann.answer('totp', { code: ann.code(), callbackUrl: `${base}/two-factor?setup` })),
        ).to.match(/\/two-factor\?setup/)
        const [app] = (await rowsOf(ann.userId)).filter(({ type }) => type === 'totp')
        await ann.ask(`${base}/two-factor`, { form: { csrfToken: true, intent: 'remove', id: app?.id ?? '' } })
        expect(await rowsOf(ann.userId)).to.deep.equal([])
      })

      it('MF-07: is rejected for a user who has verified one factor and has two', async () => {
        await start({ whenEnrolled: 'ask' })
        const ann = await enrolled(stage)
        const other = ann.elsewhere()
        await other.ask(`/own-sign-in?user=${ann.userId}`)
        expect(await other.session()).to.have.nested.property('assurance.aal', 1)
        await expectRefused(other, ann.userId, '')
        const asked = await other.ask(`${base}/two-factor?setup`)
        expect(asked.text)
          .to.match(/name="code"/)
          .and.not.match(/intent" value="remove"|otpauth/)
      })

      it('MF-07: is rejected for a user with one factor, after five minutes: they sign in again first', async () => {
        await start()
        const ann = stage.stranger()
        await ann.followLink('ann@example.com')
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        ann.key = keyIn(page.text)
        advanceClock(301)
        const userId = stage.signIns[0]?.user.id ?? ''
        await expectRefused(ann, userId, fieldIn(page.text, 'setup'))
        expect(whereTo(await ann.ask(`${base}/two-factor/totp?setup`))).to.match(/\/signin\?.*reauth=300/)
        expect(await rowsOf(userId)).to.deep.equal([])
      })

      it('MF-07: changes the factors of the user, and of no other user', async () => {
        await start()
        const ann = await enrolled(stage)
        const bob = await enrolled(stage, 'bob@example.com')
        const before = await rowsOf(ann.userId)
        for (const { id } of before) {
          const answer = await bob.ask(`${base}/two-factor`, {
            form: { csrfToken: true, intent: 'remove', id, userId: ann.userId },
          })
          // Recovery codes have the same id for all users, and are not removed by it.
          expect(answer.status, id).to.equal(404)
        }
        expect(await rowsOf(ann.userId)).to.deep.equal(before)
        expect(await rowsOf(bob.userId)).to.have.length(2)
      })

      it('MF-03: an email code is not added after an email link, and does not lift its session', async () => {
        await start()
        const ann = stage.stranger()
        await ann.followLink('ann@example.com')
        const list = await ann.ask(`${base}/two-factor?setup`)
        expect(list.text).to.include('/two-factor/totp?').and.not.include('/two-factor/email?')
        const mails = ann.mailCount
        for (const intent of ['setup-send', 'setup-begin', 'setup']) {
          expect((await ann.answer('email', { intent, code: '123456' })).status, intent).to.equal(409)
        }
        expect((await ann.ask(`${base}/two-factor/email?setup`)).status).to.equal(409)
        expect(ann.mailCount).to.equal(mails)
        expect(await ann.session()).to.have.nested.property('assurance.aal', 1)
        expect(await rowsOf(stage.signIns[0]?.user.id ?? '')).to.deep.equal([])
      })

      it('MF-03: nor does it sign in a user who has to set up a factor', async () => {
        await start({ require: () => 2 })
        const ann = stage.stranger()
        const first = await ann.followLink('ann@example.com')
        expect(whereTo(first)).to.match(/\/two-factor\?/)
        const list = await ann.ask(`${base}/two-factor`)
        expect(list.text).to.include('/two-factor/totp?').and.not.include('/two-factor/email?')
        expect((await ann.answer('email', { intent: 'setup-send' })).status).to.equal(409)
        expect(await ann.session()).to.equal(null)
        // An app does, and no session is there before its code.
        const added = await ann.addApp()
        expect(added.status, added.text).to.equal(200)
        expect(ann.codes).to.have.length(10)
        expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
        expect(stage.signIns).to.have.length(1)
      })

      it('MF-03: an email code is not requested after an email link, not even by a guard', async () => {
        await start({ whenEnrolled: 'ask' })
        const ann = await enrolled(stage)
        const mails = ann.mailCount
        await ann.answer('email', { intent: 'setup-send' })
        const { token = '' } = await ann.mail(mails)
        await ann.answer('email', { intent: 'setup', code: token })
        expect((await rowsOf(ann.userId)).map(({ type }) => type)).to.include('email')
        const other = ann.elsewhere()
        await other.followLink('ann@example.com')
        expect(await other.session()).to.have.nested.property('assurance.aal', 1)
        const asked = await other.ask(`${base}/two-factor?aal=2`)
        expect(asked.text).to.include('/two-factor/totp').and.not.include('/two-factor/email')
        expect(whereTo(await other.answer('email', { intent: 'send' }))).to.match(/error=SecondFactorFailed/)
        expect(await other.session()).to.have.nested.property('assurance.aal', 1)
      })
    })
  }
}

describe('the required second factors', () => {
  const running: FactorStage[] = []
  async function open(factors: Partial<FactorsOptions>): Promise<FactorStage> {
    const stage = await openFactorStage(doors.express, { factors })
    running.push(stage)
    return stage
  }
  beforeEach(stopClock)
  afterEach(async () => {
    restoreClock()
    await Promise.all(running.splice(0).map((stage) => stage.close()))
  })

  for (const [what, answer] of Object.entries({
    '"2"': '2',
    true: true,
    3: 3,
    0: 0,
    NaN: Number.NaN,
    null: null,
    undefined,
    '{}': {},
  })) {
    it(`MF-02: \`require\` that returns ${what} signs no user in`, async () => {
      const stage = await open({ require: (() => answer) as unknown as () => 1 })
      const ann = stage.stranger()
      expect(whereTo(await ann.followLink('ann@example.com'))).to.match(/error=Configuration|error=CallbackRouteError/)
      expect(await ann.session()).to.equal(null)
      expect(stage.signIns).to.deep.equal([])
      expect(stage.door.log.errors.map(({ message }) => message).join()).to.include('must return 1 or 2')
    })
  }

  for (const [what, require] of Object.entries({
    throws: () => {
      throw new Error('the policy is away')
    },
    rejects: async () => Promise.reject(new Error('the policy is away')),
  })) {
    it(`MF-02: \`require\` that ${what} signs no user in`, async () => {
      const stage = await open({ require })
      const ann = stage.stranger()
      expect(whereTo(await ann.followLink('ann@example.com'))).to.match(/error=/)
      expect(await ann.session()).to.equal(null)
    })
  }

  it('MF-02: `require` receives the user, the methods and the factors; its result is for this user only', async () => {
    const asked: object[] = []
    const stage = await open({
      require(request) {
        asked.push(request)
        return request.user.email === 'boss@example.com' ? 2 : 1
      },
    })
    const ann = stage.stranger()
    await ann.followLink('ann@example.com')
    expect(await ann.session()).to.have.nested.property('assurance.aal', 1)
    const boss = stage.stranger()
    await boss.followLink('boss@example.com')
    expect(await boss.session()).to.equal(null)
    expect(asked).to.have.length(2)
    expect(asked[0]).to.deep.include({ reached: 1, isEnrolled: false })
    expect(asked[0]).to.have.nested.property('account.type', 'email')
  })

  it('MF-02: with `ask` one factor is enough, and a guard asks for the second one', async () => {
    const stage = await open({ whenEnrolled: 'ask' })
    const ann = await enrolled(stage)
    const other = ann.elsewhere()
    await other.ask(`/own-sign-in?user=${ann.userId}`)
    expect(await other.session()).to.have.nested.property('assurance.aal', 1)
    expect((await other.ask('/guarded')).status).to.equal(200)
    const navigation = { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } }
    const sent = await other.ask('/guarded-twice', navigation)
    expect(whereTo(sent)).to.equal(`${base}/two-factor?aal=2&callbackUrl=%2Fguarded-twice`)
    const page = await other.ask(whereTo(sent))
    expect(page.text).to.match(/name="code"/)
    const back = await other.answer(
      'totp',
      { code: ann.code(), callbackUrl: fieldIn(page.text, 'callbackUrl') },
      '?aal=2',
    )
    expect(whereTo(back)).to.equal('/guarded-twice')
    expect((await other.ask('/guarded-twice', navigation)).text).to.equal('{"inside":true}')
  })

  it('MF-02: a kind that was removed from the configuration is still required', async () => {
    const first = await open({})
    const ann = await enrolled(first)
    const { adapter, config } = first
    const later = await openFactorStage(doors.express, { ...config, adapter, factors: [EmailCode(), RecoveryCodes()] })
    running.push(later)
    const other = later.stranger()
    await other.ask(`/own-sign-in?user=${ann.userId}`)
    expect(await other.session()).to.equal(null)
    expect(whereTo(await other.answer('totp', { code: ann.code() }))).to.match(/error=SecondFactorFailed/)
    // The way out is still there.
    expect(whereTo(await other.answer('recovery', { code: ann.codes[0] ?? '' }))).to.equal('/')
    expect(await other.session()).to.have.nested.property('assurance.aal', 2)
  })

  it('MF-02: a user without a usable factor is not signed in', async () => {
    const first = await open({ methods: [Totp(), EmailCode()] })
    const ann = await enrolled(first)
    const { adapter, config } = first
    const later = await openFactorStage(doors.express, { ...config, adapter, factors: [EmailCode()] })
    running.push(later)
    const other = later.stranger()
    await other.ask(`/own-sign-in?user=${ann.userId}`)
    for (const target of ['', '/email', '/totp']) {
      expect((await other.ask(`${base}/two-factor${target}`)).status, target).to.equal(403)
    }
    expect((await other.ask(`${base}/two-factor/email?setup`)).text).to.not.match(/name="code"/)
    expect(await other.session()).to.equal(null)
  })
})
