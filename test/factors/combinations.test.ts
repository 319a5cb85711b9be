/** What comes of several things at once: two sessions in one request, codes before a factor, sign-ins that wait while all else ends. */
import { expect } from 'chai'
import { memoryFactors } from '../../lib/adapters/memory/index.js'
import type { FactorStore } from '../../lib/types/factors.js'
import { restoreClock } from '../support/clock.js'
import { sessionName } from '../support/session.js'
import { base, doors, enrolled, type FactorStage, openFactorStage, stopClock, strategies, whereTo } from './stage.js'

/** A store that lets something happen after its next write. */
function storeWithPause(): { store: FactorStore; pause(work: () => Promise<unknown>): void } {
  const real = memoryFactors()
  let waiting: (() => Promise<unknown>) | undefined
  const store: FactorStore = {
    list: (userId) => real.list(userId),
    remove: (userId, id) => real.remove(userId, id),
    async write(factor, previous) {
      const isWritten = await real.write(factor, previous)
      const work = waiting
      waiting = undefined
      await work?.()
      return isWritten
    },
  }
  return {
    store,
    pause(work) {
      waiting = work
    },
  }
}

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`second factors in combination, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      beforeEach(stopClock)
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      it('MF-08, RC-03: what is proved in one session lifts no other one of the same request', async () => {
        const { store, pause } = storeWithPause()
        stage = await openFactorStage(open, { session: { strategy }, assurance: { store, whenEnrolled: 'ask' } })
        const ann = await enrolled(stage)
        const victim = ann.elsewhere()
        await victim.ask(`/own-sign-in?user=${ann.userId}`)
        expect(await victim.session()).to.have.nested.property('assurance.aal', 1)
        const stolen = victim.cookies.get(sessionName) ?? ''
        const eve = await enrolled(stage, 'eve@example.com')
        const own = eve.cookies.get(sessionName) ?? ''
        const elsewhere = eve.elsewhere()
        for (const [cookie, value] of eve.cookies) elsewhere.cookies.set(cookie, value)
        eve.cookies.set(sessionName, `${own}; ${sessionName}=${stolen}`)
        expect(await eve.session()).to.have.nested.property('user.email', 'eve@example.com')
        // Her own ends between the proof and the step-up.
        pause(() => elsewhere.ask(`${base}/signout`, { form: { csrfToken: true } }))
        expect(whereTo(await eve.answer('totp', { code: eve.code() }))).to.match(/error=ReauthenticationRequired/)
        eve.cookies.set(sessionName, stolen)
        expect(await eve.session()).to.have.nested.property('assurance.aal', 1)
      })
    })
  }
}
