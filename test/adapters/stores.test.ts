/** Our stores keep the contract: in memory, on each database and in Redis with each client, and in two processes at once. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { sql } from 'kysely'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { passwordAttemptsTable } from '../../lib/features/passwords/description.js'
import { providerTokensTable } from '../../lib/features/tokens/description.js'
import { recordTables } from '../../lib/store/tables.js'
import { storeContract } from '../../lib/testing/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { RecordKey, RecordStore, RecordTable, Revocation, Store, StoredRecord } from '../../lib/types/store.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { expectOneWinnerEach } from '../support/store-workers.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

const hooks = { describe, it, before, after }
const past = new Date(Date.now() - 60_000)
const future = new Date(Date.now() + 3_600_000)
const seconds = () => Math.floor(Date.now() / 1000)

/** A record with a key of its own. It never expires, where that is possible. */
function record({ columns, expires }: RecordTable, rest: StoredRecord = {}): StoredRecord {
  const values: StoredRecord = { number: 1, boolean: false, time: new Date() }
  const made = Object.entries(columns).map(([column, type]) => {
    if (column === expires) return [column, type.endsWith('?') ? null : future] as const
    return [column, values[type.replace('?', '')] ?? randomBytes(16).toString('base64url')] as const
  })
  return { ...Object.fromEntries(made), ...rest }
}

function keyOf({ key }: RecordTable, row: StoredRecord): RecordKey {
  return Object.fromEntries(key.map((column) => [column, String(row[column])]))
}

function ended(rest: Partial<Revocation> = {}): Revocation {
  const key = randomBytes(16).toString('base64url')
  return { key, exceptSid: '', notBefore: 253_402_300_799, until: seconds() + 3600, ...rest }
}

/** Calls a method so that an error that it throws rejects the promise. */
const call = async (work: () => unknown) => rejectionOf(Promise.resolve(work()))

const races = [
  'writeFactor',
  'removeFactor',
  'writeFactor',
  'writePassword',
  'keepAttempt',
  'takeAttempt',
  'keepAttempt',
  'writeTokens',
  'leaseTokens',
] as const

const ofUsers = recordTables.filter(({ by }) => by === 'userId')
const expiring = recordTables.filter(({ expires }) => expires !== undefined)

storeContract(hooks, { name: 'memoryStore', create: () => ({ store: memoryStore() }) })

describe('memoryStore', () => {
  for (const table of ofUsers) {
    it(`drops no record of ${table.name} when it is full: storing another one fails`, () => {
      const { records } = memoryStore({ maxRecords: 1 })
      const first = record(table, table.expires ? { [table.expires]: future } : {})
      records.write(table, first, 0)
      expect(thrownBy(() => records.write(table, record(table), 0)).message).to.contain('is full: it holds 1 records')
      expect(records.write(table, first, 1)).to.equal(true)
    })
  }

  it('drops expired records when it is full', async () => {
    const { records } = memoryStore({ maxRecords: 2 })
    const [stays, over, last] = [record(factorsTable), record(factorsTable, { expiresAt: past }), record(factorsTable)]
    for (const each of [stays, over, last]) expect(records.write(factorsTable, each, 0)).to.equal(true)
    for (const each of [stays, last]) {
      expect(await records.find(factorsTable, keyOf(factorsTable, each))).to.include(keyOf(factorsTable, each))
    }
  })

  it('makes room among pending passwords: first those that expired, then the oldest of the same address', async () => {
    const { records } = memoryStore({ maxRecords: 3 })
    const attempt = (rest: StoredRecord = {}) => record(passwordAttemptsTable, { identifier: 'ada', ...rest })
    const [other, over, own] = [attempt({ identifier: 'bob' }), attempt({ expires: past }), attempt()]
    for (const each of [other, over, own, attempt(), attempt()]) records.write(passwordAttemptsTable, each, 0)
    const find = (row: StoredRecord) => records.find(passwordAttemptsTable, keyOf(passwordAttemptsTable, row))
    expect(await find(over)).to.equal(null)
    expect(await find(own)).to.equal(null)
    expect(await find(other)).to.deep.equal(other)
  })

  it('drops no end of a session when it is full: ending another session fails', () => {
    const { log } = memoryStore({ maxRecords: 2 })
    log.add([ended(), ended()])
    expect(thrownBy(() => log.add([ended()])).message).to.equal('The memory of ended sessions is full: it holds 2.')
  })

  it('makes room of ends that are no longer needed', () => {
    const { log } = memoryStore({ maxRecords: 2 })
    log.add([ended({ until: seconds() - 1 }), ended({ until: seconds() - 1, notBefore: 5 })])
    log.add([ended()])
    log.add([ended()])
  })

  it('refuses a number that is none', () => {
    expect(thrownBy(() => memoryStore({ maxRecords: 0 })).message).to.equal(
      '`maxRecords` must be a whole number above 0.',
    )
  })
})

