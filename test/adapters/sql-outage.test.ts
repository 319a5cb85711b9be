/** Tests of a database that goes away and comes back: clear rejections, no partial changes, and no restart. */
import { expect } from 'chai'
import type { Kysely } from 'kysely'
import { connect, migrate, type SqlAdapter, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'

for (const kind of ['postgres', 'mysql'] as const) {
  describe(`sqlAdapter on ${kind}, when the database goes away`, () => {
    let database: TestDatabase
    let proxy: TcpProxy
    let db: Kysely<unknown>
    let adapter: SqlAdapter

    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      const url = new URL(database.url)
      proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.port = String(proxy.port)
      db = connect(url.href)
      adapter = sqlAdapter(db)
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    })
    after(async () => {
      await db?.destroy()
      await proxy?.stop()
      await database?.close()
    })

    /** Opens several connections of the pool. */
    const traffic = () => Promise.allSettled(Array.from({ length: 8 }, () => adapter.getUser('ada')))

    it('rejects while it is away, and works when it is back', async () => {
      for (let round = 0; round < 3; round++) {
        await traffic()
        const underWay = traffic()
        await proxy.stop()
        await underWay
        // An outage is never "there is no such user".
        for (let call = 0; call < 3; call++) expect(await rejectionOf(adapter.getUser('ada'))).to.be.instanceOf(Error)
        await proxy.start()
        expect(await adapter.getUser('ada')).to.include({ id: 'ada' })
      }
    })

    it('changes nothing in a transaction whose connection is cut', async () => {
      const user = { id: 'half', email: 'half@example.com', emailVerified: null }
      const account = { userId: 'half', type: 'oauth' as const, provider: 'acme', providerAccountId: '1' }
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        proxy.cut()
        await inside.linkAccount?.(account)
      })
      expect(await rejectionOf(work)).to.be.instanceOf(Error)
      expect(await adapter.getUser('half')).to.equal(null)
      await adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        await inside.linkAccount?.(account)
      })
      expect(await adapter.getUserByAccount(account)).to.include({ id: 'half' })
    })

    it('changes nothing in a transaction that is cut while it waits', async () => {
      const user = { id: 'idle', email: 'idle@example.com', emailVerified: null }
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        proxy.cut()
        // No query is running when the connection ends.
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      expect(await rejectionOf(work)).to.be.instanceOf(Error)
      expect(await adapter.getUser('idle')).to.equal(null)
    })
  })
}

describe('sqlAdapter, when the database does not answer', () => {
  it('gives up waiting for a connection', async function () {
    const database = await requireDatabase(this, 'postgres')
    const db = connect(database.url, { maxConnections: 1, timeout: 0.1 })
    try {
      const error = await db.connection().execute(() => rejectionOf(sqlAdapter(db).getUser('ada')))
      expect(error.message).to.contain('timeout')
    } finally {
      await db.destroy()
      await database.close()
    }
  })
})
