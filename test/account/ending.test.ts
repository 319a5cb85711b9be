/**
 * Tests of functions that read and end sessions: with each strategy, at each door and on each store the same sessions
 * end. Two browsers of Ann and one of Bob are at one process of the site or at another one that shares only the store
 * with it.
 */

import { expect } from 'chai'
import type { Adapter } from '../../lib/types/adapter.js'
import { doors } from '../calls/doors.js'
import { expressMajor } from '../support/app.js'
import { inTurn } from '../support/extent.js'
import type { Browser } from '../support/http-browser.js'
import { wordOf } from '../support/outcome.js'
import { type Place, places, Site } from './ending-stage.js'

// The differences of Express 4 have nothing to do with the store.
const isOld = expressMajor === 4
const triedDoors = isOld ? doors.filter(([name]) => name === 'Express') : doors
const triedPlaces = isOld ? places.slice(0, 2) : places

for (const [turn, [placeName, openPlace]] of triedPlaces.entries()) {
  for (const [next, strategy] of (['jwt', 'database'] as const).entries()) {
    // A door asks the same code, whatever store that has.
    for (const [doorName, openDoor] of inTurn(triedDoors, turn + next)) {
      describe(`sessions on ${placeName}, strategy ${strategy}, at ${doorName}`, () => {
        let place: Place
        let site: Site
        let elsewhere: Site
        let adapter: Adapter
        before(async function () {
          this.timeout(20_000)
          place = await openPlace(this)
          const config = place.configOf(strategy)
          adapter = config.adapter as Adapter
          site = await Site.open(openDoor, config)
          elsewhere = await Site.open(openDoor, place.configOf(strategy))
        })
        after(async () => {
          await Promise.all([site?.close(), elsewhere?.close()])
          await place?.close()
        })

        let ann: string
        let bob: string
        /** Ann's two browsers, and Bob's. */
        let laptop: Browser
        let phone: Browser
        let bobs: Browser
        beforeEach(async () => {
          ann = await addUser()
          bob = await addUser()
          laptop = await enter(ann)
          phone = await enter(ann)
          bobs = await enter(bob)
        })

        async function addUser(): Promise<string> {
          const id = crypto.randomUUID()
          const user = { id, name: 'a name', email: `${id}@example.com`, emailVerified: null }
          return (await adapter.createUser?.(user))?.id ?? ''
        }

        async function enter(id: string, at = site): Promise<Browser> {
          const visitor = at.browser()
          const { started } = await at.run(visitor, (calls) => calls.startSession({ user: { id }, amr: ['pwd'] }))
          expect(started).to.equal(true)
          return visitor
        }

        const listed = async (visitor: Browser, at = site) =>
          (await at.run(visitor, (calls) => calls.account()))?.sessions ?? []
        const idOf = async (visitor: Browser) => (await listed(visitor)).find(({ current }) => current)?.id ?? ''
        const end = (visitor: Browser, id: string, at = site) => at.run(visitor, (calls) => calls.endSession(id))
        const endOthers = (visitor: Browser, at = site) => at.run(visitor, (calls) => calls.endOtherSessions())
        /** Returns whether the sessions of laptop, phone and Bob's browser are valid. */
        const areIn = async () => [await site.isIn(laptop), await site.isIn(phone), await site.isIn(bobs)]

        it('are listed for their user only, this one first, by ids that authenticate no request', async () => {
          const [own, other] = [await listed(laptop), await listed(phone)]
          expect(own.map(({ current }) => current)).to.deep.equal([true, false])
          const ids = own.map(({ id }) => id)
          expect(other.map(({ id }) => id)).to.deep.equal(ids.toReversed())
          expect(new Set([...ids, await idOf(bobs)])).to.have.property('size', 3)
          expect((await listed(bobs)).map(({ current }) => current)).to.deep.equal([true])
          const held = [...laptop.cookies.values(), ...phone.cookies.values()].join(' ')
          for (const id of ids) expect(held).to.not.include(id)
        })

        it('are listed at another process, and end there', async () => {
          const there = elsewhere.browser(laptop)
          expect((await listed(there, elsewhere)).map(({ id }) => id)).to.deep.equal([
            await idOf(laptop),
            await idOf(phone),
          ])
          expect(await end(there, await idOf(phone), elsewhere)).to.deep.equal({ ok: true })
          expect(await elsewhere.isIn(elsewhere.browser(phone))).to.equal(false)
          expect((await listed(laptop)).map(({ current }) => current)).to.deep.equal([true])
          expect([await site.isIn(laptop), await site.isIn(bobs)]).to.deep.equal([true, true])
        })

        it('endSession ends the named session, once', async () => {
          const id = await idOf(phone)
          expect([wordOf(await end(laptop, id)), wordOf(await end(laptop, id))]).to.deep.equal(['ok', 'unknown'])
          expect(await areIn()).to.deep.equal([true, false, true])
          expect(await listed(laptop)).to.have.length(1)
        })

        it('endSession also ends the session of the request', async () => {
          const copy = site.browser(laptop)
          expect(await end(laptop, await idOf(laptop))).to.deep.equal({ ok: true })
          expect([await site.isIn(copy), ...(await areIn())]).to.deep.equal([false, false, true, true])
        })

        it('endSession ends nothing by an id of another user, or by an invalid id', async () => {
          const cookie = [...phone.cookies.values()].join('')
          for (const id of [await idOf(bobs), ann, '', 'undefined', '__proto__', '*', '%', cookie]) {
            expect(await end(laptop, id), id).to.deep.equal({ ok: false, reason: 'unknown' })
          }
          expect(await areIn()).to.deep.equal([true, true, true])
        })

        it('endOtherSessions ends the other sessions of the user, and returns their number', async () => {
          const third = await enter(ann)
          expect([await endOthers(laptop), await endOthers(laptop)]).to.deep.equal([2, 0])
          expect([await site.isIn(third), ...(await areIn())]).to.deep.equal([false, true, false, true])
        })

        it('a session that ended at another process can end no other session', async () => {
          const [id, phones] = [await idOf(laptop), await idOf(phone)]
          // This process knows that the session is valid, and does not query the store for a moment.
          expect(await areIn()).to.deep.equal([true, true, true])
          expect(await end(elsewhere.browser(laptop), phones, elsewhere)).to.deep.equal({ ok: true })
          expect([await endOthers(phone), wordOf(await end(phone, id))]).to.deep.equal([0, 'unknown'])
          expect(await site.isIn(laptop)).to.equal(true)
        })

        it('endSessionsOf ends all sessions of one user, who may sign in again in the same second', async () => {
          await site.run(bobs, (calls) => calls.endSessionsOf(ann))
          expect(await areIn()).to.deep.equal([false, false, true])
          for (const visitor of [laptop, phone]) {
            expect(await listed(visitor)).to.deep.equal([])
            expect([await endOthers(visitor), wordOf(await end(visitor, await idOf(bobs)))]).to.deep.equal([
              0,
              'unknown',
            ])
          }
          const again = await enter(ann)
          expect([await site.isIn(again), ...(await areIn())]).to.deep.equal([true, false, false, true])
          expect((await listed(again)).map(({ current }) => current)).to.deep.equal([true])
        })

        it('disableUser rejects one user until enableUser, and restores no session', async () => {
          await site.run(bobs, (calls) => calls.disableUser(ann))
          expect(await areIn()).to.deep.equal([false, false, true])
          for (const at of [site, elsewhere]) {
            const visitor = at.browser()
            const refused = await at.run(visitor, (calls) =>
              calls.startSession({ user: { id: ann }, amr: [] }).catch(({ type }) => type),
            )
            expect(refused).to.equal('AccessDenied')
            expect(await at.isIn(visitor)).to.equal(false)
          }
          expect(await site.isIn(await enter(bob))).to.equal(true)
          await site.run(bobs, (calls) => calls.enableUser(ann))
          expect(await areIn()).to.deep.equal([false, false, true])
          const again = await enter(ann)
          expect([await site.isIn(again), ...(await areIn())]).to.deep.equal([true, false, false, true])
          expect(await listed(again)).to.have.length(1)
        })

        it('signOut ends the session of the browser, and of copies of its cookie', async () => {
          const copy = site.browser(laptop)
          await site.run(laptop, (calls) => calls.signOut({ redirect: false }))
          expect([await site.isIn(copy), ...(await areIn())]).to.deep.equal([false, false, true, true])
          expect([await listed(copy), await endOthers(copy)]).to.deep.equal([[], 0])
          expect((await listed(phone)).map(({ current }) => current)).to.deep.equal([true])
        })

        it('a visitor has no session, and ends none', async () => {
          const nobody = site.browser()
          expect(await site.run(nobody, (calls) => calls.account())).to.equal(null)
          expect([wordOf(await end(nobody, await idOf(laptop))), await endOthers(nobody)]).to.deep.equal(['unknown', 0])
          expect(await areIn()).to.deep.equal([true, true, true])
        })

        if (doorName === 'Express') {
          it('a guard that queries the store immediately rejects sessions that another process ended', async () => {
            const there = [laptop, phone, bobs].map((visitor) => elsewhere.browser(visitor))
            const areLive = async () => {
              const live: boolean[] = []
              for (const visitor of there) live.push(await elsewhere.isLive(visitor))
              return live
            }
            expect(await areLive()).to.deep.equal([true, true, true])
            await end(laptop, await idOf(phone))
            expect(await areLive()).to.deep.equal([true, false, true])
            await site.run(bobs, (calls) => calls.disableUser(ann))
            expect(await areLive()).to.deep.equal([false, false, true])
            await site.run(bobs, (calls) => calls.enableUser(ann))
            await site.run(bobs, (calls) => calls.signOut({ redirect: false }))
            expect(await areLive()).to.deep.equal([false, false, false])
          })
        }
      })
    }
  }
}
