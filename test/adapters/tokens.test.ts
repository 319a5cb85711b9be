/** Our stores of provider tokens keep the contract, on each database and with each client, and in two processes at once. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'chai'
import { memoryTokens } from '../../lib/adapters/memory/index.js'
import { redisTokens } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter, sqlTokens } from '../../lib/adapters/sql/index.js'
import { tokenContract } from '../../lib/testing/index.js'
import type { StoredTokens, TokenStore } from '../../lib/types/tokens.js'
import { compileScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

const hooks = { describe, it, before, after }
const race = { provider: 'test', providerAccountId: 'race' }

function row(rest: Partial<StoredTokens> = {}): Omit<StoredTokens, 'version'> {
  const providerAccountId = randomBytes(16).toString('base64url')
  const facts = { sealed: 'x', expiresAt: null, scope: null, needsConsent: false }
  return { provider: 'test', providerAccountId, userId: 'ada', ...facts, ...rest }
}

/** Two processes for all stores: to start them costs more than what they do. */
const workers: ChildProcess[] = []

async function startWorkers(): Promise<readonly ChildProcess[]> {
  if (workers.length > 0) return workers
  const script = await compileScript('test/support/token-worker-main.ts')
  workers.push(fork(script), fork(script))
  return workers
}

after(() => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL')
})

/** Of a hundred first writes in two processes at once one succeeds, and of a hundred leases of what was written. */
async function expectOneWinner(url: string, store: TokenStore, prefix = ''): Promise<void> {
  const both = await startWorkers()
  const ask = async (task: string) => {
    const told = both.map(async (worker) => (await once(worker, 'message'))[0] as unknown)
    for (const worker of both) worker.send({ task, url, prefix })
    return (await Promise.all(told)).sort()
  }
  expect(await ask('open')).to.deep.equal(['ready', 'ready'])
  expect(await ask('write'), 'first writes').to.deep.equal([0, 1])
  expect((await store.find(race))?.version).to.equal(1)
  expect(await ask('lease'), 'leases').to.deep.equal([0, 1])
  await ask('close')
}

tokenContract(hooks, { name: 'memoryTokens', create: () => ({ store: memoryTokens() }) })

describe('memoryTokens', () => {
  it('drops nothing when it is full: storing one more fails', () => {
    const store = memoryTokens({ maxRecords: 1 })
    const first = row()
    store.write(first, 0)
    expect(thrownBy(() => store.write(row(), 0)).message).to.contain('is full: it holds 1 records')
    expect(store.write(first, 1)).to.equal(true)
  })

  it('refuses a number that is none', () => {
    const call = () => memoryTokens({ maxRecords: 0 })
    expect(thrownBy(call).message).to.equal('`maxRecords` is a whole number above 0.')
  })
})

