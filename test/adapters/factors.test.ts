/** Our stores of second factors keep the contract, on each database and with each client, and in two processes at once. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { memoryAdapter, memoryFactors } from '../../lib/adapters/memory/index.js'
import { redisFactors } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter, sqlFactors } from '../../lib/adapters/sql/index.js'
import { factorContract } from '../../lib/testing/index.js'
import type { FactorStore, StoredFactor } from '../../lib/types/factors.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { expectOneWinnerEach } from '../support/store-workers.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

const hooks = { describe, it, before, after }
const past = new Date(Date.now() - 60_000)
const future = new Date(Date.now() + 3_600_000)

function factor(rest: Partial<StoredFactor> = {}): Omit<StoredFactor, 'version'> {
  const id = randomBytes(16).toString('base64url')
  const moments = { createdAt: new Date(), usedAt: null, expiresAt: null }
  return { userId: 'ada', id, type: 'totp', name: null, data: 'x', ...moments, ...rest }
}

const idsOf = async (store: FactorStore, userId: string) => (await store.list(userId)).map(({ id }) => id)

factorContract(hooks, { name: 'memoryFactors', create: () => ({ store: memoryFactors() }) })

describe('memoryFactors', () => {
  it('drops nothing when it is full: storing one more fails', () => {
    const store = memoryFactors({ maxRecords: 1 })
    const first = factor({ expiresAt: future })
    store.write(first, 0)
    expect(thrownBy(() => store.write(factor(), 0)).message).to.contain('is full: it holds 1 records')
    expect(store.write(first, 1)).to.equal(true)
  })

  it('drops what is over when it is full', async () => {
    const store = memoryFactors({ maxRecords: 2 })
    const stays = factor()
    store.write(stays, 0)
    store.write(factor({ expiresAt: past }), 0)
    const last = factor()
    expect(store.write(last, 0)).to.equal(true)
    expect(await idsOf(store, 'ada')).to.have.members([stays.id, last.id])
  })

  it('refuses a number that is none', () => {
    const call = () => memoryFactors({ maxRecords: 0 })
    expect(thrownBy(call).message).to.equal('`maxRecords` is a whole number above 0.')
  })
})

describe('memoryAdapter().factorStore', () => {
  it('is one object, which loses the factors of a user who is deleted, and what is over', async () => {
    const adapter = memoryAdapter()
    const store = adapter.factorStore()
    expect(adapter.factorStore()).to.equal(store)
    for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    for (const userId of ['eve', 'bob', 'cleo']) await store.write(factor({ userId }), 0)
    await adapter.deleteUser('eve')
    expect(await store.list('eve')).to.deep.equal([])
    await store.write(factor({ userId: 'cleo', expiresAt: past }), 0)
    await adapter.prune()
    expect(await store.list('cleo')).to.have.length(1)
    await rejectionOf(
      adapter.transaction(async (inside) => {
        await inside.deleteUser?.('bob')
        throw new Error('no')
      }),
    )
    expect(await store.list('bob')).to.have.length(1)
    await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
    expect(await store.list('bob')).to.deep.equal([])
  })
})

for (const kind of databaseKinds) {
  describe(`sqlFactors on ${kind}`, function () {
    this.timeout(20_000)
    let database: TestDatabase
    let store: FactorStore
    before(async function () {
      database = await requireDatabase(this, kind)
      store = sqlFactors(database.db)
      await migrate(database.db)
    })
    after(() => database?.close())

    factorContract(hooks, { create: () => ({ store: sqlFactors(database.db) }) })

    it('has one winner of a hundred in two processes', () =>
      expectOneWinnerEach(['writeFactor', 'removeFactor', 'writeFactor'], database.url))

    it('goes on with a transaction in which a first write lost', async () => {
      const one = factor({ userId: 'tx' })
      await store.write(one, 0)
      await database.db.transaction().execute(async (transaction) => {
        const inside = sqlFactors(transaction)
        expect(await inside.write({ ...one, data: 'y' }, 0)).to.equal(false)
        expect(await inside.write({ ...one, data: 'z' }, 1)).to.equal(true)
      })
      expect((await store.list('tx'))[0]?.data).to.equal('z')
    })

    it('refuses ids that it cannot hold exactly, without a word of them', async () => {
      for (const id of ['', 'a\0b', `${'x'.repeat(256)}`, '\ud800']) {
        for (const name of ['userId', 'id'] as const) {
          const error = await rejectionOf(Promise.resolve(store.write(factor({ [name]: id }), 0)))
          expect(error.message).to.equal('An id cannot be stored exactly.')
        }
        expect(await store.list(id)).to.deep.equal([])
        expect(await store.remove(id)).to.equal(0)
        expect(await store.remove('ada', id)).to.equal(0)
      }
    })

    it('refuses moments that are none: they would be no end at all', async () => {
      for (const name of ['createdAt', 'usedAt', 'expiresAt'] as const) {
        const call = store.write(factor({ [name]: new Date(Number.NaN) }), 0)
        expect((await rejectionOf(Promise.resolve(call))).message).to.equal('A date is needed.')
      }
    })

    it('loses the factors of a user whom sqlAdapter deletes, and of no other', async () => {
      const adapter = sqlAdapter(database.db)
      for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      for (const userId of ['eve', 'bob']) await store.write(factor({ userId }), 0)
      await adapter.deleteUser('eve')
      expect(await store.list('eve')).to.deep.equal([])
      expect(await store.list('bob')).to.have.length(1)
      await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
      expect(await store.list('bob')).to.deep.equal([])
    })

    it('loses what is over by prune of sqlAdapter, in small statements', async () => {
      const stays = [factor({ userId: 'old' }), factor({ userId: 'old', expiresAt: future })]
      const over = [1, 2, 3].map(() => factor({ userId: 'old', expiresAt: past }))
      for (const each of [...over, ...stays]) await store.write(each, 0)
      expect(await store.list('old')).to.have.length(5)
      await sqlAdapter(database.db).prune({ limit: 2 })
      expect(await idsOf(store, 'old')).to.have.members(stays.map(({ id }) => id))
    })

    it('is that of sqlAdapter, the same object at each call', async () => {
      const adapter = sqlAdapter(database.db)
      expect(adapter.factorStore()).to.equal(adapter.factorStore())
      await adapter.factorStore().write(factor({ userId: 'own', id: 'one' }), 0)
      expect(await idsOf(store, 'own')).to.deep.equal(['one'])
    })
  })

  describe(`a database on ${kind} without the table of second factors`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      await database.db.schema.dropTable('auth_factors').execute()
    })
    after(() => database?.close())

    it('makes sqlFactors say how it is made', async () => {
      const store = sqlFactors(database.db)
      const calls = [
        () => store.list('ada'),
        () => store.write(factor(), 0),
        () => store.write(factor(), 1),
        () => store.remove('ada'),
        () => store.remove('ada', 'one'),
      ]
      for (const call of calls) {
        expect((await rejectionOf(Promise.resolve(call()))).message).to.include('Make the tables first')
      }
    })

    it('lets sqlAdapter delete users and prune all the same', async () => {
      const adapter = sqlAdapter(database.db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
      await adapter.transaction(async (inside) => inside.deleteUser?.('ada'))
      expect(await adapter.getUser('ada')).to.equal(null)
      expect(await adapter.prune()).to.deep.equal({ sessions: 0, verificationTokens: 0 })
    })
  })
}

it('sqlFactors refuses what is no database', () => {
  expect(thrownBy(() => sqlFactors({} as never)).message).to.contain('must be a Kysely instance')
})

if (extent !== 'quick') {
  for (const [library, open] of Object.entries(libraries)) {
    describe(`redisFactors with ${library}`, function () {
      this.timeout(20_000)
      const prefix = `test-${randomBytes(6).toString('hex')}:`
      const keyOf = (userId: string) => `${prefix}factors:"${userId}"`
      let one: TestClient
      let store: FactorStore
      before(async function () {
        if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
        one = await open()
        store = redisFactors(one.client, { prefix })
      })
      after(async () => {
        const keys = await one?.command('KEYS', `${prefix}*`)
        for (const key of Array.isArray(keys) ? keys : []) await one.command('DEL', String(key))
        await one?.close()
      })

      factorContract(hooks, { create: () => ({ store }) })

      it('has one winner of a hundred in two processes', () =>
        expectOneWinnerEach(['writeFactor', 'removeFactor', 'writeFactor'], 'redis://127.0.0.1:6379', prefix))

      it('leaves no key of what was removed, and none of what is over', async () => {
        await store.write(factor({ userId: 'gone', id: 'one' }), 0)
        await store.write(factor({ userId: 'gone', id: 'two' }), 0)
        expect(await one.command('EXISTS', keyOf('gone'))).to.equal(1)
        await store.remove('gone', 'one')
        await store.remove('gone', 'two')
        await store.write(factor({ userId: 'over', expiresAt: past }), 0)
        await store.write(factor({ userId: 'over', expiresAt: new Date(-1) }), 0)
        for (const userId of ['gone', 'over']) expect(await one.command('EXISTS', keyOf(userId))).to.equal(0)
      })

      it('lets the key end with the last of what ends, and not while something stays', async () => {
        const [early, late] = [factor({ userId: 'ends', expiresAt: future }), factor({ userId: 'ends', id: 'late' })]
        const end = future.getTime() + 60_000
        const leftOf = async () => Number(await one.command('PTTL', keyOf('ends')))
        await store.write(early, 0)
        expect(await leftOf()).to.be.within(1, 3_600_000)
        await store.write(late, 0)
        expect(await leftOf()).to.equal(-1)
        await store.write({ ...late, expiresAt: new Date(end) }, 1)
        expect(await leftOf()).to.be.within(3_500_000, 3_660_000)
        await store.remove('ends', 'late')
        expect(await leftOf()).to.be.within(1, 3_600_000)
      })

      it('loses what is over with the next change, and nothing else', async () => {
        const stays = factor({ userId: 'some' })
        await store.write(stays, 0)
        await store.write(factor({ userId: 'some', expiresAt: new Date(Date.now() + 300) }), 0)
        expect(await store.list('some')).to.have.length(2)
        await new Promise((resolve) => setTimeout(resolve, 400))
        await store.write(stays, 1)
        expect(await idsOf(store, 'some')).to.deep.equal([stays.id])
      })

      it('refuses moments that are none', async () => {
        for (const name of ['createdAt', 'usedAt', 'expiresAt'] as const) {
          const call = store.write(factor({ [name]: new Date(Number.NaN) }), 0)
          expect((await rejectionOf(Promise.resolve(call))).name).to.equal('RangeError')
        }
      })
    })
  }
}

it('redisFactors refuses what is no client', () => {
  const message = 'redisFactors: pass a connected client of the package `redis` or `ioredis`'
  expect(thrownBy(() => redisFactors({} as never)).message).to.equal(message)
})
