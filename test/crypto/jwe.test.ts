import { expect } from 'chai'
import { decryptJson, encryptJson, isCurrent, readHeader } from '../../lib/crypto/jwe.js'
import { forge } from '../support/jwe.js'

const key = new Uint8Array(64).fill(7)

describe('encryptJson and decryptJson', () => {
  for (const [enc, length] of [
    ['A256CBC-HS512', 64],
    ['A256GCM', 32],
  ] as const) {
    it(`go together under ${enc}`, async () => {
      const token = await encryptJson({ a: 1 }, key.subarray(0, length), { enc })
      expect(await decryptJson(token, key.subarray(0, length), enc)).to.deep.equal({ a: 1 })
    })
  }

  it('are null under another key or another encryption than asked for', async () => {
    const token = await encryptJson({ a: 1 }, key, { enc: 'A256CBC-HS512' })
    expect(await decryptJson(token, new Uint8Array(64), 'A256CBC-HS512')).to.equal(null)
    expect(await decryptJson(token, key, 'A256GCM')).to.equal(null)
    expect(await decryptJson(token, new Uint8Array(5), 'A256CBC-HS512')).to.equal(null)
  })

  it('keep a __proto__ member a mere member', async () => {
    const token = forge(key, Buffer.from('{"__proto__":{"admin":true}}'))
    const payload = await decryptJson(token, key, 'A256CBC-HS512')
    expect(Object.getPrototypeOf(payload)).to.equal(Object.prototype)
    expect(({} as Record<string, unknown>).admin).to.equal(undefined)
  })
})

describe('readHeader(token)', () => {
  it('tells encryption and kid', async () => {
    expect(readHeader(forge(key, {}))).to.deep.equal({ enc: 'A256CBC-HS512' })
    expect(readHeader(forge(key, {}, { kid: 'k' }))).to.deep.equal({ enc: 'A256CBC-HS512', kid: 'k' })
    expect(readHeader(await encryptJson({}, key.subarray(32), { enc: 'A256GCM' }))).to.deep.equal({ enc: 'A256GCM' })
  })

  it('JW-05 JW-06 is null for every header that we do not write', () => {
    for (const header of [{ alg: 'none' }, { enc: 'A128GCM' }, { kid: 5 }, { zip: 'DEF' }, { crit: ['exp'] }]) {
      expect(readHeader(forge(key, {}, header)), JSON.stringify(header)).to.equal(null)
    }
  })
})

describe('isCurrent(payload, now)', () => {
  it('needs exp after now, and nbf not after it', () => {
    expect(isCurrent({ exp: 101 }, 100)).to.equal(true)
    expect(isCurrent({ exp: 100 }, 100)).to.equal(false)
    expect(isCurrent({ exp: 101, nbf: 100 }, 100)).to.equal(true)
    expect(isCurrent({ exp: 101, nbf: 101 }, 100)).to.equal(false)
    expect(isCurrent({}, 100)).to.equal(false)
  })
})
