/** A clock that is set an hour forward or back while the application runs, as on a machine that was asleep. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { RevocationCopy } from '../../lib/features/revocation/copy.js'
import { guardRevocationStore } from '../../lib/features/revocation/store.js'
import { SharedDocument } from '../../lib/flows/oauth/fetch.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import { useMailStage } from '../flows/email/stage.js'
import { useStage } from '../flows/oauth/stage.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'

const hour = 3600
const sessionCookie = 'auth.session-token'

describe('a clock that jumps during a sign-in with a provider', () => {
  const stage = useStage()

  it('ST-05 forward: it is too old, and the next one succeeds', async () => {
    freezeClock()
    const back = stage.provider.authorize(await stage.begin())
    advanceClock(hour)
    await stage.expectRefused(await stage.browser.get(back), 'InvalidCheck', /./)
    stage.app.log.errors.length = 0
    await stage.expectSignedIn(await stage.signIn())
  })

  it('back: it continues, and so does the next one', async () => {
    freezeClock()
    const back = stage.provider.authorize(await stage.begin())
    advanceClock(-hour)
    await stage.expectSignedIn(await stage.browser.get(back))
    await stage.expectSignedIn(await stage.signIn())
  })

  it('back after five others were begun: the browser still has room for one', async () => {
    freezeClock()
    for (let at = 0; at < 5; at += 1) await stage.begin()
    advanceClock(-hour)
    await stage.expectSignedIn(await stage.signIn())
  })
})

describe('a clock that jumps during a sign-in by mail', () => {
  const stage = useMailStage()

  it('forward past the end of the link: it is rejected, though the clock is set back', async () => {
    freezeClock()
    await stage.restart({ maxAge: 1800 })
    const link = await stage.linkFor('ann@example.com')
    advanceClock(hour)
    await stage.expectRefused(await stage.confirm(stage.browser, link))
    advanceClock(-hour)
    // It was used up by that.
    await stage.expectRefused(await stage.browser.get(link))
    const again = await stage.linkFor('ann@example.com')
    await stage.expectSignedIn(await stage.browser.get(again), 'ann@example.com')
  })

  it('back: limits of mails never delay a client for longer than their window', async () => {
    freezeClock()
    for (let at = 0; at < 5; at += 1) await stage.ask('ann@example.com')
    expect((await stage.ask('ann@example.com')).status).to.equal(429)
    advanceClock(-hour)
    const refused = await stage.ask('ann@example.com')
    expect(refused.status).to.equal(429)
    expect(Number(refused.headers['retry-after'])).to.be.at.most(900)
    advanceClock(901)
    expect((await stage.ask('ann@example.com')).status).to.equal(303)
  })
})

describe('a clock that is set back, for counts of failures', () => {
  afterEach(restoreClock)

  it('RL-04 locks an account for 15 minutes at the most', () => {
    freezeClock()
    const store = createMemoryCounter()
    const rule = { cost: 1, limit: 5, window: hour, delay: 'exponential' } as const
    for (let failures = 0; failures < 16; failures += 1) {
      advanceClock(store.consume('ann', rule).allowed ? 0 : 900)
      store.consume('ann', rule)
    }
    advanceClock(-hour)
    const { allowed, retryAfter } = store.consume('ann', rule)
    expect(allowed).to.equal(false)
    expect(retryAfter).to.be.at.most(900)
    advanceClock(900)
    expect(store.consume('ann', rule).allowed).to.equal(true)
  })
})

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a clock that jumps during a session, ${strategy}`, () => {
    const maxAge = 2 * hour
    let app: TestApp
    let browser: Browser

    beforeEach(async () => {
      freezeClock()
      const session = { strategy, maxAge, updateAge: 600 }
      app = await startApp({ adapter: memoryAdapter(), session })
      browser = app.browser()
      await browser.signIn()
    })
    afterEach(async () => {
      restoreClock()
      await app.close()
    })

    /** Returns the seconds from now until the session ends. */
    async function left(): Promise<number> {
      const { body } = await browser.get('/auth/session')
      return (Date.parse(body.expires) - Date.now()) / 1000
    }

    it('forward and back: extended by the time of the clock, and no longer than that', async () => {
      advanceClock(hour)
      expect(await left()).to.equal(maxAge)
      advanceClock(-hour)
      expect(await left()).to.be.within(1, maxAge)
      advanceClock(maxAge + hour + 1)
      expect(await browser.session()).to.equal(null)
    })

    it('back and forward: it continues, and ends at its original time', async () => {
      advanceClock(-hour)
      expect(await left()).to.be.within(1, maxAge)
      advanceClock(hour)
      expect(await left()).to.be.within(1, maxAge)
      advanceClock(maxAge + 1)
      expect(await browser.session()).to.equal(null)
    })

    it('SE-07 past its end and back: the browser has lost it, and does not get it again', async () => {
      const cookie = browser.cookies.get(sessionCookie) ?? ''
      advanceClock(maxAge + 1)
      expect(await browser.session()).to.equal(null)
      expect(browser.cookies.has(sessionCookie)).to.equal(false)
      advanceClock(-maxAge - 1)
      expect(await browser.session()).to.equal(null)
      if (strategy === 'jwt') return
      browser.cookies.set(sessionCookie, cookie)
      expect(await browser.session(), 'a copy of the cookie').to.equal(null)
    })
  })
}

describe('a clock that jumps over sessions that were ended', () => {
  afterEach(restoreClock)

  for (const jump of [hour, -hour]) {
    it(`${jump > 0 ? 'forward' : 'back'}: they stay ended, and later ones are valid`, async () => {
      freezeClock()
      const store = memoryStore()
      const app = await startApp({ session: { maxAge: 10 * hour, revocation: { store } } })
      const [thief, owner] = [app.browser(), app.browser()]
      await thief.signIn()
      expect(await thief.session()).to.have.property('user')
      await expressFunctions(app.config).sessions.endAll('id-of-ann')
      expect(await thief.session()).to.equal(null)
      const copies = new Map(thief.cookies)
      advanceClock(jump)
      for (const [name, value] of copies) thief.cookies.set(name, value)
      expect(await thief.session()).to.equal(null)
      if (jump > 0) {
        await owner.signIn()
        expect(await owner.session()).to.have.property('user')
      }
      await app.close()
    })
  }

  it('back: a store that failed is queried again at once', async () => {
    freezeClock()
    const fault = { now: true }
    const away = async () => {
      if (fault.now) throw new Error('away')
      return { revocations: [], cursor: 'on', isLast: true }
    }
    const copy = new RevocationCopy(guardRevocationStore({ ...memoryStore().log, changes: away }, 5000))
    const learn = async () => copy.refreshSessions([{ sid: 'a', userId: 'ann', startedAt: 0 }], 10_000)
    await rejectionOf(learn())
    fault.now = false
    advanceClock(-hour)
    await learn()
  })
})

describe('a clock that is set back, for a document of a provider', () => {
  afterEach(restoreClock)

  it('makes it old, and no new key waits for an hour', async () => {
    freezeClock()
    let asked = 0
    const load = async () => {
      asked += 1
      return new Response('{"keys":[]}')
    }
    const document = new SharedDocument(load, { lifetime: 600_000, coolDown: 30_000, grace: 600_000 })
    await document.get()
    await document.renew()
    await document.renew()
    expect(asked, 'once more within the cool-down').to.equal(2)
    advanceClock(-hour)
    expect(document.fresh).to.equal(undefined)
    await document.renew()
    expect(asked).to.equal(3)
  })
})
