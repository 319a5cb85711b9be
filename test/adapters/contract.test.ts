/** Our adapters keep the contract. */
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { adapterContract } from '../../lib/testing/index.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'

const hooks = { describe, it, before, after }

adapterContract(hooks, { name: 'memoryAdapter', create: () => ({ adapter: memoryAdapter() }) })

adapterContract(hooks, {
  name: 'memoryAdapter, full of old sessions and tokens',
  async create() {
    const maxRecords = 1000
    const adapter = memoryAdapter({ maxRecords })
    const user = await adapter.createUser({ id: '', email: 'ada@example.test', emailVerified: null })
    for (let index = 0; index < maxRecords; index += 1) {
      // The sessions are over; the tokens are not.
      await adapter.createSession({ sessionToken: `old-${index}`, userId: user.id, expires: new Date(0) })
      const expires = new Date('2100-01-01T00:00:00.000Z')
      await adapter.createVerificationToken({ identifier: `${index}@example.test`, token: 'old', expires })
    }
    return { adapter }
  },
})

for (const kind of databaseKinds) {
  describe(`on ${kind}`, () => {
    let database: TestDatabase | undefined
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
    })
    after(() => database?.close())

    adapterContract(hooks, {
      name: 'sqlAdapter',
      create() {
        if (!database) throw new Error('the database is not open')
        return { adapter: sqlAdapter(database.db) }
      },
    })
  })
}
