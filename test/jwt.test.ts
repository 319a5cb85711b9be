import crypto, { webcrypto } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { deflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { base64url, CompactEncrypt, calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader, SignJWT } from 'jose'
import { MissingSecretError } from '../lib/errors.js'
import { decode, encode, type GetTokenParams, getToken } from '../lib/jwt.js'
import { advanceClock, freezeClock, restoreClock, seconds } from './support/clock.js'
import { documentedKey, flipBit, forge } from './support/jwe.js'
import { rejectionOf } from './support/rejection.js'

const secret = 'a-test-secret-of-more-than-32-characters'
const older = 'an-older-secret-of-more-than-32-characters'
const salt = 'auth.session-token'
const key = documentedKey(secret, salt)

/** Decodes what may be of any type, as JavaScript callers can pass it. */
function read(token: unknown, secrets: string | string[] = secret): Promise<unknown> {
  return decode({ token: token as string, secret: secrets, salt })
}

/** A good payload for forged tokens. */
const claims = () => ({ sub: 'ann', exp: seconds() + 60 })

describe('encode(params)', () => {
  afterEach(restoreClock)

  it('makes a compact JWE: alg dir, enc A256CBC-HS512, the thumbprint of the key as kid, nothing else', async () => {
    const token = await encode({ token: { sub: 'ann' }, secret, salt })
    const kid = await calculateJwkThumbprint({ kty: 'oct', k: base64url.encode(key) }, 'sha512')
    expect(decodeProtectedHeader(token)).to.deep.equal({ alg: 'dir', enc: 'A256CBC-HS512', kid })
    expect(token.split('.')).to.have.length(5)
    expect(token.split('.')[1]).to.equal('')
  })

  it('sets iat, exp and jti again, whatever the payload has', async () => {
    freezeClock()
    const token = await encode({ token: { iat: 1, exp: 9e12, jti: 'mine', sub: 'ann' }, secret, salt, maxAge: 60 })
    const payload = await decode({ token, secret, salt })
    expect(payload).to.include({ sub: 'ann', iat: seconds(), exp: seconds() + 60 })
    expect(payload?.jti).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it('lets a token live 30 days by default', async () => {
    freezeClock()
    const payload = await decode({ token: await encode({ secret, salt }), secret, salt })
    expect(payload?.exp).to.equal(seconds() + 2592000)
  })

  it('counts time beyond 32 bits', async () => {
    freezeClock(Date.UTC(2100, 0, 1))
    const payload = await decode({ token: await encode({ secret, salt, maxAge: 60 }), secret, salt })
    expect(payload?.exp).to.equal(Date.UTC(2100, 0, 1) / 1000 + 60)
  })

  it('gives two tokens of the same payload nothing in common', async () => {
    const [first, second] = await Promise.all([encode({ secret, salt }), encode({ secret, salt })])
    const tails = [first, second].map((token) => token.split('.').slice(2))
    for (const at of [0, 1, 2]) expect(tails[0]?.[at]).to.not.equal(tails[1]?.[at])
  })

  for (const maxAge of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`JW-09 refuses maxAge ${maxAge}`, async () => {
      const error = await rejectionOf(encode({ secret, salt, maxAge }))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.equal('maxAge must be a positive number of seconds')
    })
  }

  for (const [name, value] of Object.entries({ undefined, 'an empty text': '', 'an empty array': [], "['']": [''] })) {
    it(`throws MissingSecretError when the secret is ${name}`, async () => {
      const error = await rejectionOf(encode({ secret: value as string, salt }))
      expect(error).to.be.instanceOf(MissingSecretError)
      expect(error.message).to.include('AUTH_SECRET').and.include('npx server-auth secret')
    })
  }
})

describe('decode(params)', () => {
  afterEach(restoreClock)

  it('reads what encode wrote', async () => {
    const token = await encode({ token: { sub: 'ann', roles: ['a', { b: 1 }], ü: '☃' }, secret, salt })
    expect(await read(token)).to.deep.include({ sub: 'ann', roles: ['a', { b: 1 }], ü: '☃' })
  })

  describe('is the documented JWE form', () => {
    it('so jose opens our token with the key that anyone can derive', async () => {
      const ikm = await webcrypto.subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, ['deriveBits'])
      const info = Buffer.from(`server-auth session key (${salt})`)
      const bits = await webcrypto.subtle.deriveBits(
        { name: 'HKDF', hash: 'SHA-256', salt: Buffer.from(salt), info },
        ikm,
        512,
      )
      const token = await encode({ token: { sub: 'ann' }, secret, salt })
      const { plaintext } = await compactDecrypt(token, new Uint8Array(bits))
      expect(JSON.parse(Buffer.from(plaintext).toString())).to.include({ sub: 'ann' })
    })

    it('so a token that jose made under that key is read', async () => {
      const token = await new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512' })
        .encrypt(key)
      expect(await read(token)).to.include({ sub: 'ann' })
    })
  })

  describe('JW-01 is null for a token that was touched', () => {
    let token: string
    before(async () => {
      // A letter that plain base64 spells otherwise has to be there.
      do token = await encode({ token: { sub: 'ann', fill: 'x'.repeat(64) }, secret, salt })
      while (inPlainAlphabet(token) === token)
    })

    it('(control) untouched it is read', async () => {
      expect(await read(token)).to.include({ sub: 'ann' })
    })

    for (const [part, name] of [
      [0, 'header'],
      [2, 'initialisation vector'],
      [3, 'ciphertext'],
      [4, 'tag'],
    ] as const) {
      it(`one bit of the ${name}, any bit`, async () => {
        const bytes = Buffer.from(token.split('.')[part] ?? '', 'base64url').length
        for (let bit = 0; bit < bytes * 8; bit += 1)
          expect(await read(flipBit(token, part, bit)), `bit ${bit}`).to.equal(null)
      })
    }

    it('an encrypted key where `dir` has none', async () => {
      const parts = token.split('.')
      expect(await read([parts[0], 'AAAA', ...parts.slice(2)].join('.'))).to.equal(null)
    })

    it('cut off at any place', async () => {
      for (let length = 0; length < token.length; length += 1) {
        expect(await read(token.slice(0, length)), `${length} characters`).to.equal(null)
      }
    })

    it('a part more, a part less', async () => {
      for (const other of [`${token}.`, `${token}.AAAA`, `.${token}`, token.split('.').slice(0, 4).join('.')]) {
        expect(await read(other)).to.equal(null)
      }
    })

    it("another token's tag, vector, or ciphertext", async () => {
      const other = (await encode({ token: { sub: 'eve', fill: 'x'.repeat(64) }, secret, salt })).split('.')
      for (const part of [2, 3, 4]) {
        const parts = token.split('.')
        parts[part] = other[part] ?? ''
        expect(await read(parts.join('.'))).to.equal(null)
      }
    })

    describe('in its spelling only', () => {
      const spellings: ReadonlyArray<[string, joseOpensIt: boolean, (text: string) => string]> = [
        ['one padding character', true, (text) => `${text}=`],
        ['two padding characters', false, (text) => `${text}==`],
        ['padding inside', false, (text) => text.replace('..', '=..')],
        ['a space before', false, (text) => ` ${text}`],
        ['a newline after', true, (text) => `${text}\n`],
        ['a tab inside', true, (text) => text.replace('..', '..\t')],
        ['the alphabet of plain base64', false, inPlainAlphabet],
        ['other bits after the last byte', true, (text) => text.slice(0, -1) + otherLast(text)],
      ]
      for (const [name, joseOpensIt, respell] of spellings) {
        it(`${name}${joseOpensIt ? ' (jose opens it)' : ''}`, async () => {
          const other = respell(token)
          expect(other).to.not.equal(token)
          if (joseOpensIt) expect((await compactDecrypt(other, key)).plaintext).to.have.length.above(0)
          expect(await read(other)).to.equal(null)
        })
      }

      it('(control) the last spelling is the same bytes', () => {
        const other = token.slice(0, -1) + otherLast(token)
        expect(Buffer.from(other.split('.')[4] ?? '', 'base64url')).to.deep.equal(
          Buffer.from(token.split('.')[4] ?? '', 'base64url'),
        )
      })
    })
  })

  describe('JW-03 JW-05 JW-06 is null for what is no such token', () => {
    it('(control) an authentic token of the same making is read', async () => {
      expect(await read(forge(key, claims()))).to.include({ sub: 'ann' })
    })

    it('a JWS signed with the secret', async () => {
      const jws = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
      expect(await read(jws)).to.equal(null)
    })

    for (const [name, token] of Object.entries({
      'an empty text': '',
      undefined,
      null: null,
      'a number': 5,
      'an object': { toString: () => 'a.b.c.d.e' },
      'plain JSON': '{"sub":"ann"}',
      'JSON in base64': Buffer.from('{"sub":"ann","exp":9999999999}').toString('base64'),
      'a.b.c': 'a.b.c',
      'four dots': '....',
      'a percent sign': '%',
      'a long text': 'a'.repeat(100_000),
      'a header that is no JSON': 'AAAA..AAAA.AAAA.AAAA',
      'a header that is an array': `${Buffer.from('["dir"]').toString('base64url')}..AAAA.AAAA.AAAA`,
    })) {
      it(name, async () => {
        expect(await read(token)).to.equal(null)
      })
    }

    it('a compressed payload, small or a bomb', async () => {
      const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' '))
      for (const payload of [deflateRawSync(Buffer.from(JSON.stringify(claims()))), bomb]) {
        expect(await read(forge(key, payload, { zip: 'DEF' }))).to.equal(null)
      }
    })

    it('a header that says `zip` or `crit`, whatever follows', async () => {
      for (const header of [{ zip: 'NONE' }, { zip: null }, { crit: ['exp'], exp: 1 }, { crit: [] }]) {
        expect(await read(forge(key, claims(), header))).to.equal(null)
      }
    })

    it('a password-based key with two thousand million rounds', async () => {
      const header = { alg: 'PBES2-HS256+A128KW', p2c: 2 ** 31, p2s: 'AAAAAAAAAAA' }
      expect(await read(forge(key, claims(), header))).to.equal(null)
    })

    it('another algorithm than dir, another encryption than A256CBC-HS512', async () => {
      for (const header of [
        { alg: 'none' },
        { alg: 'A256KW' },
        { alg: 'Dir' },
        { alg: ['dir'] },
        { enc: 'A256GCM' },
        { enc: 'A128CBC-HS256' },
      ]) {
        expect(await read(forge(key, claims(), header)), JSON.stringify(header)).to.equal(null)
      }
      const gcm = await new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key.subarray(0, 32))
      expect(await read(gcm)).to.equal(null)
    })

    it('a payload that is no JSON object', async () => {
      for (const payload of [[claims()], 'text', 5, null, true, Buffer.from('{'), Buffer.alloc(0)]) {
        expect(await read(forge(key, payload))).to.equal(null)
      }
    })
  })

  describe('looks at the time', () => {
    beforeEach(() => freezeClock())

    it('JW-09 null without exp, or with one that is no number', async () => {
      for (const exp of [undefined, null, '9999999999', [9999999999], true]) {
        expect(await read(forge(key, { sub: 'ann', exp })), String(exp)).to.equal(null)
      }
      expect(await read(forge(key, Buffer.from('{"exp":1e999}')))).to.equal(null)
    })

    it('null from the second of exp on: no tolerance', async () => {
      const token = await encode({ token: { sub: 'ann' }, secret, salt, maxAge: 60 })
      advanceClock(59)
      expect(await read(token)).to.include({ sub: 'ann' })
      advanceClock(1)
      expect(await read(token)).to.equal(null)
    })

    it('null before nbf, or with one that is no number', async () => {
      expect(await read(forge(key, { ...claims(), nbf: seconds() }))).to.include({ sub: 'ann' })
      expect(await read(forge(key, { ...claims(), nbf: seconds() + 1 }))).to.equal(null)
      expect(await read(forge(key, { ...claims(), nbf: '0' }))).to.equal(null)
    })
  })

  describe('JW-07 with several secrets', () => {
    it('reads tokens of each, and encode uses the first', async () => {
      const [underNew, underOld] = await Promise.all([
        encode({ token: { sub: 'new' }, secret: [secret, older], salt }),
        encode({ token: { sub: 'old' }, secret: older, salt }),
      ])
      expect(await read(underNew)).to.include({ sub: 'new' })
      expect(await read(underNew, older)).to.equal(null)
      expect(await read(underOld, [secret, older])).to.include({ sub: 'old' })
      expect(await read(underOld, [secret])).to.equal(null)
    })

    it('takes the key that the kid names', async () => {
      const header = { kid: decodeProtectedHeader(await encode({ secret: older, salt })).kid }
      expect(await read(forge(documentedKey(older, salt), claims(), header), [secret, older])).to.include({
        sub: 'ann',
      })
    })

    it('JW-12 is null for an unknown kid, under the right key too', async () => {
      expect(await read(forge(key, claims(), { kid: 'unknown' }))).to.equal(null)
      expect(await read(forge(key, claims(), { kid: '' }))).to.equal(null)
    })

    it('JW-12 is null for the kid of one secret under the key of another', async () => {
      const { kid } = decodeProtectedHeader(await encode({ secret, salt }))
      expect(await read(forge(documentedKey(older, salt), claims(), { kid }), [secret, older])).to.equal(null)
    })

    it('is null for a kid that is no text', async () => {
      for (const kid of [null, 5, ['a']]) expect(await read(forge(key, claims(), { kid }))).to.equal(null)
    })

    it('tries all without a kid', async () => {
      expect(await read(forge(documentedKey(older, salt), claims()), [secret, older])).to.include({ sub: 'ann' })
      expect(await read(forge(documentedKey('a stranger', salt), claims()), [secret, older])).to.equal(null)
    })

    it('throws MissingSecretError without any', async () => {
      expect(await rejectionOf(read('a.b.c.d.e', []))).to.be.instanceOf(MissingSecretError)
    })
  })

  it('JW-04 is null for a token of another salt', async () => {
    const token = await encode({ token: { sub: 'ann' }, secret, salt: 'other.session-token' })
    expect(await read(token)).to.equal(null)
    expect(await decode({ token, secret, salt: 'other.session-token' })).to.include({ sub: 'ann' })
  })

  it('derives a key once for a secret and a salt, however often it is used', async () => {
    const real = crypto.hkdfSync
    let derived = 0
    crypto.hkdfSync = (...parameters) => {
      derived += 1
      return real(...parameters)
    }
    syncBuiltinESMExports()
    try {
      const fresh = { secret: `${secret} of the counting test`, salt }
      for (let round = 0; round < 3; round += 1) await decode({ token: await encode(fresh), ...fresh })
    } finally {
      crypto.hkdfSync = real
      syncBuiltinESMExports()
    }
    expect(derived).to.equal(1)
  })
})