/** Checks that `findOfUser` finds the record of a stored user only, by the key. */
async function expectFindOfUser(adapter: Adapter, records: RecordStore): Promise<void> {
  const table = factorsTable
  await adapter.createUser?.({ id: 'zoe', email: 'zoe@example.com', emailVerified: null })
  const [own, others] = [record(table, { userId: 'zoe' }), record(table, { userId: 'ZOE' })]
  for (const each of [own, others]) await records.write(table, each, 0)
  expect(await records.findOfUser?.(table, keyOf(table, own))).to.deep.equal({ ...own, version: 1 })
  expect(await records.find(table, keyOf(table, others))).to.include({ userId: 'ZOE' })
  expect((await records.findOfUser?.(table, keyOf(table, others))) ?? null).to.equal(null)
}

describe('memoryAdapter().store', () => {
  it('finds records by their user, which another store does not know', async () => {
    const adapter = memoryAdapter()
    await expectFindOfUser(adapter, adapter.store().records)
    expect(memoryStore().records).to.not.have.property('findOfUser')
  })

  it('is one object, which loses expired records and those of a deleted user', async () => {
    const adapter = memoryAdapter()
    const { records } = adapter.store()
    expect(adapter.store()).to.equal(adapter.store())
    for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    const count = async (userId: string) =>
      (await Promise.all(ofUsers.map(async (table) => (await records.list(table, userId)).length))).join()
    for (const userId of ['eve', 'bob', 'cleo']) {
      for (const table of ofUsers) await records.write(table, record(table, { userId }), 0)
    }
    await adapter.deleteUser('eve')
    const ofEach = (each: number) => ofUsers.map(() => each).join()
    expect([await count('eve'), await count('bob'), await count('cleo')]).to.deep.equal([0, 1, 1].map(ofEach))
    for (const table of expiring) {
      const [over, stays] = [record(table, { [table.expires ?? '']: past }), record(table)]
      for (const each of [over, stays]) await records.write(table, each, 0)
      await adapter.prune()
      expect(await records.find(table, keyOf(table, over))).to.equal(null)
      expect(await records.find(table, keyOf(table, stays))).to.include(keyOf(table, stays))
    }
    await rejectionOf(
      adapter.transaction(async (inside) => {
        await inside.deleteUser?.('bob')
        throw new Error('no')
      }),
    )
    expect(await count('bob')).to.equal(ofEach(1))
    await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
    expect(await count('bob')).to.equal(ofEach(0))
  })
})

