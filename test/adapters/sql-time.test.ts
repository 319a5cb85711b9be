/** The same records in every time zone and with every setting of the drivers. */
import { expect } from 'chai'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { AdapterAuthenticator } from '../../lib/types/adapter.js'
import { type DatabaseKind, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { runWorker } from '../support/sql-worker.js'

/** In the hour that comes twice in New York, and in the one that never comes in Berlin. */
const instants = [new Date('2030-11-03T06:30:00.123Z'), new Date('2030-03-31T01:30:00.987Z')]

interface Setting {
  readonly name: string
  readonly kind: DatabaseKind
  open(url: string): Kysely<unknown>
}

const settings: readonly Setting[] = [
  {
    name: 'pg in the zone of Tokyo, with another style of dates',
    kind: 'postgres',
    open: (url) => postgres({ connectionString: url, options: '-c timezone=Asia/Tokyo -c datestyle=SQL,DMY' }),
  },
  {
    name: 'pg without parsers of types',
    kind: 'postgres',
    open: (url) => postgres({ connectionString: url, types: { getTypeParser: () => (text: string) => text } }),
  },
  { name: 'mysql2 in a zone of its own', kind: 'mysql', open: (uri) => mysql({ uri, timezone: '+05:30' }) },
  {
    name: 'mysql2 with dates and numbers as text',
    kind: 'mysql',
    open: (uri) => mysql({ uri, dateStrings: true, supportBigNumbers: true, bigNumberStrings: true }),
  },
  { name: 'mysql2 without conversions', kind: 'mysql', open: (uri) => mysql({ uri, typeCast: false }) },
  {
    name: 'mysql2 counting changed rows only, on a server in a zone with summer time',
    kind: 'mysql',
    open: (uri) => mysql({ uri, flags: ['-FOUND_ROWS'] }, "set time_zone = '-03:30'"),
  },
]

function postgres(config: pg.PoolConfig): Kysely<unknown> {
  return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(config) }) })
}

function mysql(options: Parameters<typeof createPool>[0], first = 'select 1'): Kysely<unknown> {
  const pool = createPool(options)
  pool.on('connection', (connection) => connection.query(first))
  return new Kysely({ dialect: new MysqlDialect({ pool }) })
}

const passkey = (userId: string, createdAt: Date): AdapterAuthenticator => ({
  userId,
  providerAccountId: userId,
  credentialID: userId,
  credentialPublicKey: 'key',
  counter: 4_000_000_000,
  credentialBackedUp: true,
  credentialDeviceType: 'singleDevice',
  transports: null,
  name: null,
  createdAt,
  lastUsedAt: null,
})

async function store(database: TestDatabase): Promise<void> {
  const adapter = sqlAdapter(database.db)
  for (const [index, instant] of instants.entries()) {
    const user = { id: `plain-${index}`, email: '', emailVerified: instant }
    await adapter.createUser(user)
    await adapter.createSession({ sessionToken: user.id, userId: user.id, expires: instant })
    await adapter.createAuthenticator?.(passkey(user.id, instant))
  }
}

describe('sqlAdapter', () => {
  for (const { name, kind, open } of settings) {
    it(`reads and writes the same with ${name}`, async function () {
      const database = await requireDatabase(this, kind)
      await migrate(database.db)
      await store(database)
      const db = open(database.url)
      try {
        const [plain, special] = [sqlAdapter(database.db), sqlAdapter(db)]
        for (const [index, instant] of instants.entries()) {
          const id = `plain-${index}`
          const found = await special.getSessionAndUser(id)
          expect(found).to.deep.equal(await plain.getSessionAndUser(id))
          expect(found?.session.expires).to.deep.equal(instant)
          expect(await special.getAuthenticator?.(id)).to.deep.equal(passkey(id, instant))
          const [own] = [`special-${index}`]
          await special.createUser({ id: own, email: '', emailVerified: instant })
          await special.createSession({ sessionToken: own, userId: own, expires: instant })
          expect(await special.updateSession({ sessionToken: own, expires: instant })).not.to.equal(null)
          expect(await special.updateSession({ sessionToken: 'none', expires: instant })).to.equal(null)
          expect((await plain.getSessionAndUser(own))?.session.expires).to.deep.equal(instant)
          expect((await plain.getUser(own))?.emailVerified).to.deep.equal(instant)
        }
        const account = {
          userId: 'plain-0',
          type: 'oidc' as const,
          provider: 'p',
          providerAccountId: 'x',
          expires_at: 5e9,
        }
        await special.linkAccount(account)
        expect(await special.getAccount('x', 'p')).to.deep.equal(account)
      } finally {
        await db.destroy()
        await database.close()
      }
    })
  }

  for (const kind of databaseKinds) {
    it(`reads the same in processes of other time zones on ${kind}`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        await migrate(database.db)
        await store(database)
        for (const TZ of ['America/New_York', 'Europe/Berlin']) {
          const found = await runWorker(database.url, 'session', 'plain-0', { TZ })
          expect(found).to.have.nested.property('session.expires', instants[0]?.toISOString())
          expect(found).to.have.nested.property('user.emailVerified', instants[0]?.toISOString())
        }
      } finally {
        await database.close()
      }
    })
  }
})
