/** Limiters of `rate-limiter-flexible` as a store. */
import { expect } from 'chai'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { fromRateLimiterFlexible } from '../../lib/features/limits/index.js'
import type { Consumption } from '../../lib/types/store.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { doors, openLimitStage } from './stage.js'

const rule: Consumption = { cost: 1, limit: 3, window: 60 }

describe('fromRateLimiterFlexible', () => {
  const made: object[] = []
  const { counter: store } = fromRateLimiterFlexible((limits) => {
    made.push(limits)
    return new RateLimiterMemory(limits)
  })

  it('allows as many as a rule says, takes back, and creates one limiter for each limit', async () => {
    for (let at = 0; at < 3; at += 1) expect((await store.consume('a', rule)).allowed).to.equal(true)
    const refused = await store.consume('a', rule)
    expect(refused.allowed).to.equal(false)
    expect(refused.retryAfter).to.be.within(55, 60)
    expect((await store.consume('a', { ...rule, cost: 0 })).allowed).to.equal(false)
    expect((await store.consume('b', { ...rule, cost: 0 })).allowed).to.equal(true)
    expect((await store.consume('a', { ...rule, limit: 5, delay: 'exponential', window: 3600 })).allowed).to.equal(true)
    expect(made).to.deep.equal([
      { points: 3, duration: 60 },
      { points: 5, duration: 900 },
    ])
  })

  it('allows no more of a hundred at once, and rejects if its database is unavailable', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => store.consume('c', rule)))
    expect(answers.filter(({ allowed }) => allowed)).to.have.length(3)
    const down = async () => Promise.reject(new Error('down'))
    const { counter: away } = fromRateLimiterFlexible(() => ({ consume: down, reward: down, get: down }))
    expect((await rejectionOf(Promise.resolve(away.consume('a', rule)))).message).to.equal('down')
  })

  it('takes nothing back of an expired window, which would allow more in the next one', async () => {
    const second = { ...rule, window: 1 }
    for (let at = 0; at < 3; at += 1) await store.consume('d', second)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await Promise.all(Array.from({ length: 3 }, () => store.refund('d', second)))
    const answers = []
    for (let at = 0; at < 6; at += 1) answers.push((await store.consume('d', second)).allowed)
    expect(answers.filter(Boolean)).to.have.length(3)
    await store.refund('d', second)
    await store.refund('e', second)
    expect(answers.length).to.equal(6)
  })

  it('rejects a value that is no limiter', async () => {
    expect(
      thrownBy(() => fromRateLimiterFlexible(new RateLimiterMemory({ points: 1, duration: 1 }) as never)).message,
    ).to.include('a function')
    const { counter: wrong } = fromRateLimiterFlexible(() => ({}) as never)
    expect((await rejectionOf(Promise.resolve(wrong.consume('a', rule)))).message).to.include('consume')
  })

  it('works behind the routes', async () => {
    const stage = await openLimitStage(doors.express, {
      rateLimit: { store: fromRateLimiterFlexible((limits) => new RateLimiterMemory(limits)) },
    })
    for (let at = 0; at < 3; at += 1) await stage.guess(stage.stranger(), 'ann', 'right')
    for (let at = 0; at < 7; at += 1) await stage.guess(stage.stranger(), 'ann')
    expect(stage.evaluated).to.have.length(3 + 5)
    await stage.close()
  })
})
