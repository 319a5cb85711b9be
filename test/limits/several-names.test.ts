/** Attempts that name an account in several fields, counted in each store. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import type { Store } from '../../lib/types/store.js'
import { credentials } from '../support/app.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

for (const kind of ['memory', ...databaseKinds] as const) {
  describe(`attempts with several names, counted in ${kind}`, function () {
    this.timeout(30_000)
    let database: TestDatabase | undefined
    let store: Pick<Store, 'counter'> | undefined
    let stage: LimitStage
    before(async function () {
      if (kind === 'memory') return
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      store = sqlStore(database.db)
    })
    after(() => database?.close())
    afterEach(() => stage.close())

    const start = async () => {
      stage = await openLimitStage(doors.express, {
        secret: randomBytes(32).toString('hex'),
        rateLimit: { ...(store && { store }), rules: { credentials: { perAccount: 5, perClient: 1000, window: 60 } } },
        providers: [credentials({ credentials: {}, authorize: () => null })],
      })
    }
    const send = (form: Record<string, string>, ip = '192.0.2.1') =>
      stage.stranger(ip).ask(`${base}/callback/credentials`, {
        form,
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      })

    it('count once for one that is sent twice', async () => {
      await start()
      const seen = []
      for (let at = 0; at < 6; at += 1) {
        seen.push((await send({ email: 'ann@example.com', username: 'Ann@example.com', password: 'x' })).status)
      }
      expect(seen).to.deep.equal([401, 401, 401, 401, 401, 429])
    })

    it('keep each other waiting for nothing when they come at once in another order', async () => {
      await start()
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          send(
            at % 2
              ? { email: 'ann', username: 'bob', password: 'x' }
              : { email: 'bob', username: 'ann', password: 'x' },
            `192.0.2.${at}`,
          ),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).to.have.length(5)
      expect(statuses.filter((status) => status === 429)).to.have.length(55)
    })
  })
}
