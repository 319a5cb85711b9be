import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { defineAuth, type ServerAuthConfig, skipCSRFCheck } from '../../lib/index.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

function resolve(trustedOrigins: unknown, env: Record<string, string> = {}, options: object = {}) {
  const config = { providers: [], secret, logger: createLog().logger, trustedOrigins, ...options }
  return resolveConfig(config as unknown as ServerAuthConfig, readEnv(env))
}

const site = { AUTH_URL: 'https://api.example.com', NODE_ENV: 'production' }

/** Asserts that an option is rejected, by a message with this text. */
function expectRejection(given: unknown, text: string, env: Record<string, string> = site, options: object = {}): void {
  const error = thrownBy(() => resolve(given, env, options))
  expect(error, JSON.stringify(given)).to.be.instanceOf(InvalidConfiguration)
  expect((error as Error).message, JSON.stringify(given))
    .to.include('trustedOrigins')
    .and.include(text)
}

describe('the option `trustedOrigins`', () => {
  it('is off by default, and can be an empty list', () => {
    expect(resolve(undefined, site)).to.not.have.property('trustedOrigins')
    expect([...(resolve([], site).trustedOrigins ?? ['none'])]).to.deep.equal([])
  })

  it('takes origins of the same site', () => {
    for (const origin of [
      'https://app.example.com',
      'https://example.com',
      'https://a.b.example.com',
      'https://api.example.com:8443',
      'https://xn--bcher-kva.example.com',
    ]) {
      expect([...(resolve([origin], site).trustedOrigins ?? [])], origin).to.deep.equal([origin])
    }
    const unknown = resolve(['https://app.example.com'], { NODE_ENV: 'production' }).trustedOrigins
    expect([...(unknown ?? [])]).to.deep.equal(['https://app.example.com'])
  })

  it('takes loopback http where the site has it too, or is not known in development', () => {
    const environments: Array<Record<string, string>> = [
      {},
      { AUTH_URL: 'http://localhost:3000' },
      { AUTH_URL: 'http://localhost:3000', NODE_ENV: 'production' },
    ]
    for (const env of environments)
      expect(resolve(['http://localhost:5173'], env).trustedOrigins?.size, JSON.stringify(env)).to.equal(1)
    expect(resolve(['http://[::1]:5173', 'http://127.0.0.1:5173']).trustedOrigins?.size).to.equal(2)
  })

  it('leaves out the origin of the site itself', () => {
    expect([...(resolve(['https://api.example.com'], site).trustedOrigins ?? ['none'])]).to.deep.equal([])
  })

  it('CS-23 rejects all but exact origins', () => {
    for (const given of [
      'https://app.example.com/',
      'https://app.example.com/path',
      'https://app.example.com?x',
      'https://app.example.com#x',
      'https://APP.example.com',
      'HTTPS://app.example.com',
      'https://app.example.com:443',
      'https://app.example.com.',
      'https://*.example.com',
      'https://app.*.com',
      'https://user@app.example.com',
      'https://user:pass@app.example.com',
      'https://bücher.example.com',
      ' https://app.example.com',
      'https://app.example.com ',
      'https://app.example.com, https://b.example.com',
      'app.example.com',
      '//app.example.com',
      'ftp://app.example.com',
      'chrome-extension://abcdefgh',
      'file://',
      'null',
      '*',
      '',
      null,
      7,
      {},
      /app/,
      ['https://app.example.com'],
    ]) {
      expectRejection([given], 'as browsers send them')
    }
    for (const given of ['https://app.example.com', {}, true, 7]) expectRejection(given, 'must be an array')
  })

  it('the rejection of a URL with more than an origin names the origin, and nothing else of it', () => {
    for (const given of [
      'https://app.example.com/',
      'https://APP.example.com',
      'https://ann:secret@app.example.com/x',
    ]) {
      expectRejection([given], 'in lower case. Write "https://app.example.com".')
    }
    const error = thrownBy(() => resolve(['https://ann:secret@app.example.com/x'], site, {}))
    expect((error as Error).message).to.not.match(/ann|secret/)
  })

  it('CS-24 rejects origins from which no cookie would travel', () => {
    expectRejection(['https://app.example.net'], 'not on the site')
    expectRejection(['https://com'], 'not on the site')
    expectRejection(['https://notexample.com'], 'not on the site')
    expectRejection(['https://api.example.com.evil.test'], 'not on the site')
    expectRejection(['https://web.fly.dev'], 'not on the site', { AUTH_URL: 'https://api.fly.dev' })
    expectRejection(['https://web.co.uk'], 'not on the site', { AUTH_URL: 'https://api.co.uk' })
    expectRejection(['https://10.0.0.2'], 'not on the site', { AUTH_URL: 'https://10.1.0.2' })
    expectRejection(['https://[::2]'], 'not on the site', { AUTH_URL: 'https://[::1]' })
    expectRejection(['http://app.localhost'], 'not on the site', { AUTH_URL: 'http://api.localhost' })
    expectRejection(['http://127.0.0.1:5173'], 'not on the site', { AUTH_URL: 'http://localhost:3000' })
    expectRejection(['http://localhost:5173'], 'schemes differ', { AUTH_URL: 'https://localhost:3000' })
    expectRejection(['https://localhost:5173'], 'schemes differ', { AUTH_URL: 'http://localhost:3000' })
  })

  it('CS-24 rejects pages that anyone on the network could change', () => {
    expectRejection(['http://app.example.com'], 'needs https', {})
    expectRejection(['http://192.168.0.2'], 'needs https', {})
    expectRejection(['http://localhost:5173'], 'needs https', { NODE_ENV: 'production' })
  })

  it('CS-25 needs the CSRF check, and a cookie that no sibling can set', () => {
    const origins = ['https://app.example.com']
    expectRejection(origins, 'skipCSRFCheck', site, { skipCSRFCheck })
    expectRejection(origins, 'cookies.csrfToken', site, { cookies: { csrfToken: { name: 'csrf' } } })
    expectRejection(origins, 'useSecureCookies', site, { useSecureCookies: false })
    expect(
      resolve(origins, site, { cookies: { csrfToken: { name: '__Host-csrf', options: { secure: true } } } })
        .trustedOrigins?.size,
    ).to.equal(1)
  })

  it('is needed by `auth.cors()`', () => {
    const config = { providers: [], secret, logger: createLog().logger }
    expect(() => defineAuth(config).cors()).to.throw(InvalidConfiguration, '`trustedOrigins`')
    expect(() => defineAuth({ ...config, trustedOrigins: [] }).cors()).to.not.throw()
  })

  it('lets the default `redirect` return to the pages', () => {
    const { redirect } = resolve(['https://app.example.com'], site).callbacks
    const baseUrl = site.AUTH_URL
    for (const [url, to] of [
      ['https://app.example.com/orders?x=1', 'https://app.example.com/orders?x=1'],
      ['/home', 'https://api.example.com/home'],
      ['https://evil.example.com/', baseUrl],
      ['https://app.example.com.evil.test/', baseUrl],
      ['https://app.example.com@evil.test/', baseUrl],
      ['//app.example.com:8443/', baseUrl],
      ['http://app.example.com/', baseUrl],
      ['https://app.example.com./', baseUrl],
      ['javascript://app.example.com/%0aalert(1)', baseUrl],
    ] as const) {
      expect(redirect({ url, baseUrl }), url).to.equal(to)
    }
  })
})
