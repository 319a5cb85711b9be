/** The codec of session tokens: the RFC's example, jose as the judge of both ways, and everything that must not open. */
import { randomBytes, randomInt } from 'node:crypto'
import { expect } from 'chai'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { openText, prepareKey, sealText } from '../../lib/crypto/cbc-hmac.js'
import { decryptJson } from '../../lib/crypto/jwe.js'
import { flipBit } from '../support/jwe.js'

const bytes = new Uint8Array(randomBytes(64))
const key = prepareKey(bytes)
const header = Buffer.from('{"alg":"dir","enc":"A256CBC-HS512"}').toString('base64url')
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const unhex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')

/** Texts of every length around the cipher's blocks, and of letters that take several bytes. */
const texts = [
  ...Array.from({ length: 66 }, (_, length) => 'x'.repeat(length)),
  ...Array.from({ length: 100 }, () => randomText(randomInt(600))),
  '\u{1F511} Grüße, мир, 鍵',
  'y'.repeat(100_000),
]

function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(randomInt(0x20, 0xd7ff))).join('')
}

describe('the codec of session tokens', () => {
  it('opens the example of RFC 7518, appendix B.3', () => {
    const ciphertext = unhex(`
      4a ff aa ad b7 8c 31 c5 da 4b 1b 59 0d 10 ff bd 3d d8 d5 d3 02 42 35 26 91 2d a0 37 ec bc c7 bd
      82 2c 30 1d d6 7c 37 3b cc b5 84 ad 3e 92 79 c2 e6 d1 2a 13 74 b7 7f 07 75 53 df 82 94 10 44 6b
      36 eb d9 70 66 29 6a e6 42 7e a7 5c 2e 08 46 a1 1a 09 cc f5 37 0d c8 0b fe cb ad 28 c7 3f 09 b3
      a3 b7 5e 66 2a 25 94 41 0a e4 96 b2 e2 e6 60 9e 31 e6 e0 2c c8 37 f0 53 d2 1f 37 ff 4f 51 95 0b
      be 26 38 d0 9d d7 a4 93 09 30 80 6d 07 03 b1 f6`)
    const parts = [
      'The second principle of Auguste Kerckhoffs',
      '',
      unhex('1af38c2dc2b96ffdd86694092341bc04').toString('base64url'),
      ciphertext.toString('base64url'),
      unhex('4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5').toString('base64url'),
    ]
    const example = prepareKey(Uint8Array.from({ length: 64 }, (_, at) => at))
    expect(openText(parts.join('.'), example)).to.equal(
      'A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience',
    )
  })

  it('makes what jose opens', async () => {
    for (const text of texts) {
      const { plaintext } = await compactDecrypt(sealText(header, text, key), bytes)
      expect(new TextDecoder().decode(plaintext)).to.equal(text)
    }
  })

  it('opens what jose made, and its own', async () => {
    for (const text of texts) {
      const made = await new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512' })
        .encrypt(bytes)
      expect(openText(made, key)).to.equal(text)
      expect(openText(sealText(header, text, key), key)).to.equal(text)
    }
  })

  it('never makes the same token twice', () => {
    const made = Array.from({ length: 100 }, () => sealText(header, 'same', key))
    expect(new Set(made).size).to.equal(100)
    expect(new Set(made.map((token) => token.split('.')[2])).size).to.equal(100)
  })

  it('opens no token of which one bit is another, wherever it is', () => {
    const token = sealText(header, '{"sub":"1"}', key)
    for (const part of [0, 2, 3, 4]) {
      const bits = Buffer.from(token.split('.')[part] ?? '', 'base64url').length * 8
      for (let bit = 0; bit < bits; bit += 1)
        expect(openText(flipBit(token, part, bit), key), `${part}/${bit}`).to.equal(null)
    }
  })

  it('opens none under half of the key, nor with its halves exchanged', () => {
    const token = sealText(header, '{"sub":"1"}', key)
    const [authentication, encryption] = [bytes.subarray(0, 32), bytes.subarray(32)]
    for (const halves of [
      [encryption, authentication],
      [authentication, authentication],
      [encryption, encryption],
    ]) {
      // With the half that authenticates, one of 256 keys comes to a padding that there may be: garbage then, and never the text.
      expect(openText(token, prepareKey(Buffer.concat(halves)))).not.to.equal('{"sub":"1"}')
      if (halves[0] !== authentication) expect(openText(token, prepareKey(Buffer.concat(halves)))).to.equal(null)
    }
  })

  it('opens none with a tag, an IV or a ciphertext of another length', () => {
    const [head = '', , iv = '', ciphertext = '', tag = ''] = sealText(header, 'x'.repeat(40), key).split('.')
    const cut = (part: string, length: number) =>
      Buffer.from(part, 'base64url').subarray(0, length).toString('base64url')
    const grown = (part: string) =>
      Buffer.concat([Buffer.from(part, 'base64url'), Buffer.alloc(16)]).toString('base64url')
    for (const changed of [
      [head, '', iv, ciphertext, cut(tag, 16)],
      [head, '', iv, ciphertext, grown(tag)],
      [head, '', iv, ciphertext, ''],
      [head, '', cut(iv, 15), ciphertext, tag],
      [head, '', '', ciphertext, tag],
      [head, '', iv, cut(ciphertext, 16), tag],
      [head, '', iv, cut(ciphertext, 15), tag],
      [head, '', iv, '', tag],
      [head],
      [],
    ]) {
      expect(openText(changed.join('.'), key)).to.equal(null)
    }
  })

  it('opens one spelling of a token only', () => {
    for (const text of ['', 'x'.repeat(15), 'x'.repeat(16), 'x'.repeat(40)]) {
      const token = sealText(header, text, key)
      const parts = token.split('.')
      expect(openText(token, key)).to.equal(text)
      for (const at of [2, 3, 4]) {
        const part = parts[at] ?? ''
        const spelt = (other: string) => parts.with(at, other).join('.')
        const last = part.at(-1) ?? ''
        const spellings = [
          `${part}=`,
          `${part}==`,
          `${part}A`,
          ` ${part}`,
          `${part}\n`,
          `${part.slice(0, 5)}!${part.slice(5)}`,
          `${part.slice(0, 5)}=${part.slice(5)}`,
          // The low byte is the same.
          `${String.fromCharCode(part.charCodeAt(0) + 0x100)}${part.slice(1)}`,
          part.replaceAll('-', '+').replaceAll('_', '/'),
          // Bits that no byte takes.
          ...(part.length % 4 === 0 ? [] : [...alphabet].map((letter) => part.slice(0, -1) + letter)),
        ]
        for (const other of spellings) {
          if (other !== part) expect(openText(spelt(other), key), `${at} ${last} ${other}`).to.equal(null)
        }
      }
      const [head = '', , ...rest] = parts
      expect(openText([head, 'AAAA', ...rest].join('.'), key)).to.equal(null)
      expect(openText([head, '', ...rest, ''].join('.'), key)).to.equal(null)
      expect(openText(`.${token}`, key)).to.equal(null)
    }
  })

  it('has keys of 64 bytes only', () => {
    for (const length of [0, 32, 63, 65, 128]) {
      expect(() => prepareKey(new Uint8Array(length))).to.throw(RangeError, '64 bytes')
    }
  })

  it('is what decryptJson uses: the payload is there at once, without a promise', () => {
    expect(decryptJson(sealText(header, '{"sub":"1"}', key), bytes, 'A256CBC-HS512')).to.deep.equal({ sub: '1' })
    expect(decryptJson(sealText(header, '[1]', key), bytes, 'A256CBC-HS512')).to.equal(null)
    expect(decryptJson(sealText(header, 'no JSON', key), bytes, 'A256CBC-HS512')).to.equal(null)
  })
})
