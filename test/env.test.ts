import { expect } from 'chai'
import { environmentName, readEnv } from '../lib/base/env.js'

describe('readEnv(source)', () => {
  it('is process.env by default', () => {
    const before = process.env.AUTH_TEST_OF_ENV_ID
    process.env.AUTH_TEST_OF_ENV_ID = 'from the process'
    try {
      expect(readEnv().provider('test-of-env')).to.deep.equal({ clientId: 'from the process' })
    } finally {
      if (before === undefined) delete process.env.AUTH_TEST_OF_ENV_ID
      else process.env.AUTH_TEST_OF_ENV_ID = before
    }
  })

  it('is development without secrets when nothing is set', () => {
    const { provider: _provider, ...env } = readEnv({})
    expect(env).to.deep.equal({ secrets: [], production: false })
  })

  describe('secrets', () => {
    const all = { AUTH_SECRET: 'plain', AUTH_SECRET_1: 'one', AUTH_SECRET_2: 'two', AUTH_SECRET_3: 'three' }

    it('are AUTH_SECRET_3, _2, _1 and AUTH_SECRET, in that order', () => {
      expect(readEnv(all).secrets).to.deep.equal(['three', 'two', 'one', 'plain'])
    })

    it('are those that are set', () => {
      expect(readEnv({ AUTH_SECRET: 'plain', AUTH_SECRET_2: 'two' }).secrets).to.deep.equal(['two', 'plain'])
      expect(readEnv({ AUTH_SECRET_1: 'one' }).secrets).to.deep.equal(['one'])
      expect(readEnv({ AUTH_SECRET_4: 'four' }).secrets).to.deep.equal([])
    })

    it('take LEGACYAUTH_SECRET where AUTH_SECRET is not set', () => {
      expect(readEnv({ LEGACYAUTH_SECRET: 'legacy' }).secrets).to.deep.equal(['legacy'])
      expect(readEnv({ LEGACYAUTH_SECRET: 'legacy', AUTH_SECRET: 'plain' }).secrets).to.deep.equal(['plain'])
      expect(readEnv({ LEGACYAUTH_SECRET: 'legacy', AUTH_SECRET: '' }).secrets).to.deep.equal(['legacy'])
    })

    it('do not count when empty or blank', () => {
      expect(readEnv({ AUTH_SECRET: '', AUTH_SECRET_1: '  ' }).secrets).to.deep.equal([])
    })

    it('are trimmed: a line end of a file is not part of them', () => {
      expect(readEnv({ AUTH_SECRET: 'plain\n' }).secrets).to.deep.equal(['plain'])
    })
  })

  it('url is AUTH_URL, else LEGACYAUTH_URL', () => {
    expect(readEnv({ AUTH_URL: 'https://a', LEGACYAUTH_URL: 'https://b' }).url).to.equal('https://a')
    expect(readEnv({ LEGACYAUTH_URL: 'https://b' }).url).to.equal('https://b')
    expect(readEnv({ AUTH_URL: '' })).to.not.have.property('url')
  })

  it('redirectProxyUrl is AUTH_REDIRECT_PROXY_URL', () => {
    expect(readEnv({ AUTH_REDIRECT_PROXY_URL: 'https://p/auth' }).redirectProxyUrl).to.equal('https://p/auth')
  })

  describe('trustHost is AUTH_TRUST_HOST as a boolean word', () => {
    for (const word of ['true', 'TRUE', '1', 'yes', 'on', ' true ']) {
      it(`${JSON.stringify(word)}: true`, () => expect(readEnv({ AUTH_TRUST_HOST: word }).trustHost).to.equal(true))
    }
    for (const word of ['false', 'False', '0', 'no', 'off']) {
      it(`${JSON.stringify(word)}: false`, () => expect(readEnv({ AUTH_TRUST_HOST: word }).trustHost).to.equal(false))
    }
    it('nothing: not decided', () => expect(readEnv({ AUTH_TRUST_HOST: '' })).to.not.have.property('trustHost'))
  })

  it('knows platforms that set the Host header safely', () => {
    expect(readEnv({ VERCEL: '1' }).platform).to.equal('Vercel')
    expect(readEnv({ CF_PAGES: '1' }).platform).to.equal('Cloudflare Pages')
    expect(readEnv({ VERCEL: '' })).to.not.have.property('platform')
  })

  it('production is NODE_ENV=production and nothing else', () => {
    expect(readEnv({ NODE_ENV: 'production' }).production).to.equal(true)
    for (const value of ['prod', 'Production', 'development', 'test', '']) {
      expect(readEnv({ NODE_ENV: value }).production).to.equal(false)
    }
  })

  describe('provider(id)', () => {
    it('has clientId, clientSecret, issuer and apiKey of AUTH_<PROVIDER>_ID, _SECRET, _ISSUER, _KEY', () => {
      const source = {
        AUTH_MY_OWN_ID: 'id',
        AUTH_MY_OWN_SECRET: 'secret',
        AUTH_MY_OWN_ISSUER: 'https://issuer',
        AUTH_MY_OWN_KEY: 'key',
        AUTH_OTHER_ID: 'other',
      }
      const expected = { clientId: 'id', clientSecret: 'secret', issuer: 'https://issuer', apiKey: 'key' }
      expect(readEnv(source).provider('my-own')).to.deep.equal(expected)
    })

    it('leaves out what is not set, or empty', () => {
      expect(readEnv({ AUTH_X_ID: 'id', AUTH_X_SECRET: '' }).provider('x')).to.deep.equal({ clientId: 'id' })
      expect(readEnv({}).provider('x')).to.deep.equal({})
    })
  })
})

describe('environmentName(id)', () => {
  it('is the id in upper snake case', () => {
    expect(environmentName('microsoft-entra-id')).to.equal('MICROSOFT_ENTRA_ID')
    expect(environmentName('42-school')).to.equal('42_SCHOOL')
    expect(environmentName('my.own~provider')).to.equal('MY_OWN_PROVIDER')
  })
})
