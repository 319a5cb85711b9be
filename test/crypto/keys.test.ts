import { hkdfSync, KeyObject } from 'node:crypto'
import { expect } from 'chai'
import { base64url, calculateJwkThumbprint } from 'jose'
import { cachedSecrets } from '../../lib/base/memory.js'
import { deriveKey, macKeys, sessionProofKey } from '../../lib/crypto/keys.js'

const secret = 'a-secret-of-the-keys-test'

describe('sessionProofKey(secret)', () => {
  it('is 32 bytes of HKDF-SHA-256 under a label of its own, derived once', () => {
    const key = sessionProofKey(secret)
    expect(bytesOf(key)).to.deep.equal(Buffer.from(hkdfSync('sha256', secret, '', 'server-auth session proof key', 32)))
    expect(sessionProofKey(secret)).to.equal(key)
    expect(bytesOf(sessionProofKey(`${secret}a`))).to.not.deep.equal(bytesOf(key))
  })
})

describe('macKeys(purpose)', () => {
  it('are 32 bytes of HKDF-SHA-256 under the label of the purpose, derived once for each secret', () => {
    const keyOf = macKeys('limits')
    const key = keyOf(secret)
    expect(bytesOf(key)).to.deep.equal(Buffer.from(hkdfSync('sha256', secret, '', 'server-auth limits key', 32)))
    expect(keyOf(secret)).to.equal(key)
  })

  it('are others for another secret, and for another purpose', () => {
    const keys = [macKeys('limits')(secret), macKeys('limits')(`${secret}a`), macKeys('device')(secret)]
    expect(new Set(keys.map((key) => bytesOf(key).toString('hex'))).size).to.equal(3)
  })

  it('keep a bounded number of secrets: an old key is derived again, to the same bytes', () => {
    const keyOf = macKeys('limits')
    const first = keyOf(secret)
    // More configurations in the process mean more secrets.
    for (let at = 0; at < cachedSecrets(); at += 1) keyOf(`${secret} ${at}`)
    expect(keyOf(secret)).to.not.equal(first)
    expect(bytesOf(keyOf(secret))).to.deep.equal(bytesOf(first))
  })
})

function bytesOf(key: unknown): Buffer {
  if (!(key instanceof KeyObject)) throw new TypeError('The key is not a KeyObject.')
  return key.export()
}

describe('deriveKey(secret, label, { salt, length })', () => {
  it('is HKDF-SHA-256 with the label as info', () => {
    const { bytes } = deriveKey(secret, 'label', { salt: 'salt', length: 64 })
    expect(bytes).to.deep.equal(new Uint8Array(hkdfSync('sha256', secret, 'salt', 'label', 64)))
  })

  it('has the RFC 7638 thumbprint of the key: SHA-512 for 64 bytes, SHA-256 for 32', async () => {
    for (const [length, digest] of [
      [64, 'sha512'],
      [32, 'sha256'],
    ] as const) {
      const key = deriveKey(secret, 'label', { length })
      const jwk = { kty: 'oct', k: base64url.encode(key.bytes) }
      expect(await key.thumbprint).to.equal(await calculateJwkThumbprint(jwk, digest))
    }
  })

  it('is derived once: the same key object each time', () => {
    const first = deriveKey(secret, 'once', { salt: 's', length: 32 })
    expect(deriveKey(secret, 'once', { salt: 's', length: 32 })).to.equal(first)
  })

  it('is another key for another secret, label, salt or length, however they are put together', () => {
    const keys = [
      deriveKey(secret, 'ab', { salt: 'c', length: 32 }),
      deriveKey(secret, 'a', { salt: 'bc', length: 32 }),
      deriveKey(`${secret}a`, 'b', { salt: 'c', length: 32 }),
      deriveKey(secret, 'ab', { length: 32 }),
      deriveKey(secret, 'abc', { length: 32 }),
      deriveKey(secret, 'ab', { salt: 'c', length: 64 }),
    ].map(({ bytes }) => Buffer.from(bytes.subarray(0, 32)).toString('hex'))
    // HKDF's output for 32 bytes is the beginning of that for 64: only the last two may share it.
    expect(new Set(keys.slice(0, 5)).size).to.equal(5)
    expect(keys[5]).to.equal(keys[0])
  })

  it('keeps a bounded number: an old key is derived again, to the same bytes', () => {
    const first = deriveKey(secret, 'bounded', { length: 32 })
    for (let at = 0; at < 600; at += 1) deriveKey(secret, `filler ${at}`, { length: 32 })
    const again = deriveKey(secret, 'bounded', { length: 32 })
    expect(again).to.not.equal(first)
    expect(again.bytes).to.deep.equal(first.bytes)
  })
})
