import { expect } from 'chai'
import { createCsrf, readCsrf } from '../../lib/session/csrf.js'

const secrets = ['a-test-secret-of-more-than-32-characters']

describe('createCsrf(secrets) and readCsrf', () => {
  it('make a token of 64 hexadecimal characters, new each time', () => {
    const [first, second] = [createCsrf(secrets), createCsrf(secrets)]
    expect(first.token).to.match(/^[0-9a-f]{64}$/)
    expect(first.token).to.not.equal(second.token)
    expect(readCsrf(first.cookie, secrets)).to.equal(first.token)
  })

  it('accept a cookie under an older secret, not under a dropped one', () => {
    const { cookie, token } = createCsrf(secrets)
    expect(readCsrf(cookie, ['newer', ...secrets])).to.equal(token)
    expect(readCsrf(cookie, ['newer'])).to.equal(null)
  })

  it('CS-03 refuse every other cookie', () => {
    const { cookie, token } = createCsrf(secrets)
    const [, signature = ''] = cookie.split('|')
    const altered = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
    const [, otherSignature = ''] = createCsrf(secrets).cookie.split('|')
    for (const value of [
      undefined,
      '',
      '|',
      token,
      `${token}|`,
      `|${signature}`,
      `${token}|${altered}`,
      `${token}|${otherSignature}`,
      `${token}|${signature}|`,
      `${token}|${signature}|${signature}`,
      `${token.toUpperCase()}|${signature}`,
      `${token} |${signature}`,
    ]) {
      expect(readCsrf(value, secrets), String(value)).to.equal(null)
    }
  })
})
