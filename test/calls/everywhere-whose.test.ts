/** `signOut({ everywhere: true })` with several session cookies, and after a failure of a store: whose sessions end, and which. */
import { expect } from 'chai'
import type { Browser, Door } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { sessionName } from '../support/session.js'
import { copyAt, isIn, leave, places, Site } from './everywhere-places.js'

const browserCookie = 'auth.browser'

/** Sends the session cookie of another browser as well, before the own one or behind it. */
function plant(browser: Browser, other: Browser, isFirst: boolean): void {
  const [planted, own] = [`${sessionName}=${other.cookies.get(sessionName)}`, browser.cookieHeader()]
  browser.headers.cookie = isFirst ? `${planted}; ${own}` : `${own}; ${planted}`
}

/** Waits for a condition, for as long as the first two retries take. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 80 && !(await condition()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
}

for (const place of Object.keys(places)) {
  for (const entryPoint of ['express', 'shim'] as const) {
    describe(`signOut everywhere with planted cookies and failing stores, ${place}, ${entryPoint}`, () => {
      let site: Site
      beforeEach(() => {
        site = new Site(place, entryPoint)
      })
      afterEach(() => {
        restoreClock()
        return site.close()
      })

      /** Ann at two browsers, and Mallory at two, of which one session is planted in Ann's browser. */
      async function planted(door: Door, isFirst: boolean) {
        const [phone, here] = [await site.signedIn(door), await site.signedIn(door)]
        const [mallory, planted] = [await site.signedIn(door, 'mallory'), await site.signedIn(door, 'mallory')]
        const copy = copyAt(door, here)
        plant(here, planted, isFirst)
        return { phone, here, copy, mallory, planted }
      }

      for (const isFirst of [true, false]) {
        const where = isFirst ? 'before' : 'behind'

        it(`SX-05 those of the user whose session began here, not of a planted one (${where} it), in all processes`, async () => {
          const [door, other] = [await site.start(), await site.start()]
          const { phone, here, copy, mallory, planted: second } = await planted(door, isFirst)
          expect((await leave(here, door)).headers.location).to.equal(`${door.origin}/bye`)
          const after = await site.start()
          for (const [which, browser] of Object.entries({ phone, copy, second })) {
            expect(await isIn(browser), which).to.equal(false)
            expect(await isIn(copyAt(after, browser)), `${which}, elsewhere`).to.equal(false)
          }
          expect([await isIn(mallory), await isIn(copyAt(other, mallory))]).to.deep.equal([true, true])
          expect(site.events.filter(([event]) => event === 'signOut')).to.have.length(1)
        })

        it(`SX-05 those of each user if it is ambiguous which session began here (the planted one ${where} the other)`, async () => {
          const door = await site.start()
          const bob = await site.signedIn(door, 'bob')
          const { phone, here, copy, mallory, planted: second } = await planted(door, isFirst)
          here.headers.cookie = String(here.headers.cookie)
            .split('; ')
            .filter((pair) => !pair.startsWith(browserCookie))
            .join('; ')
          await leave(here, door)
          for (const [which, browser] of Object.entries({ phone, copy, second, mallory }))
            expect(await isIn(browser), which).to.equal(false)
          expect(await isIn(bob)).to.equal(true)
        })
      }

      for (const method of place === 'database sessions'
        ? (['getSessionAndUser', 'deleteSession', 'listSessionsByUserId'] as const)
        : (['find', 'add'] as const)) {
        it(`the retry after a failed \`${method}\` ends the sessions of the same user, but none that began since`, async () => {
          let isDown = false
          const broken = <T extends object>(whole: T): T => {
            const real: unknown = Reflect.get(whole, method)
            if (typeof real !== 'function') return whole
            const call = (...args: unknown[]) =>
              isDown ? Promise.reject(new Error('down')) : Reflect.apply(real, whole, args)
            return Object.assign(Object.create(whole), whole, { [method]: call })
          }
          const { adapter, log } = site.shared
          const door = await site.start(undefined, { adapter: broken(adapter), log: broken(log) })
          freezeClock()
          const { phone, here, mallory } = await planted(door, true)
          isDown = true
          const answer = await leave(here, door)
          expect(answer.body).to.include({ type: 'SignOutError' })
          expect(answer.cookies.join()).to.match(/session-token=; Max-Age=0/)
          isDown = false
          advanceClock(2)
          const fresh = await site.signedIn(door)
          const elsewhere = await site.signedIn(await site.start())
          await eventually(async () => !(await isIn(phone)))
          const after = await site.start()
          const left = { phone, fresh, elsewhere, mallory }
          const found: Record<string, boolean> = {}
          for (const [which, browser] of Object.entries(left)) found[which] = await isIn(copyAt(after, browser))
          expect(found).to.deep.equal({ phone: false, fresh: true, elsewhere: true, mallory: true })
          expect(site.events.filter(([event]) => event === 'signOut')).to.have.length(1)
        })
      }
    })
  }
}
