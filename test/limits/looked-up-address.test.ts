/** Guesses at a password are counted for the email address that is looked up, however it was typed. */
import { expect } from 'chai'
import type { RateLimitOptions } from '../../lib/features/limits/types.js'
import { better, good, type Stage, startStage } from '../password/stage.js'
import { target } from '../support/app.js'
import { doors } from '../support/doors.js'

const victim = 'victim@x.test'

/** Maps many spellings to one email address, as an application with subaddresses or a directory does. */
const normalizeIdentifier = (typed: string) => typed.split(',')[0]?.trim().toLowerCase() ?? ''

for (const [door, start] of doors) {
  describe(`guesses where \`normalizeIdentifier\` maps spellings together (${door})`, () => {
    let stage: Stage
    afterEach(() => stage.close())

    const open = async (rateLimit: RateLimitOptions) => {
      stage = await startStage({ start, mailer: { normalizeIdentifier }, config: { rateLimit } })
    }
    const guess = (typed: string) => stage.signIn(stage.browser(), typed, better)

    it('RL-08 CD-04: 25 spellings of one address have the guesses of one', async () => {
      await open({ rules: { credentials: { perAccount: 5, window: 3600 } } })
      await stage.register(stage.browser(), victim)
      const before = stage.hasher.calls.verify
      const statuses: number[] = []
      for (let at = 1; at <= 25; at += 1) statuses.push((await guess(`${victim},${at}`)).status)
      expect(stage.hasher.calls.verify - before).to.equal(5)
      expect(statuses.slice(5)).to.deep.equal(Array.from({ length: 20 }, () => 429))
    })

    it('RL-08: an unknown address is counted in the same way', async () => {
      await open({ rules: { credentials: { perAccount: 3, window: 3600 } } })
      const statuses: number[] = []
      for (let at = 1; at <= 4; at += 1) statuses.push((await guess(`nobody@x.test,${at}`)).status)
      expect(statuses[3]).to.equal(429)
    })

    it('RL-08: spellings of one address need a captcha together', async () => {
      await open({
        rules: { credentials: false },
        captcha: { verify: () => true, after: 2, window: 3600 },
      })
      await stage.register(stage.browser(), victim)
      const before = stage.hasher.calls.verify
      for (let at = 1; at <= 6; at += 1) await guess(`${victim},${at}`)
      expect(stage.hasher.calls.verify - before).to.equal(2)
    })

    it('RL-08 CD-04: a browser that is known for the address is known for each spelling of it', async () => {
      await open({ rules: { credentials: { perAccount: 3, window: 3600 } } })
      const own = stage.browser()
      await stage.register(own, victim)
      await own.submit('/auth/signout')
      for (let at = 0; at < 4; at += 1) await guess(victim)
      expect((await guess(victim)).status).to.equal(429)
      expect(target(await stage.signIn(own, `${victim},home`, good))).to.equal(`${stage.app.origin}/`)
    })

    it('RL-08 CD-04: a sign-in with one spelling makes the browser known for the address, and for no other', async () => {
      await open({ rules: { credentials: { perAccount: 3, window: 3600 } } })
      await stage.register(stage.browser(), victim)
      await stage.register(stage.browser(), 'other@x.test')
      const own = stage.browser()
      await stage.signIn(own, `${victim},office`, good)
      await own.submit('/auth/signout')
      for (const address of [victim, 'other@x.test']) for (let at = 0; at < 4; at += 1) await guess(address)
      expect((await stage.signIn(own, 'other@x.test', better)).status).to.equal(429)
      expect(target(await stage.signIn(own, victim, good))).to.equal(`${stage.app.origin}/`)
    })
  })
}
