/** Combinations: two sessions in one request, codes before a factor, pending sign-ins while all other sessions end. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { startSession } from '../../lib/index.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import type { Store } from '../../lib/types/store.js'
import { restoreClock } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import { startHostileProvider } from '../support/hostile-provider.js'
import { sessionName } from '../support/session.js'
import { factorsIn, withRecords } from '../support/stores.js'
import type { OpenDoor } from './doors.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  waiting,
  whereTo,
} from './stage.js'

/** Opens an application with a provider that is trusted for two factors, in which users connect accounts. */
const openConnecting: OpenDoor = (config) =>
  openExpress(config, {
    after(app, full) {
      app.get('/own-sign-in', (req, res, next) => {
        const proof = { user: { id: String(req.query.user) }, amr: ['pwd'] }
        void startSession(req, res, full, proof).then((started) => res.json(started), next)
      })
      app.get('/connect', (req, res, next) => {
        void expressFunctions(full)
          .tokens.connectUrl(req, { provider: 'test' })
          .then((url) => res.json({ url }), next)
      })
    },
  })

for (const strategy of strategies) {
  describe(`accounts that are connected, ${strategy}`, () => {
    it('MF-07: a session of one factor connects none to a user with two, because it would bypass the second', async () => {
      stopClock()
      const provider = await startHostileProvider()
      provider.person = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: true }
      const oidc: OIDCConfig = { type: 'oidc', id: 'test', name: 'Test', ...provider.settings, trustAcr: ['2'] }
      const stage = await openFactorStage(openConnecting, {
        providers: [oidc, mailProvider([])],
        session: { strategy },
        tokens: { store: 'cookie' },
        factors: { whenEnrolled: 'ask' },
      })
      const connect = async (person: Person) => {
        const { url } = (await person.ask('/connect')).body
        const begun = await person.ask(url, { headers: { 'sec-fetch-site': 'same-origin' } })
        const back = new URL(provider.authorize(begun.headers.location ?? ''))
        return person.ask(back.pathname + back.search)
      }
      const ann = await enrolled(stage)
      const accounts = async () => (await stage.adapter.listAccountsByUserId(ann.userId)).length
      const stolen = ann.elsewhere()
      await stolen.ask(`/own-sign-in?user=${ann.userId}`)
      expect(await stolen.session()).to.have.nested.property('assurance.aal', 1)
      expect(whereTo(await connect(stolen))).to.match(/error=ReauthenticationRequired/)
      expect(await accounts()).to.equal(0)
      expect(whereTo(await connect(ann))).to.equal('/')
      expect(await accounts()).to.equal(1)
      restoreClock()
      await stage.close()
      await provider.close()
    })
  })
}

/** Returns a store that runs a function after its next write. */
function storeWithPause(): { store: Store; pause(work: () => Promise<unknown>): void } {
  const real = memoryStore()
  let waiting: (() => Promise<unknown>) | undefined
  const store = withRecords(real, {
    async write(table, factor, previous) {
      const isWritten = await real.records.write(table, factor, previous)
      const work = waiting
      waiting = undefined
      await work?.()
      return isWritten
    },
  })
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

      it('MF-08, RC-03: a factor verified in one session lifts no other session of the same request', async () => {
        const { store, pause } = storeWithPause()
        stage = await openFactorStage(open, { session: { strategy }, factors: { store, whenEnrolled: 'ask' } })
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

      it('a user who opens the page itself, and fulfils all requirements, is not redirected in a loop', async () => {
        stage = await openFactorStage(open, { session: { strategy } })
        const ann = stage.stranger()
        const here = `${base}/two-factor?aal=1`
        await ann.ask(`${base}/signin?callbackUrl=${encodeURIComponent(here)}`)
        expect(whereTo(await ann.followLink('ann@example.com'))).to.equal(here)
        for (const at of [here, `${base}/two-factor/totp?max_age=300`]) {
          expect(whereTo(await ann.ask(at)), at).to.equal('/')
        }
        // On to another page as before, and to that of the factors.
        for (const to of ['/page', `${base}/two-factor?setup=1`]) {
          expect(whereTo(await ann.ask(`${here}&callbackUrl=${encodeURIComponent(to)}`))).to.equal(to)
        }
      })

      it('DOS-10: a user has at most twenty pending sign-ins, and the newest continues', async () => {
        stage = await openFactorStage(open, { session: { strategy } })
        const ann = await enrolled(stage)
        for (let count = 0; count < 25; count += 1) await waiting(ann)
        const newest = await waiting(ann)
        const rows = await factorsIn(stage.adapter.store()).list(ann.userId)
        expect(rows.filter(({ type }) => type === 'held')).to.have.length(20)
        expect(whereTo(await newest.answer('totp', { code: ann.code() }))).to.equal('/')
      })

      it('MF-06, RC-03: a code that is used up while all are removed restores none of them', async () => {
        const real = memoryStore()
        let meanwhile: (() => Promise<void>) | undefined
        const store = withRecords(real, {
          async write(table, factor, previous) {
            const work = factor.type === 'recovery' ? meanwhile : undefined
            if (work) meanwhile = undefined
            await work?.()
            return real.records.write(table, factor, previous)
          },
        })
        stage = await openFactorStage(open, { session: { strategy }, factors: { store } })
        const ann = await enrolled(stage)
        const old = ann.codes
        const eve = await waiting(ann)
        const anew = ann.elsewhere()
        meanwhile = async () => {
          await factorsIn(real).remove(ann.userId)
          await anew.ask(`/own-sign-in?user=${ann.userId}`)
          await anew.addApp()
        }
        expect(whereTo(await eve.answer('recovery', { code: old[0] ?? '' }))).to.match(/error=/)
        const held = await waiting(anew)
        expect(whereTo(await held.answer('recovery', { code: old[1] ?? '' }))).to.match(/error=InvalidCode/)
        expect(whereTo(await held.answer('recovery', { code: anew.codes[0] ?? '' }))).to.equal('/')
      })

      it('MF-02, MF-03: recovery codes are not created before there is a factor, and left-over codes prove nothing', async () => {
        stage = await openFactorStage(open, { session: { strategy } })
        const { id } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
        const eve = stage.stranger()
        await eve.ask(`/own-sign-in?user=${id}`)
        const refused = await eve.answer('recovery', { intent: 'codes' })
        expect(refused.status, refused.text).to.equal(409)
        expect(await factorsIn(stage.adapter.store()).list(id)).to.deep.equal([])
        expect((await eve.ask(`${base}/two-factor?setup`)).text).to.not.include('"codes"')
        // Codes that were created at some time, by any means.
        const bob = await enrolled(stage, 'bob@example.com')
        const [codes, factors] = [bob.codes, factorsIn(stage.adapter.store())]
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
