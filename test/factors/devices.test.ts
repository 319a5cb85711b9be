/** Browsers that users have remembered. */

import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Password from '../../lib/providers/password.js'
import { credentials } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { factorsIn } from '../support/stores.js'
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

for (const [name, open] of Object.entries(doors)) {
  describe(`remembered browsers, ${name}`, () => {
    let stage: FactorStage
    const start = async (config: Parameters<typeof openFactorStage>[1] = {}) => {
      stage = await openFactorStage(open, { factors: { remember: { days: 30 } }, ...config })
    }
    beforeEach(stopClock)
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const deviceOf = (person: Person) => [...person.cookies].find(([cookie]) => /device/.test(cookie))

    /** Returns a remembered browser of the user, without a session. */
    async function remembered(person: Person): Promise<Person> {
      const browser = await waiting(person)
      const answer = await browser.answer('totp', { code: person.code(), rememberDevice: '1' })
      expect(whereTo(answer)).to.equal('/')
      expect(answer.cookies.find((line) => /device/.test(line)))
        .to.match(/HttpOnly/)
        .and.match(/Max-Age=2592000/)
      await browser.ask(`${base}/signout`, { form: { csrfToken: true } })
      expect(await browser.session()).to.equal(null)
      expect(deviceOf(browser)).to.not.equal(undefined)
      advanceClock(30)
      return browser
    }

    async function isAsked(browser: Person, userId: string): Promise<boolean> {
      await browser.ask(`/own-sign-in?user=${userId}`)
      return (await browser.session()) === null
    }

    it('MF-09: are not asked again, at level 1; guards ask all the same', async () => {
      await start()
      const ann = await enrolled(stage)
      const browser = await remembered(ann)
      expect(await isAsked(browser, ann.userId)).to.equal(false)
      expect(await browser.session()).to.have.nested.property('assurance.aal', 1)
      expect((await browser.ask(`${base}/two-factor?aal=2`)).text).to.match(/name="code"/)
      // Nothing is changed by who proved one factor.
      expect((await browser.ask(`${base}/two-factor?setup`)).text).to.not.match(/otpauth|intent" value="remove"/)
    })

    it('MF-09: of one user are invalid for another, and in another browser by a guess', async () => {
      await start()
      const ann = await enrolled(stage)
      const bob = await enrolled(stage, 'bob@example.com')
      const browser = await remembered(ann)
      expect(await isAsked(browser, bob.userId)).to.equal(true)
      const [cookie = '', value = ''] = deviceOf(browser) ?? []
      for (const wrong of [
        '',
        'x',
        `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
        `device:${value}`,
        value.repeat(2),
      ]) {
        const other = stage.stranger()
        other.cookies.set(cookie, wrong)
        expect(await isAsked(other, ann.userId), wrong).to.equal(true)
      }
    })

    it('MF-09: are remembered for the days that the application sets', async () => {
      await start()
      const ann = await enrolled(stage)
      const browser = await remembered(ann)
      advanceClock(30 * 24 * 3600 - 60)
      expect(await isAsked(browser, ann.userId)).to.equal(false)
      await browser.ask(`${base}/signout`, { form: { csrfToken: true } })
      advanceClock(60)
      expect(await isAsked(browser, ann.userId)).to.equal(true)
    })

    it('MF-09: are forgotten if a factor was removed', async () => {
      await start()
      const ann = await enrolled(stage)
      const browser = await remembered(ann)
      await ann.addApp()
      const rows = await factorsIn(stage.adapter.store()).list(ann.userId)
      expect(rows.filter(({ type }) => type === 'device')).to.have.length(1)
      const [app] = rows.filter(({ type }) => type === 'totp')
      await ann.ask(`${base}/two-factor`, { form: { csrfToken: true, intent: 'remove', id: app?.id ?? '' } })
      expect(stage.changes.map(({ event }) => event)).to.include('factorRemoved')
      expect(await isAsked(browser, ann.userId)).to.equal(true)
    })

    for (const [what, end] of Object.entries({
      'all sessions were ended': (each: FactorStage, userId: string) =>
        expressFunctions(each.config).sessions.endAll(userId),
      'the password was set anew': (each: FactorStage, userId: string) =>
        expressFunctions(each.config).passwords.set(
          { userId, password: 'many words of a new password' },
          { headers: { host: new URL(each.door.origin).host }, protocol: 'http' },
        ),
      'the person ended the others': (_each: FactorStage, _: string, ann: Person) => ann.ask('/end-others'),
      'a support desk reset what they have': async (each: FactorStage, userId: string) => {
        await expressFunctions(each.config).factors.reset(userId)
        await factorsIn(each.adapter.store()).write(
          {
            userId,
            id: 'again',
            type: 'totp',
            name: null,
            data: 'x',
            createdAt: new Date(),
            usedAt: null,
            expiresAt: null,
          },
          0,
        )
      },
    })) {
      it(`MF-09: are forgotten if ${what}`, async () => {
        await start({
          session: { strategy: 'database' },
          providers: [credentials(), mailProvider([]), Password({})],
        })
        const ann = await enrolled(stage)
        const browser = await remembered(ann)
        await end(stage, ann.userId, ann)
        expect(await isAsked(browser, ann.userId)).to.equal(true)
      })
    }

    it('MF-09: are not remembered if the option is off, whatever the form says; nor after a wrong code', async () => {
      await start()
      const ann = await enrolled(stage)
      const browser = await remembered(ann)
      const wrong = await waiting(ann)
      await wrong.answer('totp', { code: '00000', rememberDevice: '1' })
      expect(deviceOf(wrong)).to.equal(undefined)
      const { adapter, config } = stage
      const off = await openFactorStage(open, { ...config, adapter, factors: { remember: false } })
      const [cookie = '', value = ''] = deviceOf(browser) ?? []
      const other = off.stranger()
      other.cookies.set(cookie, value)
      expect(await isAsked(other, ann.userId)).to.equal(true)
      const right = await other.answer('totp', { code: ann.code(), rememberDevice: '1' })
      expect(right.cookies.filter((line) => /device/.test(line))).to.deep.equal([])
      await off.close()
    })
  })
}
