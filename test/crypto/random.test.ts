import { expect } from 'chai'
import { randomHex, randomText } from '../../lib/crypto/random.js'

describe('randomHex(bytes) and randomText(bytes)', () => {
  it('have the length that the bytes make', () => {
    expect(randomHex(32)).to.match(/^[0-9a-f]{64}$/)
    expect(randomText()).to.match(/^[\w-]{43}$/)
    expect(randomText(16)).to.match(/^[\w-]{22}$/)
  })

  it('SE-13 never repeat, and do not come from Math.random', () => {
    const { random } = Math
    Math.random = () => 0.5
    try {
      const values = Array.from({ length: 10_000 }, () => randomText(16))
      expect(new Set(values).size).to.equal(10_000)
    } finally {
      Math.random = random
    }
  })
})
