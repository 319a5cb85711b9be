/** The cases of the counter. Tests of expired windows wait for a second. */
import assert from 'node:assert/strict'
import type { Consumption, CounterStore } from '../types/store.js'
import { settleAll } from './contract-case.js'
import { type Cases, fiftyCalls, newId, valuesOf } from './store-suite.js'

type CounterRule = Partial<Consumption>

/** The counter, and a new key. */
interface CounterSubject {
  readonly counter: CounterStore
  readonly key: string
  count(rule?: CounterRule): Promise<{ readonly allowed: boolean; readonly retryAfter: number }>
  refund(rule?: CounterRule): Promise<unknown>
}

function counterSubject(counter: CounterStore | undefined): CounterSubject {
  assert.ok(counter, 'the store has no `counter`')
  const key = newId()
  const consumption: Consumption = { cost: 1, limit: 3, window: 60 }
  return {
    counter,
    key,
    count: async (rule) => counter.consume(key, { ...consumption, ...rule }),
    refund: async (rule) => counter.refund(key, { ...consumption, ...rule }),
  }
}

const delayRule: CounterRule = { window: 3600, delay: 'exponential' }

const counterChecks: Readonly<Record<string, (subject: CounterSubject) => Promise<void>>> = {
  'allows attempts up to the limit, and then says how long to wait': async ({ counter, count }) => {
    for (let at = 0; at < 3; at += 1) assert.deepEqual(await count(), { allowed: true, retryAfter: 0 })
    const { allowed, retryAfter } = await count()
    assert.equal(allowed, false)
    assert.ok(retryAfter > 0 && retryAfter <= 60, `\`retryAfter\` is ${retryAfter}: seconds of the window are needed`)
    const other = await counter.consume(newId(), { cost: 1, limit: 3, window: 60 })
    assert.equal(other.allowed, true, 'another key was counted as well')
  },

  'forgets attempts after the window': async ({ count }) => {
    const rule = { limit: 1, window: 1 }
    assert.equal((await count(rule)).allowed, true)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    assert.equal((await count(rule)).allowed, true, 'an attempt was counted for longer than the window')
  },

  'counts no attempt that was refused': async ({ count, refund }) => {
    for (let at = 0; at < 10; at += 1) await count()
    await refund()
    assert.equal((await count()).allowed, true)
  },

  'takes attempts back one by one, and never below none': async ({ count, refund }) => {
    for (let at = 0; at < 5; at += 1) await refund()
    for (let at = 0; at < 3; at += 1) assert.equal((await count()).allowed, true)
    assert.equal((await count()).allowed, false)
    await refund()
    assert.equal((await count()).allowed, true)
    assert.equal((await count()).allowed, false)
  },

  'answers without counting where the cost is 0': async ({ count }) => {
    for (let at = 0; at < 10; at += 1) assert.equal((await count({ cost: 0 })).allowed, true)
    for (let at = 0; at < 3; at += 1) await count()
    assert.equal((await count({ cost: 0 })).allowed, false)
  },

  'allows no more than the limit of fifty attempts at once': async ({ count }) => {
    const answers = valuesOf(await settleAll(fiftyCalls(() => count())))
    assert.equal(answers.filter(({ allowed }) => allowed).length, 3)
  },

  'makes the next attempt wait from the limit on, where there is a delay': async ({ count, refund }) => {
    for (let at = 0; at < 3; at += 1) assert.equal((await count(delayRule)).allowed, true)
    const { allowed, retryAfter } = await count(delayRule)
    if (!allowed) assert.ok(retryAfter > 0 && retryAfter <= 1, `\`retryAfter\` is ${retryAfter}: one second is needed`)
    await refund(delayRule)
    assert.equal((await count(delayRule)).allowed, true, 'an attempt that was taken back made the next one wait')
  },

  'counts in turn, up to the first that is refused': async ({ counter, key }) => {
    if (!counter.consumeInTurn) return
    const both = [
      { key: `${key}c`, cost: 1 as const, limit: 3, window: 60 },
      { key: `${key}a`, cost: 1 as const, limit: 1, window: 60 },
    ]
    const allowed = async () => (await counter.consumeInTurn?.(both))?.map((each) => each.allowed)
    assert.deepEqual(await allowed(), [true, true])
    assert.deepEqual(await allowed(), [true, false])
    await allowed()
    assert.deepEqual(await allowed(), [false])
  },
}

/** The cases. */
export const counterCases: Cases = Object.fromEntries(
  Object.entries(counterChecks).map(([title, check]) => [title, async ({ counter }) => check(counterSubject(counter))]),
)