for (const kind of databaseKinds) {
  describe(`sqlStore on ${kind}`, function () {
    this.timeout(60_000)
    let database: TestDatabase
    let store: Store
    before(async function () {
      database = await requireDatabase(this, kind)
      store = sqlStore(database.db)
    })
    after(() => database?.close())

    it('says how its tables are created if they do not exist', async () => {
      const error = await call(() => store.log.find(['x']))
      expect(error.message).to.include('Create the tables first')
    })

    it('says how a column of a later version is added', async function () {
      const before = await requireDatabase(this, kind)
      try {
        const { sql: statements } = await migrate(before.db, { dryRun: true })
        const last = statements.findIndex((statement) => statement.includes('beginning'))
        for (const statement of statements.slice(0, last)) await sql.raw(statement).execute(before.db)
        const { log } = sqlStore(before.db)
        const session = { sid: 's', userKey: 'u.x', begunAt: 1, usedAt: 1, until: seconds() + 3600, beginning: 'x' }
        for (const work of [() => log.list(session), () => log.listed('u.x')]) {
          expect((await call(work)).message).to.include('await migrate(db)')
        }
        await migrate(before.db)
        await log.list(session)
        expect(await log.listed('u.x')).to.deep.equal([session])
      } finally {
        await before.close()
      }
    })

    it('is made by the same steps as before, which a dry run shows', async () => {
      const { applied, sql: planned } = await migrate(database.db, { dryRun: true })
      expect(applied).to.deep.equal([
        'default-0001-tables',
        'default-0002-revocations',
        'default-0003-session-links',
        'default-0004-session-data',
        'default-0005-limits',
        'default-0006-session-devices',
        'default-0007-provider-tokens',
        'default-0008-audit',
        'default-0009-factors',
        'default-0010-passwords',
        'default-0011-user-lists',
        'default-records-auth_api_keys',
        'default-records-auth_app_codes',
        'default-records-auth_connections',
        'default-records-auth_domains',
        'default-records-auth_deletions',
        'default-records-auth_organizations',
        'default-records-auth_organization_slugs',
        'default-records-auth_members',
        'default-records-auth_invitations',
      ])
      for (const { name } of recordTables) {
        expect(
          planned.filter((statement) => statement.startsWith('create table') && statement.includes(name)),
        ).to.have.length(1)
      }
      await migrate(database.db)
    })

    storeContract(hooks, {
      async create() {
        await migrate(database.db)
        return { store }
      },
    })

    it('has one winner of a hundred in two processes', () => expectOneWinnerEach(races, database.url))

    for (const table of recordTables) {
      describe(table.name, () => {
        it('continues a transaction in which a first write lost', async () => {
          const one = record(table)
          const mark =
            Object.keys(table.columns).findLast((column) => table.columns[column]?.endsWith('ext')) ?? table.by ?? ''
          await store.records.write(table, one, 0)
          await database.db.transaction().execute(async (transaction) => {
            const { records: inside } = sqlStore(transaction)
            expect(await inside.write(table, { ...one, [mark]: 'y' }, 0)).to.equal(false)
            if (table.version) expect(await inside.write(table, { ...one, [mark]: 'z' }, 1)).to.equal(true)
          })
          expect(await store.records.find(table, keyOf(table, one))).to.include(
            table.version ? { [mark]: 'z' } : keyOf(table, one),
          )
        })

        it('rejects ids that it cannot store exactly, and does not repeat them', async () => {
          const ids = Object.keys(table.columns).filter((column) => table.columns[column] === 'id')
          for (const id of ['', 'a\0b', `${'x'.repeat(256)}`, '\ud800']) {
            for (const column of ids) {
              const error = await call(() => store.records.write(table, record(table, { [column]: id }), 0))
              expect(error.message).to.equal('An id cannot be stored exactly.')
            }
            for (const column of table.key) {
              const key = { ...keyOf(table, record(table)), [column]: id }
              expect(await store.records.find(table, key)).to.equal(null)
              expect(await store.records.remove(table, key)).to.equal(0)
              if (!table.version) expect(await store.records.take(table, key)).to.equal(null)
              if (!table.lease) continue
              const lease = { version: 1, leaseId: 'x', seconds: 1 }
              expect(await store.records.lease(table, key, lease)).to.equal(false)
            }
            if (table.by !== undefined) expect(await store.records.list(table, id)).to.deep.equal([])
          }
        })

        it('rejects invalid moments, which would never end', async () => {
          const times = Object.keys(table.columns).filter((column) => table.columns[column]?.startsWith('time'))
          for (const column of times) {
            const work = () => store.records.write(table, record(table, { [column]: new Date(Number.NaN) }), 0)
            expect((await call(work)).message).to.equal('A date is needed.')
          }
        })
      })
    }

    it('loses the records of a user whom sqlAdapter deletes, and of no other', async () => {
      const adapter = sqlAdapter(database.db)
      for (const id of ['eve', 'bob']) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      for (const table of ofUsers) {
        for (const userId of ['eve', 'bob']) await store.records.write(table, record(table, { userId }), 0)
      }
      await adapter.deleteUser('eve')
      for (const table of ofUsers) {
        expect(await store.records.list(table, 'eve')).to.deep.equal([])
        expect(await store.records.list(table, 'bob')).to.have.length(1)
      }
      await adapter.transaction(async (inside) => inside.deleteUser?.('bob'))
      for (const table of ofUsers) expect(await store.records.list(table, 'bob')).to.deep.equal([])
    })

    it('loses expired records by prune of sqlAdapter, in small statements', async () => {
      for (const table of expiring) {
        const { expires = '' } = table
        const stays = [record(table), record(table, { [expires]: future })]
        const over = [1, 2, 3].map(() => record(table, { [expires]: past }))
        for (const each of [...over, ...stays]) await store.records.write(table, each, 0)
        await sqlAdapter(database.db).prune({ limit: 2 })
        for (const each of over) expect(await store.records.find(table, keyOf(table, each))).to.equal(null)
        for (const each of stays)
          expect(await store.records.find(table, keyOf(table, each))).to.include(keyOf(table, each))
      }
    })

    it('finds records by their user with sqlAdapter, whose tables are known', async () => {
      await migrate(database.db)
      const adapter = sqlAdapter(database.db)
      await expectFindOfUser(adapter, adapter.store().records)
      expect(store.records).to.not.have.property('findOfUser')
      if (kind === 'sqlite') return
      const withOtherIds = sqlAdapter(database.db, kind === 'postgres' ? { preset: 'pg' } : { preset: 'drizzle' })
      expect(withOtherIds.store().records).to.not.have.property('findOfUser')
    })

    it('is that of sqlAdapter, the same object at each call', async () => {
      const adapter = sqlAdapter(database.db)
      expect(adapter.store()).to.equal(adapter.store())
      const one = record(factorsTable)
      await adapter.store().records.write(factorsTable, one, 0)
      expect(await store.records.find(factorsTable, keyOf(factorsTable, one))).to.include({ version: 1 })
    })
  })

  describe(`a database on ${kind} without the tables of records`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      for (const { name } of recordTables) await database.db.schema.dropTable(name).execute()
    })
    after(() => database?.close())

    it('makes sqlStore say how they are created', async () => {
      const { records } = sqlStore(database.db)
      for (const table of recordTables) {
        const key = keyOf(table, record(table))
        const calls = [
          () => records.find(table, key),
          () => records.write(table, record(table), 0),
          () => records.remove(table, key),
          ...(table.by === undefined ? [] : [() => records.list(table, 'ada')]),
          ...(table.version ? [() => records.write(table, record(table), 1)] : [() => records.take(table, key)]),
          ...(table.lease ? [() => records.lease(table, key, { version: 1, leaseId: 'x', seconds: 1 })] : []),
          ...(table.lease ? [() => records.release(table, key, 'x')] : []),
        ]
        for (const work of calls) expect((await call(work)).message).to.include('Create the tables first')
      }
    })

    it('does not stop sqlAdapter from deleting users and pruning', async () => {
      const adapter = sqlAdapter(database.db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
      await adapter.transaction(async (inside) => inside.deleteUser?.('ada'))
      expect(await adapter.getUser('ada')).to.equal(null)
      expect(await adapter.prune()).to.deep.equal({ sessions: 0, verificationTokens: 0 })
    })
  })
}

