/** The memory of tokens that were opened before. */
import { expect } from 'chai'
import { SeenTokens, VerifiedTokens } from '../../lib/session/jwt/verified-tokens.js'
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
      tokens.add(`${at}`.padStart(300, 'x'), salt, payload())
      expect(tokens.bytes).to.be.at.most(100_000)
    }
    expect(tokens.get('19999'.padStart(300, 'x'), salt)).to.be.an('object')
    expect(tokens.get('0'.padStart(300, 'x'), salt)).to.equal(undefined)
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

  it('knows a token by the whole of it, and not by its end', () => {
    const tokens = new VerifiedTokens()
    const tag = 't'.repeat(43)
    tokens.add(`one.${tag}`, salt, payload())
    expect(tokens.get(`two.${tag}`, salt)).to.equal(undefined)
    expect(tokens.get(tag, salt)).to.equal(undefined)
    tokens.add(`two.${tag}`, salt, payload({ sub: '2' }))
    expect(tokens.get(`two.${tag}`, salt)).to.deep.equal(payload({ sub: '2' }))
    expect(tokens.get(`one.${tag}`, salt), 'one place each end').to.equal(undefined)
  })

  it('keeps a member __proto__ a mere member, wherever it is', () => {
    const tokens = new VerifiedTokens()
    const text = `{"exp":${seconds() + 60},"__proto__":{"isAdmin":true},"deep":[{"__proto__":{"isAdmin":true}},[1,null]]}`
    tokens.add('token', salt, JSON.parse(text))
    const known = tokens.get('token', salt) as { isAdmin?: unknown; deep: Array<{ isAdmin?: unknown }> }
    expect(JSON.stringify(known)).to.equal(text)
    expect([known.isAdmin, known.deep[0]?.isAdmin]).to.deep.equal([undefined, undefined])
    expect(Object.getPrototypeOf(known)).to.equal(Object.prototype)
  })

  it('counts a token once', () => {
    const tokens = new VerifiedTokens()
    tokens.add('token', salt, payload())
    const { bytes } = tokens
    tokens.add('token', salt, payload())
    expect(tokens.bytes).to.equal(bytes)
  })
})

describe('tokens that were seen once', () => {
  const tokenOf = (at: number) => `head..iv.text${at}.${Buffer.from(`${at}`.padStart(32, '#')).toString('base64url')}`
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

  it('are known the second time, each by itself', () => {
    const sightings = new SeenTokens()
    const tokens = Array.from({ length: 100 }, random)
    expect(tokens.map((token) => sightings.note(token))).to.deep.equal(tokens.map(() => false))
    expect(tokens.filter((token) => sightings.note(token)).length).to.be.above(95)
  })

  it('are forgotten for others: no number of them makes it grow', () => {
    const sightings = new SeenTokens()
    sightings.note(tokenOf(1))
    for (let at = 0; at < 250_000; at += 1) sightings.note(random())
    expect(sightings.note(tokenOf(1))).to.equal(false)
  })
})
