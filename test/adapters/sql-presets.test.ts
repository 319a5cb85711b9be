/** Databases that published adapters made and filled, taken over by the SQL adapter. */
import { randomBytes, randomUUID } from 'node:crypto'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { type Database, KyselyAdapter } from '@auth/kysely-adapter'
import PostgresAdapter from '@auth/pg-adapter'
import { expect } from 'chai'
import { getTableConfig as mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { getTableConfig as postgresTable } from 'drizzle-orm/pg-core'
import { getTableConfig as sqliteTable } from 'drizzle-orm/sqlite-core'
import { sql } from 'kysely'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { connect, migrate, type Preset, type SqlAdapter, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
// The tables that the adapter uses if it is given none. They are not in its `exports`.
import { defineTables as mysqlTables } from '../../node_modules/@auth/drizzle-adapter/lib/mysql.js'
import { defineTables as postgresTables } from '../../node_modules/@auth/drizzle-adapter/lib/pg.js'
import { defineTables as sqliteTables } from '../../node_modules/@auth/drizzle-adapter/lib/sqlite.js'
import { type DatabaseKind, requireDatabase, type TestDatabase } from '../support/databases.js'
import { createTables, type TableConfig } from '../support/drizzle-tables.js'
import { kyselySchema, pgSchema } from '../support/published-schemas.js'
import { rejectionOf } from '../support/rejection.js'

/** A published adapter, and how to end it. */
interface Published {
  readonly adapter: Adapter
  close(): Promise<unknown>
}

interface Case {
  readonly preset: Preset
  readonly kind: DatabaseKind
  /** Makes the tables. */
  create(database: TestDatabase): Promise<unknown>
  /** Opens the published adapter. Returns nothing where its drivers are not installed. */
  open?(database: TestDatabase): Published
}

const cases: readonly Case[] = [
  {
    preset: 'pg',
    kind: 'postgres',
    create: ({ db }) => sql.raw(pgSchema).execute(db),
    open({ url }) {
      const pool = new pg.Pool({ connectionString: url })
      return { adapter: PostgresAdapter(pool) as Adapter, close: () => pool.end() }
    },
  },
  { preset: 'kysely', kind: 'postgres', create: ({ url }) => createKysely(url), open: openKysely },
  { preset: 'kysely', kind: 'sqlite', create: ({ url }) => createKysely(url), open: openKysely },
  {
    preset: 'drizzle',
    kind: 'postgres',
    create: (database) => createDrizzle(database, Object.values(postgresTables()).map(postgresTable)),
    open({ url }) {
      const pool = new pg.Pool({ connectionString: url })
      return { adapter: DrizzleAdapter(drizzlePostgres(pool)) as Adapter, close: () => pool.end() }
    },
  },
  {
    preset: 'drizzle',
    kind: 'mysql',
    create: (database) => createDrizzle(database, Object.values(mysqlTables()).map(mysqlTable), '`'),
    open({ url }) {
      const pool = mysql.createPool(url)
      return { adapter: DrizzleAdapter(drizzleMysql(pool)) as Adapter, close: () => pool.end() }
    },
  },
  {
    preset: 'drizzle',
    kind: 'sqlite',
    create: (database) => createDrizzle(database, Object.values(sqliteTables()).map(sqliteTable)),
  },
]

async function createKysely(url: string): Promise<void> {
  const db = connect<Database>(url)
  await kyselySchema(db)
  await db.destroy()
}

function openKysely({ url }: TestDatabase): Published {
  const db = connect<Database>(url)
  return { adapter: KyselyAdapter(db) as Adapter, close: () => db.destroy() }
}

async function createDrizzle({ db }: TestDatabase, tables: readonly TableConfig[], quote?: string): Promise<void> {
  for (const statement of createTables(tables, quote)) await sql.raw(statement).execute(db)
}

// MySQL's TIMESTAMP ends in 2038.
const expires = new Date('2037-01-02T03:04:05.000Z')
const emailVerified = new Date('2020-06-07T08:09:10.000Z')

for (const { preset, kind, create, open } of cases) {
  describe(`sqlAdapter with the preset ${preset} on ${kind}`, () => {
    let database: TestDatabase
    let published: Published | undefined
    let ours: SqlAdapter

    before(async function () {
      database = await requireDatabase(this, kind)
      await create(database)
      published = open?.(database)
      ours = sqlAdapter(database.db, { preset })
    })
    after(async () => {
      await published?.close()
      await database?.close()
    })

    let count = 0
    const createUser = (adapter: Adapter = ours, email = `Person.${++count}@Example.com`) =>
      Promise.resolve(adapter.createUser?.({ id: crypto.randomUUID(), email, name: 'Ada', emailVerified }))

    const theirs = () => {
      if (!published) throw new Error('not open')
      return published.adapter
    }

    if (open) {
      it('reads what the published adapter wrote', async () => {
        const adapter = theirs()
        const created = await createUser(adapter, 'Grace.Hopper@Example.com')
        const id = String(created?.id)
        const account = {
          userId: created?.id ?? '',
          type: 'oidc' as const,
          provider: 'acme',
          providerAccountId: 'Grace',
        }
        await adapter.linkAccount?.({ ...account, access_token: 'token', expires_at: 2_000_000_000 })
        await adapter.createSession?.({ sessionToken: 'theirs', userId: created?.id ?? '', expires })
        await adapter.createVerificationToken?.({ identifier: 'grace@example.com', token: 'theirs', expires })

        const user = { id, name: 'Ada', email: 'grace.hopper@example.com', emailVerified, image: null }
        expect(await ours.getUser(id)).to.deep.equal(user)
        expect(await ours.getUserByEmail('grace.hopper@example.com')).to.deep.equal(user)
        expect(await ours.getUserByAccount(account)).to.deep.equal(user)
        expect(await ours.getSessionAndUser('theirs')).to.deep.equal({
          session: { sessionToken: 'theirs', userId: id, expires },
          user,
        })
        expect(await ours.listAccountsByUserId(id)).to.deep.equal([
          { ...account, userId: id, access_token: 'token', expires_at: 2_000_000_000 },
        ])
        expect(await ours.useVerificationToken({ identifier: 'grace@example.com', token: 'theirs' })).to.deep.equal({
          identifier: 'grace@example.com',
          token: 'theirs',
          expires,
        })
      })

      it('writes what the published adapter can read', async () => {
        const adapter = theirs()
        const user = await createUser()
        const key = { provider: 'acme', providerAccountId: 'shared' }
        await ours.linkAccount({ ...key, userId: user?.id ?? '', type: 'oidc' })
        await ours.createSession({ sessionToken: 'ours', userId: user?.id ?? '', expires })
        expect(await adapter.getUserByAccount?.(key)).to.deep.include({ name: 'Ada', emailVerified })
        expect((await adapter.getSessionAndUser?.('ours'))?.session.expires).to.deep.equal(expires)
      })
    }

    it('finds no user by an impossible id', async () => {
      for (const id of ['', '0', '-1', '01', '1.0', '1e3', '99999999999', 'abc', `' or 1=1`, 'A'.repeat(36)]) {
        expect(await ours.getUser(id), id).to.equal(null)
        expect(await ours.listSessionsByUserId(id), id).to.deep.equal([])
      }
      const orphan = { sessionToken: 'orphan', userId: 'nobody', expires }
      expect(await rejectionOf(ours.createSession(orphan))).to.be.instanceOf(Error)
    })

    it('distinguishes keys that the tables do not', async () => {
      const user = await createUser()
      const userId = user?.id ?? ''
      await ours.linkAccount({ userId, type: 'oauth', provider: 'acme', providerAccountId: 'Exact' })
      await ours.createSession({ sessionToken: 'Exact', userId, expires })
      await ours.createVerificationToken({ identifier: 'exact', token: 'Exact', expires })
      for (const wrong of ['exact', 'EXACT', 'Exact ', 'Éxact']) {
        expect(await ours.getUserByAccount({ provider: 'acme', providerAccountId: wrong }), wrong).to.equal(null)
        await ours.unlinkAccount({ provider: 'acme', providerAccountId: wrong })
        expect(await ours.getSessionAndUser(wrong), wrong).to.equal(null)
        expect(await ours.updateSession({ sessionToken: wrong, expires }), wrong).to.equal(null)
        expect(await ours.deleteSession(wrong), wrong).to.equal(null)
        expect(await ours.useVerificationToken({ identifier: 'exact', token: wrong }), wrong).to.equal(null)
      }
      expect(await ours.getAccount('Exact', 'acme')).not.to.equal(null)
      expect(await ours.getSessionAndUser('Exact')).not.to.equal(null)
      expect(await ours.useVerificationToken({ identifier: 'exact', token: 'Exact' })).not.to.equal(null)
    })

    it('stores unique values once, before and after the migration', async () => {
      const user = await createUser()
      const attempt = async (name: string) => {
        // Without a constraint only PostgreSQL has a lock for it.
        const tries = kind === 'postgres' || preset === 'drizzle' ? 10 : 1
        const account = { userId: user?.id ?? '', type: 'oauth' as const, provider: 'acme', providerAccountId: name }
        const stores: ReadonlyArray<() => Promise<unknown>> = [
          () => ours.linkAccount(account),
          () => ours.createSession({ sessionToken: name, userId: account.userId, expires }),
          () => createUser(ours, `${name}@example.com`),
        ]
        for (const store of stores) {
          const outcomes = await Promise.allSettled(Array.from({ length: tries }, store))
          outcomes.push(...(await Promise.allSettled([store()])))
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
        }
      }
      await attempt('before')
      await migrate(database.db, { preset })
      await attempt('after')
    })

    it('is migrated once, without a change to the existing data', async () => {
      const before = await createUser()
      expect((await migrate(database.db, { preset })).applied).to.deep.equal([])
      expect(await ours.getUser(before?.id ?? '')).to.deep.equal(before)
    })

    it('removes a user with all rows', async () => {
      const user = await createUser()
      const userId = user?.id ?? ''
      await ours.linkAccount({ userId, type: 'oauth', provider: 'acme', providerAccountId: 'gone' })
      await ours.createSession({ sessionToken: 'gone', userId, expires })
      await ours.deleteUser(userId)
      expect(await ours.getAccount('gone', 'acme')).to.equal(null)
      expect(await ours.deleteSession('gone')).to.equal(null)
    })

    it('keeps data of sessions in our own table, for as long as the sessions live', async () => {
      const { id: userId = '' } = (await createUser()) ?? {}
      const other = sqlAdapter(database.db, { preset })
      const begin = async (sessionToken: string) => {
        await ours.createSession({ sessionToken, userId, expires })
        expect(await ours.writeSessionData({ sessionToken, data: '{"a":1}', previous: null })).to.equal(true)
        const found = await ours.getSessionUserAndData(sessionToken)
        expect([found?.data, found?.user.id, found?.session.sessionToken]).to.deep.equal([
          '{"a":1}',
          userId,
          sessionToken,
        ])
      }
      const stored = async () =>
        (await database.db.selectFrom('auth_session_data').select('sessionToken').execute()).map(
          (row) => row.sessionToken,
        )
      for (const name of ['one', 'two', 'three', 'four']) await begin(name)
      expect(await ours.writeSessionData({ sessionToken: 'two', data: '{"a":2}', previous: '{"a":1}' })).to.equal(true)
      expect((await ours.getSessionUserAndData('four'))?.data).to.equal('{"a":1}')
      await ours.deleteSession('one')
      expect(await stored()).to.have.members(['two', 'three', 'four'])
      // An adapter that knows of no data asks for none: what it leaves is found no more, and pruned.
      await other.deleteSession('four')
      expect(await ours.getSessionUserAndData('four')).to.equal(null)
      await ours.prune()
      expect(await stored()).to.have.members(['two', 'three'])
      await ours.deleteSessionsByUserId(userId)
      expect(await stored()).to.deep.equal([])
      await begin('five')
      await ours.deleteUser(userId)
      expect(await stored()).to.deep.equal([])
    })

    it('lists users by address and name, in any case, in pages', async () => {
      const start = `list${randomBytes(4).toString('hex')}`
      const made: string[] = []
      for (const [name, address] of [
        ['Bob', 'b'],
        ['ann', 'A'],
        ['Ann', 'c'],
      ] as const) {
        const given = {
          id: randomUUID(),
          name: `${start} ${name}`,
          email: `${start}${address}@example.com`,
          emailVerified,
        }
        made.push((await ours.createUser(given)).id)
      }
      const [bob = '', ann = '', otherAnn = ''] = made
      const byAddress = { part: 'email', prefix: start.toUpperCase(), limit: 2 } as const
      const first = await ours.listUsers(byAddress)
      expect(first.map(({ id }) => id)).to.deep.equal([ann, bob])
      const after = { id: bob, value: first[1]?.email ?? '' }
      expect((await ours.listUsers({ ...byAddress, after })).map(({ id }) => id)).to.deep.equal([otherAnn])
      const byName = await ours.listUsers({ part: 'name', prefix: `${start} AN`, limit: 9, emailVerified: true })
      expect(byName.map(({ id }) => id)).to.have.members([ann, otherAnn])
      expect(await ours.listUsers({ part: 'name', prefix: `${start} `, limit: 9, emailVerified: false })).to.deep.equal(
        [],
      )
    })

    it('removes expired records', async () => {
      const user = await createUser()
      await ours.createSession({ sessionToken: 'old', userId: user?.id ?? '', expires: emailVerified })
      await ours.createVerificationToken({ identifier: 'old', token: 'old', expires: emailVerified })
      expect(await ours.prune()).to.deep.equal({ sessions: 1, verificationTokens: 1 })
    })

    it('has passkeys if the tables have', async () => {
      expect(ours).to.not.have.property('renameAuthenticator')
      expect('getAuthenticator' in ours).to.equal(preset === 'drizzle')
      if (preset !== 'drizzle') return
      const user = await createUser()
      const passkey = {
        userId: user?.id ?? '',
        providerAccountId: 'x',
        credentialID: 'Q0k=',
        credentialPublicKey: 'key',
        counter: 0,
        credentialBackedUp: false,
        credentialDeviceType: 'singleDevice',
        transports: 'usb,nfc',
      }
      expect(await ours.createAuthenticator?.(passkey)).to.deep.equal(passkey)
      expect(await ours.getAuthenticator?.('Q0K=')).to.equal(null)
      expect(await ours.updateAuthenticatorCounter?.('Q0k=', 3)).to.deep.equal({ ...passkey, counter: 3 })
      // There is no column for it.
      const use = { credentialBackedUp: false, lastUsedAt: new Date() }
      expect(await ours.updateAuthenticatorCounter?.('Q0k=', 4, use)).to.deep.equal({ ...passkey, counter: 4 })
      const own = { name: 'Key', createdAt: new Date(), lastUsedAt: null }
      const other = { ...passkey, credentialID: 'Q0s=' }
      expect(await ours.createAuthenticator?.({ ...other, ...own })).to.deep.equal(other)
    })
  })
}

describe('sqlAdapter with the preset pg', () => {
  let database: TestDatabase
  before(async function () {
    database = await requireDatabase(this, 'postgres')
    await sql.raw(pgSchema).execute(database.db)
  })
  after(() => database?.close())

  it('does not guess between two users whose addresses differ in case', async () => {
    await sql`insert into users (email) values ('Two@example.com'), ('TWO@example.com')`.execute(database.db)
    const adapter = sqlAdapter(database.db, { preset: 'pg' })
    expect(await rejectionOf(adapter.getUserByEmail('two@example.com')))
      .to.have.property('message')
      .that.contains('Merge')
  })

  it('is not migrated while rows contradict each other, and loses none', async () => {
    await sql`insert into users (email) values ('twice@example.com'), ('twice@example.com')`.execute(database.db)
    expect(await rejectionOf(migrate(database.db, { preset: 'pg' })))
      .to.have.property('message')
      .that.contains('unique')
    const { rows } = await sql`select email from users where email like 'twice%'`.execute(database.db)
    expect(rows).to.have.length(2)
    const { rows: indexes } = await sql`select 1 from pg_indexes where indexname like 'auth_%'`.execute(database.db)
    expect(indexes).to.have.length(0)
  })

  it('accepts ids of another type if the option says so, and reports the type if it does not', async () => {
    await sql`create schema other`.execute(database.db)
    const url = `${database.url}?options=-c%20search_path%3Dother`
    const db = connect(url)
    await sql
      .raw(pgSchema.replaceAll('serial', 'uuid default gen_random_uuid()').replaceAll('integer', 'uuid'))
      .execute(db)
    const user = await sqlAdapter(db, { preset: 'pg', ids: 'uuid' }).createUser({
      id: 'no uuid',
      email: 'uuid@example.com',
      emailVerified: null,
    })
    expect(user.id).to.match(/^[\da-f-]{36}$/)
    const error = await rejectionOf(sqlAdapter(db, { preset: 'pg' }).getUserByEmail('uuid@example.com'))
    expect(error.message).to.contain('set `ids`')
    await db.destroy()
  })
})
