/** The end of all sessions of a user while the store of ended sessions responds slowly. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { createRevocations } from '../../lib/features/revocation/revocations.js'
import type { LogStore } from '../../lib/types/store.js'
import { createLog } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

/** Creates the revocations of a store whose responses to queries arrive seconds later. */
function revocationsOf(delay: number) {
  const { log } = memoryStore()
  const slow: LogStore = {
    ...log,
    async find(keys) {
      const found = await log.find(keys)
      advanceClock(delay)
      return found
    },
  }
  return createRevocations(slow, {
    maxStale: 5000,
    onOutage: 'deny',
    lifetime: 3600,
    timeout: 60_000,
    logger: createLog().logger,
    list: false,
  })
}

describe('a store of ended sessions that responds slowly', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('ends sessions that began just before the call', async () => {
    const revocations = revocationsOf(3)
    const startedAt = seconds()
    await revocations.endAllOf('ann')
    expect(revocations.hasEnded({ userId: 'ann', startedAt })).to.equal(true)
    expect(revocations.hasEnded({ userId: 'bob', startedAt })).to.equal(false)
  })

  it('ends sessions that began just before the first of several calls', async () => {
    const revocations = revocationsOf(3)
    const end = revocations.prepareEndOfAll('ann')
    const [asOf, startedAt] = [Date.now(), seconds()]
    advanceClock(2)
    await end(asOf)
    expect(revocations.hasEnded({ userId: 'ann', startedAt })).to.equal(true)
    expect(revocations.hasEnded({ userId: 'ann', startedAt: startedAt + 1 })).to.equal(false)
  })
})
