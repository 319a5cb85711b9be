/** The read of a session goes straight to the driver: one statement, and nothing of a transaction that is open. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { connect, migrate, type SqlAdapter, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { isPromiseLike } from '../../lib/base/maybe-promise.js'
import { compileScript } from '../support/child-script.js'
import { type AnyTables, databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'

const user = { id: 'ann', name: 'Ann', email: 'ann@example.com', emailVerified: null, image: null }
const session = { sessionToken: 'h1_1', userId: 'ann', expires: new Date('2040-01-01T00:00:00Z') }

for (const kind of databaseKinds) {
  describe(`the direct read of a session on ${kind}`, () => {
    let database: TestDatabase
    let adapter: SqlAdapter

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      adapter = sqlAdapter(database.db)
      await adapter.createUser(user)
      await adapter.createSession(session)
    })
    after(() => database?.close())

    it('gives what the statement by Kysely gives', async () => {
      const byKysely = sqlAdapter(database.db.withoutPlugins())
      const found = await byKysely.getSessionAndUser('h1_1')
      expect(found).to.deep.equal({ session, user })
      expect(await adapter.getSessionAndUser('h1_1')).to.deep.equal(found)
      expect(await adapter.getSessionAndUser('h1_2')).to.equal(null)
    })

    it(`gives ${kind === 'sqlite' ? 'the record itself, because the driver waits for nothing' : 'a promise'}`, async () => {
      await adapter.getSessionAndUser('h1_1')
      expect(isPromiseLike(adapter.getSessionAndUser('h1_1'))).to.equal(kind !== 'sqlite')
    })

    it('sees nothing of a transaction that is open, and what it did once it has ended', async () => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      let transaction: Promise<unknown> = Promise.resolve()
      await new Promise<void>((begun) => {
        transaction = adapter.transaction(async (inside) => {
          await inside.deleteSession?.('h1_1')
          begun()
          await ended
          throw new Error('undone')
        })
      })
      const read = adapter.getSessionAndUser('h1_1')
      end()
      expect((await rejectionOf(transaction)).message).to.equal('undone')
      expect(await read).to.deep.equal({ session, user })
    })

    it('rejects once the database is closed', async () => {
      const db = connect<AnyTables>(database.url)
      const closed = sqlAdapter(db)
      await closed.getSessionAndUser('h1_1')
      await closed.getSessionAndUser('h1_1')
      await db.destroy()
      expect((await rejectionOf(Promise.resolve(closed.getSessionAndUser('h1_1')))).message).to.include('destroyed')
    })
  })
}

describe('a transaction on SQLite', () => {
  it('leaves no promise hooks on in the process', async () => {
    // A promise's continuation has an id of its own only while hooks are on (Node.js 20 and 22).
    const code = `
      import { executionAsyncId } from 'node:async_hooks'
      const { connect, migrate, sqlAdapter } = await import(${JSON.stringify(await compileScript('lib/adapters/sql/index.ts'))})
      const continued = async () => { await null; return executionAsyncId() }
      const db = connect(':memory:')
      await migrate(db)
      const adapter = sqlAdapter(db)
      const before = await continued()
      await adapter.transaction(() => adapter.getUser('ann')).catch((error) => console.log(error.message))
      await Promise.all([1, 2].map(() => adapter.transaction(async (inside) => inside.getUser('ann'))))
      console.log((await continued()) === before)
      await adapter.transaction(() => adapter.getUser('ann')).catch((error) => console.log(error.message))
      await db.destroy()`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    const refused = 'Inside a transaction, use the adapter passed to your function.'
    expect(stdout.trim().split('\n')).to.deep.equal([refused, 'true', refused])
  })
})
