import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { equalText, hmac, sha256, shortHmac } from '../../lib/crypto/hash.js'
import { keyedHashes } from '../../lib/crypto/keyed-hashes.js'

describe('sha256(text) and hmac(key, text)', () => {
  it('hash the UTF-8 bytes', () => {
    expect(sha256('ä')).to.deep.equal(createHash('sha256').update(Buffer.from('ä', 'utf8')).digest())
    const key = createSecretKey(new Uint8Array([1, 2, 3]))
    expect(hmac(key, 'ä')).to.equal(createHmac('sha256', key).update(Buffer.from('ä', 'utf8')).digest('hex'))
  })
})

describe('shortHmac(key, text)', () => {
  it('is the first 128 bits of HMAC-SHA-256, in one spelling', () => {
    const key = createSecretKey(randomBytes(32))
    for (let at = 0; at < 200; at += 1) {
      const bytes = createHmac('sha256', key).update(`text ${at}`).digest().subarray(0, 16)
      expect(shortHmac(key, `text ${at}`)).to.equal(bytes.toString('base64url'))
    }
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

describe('keyedHashes(config, use, texts)', () => {
  it('are those that earlier versions stored: links that were mailed before an upgrade are valid after it', () => {
    const secrets = ['a-secret-of-more-than-32-characters!', 'another-secret-of-more-than-32-characters']
    expect(keyedHashes({ secrets }, 'password reset', ['id', 'ann'])).to.deep.equal([
      '757c5dc329ad3142a7d815618e9693d305cbf2e944c9cb150b0a664dcf58dc83',
      '61394cd7ff52fde2bc4565d2650e718018276c7831bd8b17af413357e25427be',
    ])
    expect(keyedHashes({ secrets }, 'mailed code', ['ann', '123456'], shortHmac)).to.deep.equal([
      '6BIPpTfWctKBW_QvnPBFVQ',
      'JY70s29sQf0TwYT_uglp9g',
    ])
  })
})
