import { expect } from 'chai'
import { randomBytes, randomHex, randomText } from '../../lib/crypto/random.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'

describe('randomHex(bytes), randomText(bytes) and randomBytes(bytes)', () => {
  it('have the length that the bytes make', () => {
    expect(randomHex(32)).to.match(/^[0-9a-f]{64}$/)
    expect(randomText()).to.match(/^[\w-]{43}$/)
    expect(randomText(16)).to.match(/^[\w-]{22}$/)
    for (const length of [0, 1, 16, 511, 512, 513, 5000]) expect(randomBytes(length)).to.have.length(length)
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

  describe('with bytes that are drawn in advance', () => {
    const draws: Uint8Array[] = []
    let minutes = 0

    /** Fills with words that never repeat, so that a byte which is handed out twice is seen. */
    function drawWords(bytes: Uint8Array): Uint8Array {
      const first = (draws.length * bytes.length) / 4 + 1
      for (let at = 0; at + 3 < bytes.length; at += 4) Buffer.from(bytes.buffer).writeUInt32BE(first + at / 4, at)
      draws.push(bytes)
      return bytes
    }

    function replaceGenerator(value: (bytes: Uint8Array) => Uint8Array): void {
      Object.defineProperty(crypto, 'getRandomValues', { configurable: true, value })
    }

    beforeEach(() => {
      // Later than the draws of other tests.
      minutes += 1
      freezeClock(Math.floor(Date.now() / 1000 + 60 * minutes) * 1000)
      draws.length = 0
      replaceGenerator(drawWords)
    })

    afterEach(() => {
      Reflect.deleteProperty(crypto, 'getRandomValues')
      restoreClock()
    })

    it('SE-13 each byte is handed out once, in every form', () => {
      const takes = [
        () => Buffer.from(randomBytes(4)),
        () => Buffer.from(randomHex(4), 'hex'),
        () => Buffer.from(randomText(4), 'base64url'),
      ]
      const values = Array.from({ length: 900 }, (_, at) => takes[at % 3]?.().readUInt32BE() ?? 0)
      expect(values).to.deep.equal(Array.from({ length: 900 }, (_, at) => at + 1))
      expect(draws.length).to.be.greaterThan(2)
    })

    it('SE-13 bytes that were handed out are zero in memory', () => {
      const text = [randomText(16), randomHex(16), Buffer.from(randomBytes(16)).toString('hex')].join()
      expect(text).to.not.match(/^0*$/)
      const [drawn] = draws
      expect([...(drawn?.subarray(0, 48) ?? [])]).to.deep.equal(Array.from({ length: 48 }, () => 0))
      expect(drawn?.[51]).to.not.equal(0)
    })

    it('SE-13 a value that needs more than is left has new bytes only', () => {
      randomBytes(500)
      const bytes = Buffer.from(randomBytes(16))
      expect(draws).to.have.length(2)
      expect(bytes.readUInt32BE()).to.equal(129)
    })

    it('SE-13 unused bytes are dropped after a second, or when the clock was set back: a copy of the process has them too', () => {
      randomBytes(4)
      advanceClock(1)
      randomBytes(4)
      expect(draws).to.have.length(1)
      advanceClock(1)
      randomBytes(4)
      expect(draws).to.have.length(2)
      advanceClock(-60)
      randomBytes(4)
      expect(draws).to.have.length(3)
    })

    it('SE-13 nothing is handed out when the generator fails, then or later', () => {
      const failing = (): never => {
        throw new Error('no entropy')
      }
      replaceGenerator(failing)
      for (const take of [() => randomBytes(4), () => randomText(16), () => randomHex(1), () => randomBytes(1000)])
        expect(take).to.throw('no entropy')
    })
  })
})
