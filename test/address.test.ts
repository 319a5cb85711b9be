import { expect } from 'chai'
import { losesVerification } from '../lib/base/email-address.js'

const proof = new Date('2026-01-01')
const later = new Date('2026-01-02')
const before = { email: 'ada@example.test', emailVerified: proof }

describe('losesProof(before, changes)', () => {
  for (const [title, changes, expected] of [
    ['no address is given', { emailVerified: null }, false],
    ['the address is the same in another case', { email: 'Ada@Example.test' }, false],
    ['another address comes without a proof', { email: 'eve@example.test' }, true],
    ['another address comes with the proof of the old one', { email: 'eve@example.test', emailVerified: proof }, true],
    ['another address comes with a proof of its own', { email: 'eve@example.test', emailVerified: later }, false],
    ['the address is taken away', { email: null }, true],
  ] as const) {
    it(`is ${expected} when ${title}`, () => {
      expect(losesVerification(before, changes)).to.equal(expected)
    })
  }

  it('takes an address with a Kelvin sign for another one than the one with a k', () => {
    expect(
      losesVerification({ email: 'k@example.test', emailVerified: proof }, { email: '\u212a@example.test' }),
    ).to.equal(true)
  })
})
