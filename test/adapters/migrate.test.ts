/**
 * Tests of `migrate` on each dialect: it works once, however often it is called and by however many processes, and
 * harms no data.
 */
import { expect } from 'chai'
import { sql } from 'kysely'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { runWorker } from '../support/sql-worker.js'

const steps = [
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
]

for (const kind of databaseKinds) {
  describe(`migrate on ${kind}`, () => {
    let database: TestDatabase
    beforeEach(async function () {
      database = await requireDatabase(this, kind)
    })
    afterEach(() => database?.close())

    const user = { id: 'ada', email: 'ada@example.com', emailVerified: null }

    it('makes the tables, once', async () => {
      const first = await migrate(database.db)
      expect(first.applied).to.deep.equal(steps)
      await sqlAdapter(database.db).createUser(user)
      expect(await migrate(database.db)).to.deep.equal({ applied: [], sql: [] })
      expect(await sqlAdapter(database.db).getUser('ada')).to.include(user)
    })

    it('is what the adapter asks for if it was not run, in a transaction too', async () => {
      const adapter = sqlAdapter(database.db)
      const alone = await rejectionOf(adapter.getUser('ada'))
      const inside = await rejectionOf(adapter.transaction(async (tx) => tx.getUser?.('ada')))
      for (const error of [alone, inside]) expect(error.message).to.match(/auth_users.*npx server-auth migrate/)
      const preset = kind === 'postgres' ? 'pg' : 'kysely'
      const foreign = await rejectionOf(sqlAdapter(database.db, { preset }).getUserByEmail('ada@example.com'))
      expect(foreign.message).to.contain(`The preset "${preset}" uses the tables`).and.not.contain('npx')
    })

    it('works in two processes at once', async () => {
      const applied = await Promise.all([runWorker(database.url, 'migrate'), runWorker(database.url, 'migrate')])
      expect(applied.map((each) => JSON.stringify(each)).sort()).to.deep.equal(['[]', JSON.stringify(steps)].sort())
      await sqlAdapter(database.db).createUser(user)
    })

    it('works many times at once in one process', async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => migrate(database.db)))
      expect(outcomes.flatMap(({ applied }) => applied)).to.deep.equal(steps)
    })

    it('returns with dryRun the statements that it would run, and runs none', async () => {
      const planned = await migrate(database.db, { dryRun: true })
      expect(await migrate(database.db, { dryRun: true })).to.deep.equal(planned)
      for (const statement of planned.sql) await sql.raw(statement).execute(database.db)
      // After the SQL is run by hand, nothing is left to do.
      expect((await migrate(database.db)).applied).to.deep.equal([])
      await sqlAdapter(database.db).createUser(user)
    })

    it('continues where a migration was interrupted', async () => {
      const { sql: statements } = await migrate(database.db, { dryRun: true })
      for (const statement of statements.slice(0, -2)) await sql.raw(statement).execute(database.db)
      await sqlAdapter(database.db).createUser(user)
      expect((await migrate(database.db)).applied).to.deep.equal(steps.slice(-1))
      expect(await sqlAdapter(database.db).getUser('ada')).to.include(user)
    })

    it('continues if only its own record of the step is missing', async () => {
      const { sql: statements } = await migrate(database.db, { dryRun: true })
      for (const statement of statements.slice(0, -1)) await sql.raw(statement).execute(database.db)
      expect((await migrate(database.db)).applied).to.deep.equal(steps.slice(-1))
      expect((await migrate(database.db)).applied).to.deep.equal([])
    })

    it('adds to the tables of an existing application', async () => {
      const { sql: statements } = await migrate(database.db, { dryRun: true })
      const first = statements.findIndex((statement) => statement.includes(steps[0] ?? ''))
      for (const statement of statements.slice(0, first + 1)) await sql.raw(statement).execute(database.db)
      // Only the new feature needs the new tables.
      const adapter = sqlAdapter(database.db)
      await adapter.createUser(user)
      await adapter.prune()
      const planned = await migrate(database.db, { dryRun: true })
      expect(planned.sql.join('\n'))
        .to.contain('auth_revocations')
        .and.not.match(/create table [^(]*auth_users/)
      expect((await migrate(database.db)).applied).to.deep.equal(steps.slice(1))
      expect((await migrate(database.db, { dryRun: true })).sql).to.deep.equal([])
    })

    it('makes no tables of other libraries', async () => {
      const error = await rejectionOf(migrate(database.db, { preset: 'drizzle' }))
      expect(error.message).to.contain('Missing: user, account, session, verificationToken, authenticator')
      expect((await migrate(database.db, { dryRun: true })).sql[0]).to.contain('auth_migrations')
    })
  })
}
