/** The memory of tokens that were opened before. */
import { expect } from 'chai'
import { VerifiedTokens } from '../../lib/session/jwt/verified-tokens.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

describe('the memory of verified tokens', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)
  const salt = 'auth.session-token'
  const payload = <More extends object>(more?: More) =>
    ({ sub: '1', exp: seconds() + 60, ...more }) as { sub: string; exp: number } & More

  it('gives each who asks a payload of their own', () => {
    const tokens = new VerifiedTokens()
    const given = payload({ roles: ['reader'] })
    tokens.add('token', salt, given)
    given.roles.push('admin')
    const first = tokens.get('token', salt) as typeof given
    expect(first).to.deep.equal(payload({ roles: ['reader'] }))
    first.roles.push('admin')
    expect(tokens.get('token', salt)).to.deep.equal(payload({ roles: ['reader'] }))
  })

  it('knows no token past its end, and keeps nothing of it', () => {
    const tokens = new VerifiedTokens()
    tokens.add('token', salt, payload())
    advanceClock(59)
    expect(tokens.get('token', salt)).to.be.an('object')
    advanceClock(1)
    expect(tokens.get('token', salt)).to.equal(undefined)
    expect(tokens.bytes).to.equal(0)
    advanceClock(-60)
    expect(tokens.get('token', salt), 'once ended is ended').to.equal(undefined)
  })

  it('remembers none without an end', () => {
    const tokens = new VerifiedTokens()
    tokens.add('token', salt, { sub: '1' })
    expect(tokens.get('token', salt)).to.equal(undefined)
  })

  it('keeps a number: who was away longest makes room', () => {
    const tokens = new VerifiedTokens({ entries: 3, bytes: 1_000_000 })
    for (const name of ['a', 'b', 'c']) tokens.add(name, salt, payload())
    tokens.get('a', salt)
    tokens.add('d', salt, payload())
    expect(['a', 'b', 'c', 'd'].map((name) => tokens.get(name, salt) !== undefined)).to.deep.equal([
      true,
      false,
      true,
      true,
    ])
  })

  it('keeps a number of bytes, however many tokens come', () => {
    const tokens = new VerifiedTokens({ entries: 1_000_000, bytes: 100_000 })
    for (let at = 0; at < 20_000; at += 1) {
      tokens.add(`${at}`.padEnd(300, 'x'), salt, payload())
      expect(tokens.bytes).to.be.at.most(100_000)
    }
    expect(tokens.get('19999'.padEnd(300, 'x'), salt)).to.be.an('object')
    expect(tokens.get('0'.padEnd(300, 'x'), salt)).to.equal(undefined)
  })

  it('remembers none that would push out many others', () => {
    const tokens = new VerifiedTokens({ entries: 100, bytes: 16_000 })
    tokens.add('small', salt, payload())
    tokens.add('x'.repeat(2000), salt, payload())
    expect(tokens.get('x'.repeat(2000), salt)).to.equal(undefined)
    expect(tokens.get('small', salt)).to.be.an('object')
  })

  it('knows a token by the cookie that it came in only', () => {
    const tokens = new VerifiedTokens()
    tokens.add('token', salt, payload())
    expect(tokens.get('token', `__Secure-${salt}`)).to.equal(undefined)
    expect(tokens.get('token', salt)).to.be.an('object')
  })

  it('counts a token once', () => {
    const tokens = new VerifiedTokens()
    tokens.add('token', salt, payload())
    const { bytes } = tokens
    tokens.add('token', salt, payload())
    expect(tokens.bytes).to.equal(bytes)
  })
})