describe('getToken({ req })', () => {
  const names = ['AUTH_SECRET', 'AUTH_SECRET_1', 'AUTH_URL', 'LEGACYAUTH_URL', 'LEGACYAUTH_SECRET'] as const
  const before: Record<string, string | undefined> = {}
  let token: string

  beforeEach(async () => {
    for (const name of names) {
      before[name] = process.env[name]
      delete process.env[name]
    }
    token = await encode({ token: { sub: 'ann' }, secret, salt })
  })
  afterEach(() => {
    for (const name of names) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })

  const withCookie = (value: string, name = salt) => ({ headers: { cookie: `a=b; ${name}=${value}; c=d` } })

  it('reads the cookie of a Node request', async () => {
    expect(await getToken({ req: withCookie(token), secret })).to.include({ sub: 'ann' })
  })

  it('reads the cookie of a Request, and of anything with Headers', async () => {
    const headers = { cookie: `${salt}=${token}` }
    expect(await getToken({ req: new Request('http://localhost/', { headers }), secret })).to.include({ sub: 'ann' })
    expect(await getToken({ req: { headers: new Headers(headers) }, secret })).to.include({ sub: 'ann' })
  })

  it('finds headers in any case, as records of other frameworks write them', async () => {
    expect(await getToken({ req: { headers: { Cookie: `${salt}=${token}` } }, secret })).to.include({ sub: 'ann' })
    expect(await getToken({ req: { headers: { Authorization: `Bearer ${token}` } }, secret })).to.include({
      sub: 'ann',
    })
  })

  it('reads a cookie in chunks', async () => {
    const long = await encode({ token: { sub: 'ann', fill: 'x'.repeat(6000) }, secret, salt })
    const chunks = [long.slice(0, 3936), long.slice(3936, 7872), long.slice(7872)]
    const cookie = chunks
      .map((chunk, at) => `${salt}.${at}=${chunk}`)
      .reverse()
      .join('; ')
    expect(await getToken({ req: { headers: { cookie } }, secret })).to.include({ sub: 'ann' })
    expect(await getToken({ req: { headers: { cookie } }, raw: true })).to.equal(long)
  })

  it('reads Authorization: Bearer, percent-encoded or not', async () => {
    for (const text of [token, encodeURIComponent(token), token.replaceAll('.', '%2E')]) {
      for (const scheme of ['Bearer', 'bearer']) {
        const req = { headers: { authorization: `${scheme} ${text}` } }
        expect(await getToken({ req, secret })).to.include({ sub: 'ann' })
      }
    }
  })

  for (const authorization of ['Bearer %', 'Bearer %E0%A4%A', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', '%']) {
    it(`is null for Authorization: ${authorization}`, async () => {
      expect(await getToken({ req: { headers: { authorization } }, secret })).to.equal(null)
      expect(await getToken({ req: { headers: { authorization } }, raw: true })).to.equal(null)
    })
  }

  it('never passes over a cookie for a header', async () => {
    const req = { headers: { cookie: `${salt}=garbage`, authorization: `Bearer ${token}` } }
    expect(await getToken({ req, secret })).to.equal(null)
    expect(await getToken({ req, raw: true })).to.equal('garbage')
  })

  it('is null without a token', async () => {
    expect(await getToken({ req: { headers: {} }, secret })).to.equal(null)
    expect(await getToken({ req: { headers: {} }, raw: true })).to.equal(null)
  })

  it('returns the text unverified with raw, and asks for no secret then', async () => {
    expect(await getToken({ req: withCookie('not-verified'), raw: true })).to.equal('not-verified')
  })

  it('has the cookie name as default salt, and takes another', async () => {
    const named = await encode({ token: { sub: 'ann' }, secret, salt: 'my' })
    expect(await getToken({ req: withCookie(named, 'my'), secret, cookieName: 'my' })).to.include({ sub: 'ann' })
    expect(await getToken({ req: withCookie(named), secret })).to.equal(null)
    expect(await getToken({ req: withCookie(named), secret, salt: 'my' })).to.include({ sub: 'ann' })
  })

  it('gives decode what it needs, and takes its answer', async () => {
    const asked: unknown[] = []
    const answer = await getToken({
      req: withCookie('opaque'),
      secret: [secret, older],
      decode: (params) => {
        asked.push(params)
        return { sub: 'mine' }
      },
    })
    expect(answer).to.deep.equal({ sub: 'mine' })
    expect(asked).to.deep.equal([{ token: 'opaque', secret: [secret, older], salt }])
  })

  it('is null if decode throws, and the error is logged', async () => {
    const told: unknown[] = []
    const fault = new Error('of the test')
    const logger = { debug: (...message: unknown[]) => void told.push(...message) }
    const params: GetTokenParams = {
      req: withCookie(token),
      secret,
      logger,
      decode: () => {
        throw fault
      },
    }
    expect(await getToken(params)).to.equal(null)
    expect(told).to.include(fault)
  })

  it('throws without req, naming it', async () => {
    for (const params of [undefined, {}, { req: undefined }, { req: {} }]) {
      const error = await rejectionOf(getToken(params as GetTokenParams))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.include('`req`')
    }
  })

  it('throws MissingSecretError without a secret, token or not', async () => {
    for (const req of [withCookie(token), { headers: {} }]) {
      expect(await rejectionOf(getToken({ req }))).to.be.instanceOf(MissingSecretError)
      expect(await rejectionOf(getToken({ req, secret: '' }))).to.be.instanceOf(MissingSecretError)
    }
  })

  it('takes the secrets of the environment', async () => {
    process.env.AUTH_SECRET = older
    process.env.AUTH_SECRET_1 = secret
    expect(await getToken({ req: withCookie(token) })).to.include({ sub: 'ann' })
    delete process.env.AUTH_SECRET_1
    expect(await getToken({ req: withCookie(token) })).to.equal(null)
  })

  describe('chooses the cookie by the environment: the prefix unless AUTH_URL is unset or http', () => {
    const prefixed = `__Secure-${salt}`
    const both = { headers: { cookie: `${salt}=plain; ${prefixed}=prefixed` } }

    for (const [url, name] of [
      [undefined, 'plain'],
      ['http://localhost:3000', 'plain'],
      ['https://app.example.com', 'prefixed'],
    ] as const) {
      it(`AUTH_URL ${url ?? 'unset'}: the ${name} name`, async () => {
        if (url !== undefined) process.env.AUTH_URL = url
        expect(await getToken({ req: both, raw: true })).to.equal(name)
      })
    }

    it('LEGACYAUTH_URL counts as AUTH_URL', async () => {
      process.env.LEGACYAUTH_URL = 'https://app.example.com'
      expect(await getToken({ req: both, raw: true })).to.equal('prefixed')
    })

    it('secureCookie decides over it, cookieName over both', async () => {
      process.env.AUTH_URL = 'https://app.example.com'
      expect(await getToken({ req: both, raw: true, secureCookie: false })).to.equal('plain')
      delete process.env.AUTH_URL
      expect(await getToken({ req: both, raw: true, secureCookie: true })).to.equal('prefixed')
      expect(await getToken({ req: both, raw: true, secureCookie: true, cookieName: salt })).to.equal('plain')
    })
  })
})

/** The parts behind the header in the alphabet of RFC 4648 §4. */
function inPlainAlphabet(token: string): string {
  const [header, ...others] = token.split('.')
  return [header, ...others.map((part) => part.replaceAll('-', '+').replaceAll('_', '/'))].join('.')
}

/** Another last character for the same bytes: the tag's 32 bytes leave two bits of it unused. */
function otherLast(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1] ?? ''
}
