/** The counts in a process: bounded, and a flood of fresh keys does not push out those that matter. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import type { Consumption } from '../../lib/types/store.js'
import { compileScript } from '../support/child-script.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { extent } from '../support/extent.js'

const rule: Consumption = { cost: 1, limit: 5, window: 3600 }

describe('counts in memory', () => {
  afterEach(restoreClock)

  it('DOS-10 keep to their bounds, and keep who failed twice, whatever comes fresh', () => {
    const store = createMemoryCounter({ first: 1000, second: 500 })
    for (let at = 0; at < 5; at += 1) store.consume('victim', rule)
    for (let at = 0; at < 100_000; at += 1) store.consume(`fresh-${at}`, rule)
    expect(store.size).to.equal(1001)
    expect(store.consume('victim', rule).allowed).to.equal(false)
  })

  it('keep who failed most where a flood fails twice each', () => {
    const store = createMemoryCounter({ first: 1000, second: 500 })
    for (let at = 0; at < 5; at += 1) store.consume('victim', rule)
    for (let at = 0; at < 20_000; at += 1) for (const _ of [1, 2]) store.consume(`fresh-${at}`, rule)
    expect(store.size).to.be.at.most(1500)
    expect(store.consume('victim', rule).allowed).to.equal(false)
  })

  it('forget a key whose only count was taken back', () => {
    const store = createMemoryCounter()
    store.consume('once', rule)
    store.refund('once', rule)
    for (let at = 0; at < 3; at += 1) store.consume('often', rule)
    for (let at = 0; at < 3; at += 1) store.refund('often', rule)
    expect(store.size).to.equal(0)
  })

  it('of high limits never exceed them within a window', () => {
    freezeClock()
    const store = createMemoryCounter()
    const high: Consumption = { cost: 1, limit: 100, window: 600 }
    const times: number[] = []
    for (let second = 0; second < 3000; second += 3) {
      if (store.consume('busy', high).allowed) times.push(second)
      advanceClock(3)
    }
    for (const [at, time] of times.entries()) {
      const next = times[at + 100]
      if (next !== undefined) expect(next - time).to.be.at.least(600)
    }
    // And not much less than they allow.
    expect(times.length).to.be.at.least(350)
  })

  it('DOS-10 take less than 30 MB for millions of keys, and have the victim’s count', async function () {
    this.timeout(60_000)
    // It is full after 150,000: at night there are ten millions.
    const keys = extent === 'all' ? 10_000_000 : 1_000_000
    const script = await compileScript('test/limits/flood-main.ts')
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const out = execFileSync(process.execPath, ['--expose-gc', script, String(keys)], { cwd: root, encoding: 'utf8' })
    const { megabytes, isVictimCounted } = JSON.parse(out)
    expect(isVictimCounted).to.equal(true)
    expect(megabytes).to.be.below(30)
  })
})