it('sqlStore refuses what is no database', () => {
  expect(thrownBy(() => sqlStore({} as never)).message).to.contain('is not a Kysely instance')
})

if (extent !== 'quick') {
  for (const [library, open] of Object.entries(libraries)) {
    describe(`redisStore with ${library}`, function () {
      this.timeout(60_000)
      const prefix = `test-${randomBytes(6).toString('hex')}:`
      let one: TestClient
      let store: Store
      before(async function () {
        if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
        one = await open()
        store = redisStore(one.client, { prefix })
      })
      after(async () => {
        const keys = await one?.command('KEYS', `${prefix}*`)
        for (const key of Array.isArray(keys) ? keys : []) await one.command('DEL', String(key))
        await one?.close()
      })

      storeContract(hooks, { create: () => ({ store }) })

      it('has one winner of a hundred in two processes', () =>
        expectOneWinnerEach(races, 'redis://127.0.0.1:6379', prefix))

      const factorsOf = (userId: string) => `${prefix}factors:"${userId}"`
      const write = (rest: StoredRecord, previous = 0) =>
        store.records.write(factorsTable, record(factorsTable, rest), previous)

      it('leaves no key of removed and expired records', async () => {
        await write({ userId: 'gone', id: 'one' })
        await write({ userId: 'gone', id: 'two' })
        expect(await one.command('EXISTS', factorsOf('gone'))).to.equal(1)
        for (const id of ['one', 'two']) await store.records.remove(factorsTable, { userId: 'gone', id })
        for (const expiresAt of [past, new Date(-1)]) await write({ userId: 'over', expiresAt })
        for (const userId of ['gone', 'over']) expect(await one.command('EXISTS', factorsOf(userId))).to.equal(0)
        const attempt = record(passwordAttemptsTable)
        const key = `${prefix}password_attempts:"${attempt.tokenHash}"`
        await store.records.write(passwordAttemptsTable, attempt, 0)
        expect(Number(await one.command('PTTL', key))).to.be.within(1, 3_600_000)
        await store.records.take(passwordAttemptsTable, keyOf(passwordAttemptsTable, attempt))
        expect(await one.command('EXISTS', key)).to.equal(0)
      })

      it('lets the key expire with its last record, and not while a record stays', async () => {
        const leftOf = async () => Number(await one.command('PTTL', factorsOf('ends')))
        await write({ userId: 'ends', expiresAt: future })
        expect(await leftOf()).to.be.within(1, 3_600_000)
        await write({ userId: 'ends', id: 'late' })
        expect(await leftOf()).to.equal(-1)
        const late = new Date(future.getTime() + 60_000)
        await write({ userId: 'ends', id: 'late', expiresAt: late }, 1)
        expect(await leftOf()).to.be.closeTo(late.getTime() - Date.now(), 10_000)
        await store.records.remove(factorsTable, { userId: 'ends', id: 'late' })
        expect(await leftOf()).to.be.within(1, 3_600_000)
      })

      it('loses expired records with the next change, and nothing else', async () => {
        await write({ userId: 'some', id: 'stays' })
        await write({ userId: 'some', expiresAt: new Date(Date.now() + 300) })
        expect(await store.records.list(factorsTable, 'some')).to.have.length(2)
        await new Promise((resolve) => setTimeout(resolve, 400))
        await write({ userId: 'some', id: 'stays' }, 1)
        expect((await store.records.list(factorsTable, 'some')).map(({ id }) => id)).to.deep.equal(['stays'])
      })

      it('rejects invalid moments', async () => {
        for (const name of ['createdAt', 'usedAt', 'expiresAt']) {
          expect((await call(() => write({ [name]: new Date(Number.NaN) }))).name).to.equal('RangeError')
        }
      })

      it('keeps all keys of tokens in one slot of a cluster, and leaves none of a row that was removed', async () => {
        const each = record(providerTokensTable, { provider: 'test' })
        await store.records.write(providerTokensTable, each, 0)
        const keysOf = async () => [await one.command('KEYS', `${prefix}*${each.userId}*`)].flat().map(String)
        const keys = [...(await keysOf()), `${prefix}{tokens}:account:["test","${each.providerAccountId}"]`]
        expect(keys).to.have.length(2)
        for (const key of keys) {
          expect(await one.command('EXISTS', key)).to.equal(1)
          expect(key).to.contain('{tokens}')
        }
        const where = { ...keyOf(providerTokensTable, each), userId: String(each.userId) }
        await store.records.remove(providerTokensTable, where)
        for (const key of keys) expect(await one.command('EXISTS', key)).to.equal(0)
      })

      it('removes ends that are no longer needed with later additions', async () => {
        const over = ended({ until: seconds() - 1 })
        await store.log.add([over])
        await store.log.add([ended()])
        expect(await one.command('HEXISTS', `${prefix}{revocations}:rows`, over.key)).to.satisfy(
          (there: unknown) => !there,
        )
        expect((await store.log.find([over.key])).revocations).to.deep.equal([])
      })
    })
  }
}

it('redisStore rejects a value that is no client', () => {
  const message = 'redisStore: pass a connected client of the package `redis` or `ioredis`'
  expect(thrownBy(() => redisStore({} as never)).message).to.equal(message)
})
