import { expect } from 'chai'
import { foreignHost, readLogo, toHref } from '../../lib/pages/links.js'

describe('toHref(value)', () => {
  for (const value of ['https://app.test/x?a=b', 'http://app.test/', '/auth/signin', '?a=b']) {
    it(`keeps ${value}`, () => expect(toHref(value)).to.equal(value))
  }

  for (const value of [
    'javascript:alert(1)',
    ' \tJaVa\nScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http://[',
  ]) {
    it(`XS-05 replaces ${JSON.stringify(value)}`, () => expect(toHref(value)).to.equal('/'))
  }
})

describe('hostOf(value)', () => {
  it('is the host of an absolute http(s) URL only', () => {
    expect(foreignHost('https://op.test:8443/x')).to.equal('op.test:8443')
    expect(foreignHost('https://user@evil.test/')).to.equal('evil.test')
    expect(foreignHost('/x')).to.equal(undefined)
    expect(foreignHost('ftp://op.test/')).to.equal(undefined)
    expect(foreignHost('%')).to.equal(undefined)
  })
})

describe('readLogo(value, host)', () => {
  const accepted = {
    'https://cdn.test/logo.svg': 'https://cdn.test/logo.svg',
    'http://app.test:3000/logo.svg': 'http://app.test:3000/logo.svg',
    '/img/logo.svg?v=2': '/img/logo.svg?v=2',
  }
  for (const [value, logo] of Object.entries(accepted)) {
    it(`takes ${value}`, () => expect(readLogo(value, 'App.test:3000')).to.equal(logo))
  }

  const refused: readonly unknown[] = [
    'http://cdn.test/logo.svg',
    'http://app.test/logo.svg',
    '//evil.test/logo.svg',
    '/\\evil.test/logo.svg',
    '/\t/evil.test/logo.svg',
    '/.//evil.test/logo.svg',
    'logo.svg',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'https://user:password@cdn.test/logo.svg',
    'https://',
    `https://cdn.test/${'x'.repeat(2048)}`,
    '',
    undefined,
    {},
  ]
  for (const value of refused) {
    it(`refuses ${String(JSON.stringify(value)).slice(0, 60)}`, () =>
      expect(readLogo(value, 'app.test:3000')).to.equal(undefined))
  }
})
