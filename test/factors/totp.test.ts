/** Codes of authenticator apps, judged by others: the vectors of RFC 6238, `oathtool` of Debian, and `otplib`. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { generateSync, verifySync } from 'otplib'
import {
  base32,
  matchingTotpStep,
  normalizeNumericCode,
  totpCodeAt,
  totpKeyUri,
  totpStepAt,
} from '../../lib/features/factors/totp-factor.js'
import { skip } from '../support/skip.js'

/** RFC 6238, appendix B, for SHA-1: seconds, and the last six of eight digits. */
const vectors = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const

describe('codes of authenticator apps', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of vectors) {
      expect(totpCodeAt(Buffer.from('12345678901234567890'), totpStepAt(seconds * 1000))).to.equal(code.slice(-6))
    }
  })

  it('have secrets in the Base32 of RFC 4648', () => {
    for (const [text, encoded] of [
      ['f', 'MY'],
      ['fo', 'MZXQ'],
      ['foo', 'MZXW6'],
      ['foob', 'MZXW6YQ'],
      ['fooba', 'MZXW6YTB'],
      ['foobar', 'MZXW6YTBOI'],
    ] as const) {
      expect(base32(Buffer.from(text))).to.equal(encoded)
    }
  })

  it('are of the step, the one before and the one after', () => {
    const key = randomBytes(20)
    const now = 1_800_000_000_000
    const taken = [-3, -2, -1, 0, 1, 2, 3].filter(
      (each) => matchingTotpStep(key, totpCodeAt(key, totpStepAt(now) + each), now) !== undefined,
    )
    expect(taken).to.deep.equal([-1, 0, 1])
    expect(matchingTotpStep(key, totpCodeAt(key, totpStepAt(now) + 1), now)).to.equal(totpStepAt(now) + 1)
  })

  it('are six digits, with the spaces that apps show, and nothing else', () => {
    for (const typed of ['123456', '123 456', ' 123-456 ']) expect(normalizeNumericCode(typed)).to.equal('123456')
    for (const typed of [
      '',
      '12345',
      '1234567',
      '12345a',
      '１２３４５６',
      '1'.repeat(40),
      undefined,
      null,
      123456,
      ['123456'],
    ]) {
      expect(normalizeNumericCode(typed), String(typed)).to.equal(undefined)
    }
  })

  it('are those of otplib, both ways, by the URI of the QR code', () => {
    for (let each = 0; each < 20; each += 1) {
      const key = randomBytes(20)
      const uri = new URL(totpKeyUri(key, { issuer: 'A: B & C/é', account: 'ann+x@example.com' }))
      expect(uri.protocol + uri.host).to.equal('otpauth:totp')
      expect(decodeURIComponent(uri.pathname)).to.equal('/A  B & C/é:ann+x@example.com')
      expect(uri.searchParams.get('issuer')).to.equal('A: B & C/é')
      const secret = uri.searchParams.get('secret') ?? ''
      const epoch = 1_700_000_000 + each * 997
      const token = generateSync({ secret, epoch })
      expect(totpCodeAt(key, totpStepAt(epoch * 1000))).to.equal(token)
      expect(verifySync({ secret, token: totpCodeAt(key, totpStepAt(epoch * 1000)), epoch }).valid).to.equal(true)
    }
  })

  it('are those of oathtool', function () {
    try {
      execFileSync('oathtool', ['--version'])
    } catch {
      return skip(this, 'oathtool is not installed')
    }
    for (let each = 0; each < 10; each += 1) {
      const key = randomBytes(20)
      const seconds = 1_600_000_000 + each * 12_345_678
      const told = execFileSync('oathtool', ['--totp', '--base32', `--now=@${seconds}`, base32(key)])
        .toString()
        .trim()
      expect(totpCodeAt(key, totpStepAt(seconds * 1000))).to.equal(told)
    }
  })
})
