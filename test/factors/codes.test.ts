/** Codes: each works once, in its time, whatever the number of requests; and the number of wrong codes is limited. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { factorsIn } from '../support/stores.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  waiting,
  whereTo,
  wrongFor,
} from './stage.js'

const isIn = ({ status, headers }: Answer) => status === 303 && !/error=/.test(headers.location ?? '')

/** Sends the same answer from the same browser many times at the same time. */
async function atOnce(
  person: Person,
  count: number,
  factor: string,
  codeOf: (at: number) => string,
): Promise<Answer[]> {
  const csrfToken = await person.csrf()
  return Promise.all(
    Array.from({ length: count }, (_, at) =>
      person.ask(`${base}/two-factor/${factor}`, { form: { csrfToken, code: codeOf(at) } }),
    ),
  )
}

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`codes of second factors, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      beforeEach(async () => {
        stopClock()
        stage = await openFactorStage(open, { session: { strategy } })
      })
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      it('MF-04: a code of the app is accepted once, in its step and the one before and after, and in no other', async () => {
        const ann = await enrolled(stage)
        // Each of these codes would be newer than the used one.
        advanceClock(300)
        for (const steps of [-2, 2]) {
          const held = await waiting(ann)
          expect(whereTo(await held.answer('totp', { code: ann.code(steps) })), String(steps)).to.match(
            /error=InvalidCode/,
          )
        }
        for (const steps of [-1, 0, 1]) {
          const held = await waiting(ann)
          const code = ann.code(steps)
          expect(
            isIn(await held.answer('totp', { code: `${code.slice(0, 3)} ${code.slice(3)}` })),
            String(steps),
          ).to.equal(true)
          const replayed = await waiting(ann)
          expect(whereTo(await replayed.answer('totp', { code }))).to.match(/error=InvalidCode/)
          expect(await replayed.session()).to.equal(null)
        }
        // A used code also invalidates the codes before it.
        advanceClock(2)
        const late = await waiting(ann)
        expect(whereTo(await late.answer('totp', { code: ann.code() }))).to.match(/error=InvalidCode/)
      })

      it('MF-04: nor is the code of the setup accepted again, nor in the session', async () => {
        const ann = stage.stranger()
        await ann.followLink('ann@example.com')
        await ann.addApp()
        ann.userId = stage.signIns[0]?.user.id ?? ''
        const held = await waiting(ann)
        expect(whereTo(await held.answer('totp', { code: ann.code() }))).to.match(/error=InvalidCode/)
        const again = await ann.answer('totp', { code: ann.code() }, '?max_age=1')
        expect(whereTo(again)).to.match(/error=InvalidCode/)
      })

      it('RC-03, MF-04: of 50 simultaneous posts of one code of the app only one starts a session', async () => {
        const ann = await enrolled(stage)
        const held = await waiting(ann)
        const answers = await atOnce(held, 50, 'totp', () => ann.code())
        expect(answers.filter(isIn)).to.have.length(1)
        expect(stage.signIns).to.have.length(2)
      })

      it('RC-03, MF-04: nor do 20 browsers get more than one session by it', async () => {
        const ann = await enrolled(stage)
        const browsers: Person[] = []
        for (let each = 0; each < 20; each += 1) browsers.push(await waiting(ann))
        await Promise.all(browsers.map((browser) => browser.answer('totp', { code: ann.code() })))
        const sessions = await Promise.all(browsers.map((browser) => browser.session()))
        expect(sessions.filter((session) => session !== null)).to.have.length(1)
        expect(stage.signIns).to.have.length(2)
      })

      it('RC-03, MF-06: of 50 simultaneous posts of one recovery code only one starts a session, and the code is used up', async () => {
        const ann = await enrolled(stage)
        const [code = ''] = ann.codes
        const [held, other] = [await waiting(ann), await waiting(ann)]
        const answers = (
          await Promise.all([atOnce(held, 25, 'recovery', () => code), atOnce(other, 25, 'recovery', () => code)])
        ).flat()
        expect(answers.filter(isIn)).to.have.length(1)
        expect(stage.signIns).to.have.length(2)
        advanceClock(3600)
        const again = await waiting(ann)
        expect(whereTo(await again.answer('recovery', { code }))).to.match(/error=InvalidCode/)
        advanceClock(60)
        expect(
          isIn(await again.answer('recovery', { code: ` ${ann.codes[1]?.toLowerCase().replaceAll('-', ' ')}` })),
        ).to.equal(true)
      })

      it('RC-03: of 50 simultaneous posts of one email code only one starts a session; it works for this attempt only', async () => {
        const ann = await enrolled(stage)
        await addEmail(ann)
        const [held, other] = [await waiting(ann), await waiting(ann)]
        const before = held.mailCount
        const sent = await held.answer('email', { intent: 'send' })
        expect(sent.headers.location).to.match(/sent=1/)
        const { token = '' } = await held.mail(before)
        expect(token).to.match(/^\d{6}$/)
        expect(whereTo(await other.answer('email', { code: token }))).to.match(/error=InvalidCode/)
        const answers = await atOnce(held, 50, 'email', () => token)
        expect(answers.filter(isIn)).to.have.length(1)
        expect(await held.session()).to.have.nested.property('assurance.aal', 2)
        const replayed = await waiting(ann)
        expect(whereTo(await replayed.answer('email', { code: token }))).to.match(/error=InvalidCode/)
      })

      it('MF-06: new recovery codes invalidate the old ones', async () => {
        const ann = await enrolled(stage)
        const [old = ''] = ann.codes
        const page = await ann.answer('recovery', { intent: 'codes' })
        const fresh = [...page.text.matchAll(/<code>([A-Z2-9-]{14})<\/code>/g)].map(([, code]) => code ?? '')
        expect(fresh).to.have.length(10)
        expect(fresh).to.not.include(old)
        const held = await waiting(ann)
        expect(whereTo(await held.answer('recovery', { code: old }))).to.match(/error=InvalidCode/)
        expect(isIn(await held.answer('recovery', { code: fresh[9] ?? '' }))).to.equal(true)
      })

      it('MF-06: the store has no readable key and no readable code', async () => {
        const ann = await enrolled(stage)
        await addEmail(ann)
        const held = await waiting(ann)
        const before = held.mailCount
        await held.answer('email', { intent: 'send' })
        const { token = '' } = await held.mail(before)
        const rows = await rowsOf(stage)
        expect(rows.map(({ type }) => type).sort()).to.deep.equal(['email', 'held', 'recovery', 'totp'])
        const text = JSON.stringify(rows)
        const secrets = [
          ...(ann.key ? [ann.key.toString('base64url'), ann.key.toString('hex'), ann.key.toString('base64')] : []),
          ...ann.codes,
          ...ann.codes.map((code) => code.replaceAll('-', '')),
          token,
          'ann@example.com',
        ]
        expect(secrets).to.have.length(25)
        for (const secret of secrets) {
          expect(text).to.not.include(secret)
          for (const { data } of rows) {
            for (const part of data.split('.')) expect(Buffer.from(part, 'base64url').toString()).to.not.include(secret)
          }
        }
      })

      it('MF-06: data that is sealed in one row is invalid in any other, of this user or another', async () => {
        const ann = await enrolled(stage)
        const bob = await enrolled(stage, 'bob@example.com')
        const store = factorsIn(stage.adapter.store())
        const rowOf = async (person: 0 | 1) => (await rowsOf(stage, person)).find(({ type }) => type === 'totp')
        const [ofAnn, ofBob] = [await rowOf(0), await rowOf(1)]
        expect(ofAnn && ofBob).to.not.equal(undefined)
        if (!ofAnn || !ofBob) return
        // An attacker who can write into the table gives Ann's account the key of Bob's app.
        const { version, ...rest } = ofAnn
        expect(await store.write({ ...rest, data: ofBob.data }, version)).to.equal(true)
        const held = await waiting(ann)
        expect(whereTo(await held.answer('totp', { code: bob.code() }))).to.match(/error=InvalidCode/)
        expect(stage.door.log.warnings.map(({ code }) => code)).to.include('factor-unreadable')
      })
    })
  }
}

async function rowsOf({ adapter, signIns }: FactorStage, person: 0 | 1 = 0) {
  return factorsIn(adapter.store()).list(signIns[person]?.user.id ?? '')
}

/** Adds email codes to the factors of the user. */
async function addEmail(person: Person): Promise<void> {
  const before = person.mailCount
  expect(whereTo(await person.answer('email', { intent: 'setup-send' }))).to.match(/sent=1/)
  const { token = '' } = await person.mail(before)
  expect(isIn(await person.answer('email', { intent: 'setup', code: token }))).to.equal(true)
}

for (const rateLimit of [false, {}] as const) {
  describe(`wrong codes, rateLimit ${rateLimit === false ? 'off' : 'on'}`, () => {
    let stage: FactorStage
    beforeEach(async () => {
      stopClock()
      stage = await openFactorStage(doors.express, { factors: [Totp(), RecoveryCodes()], rateLimit })
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    it('MF-05: of 100 simultaneous guesses no more than five are checked, and the right one after them starts no session', async () => {
      const ann = await enrolled(stage)
      const held = await waiting(ann)
      const answers = await atOnce(held, 100, 'totp', (at) => (at < 99 ? wrongFor(ann) : ann.code()))
      expect(answers.filter((answer) => isIn(answer)).length, 'sessions').to.be.at.most(1)
      const looked = answers.filter((answer) => /error=InvalidCode/.test(whereTo(answer)))
      expect(looked.length).to.be.at.most(5)
      expect(looked.length).to.be.at.least(1)
    })

    it('MF-05: a pending sign-in allows five tries, however many are sent at the same time, whatever other limits are', async () => {
      const { records } = memoryStore()
      let tries = 0
      await stage.close()
      stage = await openFactorStage(doors.express, {
        rateLimit: { rules: { factor: false } },
        factors: {
          methods: [Totp(), RecoveryCodes()],
          store: {
            records: {
              ...records,
              async write(table, row, previous) {
                const isWritten = await records.write(table, row, previous)
                if (isWritten && row.type === 'held' && previous > 0) tries += 1
                return isWritten
              },
            },
          },
        },
      })
      const ann = await enrolled(stage)
      const held = await waiting(ann)
      await atOnce(held, 40, 'totp', () => wrongFor(ann))
      expect(tries).to.equal(5)
      expect(isIn(await held.answer('totp', { code: ann.code() }))).to.equal(false)
    })

    it('MF-05: they are counted for the user over all browsers; the delay doubles, and ends', async () => {
      const ann = await enrolled(stage)
      const jars: Person[] = []
      for (let each = 0; each < 8; each += 1) jars.push(await waiting(ann))
      const [one, two, ...others] = jars
      for (let tries = 0; tries < 3; tries += 1) await one?.answer('totp', { code: wrongFor(ann) })
      for (let tries = 0; tries < 2; tries += 1) await two?.answer('totp', { code: wrongFor(ann) })
      for (const [at, seconds] of [1, 2, 4, 8].entries()) {
        const jar = others[at] as Person
        const refused = await jar.answer('totp', { code: ann.code() })
        expect(refused.status, whereTo(refused)).to.equal(429)
        expect(refused.headers['retry-after']).to.equal(String(seconds))
        expect(await jar.session()).to.equal(null)
        advanceClock(seconds)
        expect(whereTo(await jar.answer('totp', { code: wrongFor(ann) }))).to.match(/error=InvalidCode/)
      }
      advanceClock(16)
      const [, , , , last] = others
      expect(isIn((await last?.answer('totp', { code: ann.code() })) as Answer)).to.equal(true)
      expect(await last?.session()).to.have.nested.property('assurance.aal', 2)
    })

    it('MF-05: wrong codes of one kind do not block the others: a recovery code still signs in', async () => {
      const ann = await enrolled(stage)
      const one = await waiting(ann)
      for (let tries = 0; tries < 5; tries += 1) await one.answer('totp', { code: wrongFor(ann) })
      const two = await waiting(ann)
      expect((await two.answer('totp', { code: ann.code() })).status).to.equal(429)
      expect(isIn(await two.answer('recovery', { code: ann.codes[0] ?? '' }))).to.equal(true)
    })

    it('MF-05: in a session, and when an app is added, too', async () => {
      const ann = await enrolled(stage)
      for (let tries = 0; tries < 5; tries += 1) {
        expect(whereTo(await ann.answer('totp', { code: wrongFor(ann) }))).to.match(/error=InvalidCode/)
      }
      expect((await ann.answer('totp', { code: ann.code() })).status).to.equal(429)
      expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
    })
  })
}
