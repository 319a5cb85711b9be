import { expect } from 'chai'
import { writeCookie } from '../../lib/http/cookies.js'
import type { CookieAttributes } from '../../lib/types.js'
import { toHostCookie, withCookies } from '../../shim/cookies.js'

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
    expect(withCookies(sent, set)).to.equal('b=new%20value; flag; c="q"; d=4')
  })

  it('makes a header where there was none', () => {
    expect(withCookies(null, [cookie('a', '1')])).to.equal('a=1')
    expect(withCookies('', [])).to.equal('')
  })
})
