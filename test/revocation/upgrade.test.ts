/** JWT sessions of a release that wrote no `sid`, `amr` and `auth_time`. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import { startApp, type TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { heldSession, plantSession } from '../support/session.js'
import { at, isIn, startSite } from './sites.js'

const maxStale = 5

for (const isOn of [true, false]) {
  describe(`a JWT session of a release before these claims, ${isOn ? 'with' : 'without'} session.revocation`, () => {
    const apps: TestApp[] = []
    afterEach(async () => {
      restoreClock()
      await Promise.all(apps.splice(0).map((app) => app.close()))
    })

    async function start() {
      const store = memoryStore()
      const session = { updateAge: 60 }
      for (const _ of [1, 2]) {
        clearSiteMemories()
        apps.push(await (isOn ? startSite(store, { maxStale, session }) : startApp({ session })))
      }
      const [here, there] = apps
      if (!here || !there) throw new Error('no process')
      const old = here.browser()
      await plantSession(old, { sub: 'ann', name: 'Ann' })
      return { here, there, old }
    }

    it('continues, and has a name of its own once it is renewed', async () => {
      const { there, old } = await start()
      const copy = at(there, old)
      expect([await isIn(old), await isIn(copy)]).to.deep.equal([true, true])
      expect((await heldSession(old))?.sid).to.equal(undefined)
      advanceClock(120)
      expect([await isIn(old), await isIn(copy)]).to.deep.equal([true, true])
      const { sid, auth_began, auth_time, amr } = (await heldSession(old)) ?? {}
      expect(sid).to.match(/^t-[\w-]{22}$/)
      expect((await heldSession(copy))?.sid, 'the same in both processes').to.equal(sid)
      expect(auth_began).to.be.a('number')
      expect(auth_time, 'nobody knows').to.equal(undefined)
      expect(amr).to.equal(undefined)
    })

    if (isOn) {
      it('can be signed out, renewed or not, and ended with all of the user’s', async () => {
        const { here, there, old } = await start()
        const before = at(there, old)
        advanceClock(120)
        expect(await isIn(old)).to.equal(true)
        await old.submit('/auth/signout')
        advanceClock(maxStale + 1)
        expect(await isIn(before), 'the token from before it was renewed').to.equal(false)
        const other = here.browser()
        await plantSession(other, { sub: 'bob', name: 'Bob' })
        expect(await isIn(at(there, other))).to.equal(true)
        await expressFunctions(here.config).sessions.endAll('bob')
        advanceClock(maxStale + 1)
        expect(await isIn(at(there, other))).to.equal(false)
      })
    }
  })
}
