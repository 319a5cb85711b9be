import { expect } from 'chai'
import { accountUuid, toAccountId } from '../../lib/crypto/account-id.js'

describe('toAccountId(value)', () => {
  it('accepts non-empty texts and integers', () => {
    expect(toAccountId('a')).to.equal('a')
    expect(toAccountId('a'.repeat(255))).to.have.length(255)
    expect(toAccountId(0)).to.equal('0')
    expect(toAccountId(42)).to.equal('42')
  })

  it('is undefined for any other value, so that no two users share an id by accident', () => {
    for (const value of [
      '',
      'a'.repeat(256),
      undefined,
      null,
      true,
      1.5,
      2 ** 53,
      Number.NaN,
      {},
      ['a'],
      { $ne: 1 },
      1n,
    ]) {
      expect(toAccountId(value)).to.equal(undefined)
    }
  })
})

describe('accountUuid(provider, providerAccountId)', () => {
  it('is a UUID, the same each time, and another for each provider and account', () => {
    expect(accountUuid('a', '1')).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(accountUuid('a', '1')).to.equal(accountUuid('a', '1'))
    const ids = [accountUuid('a', '1'), accountUuid('b', '1'), accountUuid('a', '2'), accountUuid('a"', ',"1')]
    expect(new Set(ids).size).to.equal(4)
  })
})
