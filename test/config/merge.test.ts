import { expect } from 'chai'
import { isPlainRecord, mergeOptions } from '../../lib/config/merge-provider.js'

describe('mergeOptions(defaults, overrides)', () => {
  it('merges records key by key, at any depth', () => {
    const merged = mergeOptions({ a: { b: 1, c: { d: 2 } }, e: 3 }, { a: { c: { f: 4 } } })
    expect(merged).to.deep.equal({ a: { b: 1, c: { d: 2, f: 4 } }, e: 3 })
  })

  it('replaces arrays, functions, dates and objects of classes whole', () => {
    const [date, method] = [new Date(0), () => 1]
    const url = new URL('https://a.test')
    expect(
      mergeOptions({ a: [1, 2], b: () => 0, c: {}, d: { x: 1 } }, { a: ['none'], b: method, c: date, d: url }),
    ).to.deep.equal({
      a: ['none'],
      b: method,
      c: date,
      d: url,
    })
  })

  it('takes null, and ignores undefined', () => {
    expect(mergeOptions({ a: 1, b: { c: 1 } }, { a: undefined, b: null })).to.deep.equal({ a: 1, b: null })
  })

  it('writes to neither', () => {
    const defaults = Object.freeze({ a: Object.freeze({ b: 1 }) })
    const overrides = Object.freeze({ a: Object.freeze({ c: 2 }) })
    expect(mergeOptions(defaults, overrides)).to.deep.equal({ a: { b: 1, c: 2 } })
    expect(defaults).to.deep.equal({ a: { b: 1 } })
  })

  it('PP-07 pollutes no prototype and inherits from none', () => {
    const evil: Record<string, unknown> = JSON.parse(
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    )
    const merged = mergeOptions({}, evil)
    expect(merged.admin).to.equal(undefined)
    expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype)
    expect(({} as Record<string, unknown>).admin).to.equal(undefined)
    expect(mergeOptions({}, { toString: { a: 1 } })).to.deep.equal({ toString: { a: 1 } })
  })
})

describe('isPlainRecord(value)', () => {
  it('is true for literals and records without a prototype only', () => {
    for (const value of [{}, { a: 1 }, Object.create(null)]) expect(isPlainRecord(value)).to.equal(true)
    for (const value of [null, undefined, [], 'a', () => {}, new Date(), new Map(), new (class A {})()]) {
      expect(isPlainRecord(value)).to.equal(false)
    }
  })
})
