/**
 * The behaviour of every store of counts: in memory, in each database, in Redis; by a clock that a test cannot move,
 * with short windows.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createClient } from 'redis'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import type { Consumption, CounterStore } from '../../lib/types/store.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { skip } from '../support/skip.js'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

interface Place {
  readonly store: CounterStore
  /** Makes all counts older by a number of seconds. */
  age(seconds: number): Promise<void>
  close(): Promise<void>
}

const places: Record<string, (context: Mocha.Context) => Promise<Place>> = {
  memory: async () => {
    const realNow = Date.now
    let ahead = 0
    Date.now = () => realNow() + ahead
    return {
      store: createMemoryCounter(),
      age: async (seconds) => {
        ahead += seconds * 1000
      },
      close: async () => {
        Date.now = realNow
      },
    }
  },
  ...Object.fromEntries(
    databaseKinds.map((kind) => [
      kind,
      async (context: Mocha.Context) => inDatabase(await requireDatabase(context, kind)),
    ]),
  ),
  ...(extent !== 'quick' && { redis: inRedis }),
}

async function inDatabase(database: TestDatabase): Promise<Place> {
  const { db, close } = database
  await migrate(db)
  return {
    store: sqlStore(db).counter,
    async age(seconds) {
      const age = Math.round(seconds * 1000)
      const rows = await db.selectFrom('auth_limits').selectAll().execute()
      for (const { key, times, next, until } of rows) {
        const older = String(times).replace(/\d{13}/g, (time) => String(Number(time) - age))
        const change = { times: older, next: Number(next) - age, until: Number(until) - age }
        await db.updateTable('auth_limits').set(change).where('key', '=', key).execute()
      }
    },
    close,
  }
}

async function inRedis(context: Mocha.Context): Promise<Place> {
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect().catch(() => skip(context, 'no Redis server'))
  const prefix = `t${randomBytes(6).toString('hex')}:`
  const names = () => client.keys(`${prefix}*`)
  return {
    store: redisStore(client, { prefix }).counter,
    async age(seconds) {
      const age = Math.round(seconds * 1000)
      for (const name of await names()) {
        const left = await client.pTTL(name)
        if (name.includes(':w:')) {
          const times = await client.lRange(name, 0, -1)
          await client.del(name)
          if (times.length > 0)
            await client.rPush(
              name,
              times.map((time) => String(Number(time) - age)),
            )
        } else {
          const next = Number(await client.hGet(name, 'next'))
          await client.hSet(name, 'next', String(next - age))
        }
        await client.pExpire(name, Math.max(left - age, 1))
      }
      // A key of which a millisecond is left.
      await new Promise((resolve) => setTimeout(resolve, 3))
    },
    async close() {
      const left = await names()
      if (left.length > 0) await client.del(left)
      await client.close()
    },
  }
}

/** Stores that count for several keys in one round trip. */
const inOneCall = ['postgres', 'redis']

