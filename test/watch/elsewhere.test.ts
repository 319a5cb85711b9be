/** Watched sessions that end in another process, of bearer tokens, at tenants, and before the second factor. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { addWatch } from '../../lib/features/watch/queue.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import { stopClock } from '../../lib/testing/clock.js'
import { doors, enrolled, openFactorStage, strategies, waiting } from '../factors/stage.js'
import { forkScript } from '../support/child-script.js'
import { restoreClock } from '../support/clock.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { tenantDoors } from '../tenants/stage.js'
import type { EndingOrder } from './ending-main.js'
import { openSite, secret } from './site.js'
import { reasonOf } from './stage.js'

/** The reasons of a watch, and the function that notes them. */
function noteReasons() {
  const reasons: string[] = []
  return { reasons, stop() {}, onEnd: (reason: string) => void reasons.push(reason) }
}

for (const kind of databaseKinds) {
  describe(`watched sessions in ${kind} that another process ends`, function () {
    this.timeout(60_000)
    this.slow(15_000)
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
    })
    after(() => database?.close())

    for (const strategy of strategies)
      it(`end with \`ended\`, and those of other users continue (${strategy})`, async () => {
        const { auth, request } = openSite(sqlAdapter(database.db), {
          session: { strategy, revocation: { store: sqlStore(database.db), maxStale: 1 } },
        })
        const [ann, bob] = [noteReasons(), noteReasons()]
        const stops = [
          auth.sessions.watch(await request('ann@example.com'), ann.onEnd, { every: 1 }),
          auth.sessions.watch(await request('bob@example.com'), bob.onEnd, { every: 1 }),
        ]
        await wait(1500)
        expect([...ann.reasons, ...bob.reasons]).to.deep.equal([])
        const child = await forkScript('test/watch/ending-main.ts')
        const order: EndingOrder = { url: database.url, secret, email: 'ann@example.com', strategy }
        child.send(order)
        expect(await once(child, 'message')).to.include('done')
        expect(await reasonOf(ann)).to.equal('ended')
        await wait(1500)
        expect(bob.reasons).to.deep.equal([])
        for (const stop of stops) stop()
      })
  })
}

for (const strategy of strategies) {
  const more: Partial<ServerAuthConfig> = {
    session: { strategy, bearer: true, maxAge: 600, revocation: strategy === 'jwt' && memoryStore() },
  }

  describe(`the watch of a session (${strategy})`, function () {
    this.timeout(30_000)
    this.slow(8000)

    it('that is in a bearer token ends as one in a cookie does', async () => {
      const { auth, request, endSessions } = openSite(memoryAdapter(), more)
      const { headers } = await request('ann@example.com')
      const [, token] = /session-token=([^;]+)/.exec(headers.cookie as string) ?? []
      const { reasons, onEnd, stop } = noteReasons()
      const bearer = { protocol: 'http', headers: { host: 'localhost', authorization: `Bearer ${token}` } }
      auth.sessions.watch(bearer, onEnd, { every: 1 })
      await wait(1500)
      expect(reasons).to.deep.equal([])
      await endSessions('ann')
      expect(await reasonOf({ reasons, stop })).to.equal('ended')
    })

    it("ends with `expired` by the testing kit's clock", async () => {
      const clock = stopClock()
      try {
        const { auth, request } = openSite(memoryAdapter(), more)
        const { reasons, onEnd, stop } = noteReasons()
        auth.sessions.watch(await request('ann@example.com'), onEnd)
        await wait(1500)
        clock.advance(500)
        await wait(1500)
        expect(reasons).to.deep.equal([])
        clock.advance(200)
        expect(await reasonOf({ reasons, stop }, 5000)).to.equal('expired')
      } finally {
        clock.restore()
      }
    })

    it('of a sign-in that is pending for its second factor ends at once: it is none', async () => {
      const stage = await openFactorStage(doors.express, { session: { strategy, bearer: true } })
      try {
        const ann = await enrolled(stage)
        const pending = await waiting(ann)
        const auth = defineAuth({ ...stage.door.config })
        const { host } = new URL(stage.door.origin)
        const cookieOf = ({ cookies }: typeof ann) => [...cookies].map((each) => each.join('=')).join('; ')
        const [value] = [...pending.cookies].flatMap(([name, each]) => (name.endsWith('.pending') ? [each] : []))
        expect(value).to.be.a('string')
        const watched = [
          { cookie: cookieOf(pending) },
          { authorization: `Bearer ${value}` },
          { cookie: cookieOf(ann) },
        ].map((headers) => {
          const noted = noteReasons()
          return { ...noted, stop: auth.sessions.watch({ headers: { host, ...headers } }, noted.onEnd, { every: 1 }) }
        })
        await wait(1500)
        for (const { stop } of watched) stop()
        expect(watched.map(({ reasons }) => reasons)).to.deep.equal([['ended'], ['ended'], []])
      } finally {
        restoreClock()
        await stage.close()
      }
    })
  })
}

