/** Our stores of ended sessions keep the contract, on each database and with each client. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { sql } from 'kysely'
import { memoryRevocations } from '../../lib/adapters/memory/index.js'
import { redisRevocations } from '../../lib/adapters/redis/index.js'
import { migrate, sqlRevocations } from '../../lib/adapters/sql/index.js'
import { revocationContract } from '../../lib/testing/index.js'
import type { Revocation, RevocationStore } from '../../lib/types/revocation.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { skip } from '../support/skip.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

const hooks = { describe, it, before, after }
const hour = 3600
const now = () => Math.floor(Date.now() / 1000)
const always = 253_402_300_799

function entry(rest: Partial<Revocation> = {}): Revocation {
  return { key: randomBytes(16).toString('base64url'), exceptSid: '', notBefore: always, until: now() + hour, ...rest }
}

revocationContract(hooks, { name: 'memoryRevocations', create: () => ({ store: memoryRevocations() }) })

describe('memoryRevocations', () => {
  it('drops nothing when it is full: ending one more session fails', () => {
    const store = memoryRevocations({ maxRecords: 2 })
    store.add([entry(), entry()])
    expect(thrownBy(() => store.add([entry()])).message).to.equal('The memory of ended sessions is full: it holds 2.')
  })

  it('makes room of entries that nobody needs any more', () => {
    const store = memoryRevocations({ maxRecords: 2 })
    store.add([entry({ until: now() - 1 }), entry({ until: now() - 1, notBefore: 5 })])
    store.add([entry()])
    store.add([entry()])
  })

  it('refuses a number that is none', () => {
    expect(thrownBy(() => memoryRevocations({ maxRecords: 0 })).message).to.equal(
      '`maxRecords` is a whole number above 0.',
    )
  })
})

for (const kind of databaseKinds) {
  describe(`sqlRevocations on ${kind}`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
    })
    after(() => database?.close())

    it('says how its table is made, where it is not there', async () => {
      const error = await rejectionOf(Promise.resolve(sqlRevocations(database.db).find(['x'])))
      expect(error.message).to.include('Make the tables first')
    })

    it('says how a column of a later version is made', async function () {
      const before = await requireDatabase(this, kind)
      try {
        const { sql: statements } = await migrate(before.db, { dryRun: true })
        const last = statements.findIndex((statement) => statement.includes('beginning'))
        for (const statement of statements.slice(0, last)) await sql.raw(statement).execute(before.db)
        const store = sqlRevocations(before.db)
        const session = { sid: 's', userKey: 'u.x', begunAt: 1, usedAt: 1, until: now() + hour, beginning: 'x' }
        for (const call of [() => store.list(session), () => store.listed('u.x')]) {
          expect((await rejectionOf(Promise.resolve(call()))).message).to.include('await migrate(db)')
        }
        await migrate(before.db)
        await store.list(session)
        expect(await store.listed('u.x')).to.deep.equal([session])
      } finally {
        await before.close()
      }
    })

    it('is made by one step, which a dry run shows', async () => {
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
      ])
      expect(planned.some((statement) => /create table.*auth_revocations/.test(statement))).to.equal(true)
      await migrate(database.db)
    })

    revocationContract(hooks, { create: () => ({ store: sqlRevocations(database.db) }) })
  })
}

for (const [library, open] of Object.entries(libraries)) {
  describe(`redisRevocations with ${library}`, () => {
    const prefix = `test-${randomBytes(6).toString('hex')}:`
    let one: TestClient
    let store: Required<RevocationStore>
    before(async function () {
      if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
      one = await open()
      store = redisRevocations(one.client, { prefix })
    })
    after(async () => {
      const keys = await one?.command('KEYS', `${prefix}*`)
      for (const key of Array.isArray(keys) ? keys : []) await one.command('DEL', String(key))
      await one?.close()
    })

    revocationContract(hooks, { create: () => ({ store }) })

    it('removes what nobody needs any more with later additions', async () => {
      const over = entry({ until: now() - 1 })
      await store.add([over])
      await store.add([entry()])
      expect(await one.command('HEXISTS', `${prefix}{revocations}:rows`, over.key)).to.satisfy(
        (there: unknown) => !there,
      )
      expect((await store.find([over.key])).revocations).to.deep.equal([])
    })
  })
}

it('redisRevocations refuses what is no client', () => {
  const call = () => redisRevocations({} as never)
  expect(thrownBy(call).message).to.equal(
    'redisRevocations: pass a connected client of the package `redis` or `ioredis`',
  )
})
