/** Parts that are loaded when they are first needed (`lib/base/lazy-loader`). */
import { expect } from 'chai'
import { createLazyLoader } from '../lib/base/lazy-loader.js'
import { rejectionOf } from './support/rejection.js'

describe('lazily(part, load)', () => {
  it('loads at the first call, and once', async () => {
    let loads = 0
    const part = {}
    const loadPart = createLazyLoader('The part', async () => {
      loads += 1
      return part
    })
    expect(loads).to.equal(0)
    expect(await Promise.all([loadPart(), loadPart()])).to.deep.equal([part, part])
    expect(await loadPart()).to.equal(part)
    expect(loads).to.equal(1)
  })

  it('says what could not be loaded, and tries again at the next call', async () => {
    const missing = new Error("Cannot find package 'part'")
    const answers = [() => Promise.reject(missing), async () => 'part']
    const loadPart = createLazyLoader('The package part', () => answers.shift()?.() ?? expect.fail('loaded once more'))
    const [first, second] = await Promise.all([rejectionOf(loadPart()), rejectionOf(loadPart())])
    expect(first.message).to.match(/^The package part could not be loaded/)
    expect(first.cause).to.equal(missing)
    expect(second).to.equal(first)
    expect(await loadPart()).to.equal('part')
  })
})
