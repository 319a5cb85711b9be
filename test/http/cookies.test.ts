import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { CookieJar, parseCookieHeader, writeCookie } from '../../lib/http/cookies.js'
import { exchange, op } from '../router/fixtures.js'
import { createApp, credentials, secret, setCookies, startApp } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'

/** A single value of a name as it is, several as a list. */
const parsed = (header: string | undefined) =>
  Object.fromEntries(
    [...parseCookieHeader(header)].map(([name, values]) => [name, values[1] === undefined ? values[0] : values]),
  )

describe('parseCookieHeader', () => {
  const headers: ReadonlyArray<[header: string | undefined, cookies: Record<string, string | string[]>]> = [
    [undefined, {}],
    ['', {}],
    [';', {}],
    ['a', {}],
    ['=', {}],
    ['a=1', { a: '1' }],
    ['a=1; b=2', { a: '1', b: '2' }],
    ['a=1;b=2 ;  c = 3 ', { a: '1', b: '2', c: '3' }],
    ['noise; a=1; more noise; b=2', { a: '1', b: '2' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=', { a: '' }],
    ['a=%20%3B', { a: ' ;' }],
    ['a=%E0%A4%A; b=2', { a: '%E0%A4%A', b: '2' }],
    ['a=%', { a: '%' }],
    ['a=first; b=1; a=second', { a: ['first', 'second'], b: '1' }],
    ['a=; a=second', { a: ['', 'second'] }],
    ['a=é', { a: 'é' }],
    ['a=1,b=2', { a: '1,b=2' }],
  ]
  for (const [header, cookies] of headers) {
    it(`reads ${JSON.stringify(header)}`, () => expect(parsed(header)).to.deep.equal(cookies))
  }

  it('leaves quotes where they are', () => expect(parsed('a="x y"')).to.deep.equal({ a: '"x y"' }))

  it('takes names of the prototype for names', () => {
    const cookies = parseCookieHeader('__proto__=x; constructor=y; hasOwnProperty=z; toString=1')
    expect([...cookies]).to.deep.equal([
      ['__proto__', ['x']],
      ['constructor', ['y']],
      ['hasOwnProperty', ['z']],
      ['toString', ['1']],
    ])
    expect(parseCookieHeader('a=1').get('constructor')).to.equal(undefined)
    expect(({} as { x?: unknown }).x).to.equal(undefined)
  })

  it('reads 100 kB, and 5000 pairs', () => {
    expect(parsed(`a=${'x'.repeat(100_000)}`).a).to.have.lengthOf(100_000)
    const many = Array.from({ length: 5000 }, (_, at) => `c${at}=${at}`).join('; ')
    expect(parseCookieHeader(many).size).to.equal(5000)
    expect(parseCookieHeader('; '.repeat(50_000)).size).to.equal(0)
    expect(parseCookieHeader('a'.repeat(100_000)).size).to.equal(0)
  })
})

describe('CookieJar', () => {
  const options = { path: '/auth', httpOnly: true, secure: true, sameSite: 'lax', domain: 'app.test' } as const

  it('writes a value that comes back as it was', () => {
    const jar = new CookieJar(undefined)
    const value = 'a;b,c d|e="%é\r\nSet-Cookie: x=1'
    jar.set({ name: 'a', options: {} }, value)
    const line = jar.written.get('a') ?? ''
    expect(line)
      .to.match(/^a=[!-~]*$/)
      .and.not.include(';')
    expect(parsed(line).a).to.equal(value)
  })

  it('writes every attribute, and none that is undefined', () => {
    const jar = new CookieJar(undefined)
    const expires = new Date('2030-01-02T03:04:05Z')
    jar.set({ name: 'a', options: { ...options, maxAge: 60, expires, partitioned: true, priority: 'high' } }, '1')
    jar.set({ name: 'b', options: { path: '/', domain: undefined, maxAge: undefined } as object }, '2')
    expect([...jar.written.values()]).to.deep.equal([
      'a=1; Max-Age=60; Domain=app.test; Path=/auth; Expires=Wed, 02 Jan 2030 03:04:05 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=Lax',
      'b=2; Path=/',
    ])
  })

  it('writes the attributes of each cookie, however the attributes alternate', () => {
    const attributes = [
      [{ path: '/', secure: true, sameSite: 'lax' }, '; Path=/; Secure; SameSite=Lax'],
      [{ path: '/', secure: false, sameSite: 'lax' }, '; Path=/; SameSite=Lax'],
      [{ path: '/auth', secure: true, sameSite: 'lax' }, '; Path=/auth; Secure; SameSite=Lax'],
      [{ path: '/' }, '; Path=/'],
      [{ domain: 'undefined', path: '/' }, '; Domain=undefined; Path=/'],
      [{ path: '/', priority: 'undefined' }, undefined],
      [{ domain: '/auth.test' }, undefined],
      [{ domain: 'auth.test', path: '/' }, '; Domain=auth.test; Path=/'],
      [{ domain: 'auth.test', path: '/', sameSite: true }, '; Domain=auth.test; Path=/; SameSite=Strict'],
      [{ domain: 'auth.test', path: '/', sameSite: 'true' }, undefined],
      [{ path: '/; Domain=auth.test' }, undefined],
      [{ path: `/${'x'.repeat(600)}` }, `; Path=/${'x'.repeat(600)}`],
    ] as const
    for (const round of [1, 2, 3]) {
      for (const [given, text] of attributes) {
        const write = () => writeCookie({ name: 'a', options: given as object }, String(round))
        if (text === undefined) expect(write).to.throw(TypeError)
        else expect(write()).to.equal(`a=${round}${text}`)
      }
    }
  })

  it('rejects an end that is no date, and a lifetime that is no number of seconds', () => {
    for (const options of [{ maxAge: 1.5 }, { maxAge: Number.POSITIVE_INFINITY }])
      expect(() => writeCookie({ name: 'a', options }, '1')).to.throw(TypeError, 'whole number')
    for (const expires of [new Date(Number.NaN), 1_700_000_000, '2030-01-01'])
      expect(() => writeCookie({ name: 'a', options: { expires } as object }, '1')).to.throw(TypeError, 'valid date')
  })

  it('replaces a value that was set before', () => {
    const jar = new CookieJar(undefined)
    jar.set({ name: 'a', options: {} }, '1')
    jar.set({ name: 'a', options: {} }, '2')
    expect([...jar.written]).to.deep.equal([['a', 'a=2']])
  })

  it('CK-10 clears with the attributes that the cookie was set with, but no other expiry', () => {
    const jar = new CookieJar('a=1')
    jar.clear({
      name: 'a',
      options: { ...options, maxAge: 900, expires: new Date(Date.now() + 9e5), partitioned: true },
    })
    expect(jar.written.get('a')).to.equal(
      'a=; Max-Age=0; Domain=app.test; Path=/auth; HttpOnly; Secure; Partitioned; SameSite=Lax',
    )
    expect(jar.get('a')).to.equal('1')
  })

  it('gives the first of several values, and all of them in order', () => {
    const jar = new CookieJar('a=1; b=x; a=2; a=1')
    expect([jar.get('a'), jar.getAll('a'), jar.getAll('c')]).to.deep.equal(['1', ['1', '2', '1'], []])
  })

  it('writes what still holds when it is asked, and nothing that was withdrawn', () => {
    const jar = new CookieJar(undefined)
    const state = { holds: true }
    jar.set({ name: 'a', options: {} }, '1', () => state.holds)
    jar.clear({ name: 'b', options: {} }, () => state.holds)
    jar.set({ name: 'c', options: {} }, '1')
    jar.set({ name: 'd', options: {} }, '1')
    jar.withdraw((name) => name === 'd')
    expect([...jar.written.keys()]).to.deep.equal(['a', 'b', 'c'])
    state.holds = false
    expect([...jar.written.keys()]).to.deep.equal(['c'])
  })
})

/** A `Set-Cookie` line without its value, and with the date of `Expires` and the number of `Max-Age` left out. */
function shape(line: string): string {
  return line
    .replace(/=[^;]*/, '=')
    .replace(/Expires=[^;]*/, 'Expires')
    .replace(/Max-Age=[1-9]\d*/, 'Max-Age')
}

describe('cookies on the wire', () => {
  const https = { 'x-forwarded-proto': 'https' }

  const schemes: ReadonlyArray<
    [scheme: string, headers: Record<string, string>, prefix: string, hostPrefix: string, secure: string]
  > = [
    ['http', {}, '', '', ''],
    ['https', https, '__Secure-', '__Host-', ' Secure;'],
  ]

  for (const [scheme, headers, prefix, hostPrefix, secure] of schemes) {
    describe(`over ${scheme}`, () => {
      const app = opened(() =>
        startApp({ providers: [op, credentials()], session: { maxAge: 3600 } }, { trustProxy: true }),
      )

      const browse = () => {
        const browser = app.browser()
        Object.assign(browser.headers, headers)
        return browser
      }

      it('sets the CSRF cookie with exactly its attributes', async () => {
        const response = await browse().get('/auth/csrf')
        expect(setCookies(response).map(shape)).to.deep.equal([
          `${hostPrefix}auth.csrf-token=; Path=/; HttpOnly;${secure} SameSite=Lax`,
        ])
      })

      it('CK-01 sets the cookies of a sign-in with exactly their attributes', async () => {
        const end = await browse().signIn({ callbackUrl: '/there' })
        expect(setCookies(end).map(shape)).to.have.members([
          `${prefix}auth.last-method=; Max-Age; Path=/auth/signin; Expires; HttpOnly;${secure} SameSite=Lax`,
          `${prefix}auth.session-token=; Path=/; Expires; HttpOnly;${secure} SameSite=Lax`,
          `${hostPrefix}auth.browser=; Max-Age; Path=/; Expires; HttpOnly;${secure} SameSite=Lax`,
          `${prefix}auth.callback-url=; Path=/; HttpOnly;${secure} SameSite=Lax`,
          `${hostPrefix}auth.csrf-token=; Path=/; HttpOnly;${secure} SameSite=Lax`,
        ])
      })

      it('lets the session cookie expire with the session', async () => {
        const browser = browse()
        const end = await browser.signIn()
        const line = setCookies(end).find((each) => each.includes('session-token')) ?? ''
        const cookieExpiry = new Date(/Expires=([^;]*)/.exec(line)?.[1] ?? '').getTime()
        const { expires } = (await browser.session()) as { expires: string }
        expect(Math.abs(cookieExpiry - new Date(expires).getTime())).to.be.below(2000)
        expect(cookieExpiry - Date.now()).to.be.within(3_500_000, 3_600_000)
      })

      it('sets the transaction cookie for our own path only', async () => {
        const start = await browse().submit('/auth/signin/op')
        expect(setCookies(start).map(shape)).to.include(
          `${prefix}auth.transaction.0=; Max-Age; Path=/auth; Expires; HttpOnly;${secure} SameSite=Lax`,
        )
        expect(setCookies(start).find((line) => line.includes('transaction'))).to.include('Max-Age=900;')
      })

      it('CK-10 clears the session cookie with the attributes that it was set with', async () => {
        const browser = browse()
        await browser.signIn()
        const end = await browser.submit('/auth/signout')
        expect(setCookies(end)).to.include(
          `${prefix}auth.session-token=; Max-Age=0; Path=/; HttpOnly;${secure} SameSite=Lax`,
        )
      })

      it('CK-06 does not read the cookies of the other scheme', async () => {
        const browser = browse()
        await browser.signIn()
        const moved = browse()
        for (const [name, value] of browser.cookies) {
          moved.cookies.set(prefix ? name.replace(/^__(Secure|Host)-/, '') : `__Secure-${name}`, value)
        }
        expect(await moved.session()).to.equal(null)
        expect((await moved.get('/me')).body).to.equal(null)
      })
    })
  }

  it('carries the attributes of the configuration, at setting and at clearing', async () => {
    const options = { domain: 'app.test', path: '/x', sameSite: 'strict', priority: 'high' } as const
    const app = await startApp({ cookies: { sessionToken: { name: 'my.session', options } } })
    const browser = app.browser()
    const set = await browser.signIn()
    const cookie = browser.cookies.get('my.session')
    const cleared = await browser.submit(
      '/auth/signout',
      {},
      { cookie: `${browser.cookieHeader('/auth')}; my.session=${cookie}` },
    )
    await app.close()
    const attributes = 'HttpOnly; Priority=High; SameSite=Strict'
    expect(setCookies(set).map(shape)).to.include(`my.session=; Domain=app.test; Path=/x; Expires; ${attributes}`)
    expect(setCookies(cleared)).to.include(`my.session=; Max-Age=0; Domain=app.test; Path=/x; ${attributes}`)
  })

  it('CK-01 keeps the schemes and hosts of one configuration apart, when they take turns', async () => {
    const app = await startApp({ trustHost: true }, { trustProxy: true })
    const hosts = ['one.test', 'two.test']
    try {
      for (const host of [...hosts, ...hosts]) {
        for (const scheme of ['https', 'http', 'https']) {
          const browser = app.browser()
          Object.assign(browser.headers, { 'x-forwarded-proto': scheme, 'x-forwarded-host': host })
          const lines = setCookies(await browser.signIn({ callbackUrl: '/there' }))
          const isSecure = scheme === 'https'
          expect(lines.length).to.be.greaterThan(3)
          expect(lines.map((line) => line.includes('; Secure'))).to.deep.equal(lines.map(() => isSecure))
          expect(lines.map((line) => /^__(Secure|Host)-/.test(line))).to.deep.equal(lines.map(() => isSecure))
          const returnUrl = lines.find((line) => line.includes('callback-url')) ?? ''
          expect(decodeURIComponent(returnUrl)).to.include(`=${scheme}://${host}/there;`)
        }
      }
    } finally {
      await app.close()
    }
  })

  it('follows useSecureCookies, whatever the scheme', async () => {
    const [on, off] = [
      await startApp({ useSecureCookies: true }),
      await startApp({ useSecureCookies: false }, { trustProxy: true }),
    ]
    const [secure, plain] = [await on.browser().get('/auth/csrf'), await off.browser().get('/auth/csrf', https)]
    await Promise.all([on.close(), off.close()])
    expect(setCookies(secure).map(shape)).to.deep.equal([
      '__Host-auth.csrf-token=; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    expect(setCookies(plain).map(shape)).to.deep.equal(['auth.csrf-token=; Path=/; HttpOnly; SameSite=Lax'])
  })
})

for (const [door, start] of doors) {
  describe(`CK-07 PP-03 hostile Cookie headers (${door})`, () => {
    const headers: ReadonlyArray<[name: string, cookie: string]> = [
      ['without =', 'noise'],
      ['with nothing but separators', ';;; ; ;'],
      ['with names of the prototype', '__proto__=x; constructor=y; __proto__.polluted=1'],
      ['with a bad encoding', 'auth.session-token=%E0%A4%A; auth.csrf-token=%; auth.callback-url=%zz'],
      ['with quotes', 'auth.session-token="; auth.csrf-token="a|b"'],
      ['with bytes beyond ASCII', 'auth.session-token=é; ü=ö'],
      ['with the same name many times', 'auth.session-token=x; '.repeat(500)],
      ['with broken CSRF cookies', 'auth.csrf-token=|'],
      ['with too many parts in the CSRF cookie', `auth.csrf-token=${'a'.repeat(64)}|b|c`],
    ]

    for (const [name, cookie] of headers) {
      it(`${name}: no user is signed in, a new CSRF token is set, nothing is polluted`, async () => {
        const app = await start({ providers: [op, credentials()] })
        const [session, me, csrf, page] = await Promise.all(
          ['/auth/session', '/me', '/auth/csrf', '/auth/signin'].map((path) => app.browser().get(path, { cookie })),
        )
        await app.close()
        expect([session?.status, session?.body]).to.deep.equal([200, null])
        expect([me?.status, me?.body]).to.deep.equal([200, null])
        expect([csrf?.status, csrf?.body.csrfToken.length]).to.deep.equal([200, 64])
        expect(page?.status).to.equal(200)
        expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
        expect(app.log.errors).to.deep.equal([])
      })
    }
  })
}

describe('CK-07 a Cookie header', () => {
  it('of 100 kB, where Node allows it', async () => {
    const app = createApp({ secret, providers: [credentials()] })
    const server = createServer({ maxHeaderSize: 256 * 1024 }, app).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const pairs = Array.from({ length: 5000 }, (_, at) => `auth.session-token.${at}=${'x'.repeat(10)}`).join('; ')
    const huge = await exchange(origin, 'GET /auth/session HTTP/1.1', [
      `Cookie: auth.session-token=${'x'.repeat(100_000)}`,
    ])
    const many = await exchange(origin, 'GET /auth/session HTTP/1.1', [`Cookie: ${pairs}`])
    server.close()
    expect([huge.status, huge.body, many.status, many.body]).to.deep.equal([200, 'null', 200, 'null'])
    expect(huge.headers['set-cookie']).to.equal('auth.session-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    const chunks = many.headers['set-cookie']?.split('\n').filter((line) => line.startsWith('auth.session-token.'))
    expect(chunks?.length, 'all that may be chunks').to.equal(100)
  })
})
