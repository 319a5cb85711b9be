/**
 * Databases and keys that were written before stores followed descriptions of tables. `stored-before.json` was made by the code of that time:
 * for each dialect its statements and rows, for Redis the commands that make its keys again.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type Kysely, sql } from 'kysely'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { passwordAttemptsTable, passwordsTable } from '../../lib/features/passwords/description.js'
import { providerTokensTable } from '../../lib/features/tokens/description.js'
import type { Store } from '../../lib/types/store.js'
import {
  type AnyTables,
  type DatabaseKind,
  databaseKinds,
  requireDatabase,
  type TestDatabase,
} from '../support/databases.js'
import { extent } from '../support/extent.js'
import { skip } from '../support/skip.js'
import { hasRedis, libraries, type TestClient } from './redis-clients.js'

type Before = Record<DatabaseKind, { sql: string[]; rows: Record<string, Record<string, unknown>[]> }> & {
  redis: string[][]
}

const written: Before = JSON.parse(readFileSync(new URL('stored-before.json', import.meta.url), 'utf8'))

const app = {
  userId: 'Ada',
  id: 'totp-1',
  type: 'totp',
  name: 'Größe 📱',
  data: 'sealed.data.1',
  version: 2,
  createdAt: new Date(1_700_000_000_001),
  usedAt: new Date(1_700_000_500_999),
  expiresAt: null,
}
const device = {
  userId: 'Ada',
  id: 'device:a',
  type: 'device',
  name: null,
  data: '',
  version: 1,
  createdAt: new Date(1_700_000_000_002),
  usedAt: null,
  expiresAt: new Date(4_102_444_800_007),
}
const google = {
  provider: 'google',
  providerAccountId: '1',
  userId: 'Ada',
  sealed: 'sealed.tokens',
  expiresAt: 1_900_000_000,
  scope: 'openid email',
  needsConsent: false,
  version: 2,
}
const github = {
  provider: 'github',
  providerAccountId: 'é',
  userId: 'Ada',
  sealed: 'x',
  expiresAt: null,
  scope: null,
  needsConsent: true,
  version: 1,
}

/** Shows that records are read as they were written, can be changed, and go. */
async function expectRecords({ records }: Store): Promise<void> {
  expect(await records.list(factorsTable, 'Ada')).to.have.deep.members([app, device])
  expect(await records.list(providerTokensTable, 'Ada')).to.have.deep.members([google, github])
  const { version: _version, ...next } = app
  expect(await records.write(factorsTable, { ...next, name: 'Phone' }, 2)).to.equal(true)
  expect(await records.find(factorsTable, { userId: 'Ada', id: 'totp-1' })).to.deep.equal({
    ...app,
    name: 'Phone',
    version: 3,
  })
  const key = { provider: 'google', providerAccountId: '1' }
  expect(await records.lease(providerTokensTable, key, { version: 2, leaseId: 'one', seconds: 9 })).to.equal(true)
  expect(await records.write(providerTokensTable, { ...key, ...github, ...key }, 1)).to.equal(false)
  expect(await records.remove(providerTokensTable, { userId: 'Ada' })).to.equal(2)
  expect(await records.remove(factorsTable, { userId: 'Ada' })).to.equal(2)
}

async function expectLogAndCounter({ log, counter }: Store): Promise<void> {
  const { revocations } = await log.find(['u.Ada', 's.one'])
  expect(revocations).to.have.deep.members([
    { key: 'u.Ada', exceptSid: 'keep', notBefore: 1_700_000_000, until: 4_102_444_800 },
    { key: 's.one', exceptSid: '', notBefore: 253_402_300_799, until: 4_102_444_800 },
  ])
  const times = { begunAt: 1_700_000_000, usedAt: 1_700_000_010, until: 4_102_444_800 }
  expect(await log.listed?.('u.Ada')).to.deep.equal([
    { sid: 'sid-1', userKey: 'u.Ada', ...times, beginning: 'pwd-mac' },
  ])
  expect((await counter.consume('a.key', { cost: 1, limit: 2, window: 1e9 })).allowed).to.equal(false)
}

async function make(db: Kysely<AnyTables>, { sql: statements, rows }: Before[DatabaseKind]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  for (const [table, values] of Object.entries(rows)) await db.insertInto(table).values(values).execute()
}

for (const kind of databaseKinds) {
  describe(`a database on ${kind} that was written before`, () => {
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await make(database.db, written[kind])
    })
    after(() => database?.close())

    it('needs no other migration than the indexes for lists of users, and the tables of API keys, codes, connections and deletions', async () => {
      expect((await migrate(database.db)).applied).to.deep.equal([
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
    })

    it('is read, and can be used further', async () => {
      const store = sqlStore(database.db)
      await expectRecords(store)
      await expectLogAndCounter(store)
      const password = await store.records.find(passwordsTable, { userId: 'Ada' })
      expect(password).to.deep.equal({
        userId: 'Ada',
        hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
        changedAt: new Date(1_700_000_000_003),
        version: 2,
      })
      expect(await store.records.take(passwordAttemptsTable, { tokenHash: 'token-hash' })).to.deep.equal({
        tokenHash: 'token-hash',
        identifier: 'ada@example.com',
        data: '{"a":1}',
        expires: new Date(4_102_444_800_009),
      })
    })
  })
}

if (extent !== 'quick') {
  describe('keys in Redis that were written before', () => {
    const prefix = `test-${randomBytes(6).toString('hex')}:`
    let client: TestClient | undefined
    before(async function () {
      if (!(await hasRedis())) skip(this, 'no Redis at 127.0.0.1:6379')
      client = await libraries.redis?.()
      for (const [command = '', key = '', ...words] of written.redis)
        await client?.command(command, prefix + key, ...words)
    })
    after(async () => {
      const keys = await client?.command('KEYS', `${prefix}*`)
      for (const key of Array.isArray(keys) ? keys : []) await client?.command('DEL', String(key))
      await client?.close()
    })

    it('are read, and can be used further', async () => {
      if (!client) throw new Error('no client')
      const store = redisStore(client.client, { prefix })
      await expectRecords(store)
      await expectLogAndCounter(store)
    })
  })
}