for (const kind of databaseKinds) {
  describe(`sqlTokens on ${kind}`, function () {
    this.timeout(20_000)
    let database: TestDatabase
    let store: TokenStore
    before(async function () {
      database = await requireDatabase(this, kind)
      store = sqlTokens(database.db)
      await migrate(database.db)
    })
    after(() => database?.close())

    tokenContract(hooks, { create: () => ({ store: sqlTokens(database.db) }) })

    it('has one winner of a hundred in two processes', () => expectOneWinner(database.url, store))

    it('goes on with a transaction in which a first write lost', async () => {
      const one = row()
      await store.write(one, 0)
      await database.db.transaction().execute(async (transaction) => {
        const inside = sqlTokens(transaction)
        expect(await inside.write({ ...one, sealed: 'y' }, 0)).to.equal(false)
        expect(await inside.write({ ...one, sealed: 'z' }, 1)).to.equal(true)
      })
      expect((await store.find(one))?.sealed).to.equal('z')
    })

    it('refuses ids that it cannot hold exactly, without a word of them', async () => {
      for (const id of ['', 'a\0b', `${'x'.repeat(256)}`, '\ud800']) {
        for (const name of ['provider', 'providerAccountId', 'userId'] as const) {
          const error = await rejectionOf(Promise.resolve(store.write(row({ [name]: id }), 0)))
          expect(error.message).to.equal('An id cannot be stored exactly.')
        }
        expect(await store.find({ ...race, providerAccountId: id })).to.equal(null)
        expect(await store.findByUser(id)).to.deep.equal([])
        expect(await store.lease({ ...race, provider: id }, { version: 1, leaseId: 'x', seconds: 1 })).to.equal(false)
      }
    })

    it('loses the rows of a user whom sqlAdapter deletes, and no other', async () => {
      const adapter = sqlAdapter(database.db)
      for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      const [one, other] = [row({ userId: 'eve' }), row({ userId: 'bob' })]
      for (const each of [one, other]) await store.write(each, 0)
      await adapter.deleteUser('eve')
      expect(await store.find(one)).to.equal(null)
      expect(await store.find(other)).to.include({ userId: 'bob' })
      await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
      expect(await store.find(other)).to.equal(null)
    })
  })

  describe(`a database on ${kind} without the table of provider tokens`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      await database.db.schema.dropTable('auth_provider_tokens').execute()
    })
    after(() => database?.close())

    it('makes sqlTokens say how it is made', async () => {
      const store = sqlTokens(database.db)
      const calls = [
        () => store.find(race),
        () => store.findByUser('ada'),
        () => store.write(row(), 0),
        () => store.write(row(), 1),
        () => store.lease(race, { version: 1, leaseId: 'x', seconds: 1 }),
        () => store.release(race, 'x'),
        () => store.remove(race, 'ada'),
      ]
      for (const call of calls) {
        expect((await rejectionOf(Promise.resolve(call()))).message).to.include('Make the tables first')
      }
    })

    it('lets sqlAdapter delete users all the same', async () => {
      const adapter = sqlAdapter(database.db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
      await adapter.transaction(async (inside) => inside.deleteUser?.('ada'))
      expect(await adapter.getUser('ada')).to.equal(null)
    })
  })
}

it('sqlTokens refuses what is no database', () => {
  expect(thrownBy(() => sqlTokens({} as never)).message).to.contain('must be a Kysely instance')
})

if (extent !== 'quick') {
  for (const [library, open] of Object.entries(libraries)) {
    describe(`redisTokens with ${library}`, function () {
      this.timeout(20_000)
      const prefix = `test-${randomBytes(6).toString('hex')}:`
      let one: TestClient
      let store: TokenStore
      before(async function () {
        if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
        one = await open()
        store = redisTokens(one.client, { prefix })
      })
      after(async () => {
        const keys = await one?.command('KEYS', `${prefix}*`)
        for (const key of Array.isArray(keys) ? keys : []) await one.command('DEL', String(key))
        await one?.close()
      })

      tokenContract(hooks, { create: () => ({ store }) })

      it('has one winner of a hundred in two processes', () => expectOneWinner('redis://127.0.0.1:6379', store, prefix))

      it('keeps all keys in one slot of a cluster, and leaves none of a row that was removed', async () => {
        const userId = randomBytes(8).toString('hex')
        const each = row({ userId })
        await store.write(each, 0)
        const keysOf = async () => [await one.command('KEYS', `${prefix}*${userId}*`)].flat().map(String)
        const keys = [...(await keysOf()), `${prefix}{tokens}:account:["test","${each.providerAccountId}"]`]
        expect(keys).to.have.length(2)
        for (const key of keys) {
          expect(await one.command('EXISTS', key)).to.equal(1)
          expect(key).to.contain('{tokens}')
        }
        await store.remove(each, userId)
        for (const key of keys) expect(await one.command('EXISTS', key)).to.equal(0)
      })
    })
  }
}

it('redisTokens refuses what is no client', () => {
  const message = 'redisTokens: pass a connected client of the package `redis` or `ioredis`'
  expect(thrownBy(() => redisTokens({} as never)).message).to.equal(message)
})
