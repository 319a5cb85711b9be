/** The list of a user's sessions, with JWT sessions and `session.revocation.list`: with each store. */

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { getSession } from '../../lib/get-session.js'
import { type ServerAuthConfig, startSession } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { LogStore } from '../../lib/types/store.js'
import type { Browser, TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { at, beginSession, isIn, type SharedStores, sharedStores, startSite } from './sites.js'

const maxStale = 5
const day = 24 * 60 * 60

function routes(app: TestApp['app'], config: ServerAuthConfig): void {
  const answer = (
    path: string,
    work: (req: Parameters<typeof getSession>[0] & { query: object }) => Promise<unknown>,
  ) => {
    app.get(path, (req, res, next) => {
      work(req).then((result) => res.json({ result }), next)
    })
  }
  answer('/account', async (req) => (await expressFunctions(config).account.get(req))?.sessions)
  answer('/end', (req) => expressFunctions(config).sessions.end(req, 'id' in req.query ? String(req.query.id) : ''))
  answer('/others', (req) => expressFunctions(config).sessions.endOthers(req))
  app.get('/begin', (req, res, next) => {
    const user = { id: String(req.query.id) }
    startSession(req, res, config, { user, amr: ['otp', 'mfa'] }).then(() => res.json('begun'), next)
  })
}

interface Listed {
  amr?: string[]
  beganAt?: string
  device?: object
  id: string
  current: boolean
  usedAt: string
  expires: string
}

async function sessionsOf(browser: Browser): Promise<Listed[]> {
  return (await browser.get('/account')).body.result
}

for (const [name, open] of Object.entries(sharedStores)) {
  describe(`the list of JWT sessions in ${name}`, () => {
    let stores: SharedStores
    let adapter: Adapter
    let here: TestApp
    let there: TestApp
    before(async function () {
      stores = await open(this)
      adapter = memoryAdapter()
      const start = () => {
        const store = stores.make()
        const session = { updateAge: 0, revocation: { store, maxStale, list: true } }
        return startSite(store, { config: { adapter }, routes, session })
      }
      here = await start()
      there = await start()
    })
    after(async () => {
      restoreClock()
      await Promise.all([here?.close(), there?.close()])
      await stores?.close()
    })

    const newUser = async () => {
      const id = `user-${randomUUID()}`
      await adapter.createUser?.({ id, email: `${id}@example.com`, emailVerified: null })
      return id
    }
    /** A session that is noted, as it is extended. */
    async function listedSession(app: TestApp, user: string): Promise<Browser> {
      const browser = await beginSession(app, user)
      expect(await isIn(browser)).to.equal(true)
      return browser
    }

    it('has this one first, and when each was used and ends', async () => {
      const user = await newUser()
      const [ann, phone] = [await listedSession(here, user), await listedSession(there, user)]
      for (const browser of [ann, phone]) {
        const [first, second, ...more] = await sessionsOf(browser)
        expect([first?.current, second?.current, more]).to.deep.equal([true, false, []])
        expect(Date.parse(String(first?.usedAt))).to.be.within(Date.now() - 5000, Date.now())
        expect(Date.parse(String(first?.expires))).to.be.within(
          Date.now() + 29 * day * 1000,
          Date.now() + 31 * day * 1000,
        )
      }
      expect((await sessionsOf(ann))[0]?.id).to.equal((await sessionsOf(phone))[1]?.id)
      expect((await sessionsOf(ann))[0]?.id).not.to.contain('.')
    })

    it('knows in each process how it began, also after it was extended', async () => {
      const browser = here.browser()
      browser.headers['user-agent'] = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
      await browser.get(`/begin?id=${await newUser()}`)
      const [begun] = await sessionsOf(browser)
      expect(begun).to.deep.include({
        amr: ['otp', 'mfa'],
        device: { label: 'Firefox on Linux', browser: 'Firefox', system: 'Linux' },
      })
      expect(Date.parse(String(begun?.beganAt))).to.be.within(Date.now() - 5000, Date.now())
      advanceClock(120)
      const elsewhere = at(there, browser)
      expect(await isIn(elsewhere), 'extended there').to.equal(true)
      const [extended] = await sessionsOf(elsewhere)
      expect(Date.parse(String(extended?.usedAt))).to.be.greaterThan(Date.parse(String(begun?.usedAt)))
      const same = { usedAt: '', expires: '' }
      expect({ ...extended, ...same }).to.deep.equal({ ...begun, ...same })
      restoreClock()
    })

    it('ends one of them by its id, which is over elsewhere within `maxStale`', async () => {
      const user = await newUser()
      const [ann, phone] = [await listedSession(here, user), await listedSession(there, user)]
      const id = (await sessionsOf(ann))[1]?.id
      expect((await ann.get(`/end?id=${id}`)).body).to.deep.equal({ result: { ok: true } })
      expect(await sessionsOf(ann)).to.have.length(1)
      expect((await ann.get(`/end?id=${id}`)).body, 'it is over').to.deep.equal({
        result: { ok: false, reason: 'unknown' },
      })
      advanceClock(maxStale + 1)
      expect(await isIn(phone)).to.equal(false)
      expect(await isIn(ann)).to.equal(true)
    })

    it('SE-15 AZ-02 ends nothing of another person', async () => {
      const [ann, eve] = [await listedSession(here, await newUser()), await listedSession(here, await newUser())]
      const id = (await sessionsOf(ann))[0]?.id
      expect((await eve.get(`/end?id=${id}`)).body).to.deep.equal({ result: { ok: false, reason: 'unknown' } })
      expect(await sessionsOf(ann)).to.have.length(1)
      expect(await isIn(ann)).to.equal(true)
      expect((await here.browser().get(`/end?id=${id}`)).body).to.deep.equal({
        result: { ok: false, reason: 'unknown' },
      })
    })

    it('says how many others there were', async () => {
      const user = await newUser()
      const [ann] = [await listedSession(here, user), await listedSession(here, user), await listedSession(there, user)]
      expect((await ann.get('/others')).body).to.deep.equal({ result: 2 })
      expect((await ann.get('/others')).body).to.deep.equal({ result: 0 })
      expect(await sessionsOf(ann)).to.have.length(1)
    })

    it('ends nothing for whose session ended elsewhere a moment ago', async () => {
      const user = await newUser()
      const [owner, thief] = [await listedSession(here, user), await listedSession(there, user)]
      const id = (await sessionsOf(thief))[1]?.id
      await at(here, thief).submit('/auth/signout')
      expect((await thief.get(`/end?id=${id}`)).body).to.deep.equal({ result: { ok: false, reason: 'unknown' } })
      expect(await isIn(owner)).to.equal(true)
    })

    it('has none that was ended with all of the user’s', async () => {
      const user = await newUser()
      await listedSession(here, user)
      await expressFunctions(there.config).sessions.endAll(user)
      const again = await listedSessionAfter(user)
      expect(await sessionsOf(again)).to.have.length(1)
    })

    /** Begun later than all that ended. */
    async function listedSessionAfter(user: string): Promise<Browser> {
      const now = Math.floor(Date.now() / 1000)
      const browser = await beginSession(here, user, { auth_time: now + 3600 })
      expect(await isIn(browser)).to.equal(true)
      return browser
    }
  })
}

describe('the list of JWT sessions', () => {
  it('has a session from its sign-in on, and continues without a store that cannot store it', async () => {
    const store = memoryStore()
    const noted: string[] = []
    let isBroken = false
    const list: LogStore['list'] = (session) => {
      if (isBroken) throw new Error('no room')
      noted.push(session.sid)
    }
    const broken = { log: { ...store.log, list } }
    const app = await startSite(broken, { session: { revocation: { store: broken, list: true } } })
    try {
      const ann = app.browser()
      await ann.signIn()
      expect(noted).to.have.length(1)
      isBroken = true
      await ann.signIn()
      expect(await isIn(ann)).to.equal(true)
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['AdapterError'])
    } finally {
      await app.close()
    }
  })
})
