/** Tests of the benchmark's targets: a result is compared with its own floor, and only its interval decides. */
import { expect } from 'chai'
import { judge, type Result } from '../../bench/report/targets.mjs'

/** Returns a result of the guarded route, whose target is 12 µs. `extra` is what each round costs more than the floor. */
function resultOf(extra: readonly number[], change: Partial<Result> = {}): Result {
  const floor = extra.map((_, round) => 100 + 10 * round)
  const own = floor.map((cost, round) => cost + (extra[round] ?? 0))
  const lanes = [
    { name: 'floor', costs: floor },
    { name: 'floor again (A/A)', costs: floor },
    { name: 'server-auth', costs: own },
  ]
  return { id: 'guarded', title: 'Guarded route', floor: 'handler', unit: 'µs', node: '24', lanes, ...change }
}

const verdicts = (...results: Result[]) => judge(results).map(({ verdict }) => verdict)

describe('the targets of the benchmark', () => {
  it('are met or missed only by the whole interval', () => {
    expect(verdicts(resultOf([10, 11, 10, 11]))).to.deep.equal(['met'])
    expect(verdicts(resultOf([20, 21, 20, 21]))).to.deep.equal(['missed'])
    // The mean of 11 would be below the target, and the spread says nothing about it.
    expect(verdicts(resultOf([5, 17, 6, 16]))).to.deep.equal(['undecided'])
  })

  it('do not depend on the cost of the floor, which differs between the rounds', () => {
    const [judged] = judge([resultOf([10, 10, 10, 10])])
    expect(judged?.difference).to.deep.equal({ mean: 10, low: 10, high: 10 })
  })

  it('belong to a version of Node.js', () => {
    const result = { ...resultOf([5, 5, 5, 5]), id: 'anonymous' }
    expect(verdicts({ ...result, node: '20' }, { ...result, node: '24' })).to.deep.equal(['met', 'missed'])
  })

  it('exist only for jobs that have one, and for our own lane', () => {
    expect(verdicts(resultOf([1, 1], { id: 'cookies' }))).to.deep.equal([])
    expect(verdicts(resultOf([1, 1], { lanes: [{ name: 'floor', costs: [1, 2] }] }))).to.deep.equal([])
  })
})
