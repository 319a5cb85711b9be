import { expect } from 'chai'
import { isoText, rememberTexts } from '../../lib/base/recent-results.js'
import { heapReader } from '../support/heap.js'

describe('results of recent texts', () => {
  it('are computed once while a text is in use', () => {
    const computed: string[] = []
    const lengthOf = rememberTexts((text: string) => {
      computed.push(text)
      return { text }
    })
    expect(lengthOf('a token')).to.equal(lengthOf('a token'))
    expect(computed).to.deep.equal(['a token'])
  })

  it('belong to their text, even if another one has the same place', () => {
    const upper = rememberTexts((text: string) => text.toUpperCase())
    for (let round = 0; round < 2; round += 1) {
      // The beginning decides the place.
      for (let at = 0; at < 5000; at += 1) expect(upper(`the same ${at}`)).to.equal(`THE SAME ${at}`)
      for (let at = 0; at < 5000; at += 1) expect(upper(`${at}`)).to.equal(`${at}`)
    }
    expect(upper('')).to.equal('')
  })

  it('are not remembered for long texts', () => {
    let count = 0
    const counted = rememberTexts(() => {
      count += 1
      return count
    })
    const long = 'x'.repeat(513)
    expect([counted(long), counted(long)]).to.deep.equal([1, 2])
  })

  it('take a limited amount of memory, whatever texts come', () => {
    const readHeap = heapReader()
    const keep = rememberTexts((text: string) => ({ text }))
    for (let at = 0; at < 2000; at += 1) keep(`${at} ${'x'.repeat(400)}`)
    const before = readHeap()
    for (let at = 0; at < 100_000; at += 1) keep(`${at} ${'y'.repeat(400)}`)
    expect(readHeap() - before).to.be.below(1_500_000)
  })
})

describe('the text of a date', () => {
  it('is that of toISOString, also for dates with the same place', () => {
    const start = Date.UTC(2030, 0)
    for (let at = 0; at < 3000; at += 1) {
      const date = start + at * 1024 * 1000 + at
      expect(isoText(date)).to.equal(new Date(date).toISOString())
      expect(isoText(date)).to.equal(new Date(date).toISOString())
    }
  })

  it('throws for what is no date', () => {
    expect(() => isoText(Number.NaN)).to.throw(RangeError)
    expect(() => isoText(Number.NaN)).to.throw(RangeError)
  })
})