describe('the watch of a JWT session that another process has renewed', function () {
  this.timeout(30_000)
  this.slow(8000)

  it('continues until the end in the list of sessions, which is read once after each known end', async () => {
    const { log } = memoryStore()
    let reads = 0
    const counted = {
      ...log,
      listed(userKey: string) {
        reads += 1
        return log.listed(userKey)
      },
    }
    const session = { strategy: 'jwt', revocation: { store: { log: counted }, list: true, maxStale: 1 } } as const
    const { config } = getEngine(openSite(memoryAdapter(), { session }).config)
    const { reasons, onEnd, stop } = noteReasons()
    const facts = { name: 'the name of a session', known: { userId: 'ann' }, latest: Number.POSITIVE_INFINITY }
    const renewed = { sid: facts.name, userId: 'ann', startedAt: Math.floor(Date.now() / 1000) }
    await config.session.revocation?.lists?.storeSession({ ...renewed, expires: Date.now() + 5000 })
    addWatch(config, { ...facts, expires: Date.now() + 500 }, { onEnd, endsInOutage: false }, 1)
    await wait(4000)
    expect(reasons).to.deep.equal([])
    expect(reads).to.equal(1)
    expect(await reasonOf({ reasons, stop })).to.equal('expired')
    expect(reads).to.equal(2)
  })
})

describe('the watch of a session at a tenant', function () {
  this.timeout(30_000)
  this.slow(8000)
  const [[, openTenants] = expect.fail('no entry point')] = tenantDoors

  it('continues without the tenant in memory, and ends with the session, not with that of another tenant', async () => {
    const adapter = memoryAdapter()
    const stage = await openTenants({
      max: 1,
      load: () => ({ adapter, session: { strategy: 'database' } }),
      before(app, auth) {
        app.get('/start', (req, res, next) => {
          const options = { user: { email: 'ann@example.com', emailVerified: true }, amr: ['pwd'] } as const
          auth.startSession(req, res, options).then((started) => res.json(started), next)
        })
      },
    })
    try {
      const begin = async (host: string) => {
        const browser = stage.browser(host)
        expect((await browser.get('/start')).body).to.include({ started: true })
        const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
        const noted = noteReasons()
        const stop = stage.auth.sessions.watch({ headers: { host, cookie } }, noted.onEnd, { every: 1 })
        return { ...noted, stop }
      }
      const acme = await begin('acme.test')
      await wait(300)
      // Each of the next loads drops the tenant that was used before.
      const beta = await begin('beta.test')
      await wait(1500)
      expect([...acme.reasons, ...beta.reasons]).to.deep.equal([])
      const own = await stage.auth.of('acme')
      const { users } = await own.users.list({ search: 'ann' })
      for (const { user } of users) await own.sessions.endAll(user.id)
      expect(await reasonOf(acme)).to.equal('ended')
      await wait(1500)
      expect(beta.reasons).to.deep.equal([])
      beta.stop()
    } finally {
      await stage.close()
    }
  })

  it('ends with `ended` without a session, and with `outage` without such a tenant', async () => {
    const stage = await openTenants({ load: (id) => (id === 'none' ? null : {}) })
    try {
      const reasons = await Promise.all(
        ['acme.test', 'none.test'].map((host) => {
          const noted = noteReasons()
          stage.auth.sessions.watch({ headers: { host } }, noted.onEnd, { every: 1 })
          return reasonOf(noted, 5000)
        }),
      )
      expect(reasons).to.deep.equal(['ended', 'outage'])
    } finally {
      await stage.close()
    }
  })
})
