/** What comes of several things at once: two sessions in one request, codes before a factor, sign-ins that wait while all else ends. */
import { expect } from 'chai'
import { memoryFactors } from '../../lib/adapters/memory/index.js'
import type { FactorStore } from '../../lib/types/factors.js'
import { restoreClock } from '../support/clock.js'
import { sessionName } from '../support/session.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  openFactorStage,
  stopClock,
  strategies,
  waiting,
  whereTo,
} from './stage.js'

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

      it('MF-02, MF-03: recovery codes are not made before there is a factor, and those that are left over prove nothing', async () => {
        stage = await openFactorStage(open, { session: { strategy } })
        const { id } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
        const eve = stage.stranger()
        await eve.ask(`/own-sign-in?user=${id}`)
        const refused = await eve.answer('recovery', { intent: 'codes' })
        expect(refused.status, refused.body).to.equal(409)
        expect(await stage.adapter.factorStore().list(id)).to.deep.equal([])
        expect((await eve.ask(`${base}/two-factor?setup`)).body).to.not.include('"codes"')
        // Some that were made once, by whomever.
        const bob = await enrolled(stage, 'bob@example.com')
        const [codes, factors] = [bob.codes, stage.adapter.factorStore()]
        for (const row of await factors.list(bob.userId))
          if (row.type === 'totp') await factors.remove(bob.userId, row.id)
        const other = bob.elsewhere()
        await other.ask(`/own-sign-in?user=${bob.userId}`)
        expect((await other.answer('recovery', { code: codes[0] ?? '' })).headers.location).to.match(
          /error=SecondFactor/,
        )
        expect(await other.session()).to.have.nested.property('assurance.aal', 1)
        await other.addApp()
        expect(other.codes).to.have.length(10)
        const held = await waiting(other)
        expect(whereTo(await held.answer('recovery', { code: codes[1] ?? '' }))).to.match(/error=InvalidCode/)
        expect(whereTo(await held.answer('recovery', { code: other.codes[0] ?? '' }))).to.equal('/')
      })
    })
  }
}
