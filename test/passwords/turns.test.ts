/** The limit of passwords that are hashed at the same time. */
import { expect } from 'chai'
import { PasswordsBusy } from '../../lib/errors.js'
import { Turns, withTurn } from '../../lib/features/passwords/hashing/work.js'
import { rejectionOf } from '../support/rejection.js'

/** Work that ends when it is told to. */
function held() {
  let end: () => void = () => undefined
  let begun = false
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = () => {
    begun = true
    return done
  }
  return { work, end: () => end(), hasBegun: () => begun }
}

const pause = () => new Promise((resolve) => setImmediate(resolve))

describe('new Turns({ atOnce, longestQueue })', () => {
  it('does so many at once, and the others in the order in which they came', async () => {
    const turns = new Turns({ atOnce: 2, longestQueue: 10 })
    const works = Array.from({ length: 5 }, held)
    const all = works.map(({ work }) => turns.take(work))
    const begun = () => works.map(({ hasBegun }) => hasBegun())
    expect(begun()).to.deep.equal([true, true, false, false, false])
    works[1]?.end()
    await pause()
    expect(begun()).to.deep.equal([true, true, true, false, false])
    works[0]?.end()
    works[2]?.end()
    await pause()
    expect(begun()).to.deep.equal([true, true, true, true, true])
    for (const { end } of works) end()
    await Promise.all(all)
  })

  it('gives the turn on where work fails, at once or later', async () => {
    const turns = new Turns({ atOnce: 1, longestQueue: 10 })
    const failures = [
      turns.take(() => {
        throw new Error('at once')
      }),
      turns.take(async () => {
        throw new Error('later')
      }),
    ].map(rejectionOf)
    expect(await turns.take(() => 'third')).to.equal('third')
    expect((await Promise.all(failures)).map(({ message }) => message)).to.deep.equal(['at once', 'later'])
  })

  it('keeps the order of those who wait', async () => {
    const turns = new Turns({ atOnce: 1, longestQueue: 10 })
    const order: string[] = []
    const first = turns.take(() => order.push('first'))
    const second = turns.take(() => order.push('second'))
    await first
    await Promise.all([second, turns.take(() => order.push('third'))])
    expect(order).to.deep.equal(['first', 'second', 'third'])
  })
})

describe('withTurn(work)', () => {
  it('rejects the thirty-fifth of a process without the work, and continues after it (DOS-06)', async () => {
    const works = Array.from({ length: 34 }, held)
    const all = works.map(({ work }) => withTurn(work))
    const over = held()
    const error = await rejectionOf(withTurn(over.work))
    expect(error).to.be.instanceOf(PasswordsBusy).and.include({ status: 503, retryAfter: 5, type: 'PasswordsBusy' })
    expect(over.hasBegun()).to.equal(false)
    expect(works.filter(({ hasBegun }) => hasBegun())).to.have.length(2)
    for (const { end } of works) end()
    await Promise.all(all)
    expect(await withTurn(() => 1)).to.equal(1)
  })
})
