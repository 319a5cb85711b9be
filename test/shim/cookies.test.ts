import { expect } from 'chai'
import { writeCookie } from '../../lib/http/cookies.js'
import type { CookieAttributes } from '../../lib/types/cookies.js'
import { toHostCookie, withCookies } from '../../shim/cookies.js'
import { mergeCookies } from '../../shim/hosts/next-cookies.js'

describe('toHostCookie(header)', () => {
  const cases: ReadonlyArray<[value: string, options: CookieAttributes]> = [
    ['plain', {}],
    ['https://app.test/?a=1; b', { path: '/', httpOnly: true, secure: true, sameSite: 'lax' }],
    ['ä=|,', { domain: 'app.test', maxAge: 900, expires: new Date('2030-01-31T12:00:00Z'), partitioned: true }],
    ['', { path: '/api/auth', maxAge: 0, priority: 'high', sameSite: 'strict' }],
  ]

  for (const [value, options] of cases) {
    it(`takes apart what was written: ${JSON.stringify(value)}`, () => {
      const header = writeCookie({ name: '__Host-a.b-c', options }, value)
      expect(toHostCookie(header)).to.deep.equal({ name: '__Host-a.b-c', value, options, header })
    })
  }
})

describe('withCookies(header, cookies)', () => {
  const cookie = (name: string, value: string, options: CookieAttributes = {}) =>
    toHostCookie(writeCookie({ name, options }, value))

  it('adds, replaces and removes; the rest stays as it was sent', () => {
    const sent = 'a=1; b=%zz; flag; c="q"'
    const set = [cookie('b', 'new value'), cookie('d', '4'), cookie('a', '', { maxAge: 0 })]
    expect(withCookies(sent, set)).to.equal('flag; c="q"; b=new%20value; d=4')
  })

  it('keeps all values of a name that came twice, and replaces all of one that was set', () => {
    const sent = 's=tossed; a=1; s=genuine; a=2; =nobody'
    expect(withCookies(sent, [])).to.equal('s=tossed; a=1; s=genuine; a=2')
    expect(withCookies(sent, [cookie('s', 'new')])).to.equal('a=1; a=2; s=new')
    expect(withCookies(sent, [cookie('s', '', { maxAge: 0 })])).to.equal('a=1; a=2')
  })

  it('makes a header where there was none', () => {
    expect(withCookies(null, [cookie('a', '1')])).to.equal('a=1')
    expect(withCookies('', [])).to.equal('')
  })
})

describe('mergeCookies(header, jar)', () => {
  const jar = (cookies: Readonly<Record<string, string>>) =>
    Object.entries(cookies).map(([name, value]) => ({ name, value }))

  const table: ReadonlyArray<[title: string, header: string | null, now: Record<string, string>, merged: string]> = [
    ['nothing', null, {}, ''],
    ['what came, as it came', 'a=1; b=x%20y; c="q"', { a: '1', b: 'x y', c: '"q"' }, 'a=1; b=x%20y; c="q"'],
    ['both of one name', 's=tossed; a=1; s=genuine', { s: 'genuine', a: '1' }, 's=tossed; a=1; s=genuine'],
    ['what was set in place of both', 's=tossed; a=1; s=genuine', { s: 'new one', a: '1' }, 'a=1; s=new%20one'],
    ['what was added', 'a=1', { a: '1', b: '2' }, 'a=1; b=2'],
    ['what was set, where it reads like what came', 'a=%41', { a: '%41' }, 'a=%2541'],
    ['nothing of what was deleted', 's=tossed; s=genuine; a=1', { a: '1' }, 'a=1'],
    ['a deletion that leaves an empty value', 's=tossed; s=genuine', { s: '' }, 's='],
    ['a name without a value', 'flag; a=1', { flag: 'true', a: '1' }, 'flag; a=1'],
    ['an escape that Next.js does not read', 'a=%zz; b=1', { b: '1' }, 'a=%zz; b=1'],
    ['a name of every object', '__proto__=1; constructor=2', { constructor: '2' }, 'constructor=2'],
  ]

  for (const [title, header, now, merged] of table) {
    it(`has ${title}`, () => {
      expect(mergeCookies(header, jar(now))).to.equal(merged)
    })
  }
})
