import { createHash, createHmac } from 'node:crypto'
import { expect } from 'chai'
import { equalText, hmac, sha256 } from '../../lib/crypto/hash.js'

describe('sha256(text) and hmac(key, text)', () => {
  it('hash the UTF-8 bytes', () => {
    expect(sha256('ä')).to.deep.equal(createHash('sha256').update(Buffer.from('ä', 'utf8')).digest())
    const key = new Uint8Array([1, 2, 3])
    expect(hmac(key, 'ä')).to.equal(createHmac('sha256', key).update(Buffer.from('ä', 'utf8')).digest('hex'))
  })
})

describe('equalText(a, b)', () => {
  it('CS-12 is true for the same text only, of any length', () => {
    expect(equalText('token', 'token')).to.equal(true)
    expect(equalText('', '')).to.equal(true)
    for (const other of ['', 'Token', 'tokem', 'token ', 'toke', 'token\0'])
      expect(equalText('token', other)).to.equal(false)
  })
})
