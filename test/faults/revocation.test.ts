/**
 * Processes of an application with JWT sessions and one store of ended sessions: a session that ends in one is over in
 * all.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { hasRedis } from '../adapters/redis-clients.js'
import type { Browser } from '../support/app.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { cookieLines } from '../support/session.js'
import { skip } from '../support/skip.js'
import { AppProcess, type AppSettings } from './app-process.js'

/** Seconds. */
const maxStale = 1
/** Milliseconds after which all processes know: the guarantee is a second more than `maxStale`. */
const known = (maxStale + 1) * 1000

const wait = (milliseconds: number) => new Promise((next) => setTimeout(next, milliseconds))

/** The number of processes, and their stores. */
const stages = [
  ...databaseKinds.map((kind) => ({ kind, ends: kind as string, count: kind === 'postgres' ? 4 : 2 })),
  { kind: 'sqlite' as const, ends: 'Redis', count: 4 },
]

for (const { kind, ends, count } of stages) {
  describe(`${count} processes with JWT sessions, whose ends are stored in ${ends}`, () => {
    let database: TestDatabase
    let provider: OpenIdProvider
    let apps: AppProcess[]

    before(async function () {
      this.timeout(60_000)
      if (ends === 'Redis' && !(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
      provider = await startOpenIdProvider()
      database = await requireDatabase(this, kind)
      const redis = { url: 'redis://127.0.0.1:6379', prefix: `test-${randomBytes(6).toString('hex')}:` }
      const revocation = { maxStale, ...(ends === 'Redis' && { redis }) } satisfies AppSettings['revocation']
      const settings = { databaseUrl: database.url, provider: provider.settings(), revocation }
      apps = await Promise.all(Array.from({ length: count }, () => AppProcess.start(settings)))
    })
    after(async () => {
      await Promise.all(apps?.map((app) => app.stop()) ?? [])
      await provider?.close()
      await database?.close()
    })

    /** Returns the same browser at each process, with its cookies. */
    function everywhere(browser: Browser): Browser[] {
      return apps.map((app) => {
        const other = app.browser()
        for (const [name, value] of browser.cookies) other.cookies.set(name, value)
        return other
      })
    }

    async function at(browser: Browser, index: number): Promise<Browser> {
      const [found] = everywhere(browser).slice(index % count)
      if (!found) throw new Error('no process')
      return found
    }

    async function begin(username: string, index = 0): Promise<Browser> {
      const app = apps[index % count]
      if (!app) throw new Error('no process')
      const browser = app.browser()
      await browser.submit('/auth/callback/credentials', { username })
      return browser
    }

    const signedIn = (browsers: readonly Browser[]) =>
      Promise.all(
        browsers.map(async (browser) => {
          const { status, body } = await browser.get('/me')
          expect(status).to.equal(200)
          return body !== null
        }),
      )
    const all = (answer: boolean) => Array.from({ length: count }, () => answer)

    /**
     * Runs tests at the same time, from the first one on, because they wait most of the time and each has its own
     * users.
     */
    const works: Array<() => Promise<void>> = []
    const running: Array<Promise<PromiseSettledResult<void>>> = []
    function together(title: string, work: () => Promise<void>): void {
      const index = works.push(work) - 1
      it(title, async () => {
        if (running.length === 0) {
          for (const each of works) running.push(Promise.allSettled([each()]).then(([outcome]) => outcome))
        }
        const outcome = await running[index]
        if (outcome?.status === 'rejected') throw outcome.reason
        expect(outcome?.status).to.equal('fulfilled')
      })
    }

    together(
      'a session that one of them ends is over there at once, and in all a second after `maxStale`',
      async () => {
        const browser = await begin('ann')
        const copies = everywhere(browser)
        expect(await signedIn(copies)).to.deep.equal(all(true))
        await (await at(browser, 1)).submit('/auth/signout')
        expect(await signedIn([await at(browser, 1)]), 'at once where it was ended').to.deep.equal([false])
        await wait(known)
        // Each has the cookie again, because a late answer must not have restored it.
        expect(await signedIn(everywhere(browser))).to.deep.equal(all(false))
        expect(await signedIn(copies)).to.deep.equal(all(false))
      },
    )

    together('sessions that begin in all of them while others end are not mixed up', async () => {
      const each = () => Promise.all(apps.map((_, index) => begin('bob', index)))
      const [ended, kept] = [await each(), await each()]
      await Promise.all(ended.map(async (browser) => (await at(browser, 0)).submit('/auth/signout')))
      await wait(known)
      for (const browser of kept) expect(await signedIn(everywhere(browser))).to.deep.equal(all(true))
      const late = await Promise.all(ended.map((browser) => signedIn(everywhere(browser))))
      expect(late.flat()).to.not.include(true)
    })

    together(
      'an answer under way elsewhere brings no cookie of a session that ends, nor one that opens it',
      async () => {
        const browser = await begin('eve')
        const copies = everywhere(browser)
        expect(await signedIn(copies)).to.deep.equal(all(true))
        const [other] = everywhere(await begin('ivy'))
        const polls = copies.map((copy) => copy.get(`/poll?milliseconds=${known + 500}`))
        if (!other) throw new Error('no process')
        const kept = other.get(`/poll?milliseconds=${known + 500}`)
        await wait(200)
        await (await at(browser, 0)).submit('/auth/signout')
        await wait(known)
        // These read in the meantime, so that the processes know the session.
        expect(await signedIn(everywhere(browser))).to.deep.equal(all(false))
        for (const poll of await Promise.all(polls)) {
          expect(poll.body, 'read before the end').to.have.property('user')
          expect(cookieLines(poll)).to.deep.equal([])
        }
        expect(cookieLines(await kept), 'of a session that goes on').to.have.length(1)
        expect(await signedIn(copies)).to.deep.equal(all(false))
      },
    )

    together(
      'a refresh and a sign-out at once: whatever cookie the refresh brings is of an ended session',
      async () => {
        const browsers = await Promise.all(Array.from({ length: 6 }, (_, index) => begin('fay', index)))
        const refreshed = await Promise.all(
          browsers.map(async (browser, index) => {
            const [one, two] = [await at(browser, index), await at(browser, index + 1)]
            await Promise.all([two.get('/auth/session'), one.get('/auth/session'), one.submit('/auth/signout')])
            return two
          }),
        )
        await wait(known)
        for (const two of refreshed) expect(await signedIn(everywhere(two))).to.deep.equal(all(false))
        for (const browser of browsers) expect(await signedIn(everywhere(browser))).to.deep.equal(all(false))
      },
    )

    together(
      'an end of all and sign-ins in the same second: what was there is dead, what begins after it lives',
      async () => {
        const before = await Promise.all(apps.map((_, index) => begin('gus', index)))
        const [support] = apps.map((app) => app.browser()).slice(-1)
        expect((await support?.post('/end-all-of/id-of-gus'))?.status).to.equal(200)
        const later = await Promise.all(apps.map((_, index) => begin('gus', index)))
        for (const browser of later) expect(await signedIn([await at(browser, 1)])).to.deep.equal([true])
        await wait(known)
        const [dead, alive] = await Promise.all(
          [before, later].map((list) => Promise.all(list.map((one) => signedIn(everywhere(one))))),
        )
        expect(dead?.flat(), 'begun before').to.not.include(true)
        expect(alive?.flat(), 'begun after').to.not.include(false)
      },
    )

    together('sign-ins while all ends, and as often elsewhere: each process says the same of each', async () => {
      const support = apps.map((app) => app.browser())
      const outcomes = await Promise.all([
        ...Array.from({ length: 8 }, async (_, index) => begin('hal', index)),
        ...support.map(async (each) => {
          await each.post('/end-all-of/id-of-hal')
          return undefined
        }),
      ])
      const last = await begin('hal')
      await wait(known)
      for (const browser of outcomes) {
        if (!browser) continue
        const said = await signedIn(everywhere(browser))
        expect(new Set(said).size, JSON.stringify(said)).to.equal(1)
      }
      expect(await signedIn(everywhere(last))).to.deep.equal(all(true))
    })
  })
}
