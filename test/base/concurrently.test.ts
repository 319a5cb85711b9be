/** Work on many values, a few at once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { forEachConcurrently } from '../../lib/base/concurrently.js'

describe('forEachConcurrently', () => {
  it('calls the function once with each value, a few at once', async () => {
    const [called, state]: [number[], { running: number; most: number }] = [[], { running: 0, most: 0 }]
    await forEachConcurrently(new Set([1, 2, 3, 4, 5]), 2, async (value) => {
      called.push(value)
      state.running += 1
      state.most = Math.max(state.most, state.running)
      await nextTurn()
      state.running -= 1
    })
    expect(called).to.deep.equal([1, 2, 3, 4, 5])
    expect(state).to.deep.equal({ running: 0, most: 2 })
    await forEachConcurrently([], 2, () => expect.fail('it was called without a value'))
  })

  it('begins no call after one has rejected', async () => {
    const called: number[] = []
    const fault = new Error('the call of the test failed')
    const work = forEachConcurrently([1, 2, 3, 4, 5, 6], 3, async (value) => {
      called.push(value)
      await nextTurn()
      if (value === 2) throw fault
    })
    expect(await work.catch((error: unknown) => error)).to.equal(fault)
    for (let turns = 0; turns < 8; turns += 1) await nextTurn()
    expect(called).to.deep.equal([1, 2, 3, 4])
  })
})