for (const [name, open] of Object.entries(places)) {
  describe(`counted attempts in ${name}`, () => {
    let place: Place
    let store: CounterStore
    let key = ''
    before(async function () {
      place = await open(this)
      store = place.store
    })
    after(() => place?.close())
    beforeEach(() => {
      key = randomBytes(16).toString('base64url')
    })

    const count = (rule: Partial<Consumption> = {}, of = key) =>
      store.consume(of, { cost: 1, limit: 3, window: 60, ...rule })
    const giveBack = (rule: Partial<Consumption> = {}) => store.refund(key, { cost: 1, limit: 3, window: 60, ...rule })
    const slow: Partial<Consumption> = { limit: 3, window: 3600, delay: 'exponential' }

    it('are allowed up to the limit, and then rejected with the time to wait', async () => {
      for (let at = 0; at < 3; at += 1) expect(await count()).to.deep.equal({ allowed: true, retryAfter: 0 })
      const refused = await count()
      expect(refused.allowed).to.equal(false)
      expect(refused.retryAfter).to.be.within(55, 60)
      expect((await count({}, `${key}-other`)).allowed).to.equal(true)
    })

    it('leave the window one after the other', async () => {
      await count()
      await place.age(40)
      await count()
      await count()
      expect((await count()).retryAfter).to.be.within(15, 20)
      await place.age(21)
      expect((await count()).allowed).to.equal(true)
      expect((await count()).retryAfter).to.be.within(33, 39)
    })

    it('that were rejected are not counted', async () => {
      for (let at = 0; at < 20; at += 1) await count()
      await place.age(61)
      expect((await count()).allowed).to.equal(true)
    })

    it('are taken back one by one, and never below none', async () => {
      await giveBack()
      for (let at = 0; at < 3; at += 1) await count()
      await giveBack()
      expect((await count()).allowed).to.equal(true)
      expect((await count()).allowed).to.equal(false)
      for (let at = 0; at < 5; at += 1) await giveBack()
      for (let at = 0; at < 3; at += 1) expect((await count()).allowed).to.equal(true)
      expect((await count()).allowed).to.equal(false)
    })

    it('are queried without being counted', async () => {
      for (let at = 0; at < 10; at += 1) expect((await count({ cost: 0 })).allowed).to.equal(true)
      for (let at = 0; at < 3; at += 1) await count()
      expect((await count({ cost: 0 })).allowed).to.equal(false)
    })

    it('are no more than the limit, of a hundred at once', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => count()))
      expect(answers.filter(({ allowed }) => allowed)).to.have.length(3)
    })

    it('make the next one wait, twice as long each time, up to 15 minutes', async () => {
      for (const expected of [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]) {
        expect((await count(slow)).allowed, `before ${expected} s`).to.equal(true)
        const wait = (await count({ ...slow, cost: 0 })).retryAfter
        // The clock is running: on a busy machine some seconds pass before it is read.
        expect(Math.ceil(wait)).to.be.within(expected > 8 ? expected / 2 + 1 : 0, expected)
        if (expected === 0 || expected > 8) expect((await count(slow)).allowed).to.equal(expected === 0)
        if (expected === 0) await giveBack(slow)
        await place.age(expected + 0.01)
      }
    })

    it('that make others wait are one at a time, of a hundred at once', async () => {
      const began = Date.now()
      const answers = await Promise.all(Array.from({ length: 100 }, () => count(slow)))
      // On a busy machine the first second of waiting may be over meanwhile.
      const most = 3 + Math.floor((Date.now() - began) / 1000)
      expect(answers.filter(({ allowed }) => allowed).length).to.be.within(3, most)
    })

    it('that made others wait are forgotten after a window without one', async () => {
      for (let at = 0; at < 3; at += 1) await count(slow)
      await place.age(3602)
      for (let at = 0; at < 3; at += 1) expect((await count(slow)).allowed).to.equal(true)
      expect((await count(slow)).allowed).to.equal(false)
    })

    it('that succeeded after all cause no delay', async () => {
      for (let at = 0; at < 3; at += 1) {
        await count(slow)
        if (at === 2) await giveBack(slow)
      }
      expect((await count(slow)).allowed).to.equal(true)
      expect((await count(slow)).allowed).to.equal(false)
    })

    for (const [what, rule] of Object.entries({ 'a window': {}, 'a delay': slow })) {
      it(`never delay for longer than ${what} when the clock is set back`, async () => {
        for (let at = 0; at < 3; at += 1) await count(rule)
        await place.age(-2 * 86_400)
        const first = await count(rule)
        if (!first.allowed) {
          expect(first.retryAfter).to.be.at.most(60)
          await place.age(first.retryAfter + 0.1)
          expect((await count(rule)).allowed).to.equal(true)
        }
        const answers = []
        for (let at = 0; at < 6; at += 1) answers.push((await count(rule)).allowed)
        expect(answers.filter(Boolean).length).to.be.at.most(3)
        expect(answers.at(-1)).to.equal(false)
      })
    }

    it('wait from the first on where one is allowed', async () => {
      expect((await count({ ...slow, limit: 1 })).allowed).to.equal(true)
      expect((await count({ ...slow, limit: 1 })).retryAfter).to.be.within(0.01, 1)
    })

    if (!inOneCall.includes(name)) return
    it('for several keys end at the first that is refused', async () => {
      const [client, account] = [`${key}c`, `${key}a`]
      const both = () =>
        store.consumeInTurn?.([
          { key: client, cost: 1, limit: 5, window: 60 },
          { key: account, cost: 1, limit: 2, window: 60, delay: 'exponential' },
        ])
      expect((await both())?.map(({ allowed }) => allowed)).to.deep.equal([true, true])
      expect((await both())?.map(({ allowed }) => allowed)).to.deep.equal([true, true])
      expect((await both())?.map(({ allowed }) => allowed)).to.deep.equal([true, false])
      for (let at = 0; at < 2; at += 1) await both()
      expect((await both())?.map(({ allowed }) => allowed)).to.deep.equal([false])
    })
  })
}
