/** The store of counts is unavailable, slow, or returns nonsense. */
import { expect } from 'chai'
import { AdapterError } from '../../lib/errors.js'
import { guardLimits } from '../../lib/features/limits/attempts.js'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import type { Awaitable } from '../../lib/types/identity.js'
import type { Consumed, CounterStore } from '../../lib/types/store.js'
import initAuth from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { freezeClock, restoreClock } from '../support/clock.js'
import { openFetch } from '../support/doors.js'
import { doors, type LimitStage, openLimitStage } from './stage.js'

const down = (): never => {
  throw new Error('the server at 10.0.0.5 is down')
}
const yes: Consumed = { allowed: true, retryAfter: 0 }

function storeOf(consume: () => Awaitable<unknown>, refund: () => Awaitable<unknown> = () => undefined): CounterStore {
  return { consume: consume as CounterStore['consume'], refund }
}

describe('rate limits, while their store is away', () => {
  let stage: LimitStage
  // On a busy machine more than a second may pass between two guesses.
  beforeEach(() => freezeClock())
  afterEach(() => {
    restoreClock()
    return stage.close()
  })

  for (const [what, consume] of [
    ['throws', down],
    ['rejects', async () => down()],
    ['hangs', () => new Promise(() => {})],
    ['answers nothing', () => undefined],
    ['answers a number', async () => 1],
    ['answers a text for "allowed"', () => ({ allowed: 'yes', retryAfter: 0 })],
  ] as const) {
    it(`RL-06 check no password if it ${what}`, async () => {
      stage = await openLimitStage(doors.express, { timeout: 0.2, rateLimit: { store: { counter: storeOf(consume) } } })
      const answer = await stage.guess(stage.stranger(), 'ann', 'right')
      expect(answer.status).to.equal(503)
      expect(answer.text).to.not.include('10.0.0.5')
      expect(stage.evaluated).to.deep.equal([])
      expect((await stage.stranger().ask('/api/auth/session')).status).to.equal(200)
    })
  }

  it('RL-06 with `allow` count in the process alone', async () => {
    stage = await openLimitStage(doors.express, { rateLimit: { store: { counter: storeOf(down) }, onOutage: 'allow' } })
    for (let at = 0; at < 8; at += 1) await stage.guess(stage.stranger(), 'ann')
    expect(stage.evaluated).to.have.length(5)
    expect((await stage.guess(stage.stranger(), 'bob', 'right')).status).to.equal(200)
    expect(stage.door.log.errors.map(({ message }) => message)).to.include(
      'The store of rate limits failed (`consume`).',
    )
  })

  it('RL-06 with `allow` count together for configurations that are created again for each request', async () => {
    const log = createLog()
    let looked = 0
    const authorize = () => {
      looked += 1
      return null
    }
    const { handlers } = initAuth(() => ({
      secret,
      logger: log.logger,
      basePath: '/api/auth',
      rateLimit: { store: { counter: storeOf(down) }, onOutage: 'allow' },
      providers: [credentials({ authorize })],
    }))
    stage = await openLimitStage(() => openFetch(log, (request) => handlers.GET(request)))
    for (let at = 0; at < 8; at += 1) await stage.guess(stage.stranger(), 'ann')
    expect(looked).to.equal(5)
  })

  it('count an attempt whose `authorize` throws that a database is unavailable: the password was checked', async () => {
    const authorize = () => {
      throw new AdapterError('away')
    }
    stage = await openLimitStage(doors.express, {
      rateLimit: { rules: { credentials: { perAccount: 2, window: 60 } } },
      providers: [credentials({ authorize })],
    })
    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await stage.guess(stage.stranger(), 'ann')).status)
    expect(statuses).to.deep.equal([503, 503, 429])
  })

  it('do not fail a sign-in that succeeded when it cannot be taken back', async () => {
    stage = await openLimitStage(doors.express, { rateLimit: { store: { counter: storeOf(() => yes, down) } } })
    expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(200)
    expect(stage.door.log.errors.map(({ message }) => message)).to.deep.equal([
      'The store of rate limits failed (`refund`).',
    ])
  })

  it('with `allow` take back in the store that counted it, and in no other', async () => {
    let isAway = true
    let refunds = 0
    const shared = storeOf(
      () => (isAway ? down() : yes),
      () => {
        if (isAway) return down()
        refunds += 1
      },
    )
    const { logger } = createLog()
    const limits = guardLimits(shared, { timeout: 1000, logger, substitute: createMemoryCounter() })
    const attempt = () => [{ key: 'ann', cost: 1, limit: 2, window: 60 }] as const
    const isAllowed = async () => (await limits.consume(attempt()))[0]?.allowed
    const [first, second] = [attempt(), attempt()]
    for (const each of [first, second]) await limits.consume(each)
    expect(await isAllowed()).to.equal(false)
    isAway = false
    const inStore = attempt()
    await limits.consume(inStore)
    isAway = true
    await limits.refund(inStore)
    expect(await isAllowed()).to.equal(false)
    isAway = false
    await limits.refund(first)
    expect(refunds).to.equal(0)
    isAway = true
    expect([await isAllowed(), await isAllowed()]).to.deep.equal([true, false])
    stage = await openLimitStage(doors.express)
  })

  it('send no time that no client reads', async () => {
    for (const [retryAfter, told] of [
      [1e22, '31622400'],
      [Number.NaN, '1'],
      ['5', '1'],
      [2.2, '3'],
    ]) {
      stage = await openLimitStage(doors.express, {
        rateLimit: { store: { counter: storeOf(() => ({ allowed: false, retryAfter })) } },
      })
      const { status, headers } = await stage.guess(stage.stranger(), 'ann')
      expect([status, headers['retry-after']]).to.deep.equal([429, told])
      await stage.close()
    }
    stage = await openLimitStage(doors.express)
  })

  it('treat fewer answers than questions as a rejection', async () => {
    const store: CounterStore = { ...storeOf(() => yes), consumeInTurn: async () => [yes] }
    stage = await openLimitStage(doors.express, { rateLimit: { store: { counter: store } } })
    expect((await stage.guess(stage.stranger('192.0.2.1'), 'ann', 'right')).status).to.equal(503)
  })

  it('give stores keys that disclose nothing', async () => {
    const keys: string[] = []
    const store: CounterStore = {
      consume: (key) => {
        keys.push(key)
        return yes
      },
      refund: (key) => void keys.push(key),
    }
    stage = await openLimitStage(doors.express, { rateLimit: { store: { counter: store } } })
    await stage.guess(stage.stranger('192.0.2.1'), 'ann@example.com', 'right')
    expect(keys).to.have.length(4)
    for (const key of keys) expect(key).to.match(/^[\w-]{22}$/)
  })
})
