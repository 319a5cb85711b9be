import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { cookiePolicies, resolveCookies } from '../../lib/config/site.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

describe('resolveCookies(cookies)', () => {
  it('has plain names on http; prefixes and Secure on https', () => {
    const options = (secure: boolean) => ({ httpOnly: true, sameSite: 'lax', path: '/', secure })
    const { plain, secure } = resolveCookies(undefined)
    expect(plain).to.deep.equal({
      sessionToken: { name: 'auth.session-token', options: options(false) },
      callbackUrl: { name: 'auth.callback-url', options: options(false) },
      csrfToken: { name: 'auth.csrf-token', options: options(false) },
      transaction: { name: 'auth.transaction', options: options(false) },
      logout: { name: 'auth.logout', options: options(false) },
      typedFields: { name: 'auth.typed', options: options(false) },
      lastMethod: { name: 'auth.last-method', options: options(false) },
      passkeyOffer: { name: 'auth.passkey-offer', options: options(false) },
      browser: { name: 'auth.browser', options: options(false) },
      device: { name: 'auth.device', options: options(false) },
      trustedDevice: { name: 'auth.trusted-device', options: options(false) },
      tokens: { name: 'auth.tokens', options: options(false) },
      remember: { name: 'auth.remember', options: options(false) },
      impersonator: { name: 'auth.impersonator', options: options(false) },
    })
    expect(secure).to.deep.equal({
      sessionToken: { name: '__Secure-auth.session-token', options: options(true) },
      callbackUrl: { name: '__Secure-auth.callback-url', options: options(true) },
      csrfToken: { name: '__Host-auth.csrf-token', options: options(true) },
      transaction: { name: '__Secure-auth.transaction', options: options(true) },
      logout: { name: '__Secure-auth.logout', options: options(true) },
      typedFields: { name: '__Secure-auth.typed', options: options(true) },
      lastMethod: { name: '__Secure-auth.last-method', options: options(true) },
      passkeyOffer: { name: '__Secure-auth.passkey-offer', options: options(true) },
      browser: { name: '__Host-auth.browser', options: options(true) },
      device: { name: '__Host-auth.device', options: options(true) },
      trustedDevice: { name: '__Host-auth.trusted-device', options: options(true) },
      tokens: { name: '__Secure-auth.tokens', options: options(true) },
      remember: { name: '__Host-auth.remember', options: options(true) },
      impersonator: { name: '__Host-auth.impersonator', options: options(true) },
    })
  })

  it('overrides the name, and each attribute separately', () => {
    const { plain, secure } = resolveCookies({
      sessionToken: { name: 'mine', options: { domain: 'app.test', sameSite: 'strict' } },
      callbackUrl: { options: { path: '/x' } },
    })
    for (const policy of [plain, secure]) {
      expect(policy.sessionToken.name).to.equal('mine')
      expect(policy.sessionToken.options).to.include({
        domain: 'app.test',
        sameSite: 'strict',
        httpOnly: true,
        path: '/',
      })
      expect(policy.callbackUrl.options).to.include({ path: '/x', sameSite: 'lax' })
    }
    expect(secure.callbackUrl.name).to.equal('__Secure-auth.callback-url')
    expect(secure.sessionToken.options.secure).to.equal(true)
    expect(plain.sessionToken.options.secure).to.equal(false)
  })

  it('overrides the cookie by which the browser is known', () => {
    const { plain, secure } = resolveCookies({ browser: { name: 'mine.browser', options: { domain: 'app.test' } } })
    for (const { browser } of [plain, secure]) {
      expect(browser.name).to.equal('mine.browser')
      expect(browser.options).to.include({ domain: 'app.test', httpOnly: true, sameSite: 'lax' })
    }
  })

  it('keeps the default if an override is undefined', () => {
    const unset = { httpOnly: undefined, sameSite: undefined, path: undefined, secure: undefined }
    const { plain, secure } = resolveCookies({
      sessionToken: { name: undefined, options: unset },
      state: { options: unset },
    })
    const { plain: expectedPlain, secure: expectedSecure } = resolveCookies({})
    expect(plain).to.deep.equal(expectedPlain)
    expect(secure).to.deep.equal(expectedSecure)
  })

  for (const key of ['state', 'nonce', 'pkceCodeVerifier']) {
    it(`applies the attributes of ${key} to the transaction cookie, and not its name`, () => {
      const { plain } = resolveCookies({ [key]: { name: 'other', options: { domain: 'app.test' } } })
      expect(plain.transaction).to.deep.include({ name: 'auth.transaction' })
      expect(plain.transaction.options).to.include({ domain: 'app.test', httpOnly: true })
    })
  }

  describe('CK-08 CR-06 rejects impossible cookies, naming the option', () => {
    const cases: ReadonlyArray<[string, unknown, RegExp]> = [
      [
        'a name with ;',
        { sessionToken: { name: 'a;b' } },
        /The cookie "a;b" cannot be written: .*Correct its entry in `cookies`/,
      ],
      ['a name with a line end', { sessionToken: { name: 'a\r\nb' } }, /The cookie "a\\r\\nb" cannot be written/],
      ['a name with a space', { csrfToken: { name: 'a b' } }, /The cookie "a b" cannot be written/],
      ['an empty name', { sessionToken: { name: '' } }, /The cookie "" cannot be written/],
      ['a name that is no text', { sessionToken: { name: 5 } }, /`cookies\.sessionToken\.name` must be a string/],
      ['a path with ;', { sessionToken: { options: { path: '/;x=y' } } }, /cannot be written/],
      ['a path with a line end', { callbackUrl: { options: { path: '/\r\nSet-Cookie: x=1' } } }, /cannot be written/],
      ['a domain with ;', { sessionToken: { options: { domain: 'a;b' } } }, /cannot be written/],
      ['a domain with a line end', { state: { options: { domain: 'a\nb' } } }, /cannot be written/],
      ['a sameSite that is none', { sessionToken: { options: { sameSite: 'banana' } } }, /cannot be written/],
      ['a priority that is none', { sessionToken: { options: { priority: 'now' } } }, /cannot be written/],
      ['an unknown cookie', { session: {} }, /no option `cookies\.session`\. Did you mean `sessionToken`\?/],
      [
        'an unknown part',
        { sessionToken: { option: {} } },
        /no option `cookies\.sessionToken\.option`\. Did you mean `options`\?/,
      ],
      [
        'an unknown attribute',
        { sessionToken: { options: { samesite: 'lax' } } },
        /no option `cookies\.sessionToken\.options\.samesite`\. Did you mean `sameSite`\?/,
      ],
      [
        'options that are no object',
        { sessionToken: { options: 'x' } },
        /`cookies\.sessionToken\.options` must be an object, not a string/,
      ],
      ['a cookie that is no object', { sessionToken: 'x' }, /`cookies\.sessionToken` must be an object, not a string/],
      ['cookies that are no object', [], /`cookies` must be an object, not an array/],
      [
        '__Host- with a domain',
        { csrfToken: { options: { domain: 'app.test' } } },
        /"__Host-auth\.csrf-token" has the prefix __Host-, so browsers require secure: true, path: "\/" and no domain/,
      ],
      ['__Host- with a path', { csrfToken: { options: { path: '/x' } } }, /prefix __Host-/],
      [
        '__Secure- without secure',
        { sessionToken: { options: { secure: false } } },
        /"__Secure-auth\.session-token" has the prefix __Secure-, so browsers require secure: true/,
      ],
      [
        'an own name with __Secure- that http would break',
        { sessionToken: { name: '__Secure-mine' } },
        /"__Secure-mine" has the prefix __Secure-/,
      ],
    ]
    for (const [name, cookies, message] of cases) {
      it(name, () => {
        const error = thrownBy(() => resolveCookies(cookies))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(message)
      })
    }
  })

  it('allows a custom name with a prefix if the attributes match it', () => {
    const sessionToken = { name: '__Secure-mine', options: { secure: true } }
    expect(resolveCookies({ sessionToken }).plain.sessionToken.name).to.equal('__Secure-mine')
  })
})

describe('cookiePolicies(config, origin)', () => {
  const names = (options: { useSecureCookies?: boolean }, origin: string | undefined) =>
    cookiePolicies(resolveConfig({ providers: [], secret, ...options }, readEnv({})), origin).map(
      ({ sessionToken }) => sessionToken.name,
    )
  const [plain, prefixed] = ['auth.session-token', '__Secure-auth.session-token']

  it('uses the origin; without one there are two to try, the prefixed first', () => {
    expect(names({}, 'https://app.test')).to.deep.equal([prefixed])
    expect(names({}, 'http://app.test')).to.deep.equal([plain])
    expect(names({}, undefined)).to.deep.equal([prefixed, plain])
  })

  it('uses useSecureCookies first', () => {
    for (const origin of ['https://app.test', 'http://app.test', undefined]) {
      expect(names({ useSecureCookies: true }, origin)).to.deep.equal([prefixed])
      expect(names({ useSecureCookies: false }, origin)).to.deep.equal([plain])
    }
  })
})
