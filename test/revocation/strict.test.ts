/** `security: 'strict'`: options of `session.revocation` keep the members of the preset that they do not set. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { SessionOptions } from '../../lib/types/session.js'
import type { TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { at, beginSession, isIn, type SharedStores, sharedStores, startSite } from './sites.js'

type Stored = ReturnType<SharedStores['make']>

/** Ways to say where the ends of sessions are kept. */
const settings: Readonly<Record<string, (store: Stored) => SessionOptions['revocation']>> = {
  'a store': (store) => store,
  'a store among options': (store) => ({ store }),
  'a list of sessions': (store) => ({ store, list: true }),
}

describe('security: strict, with options of session.revocation', () => {
  let stores: SharedStores
  let processes: TestApp[] = []
  beforeEach(async function () {
    const open = sharedStores.sqlite
    if (open) stores = await open(this)
    freezeClock()
  })
  afterEach(async () => {
    restoreClock()
    for (const each of processes) await each.close()
    await stores.close()
  })

  for (const [name, revocation] of Object.entries(settings)) {
    it(`SE-20: ${name} leaves the time after which other processes know an end at one second`, async () => {
      const adapter = memoryAdapter()
      const start = () => {
        const session = { strategy: 'jwt' as const, revocation: revocation(stores.make()) ?? false }
        return startSite(stores.make(), { config: { adapter, security: 'strict' }, session })
      }
      const [here, there] = [await start(), await start()]
      processes = [here, there]
      const { id } = await adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: null })
      const ann = await beginSession(here, id)
      const copy = at(there, ann)
      expect(await isIn(copy)).to.equal(true)
      await ann.submit('/auth/signout')
      advanceClock(2)
      expect(await isIn(copy)).to.equal(false)
    })
  }
})
