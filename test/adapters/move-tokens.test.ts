/** Tokens move out of the table of accounts, each exactly once, whatever happens in the meantime. */

import type { Database } from '@auth/kysely-adapter'
import { expect } from 'chai'
import { getTableConfig } from 'drizzle-orm/mysql-core'
import { sql } from 'kysely'
import { connect, migrate, type Preset, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { countOpenTokens, type MoveTokensOptions, moveTokens } from '../../lib/adapters/sql/move-tokens.js'
import type { AdapterAccount } from '../../lib/types/adapter.js'
// Not in its `exports`.
import { defineTables } from '../../node_modules/@auth/drizzle-adapter/lib/mysql.js'
import { type DatabaseKind, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { createTables } from '../support/drizzle-tables.js'
import { kyselySchema, pgSchema } from '../support/published-schemas.js'
import { rejectionOf } from '../support/rejection.js'
import { type TokenRecords, tokensIn } from '../support/stores.js'

const tokenSet = { access_token: 'at', refresh_token: 'rt', id_token: 'it', expires_at: 1_900_000_000, scope: 'a b' }

function account(providerAccountId: string, rest: Partial<AdapterAccount> = {}): AdapterAccount {
  return { type: 'oidc', provider: 'op', providerAccountId, userId: 'ada', token_type: 'bearer', ...tokenSet, ...rest }
}

/** Replaces the function of the engine, which the tests of the command cover. */
const seal: MoveTokensOptions['seal'] = async ({ providerAccountId, refresh_token, expires_at, scope }) => ({
  sealed: `${providerAccountId} ${refresh_token}`,
  expiresAt: expires_at ?? null,
  scope: scope ?? null,
})

for (const kind of databaseKinds) {
  describe(`moveTokens on ${kind}`, function () {
    this.timeout(30_000)
    let database: TestDatabase
    let store: TokenRecords
    let adapter: ReturnType<typeof sqlAdapter>
    beforeEach(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      store = tokensIn(sqlStore(database.db))
      adapter = sqlAdapter(database.db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    })
    afterEach(() => database?.close())

    /** Stores accounts, a hundred rows at a time. */
    async function fill(count: number): Promise<readonly string[]> {
      const ids = Array.from({ length: count }, (_none, at) => `id-${at}`)
      for (let at = 0; at < count; at += 100) {
        const rows = ids.slice(at, at + 100).map((id) => ({ ...account(id) }))
        await database.db.insertInto('auth_accounts').values(rows).execute()
      }
      return ids
    }

    it('moves what accounts of OAuth have, and leaves the accounts', async () => {
      await adapter.linkAccount(account('one', { type: 'oauth' }))
      await adapter.linkAccount({ type: 'oidc', provider: 'op', providerAccountId: 'two', userId: 'ada', scope: 'a' })
      await adapter.linkAccount(account('three', { type: 'credentials' }))
      expect(await countOpenTokens(database.db, {})).to.equal(1)
      expect(await moveTokens(database.db, { seal })).to.deep.equal({ moved: 1, skipped: 0 })
      const key = { provider: 'op', providerAccountId: 'one' }
      expect(await store.find(key)).to.deep.equal({
        ...key,
        userId: 'ada',
        sealed: 'one rt',
        version: 1,
        expiresAt: tokenSet.expires_at,
        scope: 'a b',
        needsConsent: false,
      })
      expect(await adapter.getAccount('one', 'op')).to.deep.equal({ ...key, type: 'oauth', userId: 'ada' })
      expect(await adapter.getAccount('two', 'op')).to.include({ scope: 'a' })
      expect(await adapter.getAccount('three', 'op')).to.include(tokenSet)
      expect(await store.findByUser('ada')).to.have.length(1)
      expect(await countOpenTokens(database.db, {})).to.equal(0)
      expect(await moveTokens(database.db, { seal })).to.deep.equal({ moved: 0, skipped: 0 })
    })

    it('loses nothing if it fails, and continues where it was', async () => {
      await fill(250)
      let count = 0
      const breaking: MoveTokensOptions['seal'] = async (one, stored) => {
        count += 1
        if (count === 150) throw new Error('broken')
        return seal(one, stored)
      }
      expect((await rejectionOf(moveTokens(database.db, { seal: breaking }))).message).to.equal('broken')
      expect(await store.findByUser('ada')).to.have.length(100)
      expect(await countOpenTokens(database.db, {})).to.equal(150)
      expect((await moveTokens(database.db, { seal })).moved).to.equal(150)
      expect(await store.findByUser('ada')).to.have.length(250)
    })

    it('asks about tokens that are stored already, and clears the account in any case', async () => {
      for (const id of ['kept', 'joined']) {
        await adapter.linkAccount(account(id))
        const row = { provider: 'op', providerAccountId: id, userId: 'ada', sealed: `${id} new`, scope: 'a' }
        await store.write({ ...row, expiresAt: null, needsConsent: true }, 0)
      }
      const joining: MoveTokensOptions['seal'] = async (one, stored) =>
        stored?.sealed === 'kept new'
          ? null
          : { sealed: `${stored?.sealed} ${one.refresh_token}`, expiresAt: 5, scope: 'b' }
      expect((await moveTokens(database.db, { seal: joining })).moved).to.equal(2)
      const read = (id: string) => store.find({ provider: 'op', providerAccountId: id })
      expect(await read('kept')).to.include({ sealed: 'kept new', version: 1, needsConsent: true })
      expect(await read('joined')).to.include({ sealed: 'joined new rt', version: 2, needsConsent: false, scope: 'b' })
      expect(await countOpenTokens(database.db, {})).to.equal(0)
    })

    if (kind !== 'sqlite') {
      // SQLite's drivers wait for a lock without letting go of the process: two processes are in test/cli/seal-tokens.test.ts.
      it('moves each account once if two processes do it at the same time', async () => {
        const ids = await fill(450)
        const others = [connect(database.url), connect(database.url)]
        const moved = await Promise.all(others.map((db) => moveTokens(db, { seal })))
        for (const db of others) await db.destroy()
        expect(moved.reduce((sum, each) => sum + each.moved, 0)).to.equal(450)
        const rows = await store.findByUser('ada')
        expect(rows.map(({ sealed }) => sealed).sort()).to.deep.equal(ids.map((id) => `${id} rt`).sort())
        expect(new Set(rows.map(({ version }) => version))).to.deep.equal(new Set([1]))
        expect(await countOpenTokens(database.db, {})).to.equal(0)
      })

      it('sees tokens that a sign-in stores in the meantime', async () => {
        await adapter.linkAccount(account('one'))
        const seen: Array<string | undefined> = []
        const late: MoveTokensOptions['seal'] = async (one, stored) => {
          seen.push(stored?.sealed)
          const row = { provider: 'op', providerAccountId: 'one', userId: 'ada', sealed: 'signed in', scope: null }
          if (!stored) await store.write({ ...row, expiresAt: null, needsConsent: false }, 0)
          return stored ? null : seal(one, stored)
        }
        expect((await moveTokens(database.db, { seal: late })).moved).to.equal(1)
        expect(seen).to.deep.equal([undefined, 'signed in'])
        expect(await store.findByUser('ada')).to.have.length(1)
      })
    }

    if (kind !== 'mysql') {
      it('leaves an account whose id is too long, and reports it', async () => {
        await database.db
          .insertInto('auth_accounts')
          .values({ ...account('x'.repeat(256)) })
          .execute()
        await adapter.linkAccount(account('one'))
        expect(await moveTokens(database.db, { seal })).to.deep.equal({ moved: 1, skipped: 1 })
        expect(await countOpenTokens(database.db, {})).to.equal(1)
      })
    }
  })
}

const foreign: ReadonlyArray<[preset: Preset, kind: DatabaseKind, make: (db: TestDatabase) => Promise<unknown>]> = [
  ['pg', 'postgres', ({ db }) => sql.raw(pgSchema).execute(db)],
  ['kysely', 'postgres', ({ url }) => makeKysely(url)],
  ['kysely', 'sqlite', ({ url }) => makeKysely(url)],
  ['drizzle', 'mysql', makeDrizzle],
]

async function makeKysely(url: string): Promise<void> {
  const db = connect<Database>(url)
  await kyselySchema(db)
  await db.destroy()
}

async function makeDrizzle({ db }: TestDatabase): Promise<void> {
  const statements = createTables(Object.values(defineTables()).map(getTableConfig), '`')
  for (const statement of statements) await sql.raw(statement).execute(db)
}

describe('moveTokens with a preset', () => {
  for (const [preset, kind, make] of foreign.filter(([, kind]) => databaseKinds.includes(kind))) {
    it(`moves them out of the tables of ${preset} on ${kind}`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        await make(database)
        await migrate(database.db, { preset })
        const adapter = sqlAdapter(database.db, { preset })
        const user = await adapter.createUser({ id: 'x', email: 'ada@example.com', emailVerified: null })
        await adapter.linkAccount(account('one', { userId: user.id }))
        expect(await moveTokens(database.db, { preset, seal })).to.deep.equal({ moved: 1, skipped: 0 })
        const [row] = await tokensIn(sqlStore(database.db)).findByUser(user.id, 'op')
        expect(row).to.include({ sealed: 'one rt', userId: user.id, expiresAt: tokenSet.expires_at })
        const left = await adapter.getAccount('one', 'op')
        expect(left).to.include({ userId: user.id }).and.not.have.any.keys(Object.keys(tokenSet))
        await adapter.deleteUser(user.id)
        expect(await tokensIn(sqlStore(database.db)).findByUser(user.id)).to.deep.equal([])
      } finally {
        await database.close()
      }
    })
  }
})
