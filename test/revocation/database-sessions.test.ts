/** Users who are kept out, with database sessions. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { endOfTime, userKeys } from '../../lib/features/revocation/store.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { Store } from '../../lib/types/store.js'
import { type Browser, credentials, type TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { cookieLines } from '../support/session.js'
import { at, isIn, startSite } from './sites.js'

interface Opened {
  make(): Omit<Adapter, 'store'> & { store(): Store }
  close(): Promise<unknown>
}

const adapters: Readonly<Record<string, (context: Mocha.Context) => Promise<Opened>>> = {
  async memory() {
    const adapter = memoryAdapter()
    return { make: () => adapter, close: async () => {} }
  },
  ...Object.fromEntries(
    databaseKinds.map((kind) => [
      kind,
      async (context: Mocha.Context) => {
        const database = await requireDatabase(context, kind)
        await migrate(database.db)
        return { make: () => sqlAdapter(database.db), close: () => database.close() }
      },
    ]),
  ),
}

for (const [name, open] of Object.entries(adapters)) {
  describe(`database sessions of a user who is kept out, in ${name}`, () => {
    let opened: Opened
    let adapter: ReturnType<Opened['make']>
    let here: TestApp
    let there: TestApp
    before(async function () {
      opened = await open(this)
      const start = () => {
        adapter = opened.make()
        const config = { adapter, providers: [credentials()] }
        return startSite(adapter.store(), { maxStale: 5, config, session: { strategy: 'database' } })
      }
      here = await start()
      there = await start()
    })
    after(async () => {
      restoreClock()
      await Promise.all([here?.close(), there?.close()])
      await opened?.close()
    })

    async function signIn(username: string): Promise<{ browser: Browser; id: string }> {
      const browser = here.browser()
      await browser.signIn({ username })
      const user = await adapter.getUserByEmail?.(`${username}@example.com`)
      return { browser, id: String(user?.id) }
    }

    it('end all at once, and begin again', async () => {
      const [one, two] = [await signIn('ann'), await signIn('ann')]
      const bob = await signIn('bob')
      await expressFunctions(here.config).sessions.endAll(one.id)
      const all = [one, two, bob].map(({ browser }) => at(there, browser))
      expect(await Promise.all(all.map(isIn))).to.deep.equal([false, false, true])
      expect(await isIn((await signIn('ann')).browser)).to.equal(true)
    })

    it('end when the user is disabled, none begins, and none comes back', async () => {
      const { browser, id } = await signIn('ann')
      await expressFunctions(here.config).users.disable(id)
      expect(await isIn(at(there, browser))).to.equal(false)
      const refused = await there.browser().signIn({ username: 'ann' })
      expect(refused.headers.location).to.contain('error=AccessDenied')
      expect(cookieLines(refused)).to.deep.equal([])
      expect(await adapter.listSessionsByUserId?.(id), 'no row is left').to.deep.equal([])
      await expressFunctions(here.config).users.enable(id)
      expect(await isIn(at(there, browser))).to.equal(false)
      expect(await isIn((await signIn('ann')).browser)).to.equal(true)
    })

    it('end where a row came to be all the same', async () => {
      const { browser, id } = await signIn('eve')
      const [row] = (await adapter.listSessionsByUserId?.(id)) ?? []
      await expressFunctions(here.config).users.disable(id)
      if (row) await adapter.createSession?.(row)
      advanceClock(6)
      expect(await isIn(at(there, browser))).to.equal(false)
      expect((await at(here, browser).get('/live')).status).to.equal(401)
    })
  })
}

it('a user who is disabled elsewhere has no session within `maxStale`, though theirs was read a moment ago (`cacheFor`)', async () => {
  const adapter = memoryAdapter()
  const { log, ...stores } = memoryStore()
  // A store over the network answers later. A read that does not wait for it would show the session again.
  const find = async (keys: readonly string[]) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return log.find(keys)
  }
  const store = { ...stores, log: { ...log, find } }
  const app = await startSite(store, {
    maxStale: 5,
    config: { adapter, providers: [credentials()] },
    session: { strategy: 'database', cacheFor: 60, revocation: { store, maxStale: 5 } },
  })
  try {
    const browser = app.browser()
    await browser.signIn({ username: 'ann' })
    expect(await isIn(browser)).to.equal(true)
    const { id } = (await adapter.getUserByEmail('ann@example.com')) ?? { id: '' }
    // As another process writes it, whose deletion of the rows is not known here.
    log.add([{ key: userKeys(id).disabled, exceptSid: '', notBefore: endOfTime, until: endOfTime }])
    advanceClock(6)
    expect(await isIn(browser)).to.equal(false)
  } finally {
    restoreClock()
    await app.close()
  }
})

describe('database sessions without `session.revocation`', () => {
  it('can be ended, and no user disabled', async () => {
    const adapter = memoryAdapter()
    const app = await startSite(adapter.store(), {
      config: { adapter },
      session: { strategy: 'database', revocation: false },
    })
    try {
      const ann = app.browser()
      await ann.signIn()
      const user = await adapter.getUserByEmail('ann@example.com')
      expect((await rejectionOf(expressFunctions(app.config).users.disable(String(user?.id)))).message).to.contain(
        '`session.revocation`',
      )
      expect((await ann.get('/live')).status).to.equal(200)
      await expressFunctions(app.config).sessions.endAll(String(user?.id))
      expect(await isIn(ann)).to.equal(false)
    } finally {
      await app.close()
    }
  })
})
