/** Tests of the benchmark's statistics: the interval of known data, and the rule that decides about a target. */
import { expect } from 'chai'
import { decide, differenceOf, intervalOf } from '../../bench/harness/statistics.mjs'

/** Returns a source of random numbers that repeats, so that a failure repeats too (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('the statistics of the benchmark', () => {
  it('have the interval of a known sample', () => {
    // Mean 5, standard deviation 2, n = 4: 2 / √4 × 3.182.
    const { mean, low, high } = intervalOf([3, 7, 5 - Math.SQRT2, 5 + Math.SQRT2])
    expect(mean).to.be.closeTo(5, 1e-9)
    expect(high - mean).to.be.closeTo(3.182, 1e-9)
    expect(mean - low).to.be.closeTo(3.182, 1e-9)
  })

  it('have no interval for a single value', () => {
    expect(() => intervalOf([5])).to.throw('two values or more')
  })

  it('compare pairs, so that a change that meets both sides is no difference', () => {
    const difference = differenceOf([110, 210, 310], [100, 200, 300])
    expect(difference).to.deep.equal({ mean: 10, low: 10, high: 10 })
  })

  it('contain the true difference in about 95 of 100 samples', () => {
    const random = randomNumbers(32)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    let contained = 0
    for (let sample = 0; sample < 4000; sample += 1) {
      const base = Array.from({ length: 12 }, () => 100 + 10 * normal())
      const { low, high } = differenceOf(
        base.map((value) => value + 3 + 4 * normal()),
        base,
      )
      if (low <= 3 && 3 <= high) contained += 1
    }
    expect(contained / 4000).to.be.within(0.935, 0.965)
  })

  it('decide only where the interval does', () => {
    expect(decide({ low: 8, high: 12 }, 12)).to.equal('met')
    expect(decide({ low: 12.1, high: 14 }, 12)).to.equal('missed')
    expect(decide({ low: 11, high: 12.1 }, 12)).to.equal('undecided')
    expect(decide({ low: 12, high: 13 }, 12)).to.equal('undecided')
  })
})
