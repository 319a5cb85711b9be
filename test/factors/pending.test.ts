/** A sign-in that is pending for its second factor is no session; and its further course. */

import { expect } from 'chai'
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
  waiting,
  whereTo,
  wrongFor,
} from './stage.js'

/** Returns the cookie of the pending sign-in. */
function pendingOf(person: Person): { name: string; value: string } {
  const [found] = [...person.cookies].filter(([name]) => name.endsWith('.pending'))
  expect(found, 'no sign-in waits').to.not.equal(undefined)
  const [name, value] = found as [string, string]
  return { name, value }
}

describe('a sign-in that is pending for its second factor', () => {
  beforeEach(stopClock)
  afterEach(restoreClock)

  for (const [name, open] of Object.entries(doors)) {
    for (const strategy of strategies) {
      describe(`is no session, ${name}, ${strategy}`, () => {
        let stage: FactorStage
        beforeEach(async () => {
          stage = await openFactorStage(open, { session: { strategy } })
        })
        afterEach(() => stage.close())

        it('MF-01: on no route, by no cookie, by no header, by no name', async () => {
          const ann = await enrolled(stage)
          expect((await ann.ask('/guarded')).text).to.equal('{"inside":true}')
          expect((await ann.ask('/by-account')).body.factors).to.have.length(2)
          const held = await waiting(ann)
          const { value } = pendingOf(held)
          const sessionName = [...ann.cookies.keys()].find((each) => each.endsWith('session-token')) ?? ''
          expect(sessionName).to.not.equal('')
          const jars: Array<[Person, Record<string, string>]> = [
            [held, {}],
            [held, { authorization: `Bearer ${value}` }],
            [stage.stranger(), { authorization: `Bearer ${value}` }],
            [stage.stranger(), { authorization: `bearer ${encodeURIComponent(value)}` }],
            [stage.stranger(), { cookie: `${sessionName}=${value}` }],
            [held, { cookie: [...held.cookies, [sessionName, value]].map((each) => each.join('=')).join('; ') }],
          ]
          for (const [jar, headers] of jars) {
            for (const path of [`${base}/session`, '/by-session', '/by-token', '/by-account']) {
              expect((await jar.ask(path, { headers })).text, path).to.equal('null')
            }
            for (const path of ['/guarded', '/guarded-twice']) {
              expect((await jar.ask(path, { headers })).status, path).to.equal(401)
            }
          }
          expect(stage.signIns).to.have.length(1)
        })

        it('MF-01: an update does not make it one, and it does not end one', async () => {
          const ann = await enrolled(stage)
          const held = await waiting(ann)
          const csrfToken = await held.csrf()
          const updated = await held.ask(`${base}/session`, { json: { csrfToken, data: { assurance: { aal: 2 } } } })
          expect(updated.text).to.equal('null')
          expect(await held.session()).to.equal(null)
          expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
        })

        it('MF-07: it shows and changes no factor of the user', async () => {
          const ann = await enrolled(stage)
          const held = await waiting(ann)
          const before = await factorsIn(stage.adapter.store()).list(ann.userId)
          const [app] = before.filter(({ type }) => type === 'totp')
          for (const [factor, form] of [
            ['', { intent: 'remove', id: app?.id ?? '' }],
            ['/recovery', { intent: 'codes' }],
            ['/totp', { intent: 'setup', setup: '', code: held.code() }],
            ['/email', { intent: 'setup-send' }],
          ] as const) {
            const answer = await held.ask(`${base}/two-factor${factor}`, { form: { csrfToken: true, ...form } })
            expect(whereTo(answer), factor).to.match(/error=ReauthenticationRequired|\/signin/)
          }
          const page = await held.ask(`${base}/two-factor/totp?setup`)
          expect(page.text).to.not.match(/otpauth|name="setup"/)
          expect(await factorsIn(stage.adapter.store()).list(ann.userId)).to.deep.equal(before)
        })
      })
    }
  }

  for (const [name, open] of Object.entries(doors)) {
    describe(`continues, ${name}`, () => {
      let stage: FactorStage
      beforeEach(async () => {
        stage = await openFactorStage(open)
      })
      afterEach(() => stage.close())

      it('MF-01: for ten minutes', async () => {
        const ann = await enrolled(stage)
        const [early, late] = [await waiting(ann), await waiting(ann)]
        advanceClock(599)
        const right = await early.answer('totp', { code: ann.code() })
        expect(right.status, whereTo(right)).to.equal(303)
        expect(await early.session()).to.have.nested.property('assurance.aal', 2)
        advanceClock(2)
        const tooLate = await late.answer('totp', { code: ann.code(1) })
        expect(whereTo(tooLate)).to.match(/error=ReauthenticationRequired/)
        expect(await late.session()).to.equal(null)
      })

      it('MF-05: until five wrong answers were given, and not after them', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        const answers: string[] = []
        for (let tries = 0; tries < 5; tries += 1) {
          answers.push(whereTo(await held.answer('totp', { code: wrongFor(ann) })))
          // The wait for the next one doubles.
          advanceClock(60)
        }
        expect(answers.slice(0, 4).every((each) => each.includes('error=InvalidCode'))).to.equal(true)
        expect(answers[4]).to.match(/error=SecondFactorFailed/)
        const right = await held.answer('totp', { code: ann.code() })
        expect(whereTo(right)).to.match(/error=ReauthenticationRequired/)
        expect(await held.session()).to.equal(null)
        // The user is not locked out: the first factor again, and the right code.
        advanceClock(3600)
        const again = await waiting(ann)
        expect((await again.answer('totp', { code: ann.code() })).status).to.equal(303)
        expect(await again.session()).to.have.nested.property('assurance.aal', 2)
      })

      it('MF-05: not if the fifth answer also exceeds the limit of the user', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        for (let tries = 0; tries < 4; tries += 1) {
          expect(whereTo(await held.answer('totp', { code: wrongFor(ann) }))).to.include('error=InvalidCode')
          advanceClock(60)
        }
        const other = await waiting(ann)
        expect(whereTo(await other.answer('totp', { code: wrongFor(ann) }))).to.include('error=InvalidCode')
        expect(whereTo(await held.answer('totp', { code: wrongFor(ann) }))).to.match(
          /\/signin.*error=SecondFactorFailed/,
        )
        expect(whereTo(await held.ask(`${base}/two-factor`))).to.match(/\/signin/)
      })

      it('MF-08: with codes of its own user only, in its own browser only', async () => {
        const ann = await enrolled(stage)
        const bob = await enrolled(stage, 'bob@example.com')
        const held = await waiting(ann)
        for (const [factor, code] of [
          ['totp', bob.code()],
          ['recovery', bob.codes[0] ?? ''],
        ] as const) {
          expect(whereTo(await held.answer(factor, { code, userId: 'whoever', user: 'whoever' }))).to.match(
            /error=InvalidCode/,
          )
        }
        // The cookie in another browser.
        const thief = ann.elsewhere()
        await thief.csrf()
        const { name: cookie, value } = pendingOf(held)
        thief.cookies.set(cookie, value)
        expect(whereTo(await thief.answer('totp', { code: ann.code() }))).to.match(/error=ReauthenticationRequired/)
        expect(await thief.session()).to.equal(null)
        // Another's in this one.
        const ofBob = await waiting(bob)
        held.cookies.set(cookie, pendingOf(ofBob).value)
        expect(whereTo(await held.answer('totp', { code: bob.code() }))).to.match(/error=ReauthenticationRequired/)
        held.cookies.set(cookie, value)
        expect((await held.answer('totp', { code: ann.code() })).status).to.equal(303)
        expect(await held.session()).to.have.nested.property('user.email', 'ann@example.com')
      })

      it('CS-16: with the CSRF token of this browser only', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        const csrfToken = await ann.csrf()
        for (const form of [{ csrfToken: '' }, { csrfToken }]) {
          const answer = await held.ask(`${base}/two-factor/totp`, { form: { ...form, code: ann.code() } })
          expect(whereTo(answer)).to.match(/MissingCSRF/)
        }
        const evil = await held.ask(`${base}/two-factor/totp`, {
          form: { csrfToken: true, code: ann.code() },
          headers: { origin: 'https://evil.test' },
        })
        expect(whereTo(evil)).to.match(/MissingCSRF/)
        expect(await held.session()).to.equal(null)
      })

      it('MF-01: ends when it was used', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        const jar = new Map(held.cookies)
        expect((await held.answer('recovery', { code: ann.codes[0] ?? '' })).status).to.equal(303)
        const thief = ann.elsewhere()
        for (const [cookie, value] of jar) thief.cookies.set(cookie, value)
        expect(whereTo(await thief.answer('recovery', { code: ann.codes[1] ?? '' }))).to.match(
          /error=ReauthenticationRequired/,
        )
        expect(await thief.session()).to.equal(null)
      })

      it('MF-01: is forgotten by a sign-out', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        await held.ask(`${base}/signout`, { form: { csrfToken: true } })
        expect(whereTo(await held.answer('totp', { code: ann.code() }))).to.match(/error=ReauthenticationRequired/)
        expect(await held.session()).to.equal(null)
      })

      it('MF-08: values that are sealed for a user who adds an app are invalid for any other user, session or browser', async () => {
        const ann = stage.stranger()
        await ann.followLink('ann@example.com')
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        const [setup, key] = [fieldIn(page.text, 'setup'), /secret=([A-Z2-7]+)/.exec(page.text)?.[1]]
        expect(key).to.have.length(32)
        ann.key = keyIn(page.text)
        const bob = stage.stranger()
        await bob.followLink('bob@example.com')
        const elsewhere = ann.elsewhere()
        await elsewhere.followLink('ann@example.com')
        const again = ann.elsewhere()
        for (const [cookie, value] of ann.cookies) again.cookies.set(cookie, value)
        await again.followLink('ann@example.com')
        for (const [who, jar] of Object.entries({ bob, elsewhere, again })) {
          const answer = await jar.answer('totp', { intent: 'setup', setup, code: ann.code() })
          expect(answer.status, who).to.equal(400)
        }
        expect(stage.changes).to.deep.equal([])
      })
    })
  }
})
