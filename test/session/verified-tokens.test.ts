/** The memory of tokens that were opened before. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { jsonBytes } from '../../lib/base/json.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { VerifiedToken } from '../../lib/session/jwt/verified-token.js'
import { SeenTokens, VerifiedTokens } from '../../lib/session/jwt/verified-tokens.js'
import type { JWT } from '../../lib/types/jwt.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

describe('the memory of verified tokens', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)
  const salt = 'auth.session-token'
  const config = resolveConfig({ secret: 's'.repeat(32), providers: [] })
  const payload = (more?: object) => ({ sub: '1', iat: seconds(), exp: seconds() + 60, ...more })
  const add = (tokens: VerifiedTokens, token: string, given: object, size = 0) =>
    tokens.add(token, salt, new VerifiedToken(config, given as JWT, token), size)

  it('gives each request a payload and a user of its own', () => {
    const tokens = new VerifiedTokens()
    add(tokens, 'token', payload({ roles: ['reader'], name: { first: 'Ann' } }))
    const first = tokens.get('token', salt)
    const given = first?.copyPayload() as unknown as { roles: string[]; name: { first: string } }
    const user = first?.copyUser()
    expect(given).to.deep.equal(payload({ roles: ['reader'], name: { first: 'Ann' } }))
    given.roles.push('admin')
    given.name.first = 'Eve'
    Object.assign(user?.name as unknown as object, { first: 'Eve' })
    Object.assign(user as object, { id: '2' })
    const second = tokens.get('token', salt)
    expect(second?.copyPayload()).to.deep.equal(payload({ roles: ['reader'], name: { first: 'Ann' } }))
    expect(second?.copyUser()).to.deep.equal({ id: '1', name: { first: 'Ann' }, email: null, image: null })
  })

  it('shares nothing that can be changed', () => {
    const claims = { sid: 'x'.repeat(22), auth_began: seconds(), auth_proofs: '-', amr: ['pwd'] }
    const own = { auth_owner: { id: '1', type: 'oidc' }, auth_op: { subject: 's' }, auth_data: { list: [{ a: 1 }] } }
    const verified = new VerifiedToken(
      resolveConfig({ secret: 's'.repeat(32), providers: [], session: { data: true } }),
      payload({ ...claims, ...own }),
      'token',
    )
    const isDeeplyFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
    expect(verified.claims).to.deep.include({ auth_data: { list: [{ a: 1 }] }, amr: ['pwd'] })
    expect(isDeeplyFrozen(verified.claims)).to.equal(true)
    expect(isDeeplyFrozen(verified.known)).to.equal(true)
  })

  it('knows no token past its end, and keeps nothing of it', () => {
    const tokens = new VerifiedTokens()
    add(tokens, 'token', payload())
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
    add(tokens, 'token', { sub: '1', iat: seconds() })
    expect(tokens.get('token', salt)).to.equal(undefined)
    add(tokens, 'token', { sub: '1', exp: seconds() + 60 })
    expect(tokens.get('token', salt), 'nor one without a start').to.equal(undefined)
  })

  it('keeps a number: who was away longest makes room', () => {
    const tokens = new VerifiedTokens({ entries: 3, bytes: 1_000_000 })
    for (const name of ['a', 'b', 'c']) add(tokens, name, payload())
    tokens.get('a', salt)
    add(tokens, 'd', payload())
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
      add(tokens, `${at}`.padStart(300, 'x'), payload(), 1000)
      expect(tokens.bytes).to.be.at.most(100_000)
    }
    expect(tokens.get('19999'.padStart(300, 'x'), salt)).to.be.an('object')
    expect(tokens.get('0'.padStart(300, 'x'), salt)).to.equal(undefined)
  })

  it('remembers none that would push out many others', () => {
    const tokens = new VerifiedTokens({ entries: 100, bytes: 16_000 })
    add(tokens, 'small', payload())
    add(tokens, 'x'.repeat(2000), payload(), 2000)
    expect(tokens.get('x'.repeat(2000), salt)).to.equal(undefined)
    expect(tokens.get('small', salt)).to.be.an('object')
  })

  it('knows a token by the cookie that it came in only', () => {
    const tokens = new VerifiedTokens()
    add(tokens, 'token', payload())
    expect(tokens.get('token', `__Secure-${salt}`)).to.equal(undefined)
    expect(tokens.get('token', salt)).to.be.an('object')
  })

  it('has room for ten thousand sessions of usual size', () => {
    const tokens = new VerifiedTokens()
    const claims = { sid: 'x'.repeat(22), auth_began: seconds(), auth_proofs: 'p|tbxk2c|credentials|', amr: ['pwd'] }
    const user = { name: 'Ann Example', email: 'ann@example.com', picture: 'https://example.com/ann.png' }
    const all = Array.from({ length: 10_000 }, (_, at) => payload({ ...claims, ...user, sub: `user-${at}` }))
    const nameOf = ({ sub }: { sub: string }) => sub.padStart(600, 'x') + sub.padStart(43, 'y')
    for (const one of all) add(tokens, nameOf(one), one, jsonBytes(one))
    expect(all.filter((one) => tokens.get(nameOf(one), salt)?.known.userId !== one.sub)).to.deep.equal([])
    expect(tokens.bytes).to.be.within(6_000_000, 10_500_000)
  })

  it('knows a token by the whole of it, and not by its end', () => {
    const tokens = new VerifiedTokens()
    const tag = 't'.repeat(43)
    add(tokens, `one.${tag}`, payload())
    expect(tokens.get(`two.${tag}`, salt)).to.equal(undefined)
    expect(tokens.get(tag, salt)).to.equal(undefined)
    add(tokens, `two.${tag}`, payload({ sub: '2' }))
    expect(tokens.get(`two.${tag}`, salt)?.copyPayload()).to.deep.equal(payload({ sub: '2' }))
    expect(tokens.get(`one.${tag}`, salt)?.copyPayload()).to.deep.equal(payload())
  })

  it('keeps nothing of the text of a token that was pushed out or is past its end', () => {
    const tokens = new VerifiedTokens({ entries: 1, bytes: 1_000_000 })
    add(tokens, 'one', payload())
    expect(tokens.get('one', salt), 'its text is kept from now').to.be.an('object')
    for (const name of ['two', 'three']) add(tokens, name, payload())
    expect(tokens.get('one', salt)).to.equal(undefined)
    expect(tokens.get('three', salt)).to.be.an('object')
    advanceClock(60)
    expect(tokens.get('three', salt)).to.equal(undefined)
    add(tokens, 'three', payload({ sub: '2' }))
    expect(tokens.get('three', salt)?.known.userId).to.equal('2')
  })

  it('knows each of many tokens in turn, also those whose texts have one place', () => {
    const tokens = new VerifiedTokens()
    const names = Array.from({ length: 500 }, (_, at) => `${at}.${'t'.repeat(43)}`)
    for (const [at, name] of names.entries()) add(tokens, name, payload({ sub: `${at}` }))
    for (let round = 0; round < 2; round += 1) {
      expect(names.map((name) => tokens.get(name, salt)?.known.userId)).to.deep.equal(names.map((_, at) => `${at}`))
    }
    expect(tokens.get(names[0] ?? '', `__Secure-${salt}`), 'in another cookie').to.equal(undefined)
  })

  it('keeps a member __proto__ a mere member, wherever it is', () => {
    const tokens = new VerifiedTokens()
    const times = `"iat":${seconds()},"exp":${seconds() + 60}`
    const text = `{${times},"__proto__":{"isAdmin":true},"deep":[{"__proto__":{"isAdmin":true}},[1,null]]}`
    add(tokens, 'token', JSON.parse(text))
    const known = tokens.get('token', salt)?.copyPayload() as { isAdmin?: unknown; deep: Array<{ isAdmin?: unknown }> }
    expect(JSON.stringify(known)).to.equal(text)
    expect([known.isAdmin, known.deep[0]?.isAdmin]).to.deep.equal([undefined, undefined])
    expect(Object.getPrototypeOf(known)).to.equal(Object.prototype)
  })

  it('counts a token once', () => {
    const tokens = new VerifiedTokens()
    add(tokens, 'token', payload())
    const { bytes } = tokens
    add(tokens, 'token', payload())
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

  it('are all known after some rounds, even if ten thousand come in turn', () => {
    const sightings = new SeenTokens()
    // Always the same: of random tokens 100 remained in one run of 25.
    const hash = (at: number) => createHash('sha256').update(String(at))
    let unknown = Array.from({ length: 10_000 }, (_, at) => hash(at).digest('base64url'))
    const { random: real } = Math
    let calls = 0
    Math.random = () => hash(-++calls).digest().readUInt8() / 256
    let counts: number[]
    try {
      counts = [1, 2, 3, 4, 5, 6].map(() => {
        unknown = unknown.filter((token) => !sightings.note(token))
        return unknown.length
      })
    } finally {
      Math.random = real
    }
    expect(counts[1]).to.be.below(4000)
    expect(counts[5]).to.be.below(100)
  })

  it('are forgotten for others: no number of them makes it grow', () => {
    const sightings = new SeenTokens()
    sightings.note(tokenOf(1))
    for (let at = 0; at < 250_000; at += 1) sightings.note(random())
    expect(sightings.note(tokenOf(1))).to.equal(false)
  })
})
