/** Every environment variable, set where the process really has it, seen from outside. */
import { expect } from 'chai'
import { ServerAuth } from '../../lib/index.js'
import { getToken, encode as issue } from '../../lib/jwt.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { Provider } from '../../lib/types/provider.js'
import { type Browser, secret, startApp, type TestApp, target } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const older = 'an-older-secret-of-more-than-32-characters'
const name = 'auth.session-token'

const company: Provider = {
  id: 'my-company',
  name: 'Company',
  type: 'oauth',
  authorization: 'https://op.test/authorize',
  token: 'https://op.test/token',
  userinfo: 'https://op.test/me',
}

describe('the environment', () => {
  const before = { ...process.env }
  let app: TestApp | undefined

  beforeEach(() => {
    for (const each of Object.keys(process.env)) {
      if (/^(?:AUTH|LEGACYAUTH)_|^(?:VERCEL|CF_PAGES)$/.test(each)) delete process.env[each]
    }
  })
  afterEach(async () => {
    await app?.close()
    app = undefined
    for (const each of Object.keys(process.env)) if (!(each in before)) delete process.env[each]
    Object.assign(process.env, before)
  })

  /** The application under these variables. Its own options have no secret. */
  async function start(env: Record<string, string>, config: Partial<ServerAuthConfig> = {}): Promise<Browser> {
    Object.assign(process.env, env)
    app = await startApp({ secret: undefined, ...config } as Partial<ServerAuthConfig>)
    return app.browser()
  }

  /** Checks whether a session token under this secret is read. */
  async function reads(browser: Browser, under: string): Promise<boolean> {
    browser.cookies.set(name, await issue({ token: { sub: 'ann', name: 'ann' }, secret: under, salt: name }))
    return (await browser.session()) !== null
  }

  /** Checks whether the session that a sign-in began is encrypted under this secret. */
  async function issues(browser: Browser, under: string): Promise<boolean> {
    browser.cookies.clear()
    await browser.signIn()
    const req = { headers: { cookie: browser.cookieHeader() } }
    return (await getToken({ req, secret: under, cookieName: name })) !== null
  }

  /** Parameters of the authorization request. */
  async function authorization(browser: Browser): Promise<URLSearchParams> {
    return new URL(target(await browser.submit('/auth/signin/my-company'))).searchParams
  }

  describe('AUTH_SECRET', () => {
    it('is the secret where the configuration has none', async () => {
      const browser = await start({ AUTH_SECRET: secret })
      expect(await issues(browser, secret)).to.equal(true)
      expect(await reads(browser, older)).to.equal(false)
    })

    it('is not asked where the configuration has one', async () => {
      const browser = await start({ AUTH_SECRET: older }, { secret })
      expect(await issues(browser, secret)).to.equal(true)
      expect(await reads(browser, older)).to.equal(false)
    })

    it('is what LEGACYAUTH_SECRET is where it is not set itself', async () => {
      expect(await issues(await start({ LEGACYAUTH_SECRET: older }), older)).to.equal(true)
      await app?.close()
      const browser = await start({ LEGACYAUTH_SECRET: older, AUTH_SECRET: secret })
      expect(await issues(browser, secret)).to.equal(true)
      expect(await reads(browser, older)).to.equal(false)
    })

    it('rotates by AUTH_SECRET_1 to _3: the highest number encrypts, all decrypt', async () => {
      const [first, second, third] = ['1', '2', '3'].map((digit) => `${digit}-${secret}`) as [string, string, string]
      const browser = await start({
        AUTH_SECRET: secret,
        AUTH_SECRET_1: first,
        AUTH_SECRET_2: second,
        AUTH_SECRET_3: third,
      })
      expect(await issues(browser, third)).to.equal(true)
      for (const each of [secret, first, second, third]) expect(await reads(browser, each)).to.equal(true)
      expect(await reads(browser, older)).to.equal(false)
    })

    it('must be there in production', () => {
      process.env.NODE_ENV = 'production'
      const error = thrownBy(() => ServerAuth({ providers: [] }))
      expect(error).to.include({ name: 'MissingSecretError', type: 'MissingSecret' })
      expect(error.message).to.include('npx server-auth secret').and.include('AUTH_SECRET')
    })

    it('is warned of under 32 characters', async () => {
      await start({ AUTH_SECRET: 'short' })
      expect(app?.log.warnings.map(({ code }) => code)).to.deep.equal(['short-secret'])
    })
  })

  for (const variable of ['AUTH_URL', 'LEGACYAUTH_URL']) {
    describe(variable, () => {
      it('is the site, whatever the request says', async () => {
        const browser = await start({ [variable]: 'https://app.example.com' }, { secret })
        const { body } = await browser.get('/auth/providers')
        expect(body.credentials.callbackUrl).to.equal('https://app.example.com/auth/callback/credentials')
      })

      it('makes the cookies secure by its scheme', async () => {
        const browser = await start({ [variable]: 'https://app.example.com' }, { secret })
        await browser.get('/auth/csrf')
        expect([...browser.cookies.keys()]).to.include('__Host-auth.csrf-token')
      })

      it('makes the Host header not matter in production', async () => {
        const browser = await start({ [variable]: 'http://127.0.0.1', NODE_ENV: 'production' }, { secret })
        expect((await browser.get('/auth/csrf')).status).to.equal(200)
      })
    })
  }

  it('AUTH_URL goes before LEGACYAUTH_URL', async () => {
    const browser = await start({ AUTH_URL: 'https://new.example', LEGACYAUTH_URL: 'https://old.example' }, { secret })
    const { body } = await browser.get('/auth/providers')
    expect(body.credentials.signinUrl).to.equal('https://new.example/auth/signin/credentials')
  })

  describe('AUTH_TRUST_HOST', () => {
    for (const [word, status] of [
      ['true', 200],
      ['false', 500],
    ] as const) {
      it(`${word} in production: ${status}`, async () => {
        const browser = await start({ AUTH_TRUST_HOST: word, NODE_ENV: 'production' }, { secret })
        const response = await browser.get('/auth/csrf')
        expect(response.status).to.equal(status)
        if (status === 500) expect(app?.log.errors[0]).to.have.property('type', 'UntrustedHost')
      })
    }
  })

  describe('AUTH_<PROVIDER>_ID and _SECRET', () => {
    it('are client id and secret of the provider whose id they spell in upper snake case', async () => {
      const env = { AUTH_MY_COMPANY_ID: 'of-the-environment', AUTH_MY_COMPANY_SECRET: 'hush' }
      const browser = await start(env, { secret, providers: [company] })
      expect((await authorization(browser)).get('client_id')).to.equal('of-the-environment')
    })

    it('do not replace what the configuration says', async () => {
      const providers = [{ ...company, clientId: 'of-the-configuration' } as Provider]
      const browser = await start({ AUTH_MY_COMPANY_ID: 'of-the-environment' }, { secret, providers })
      expect((await authorization(browser)).get('client_id')).to.equal('of-the-configuration')
    })

    it('are named where they are missing', () => {
      const error = thrownBy(() => ServerAuth({ secret, providers: [company] }))
      expect(error).to.have.property('type', 'InvalidConfiguration')
      expect(error.message).to.include('AUTH_MY_COMPANY_ID').and.include('AUTH_MY_COMPANY_SECRET')
    })
  })

  describe('AUTH_REDIRECT_PROXY_URL', () => {
    const providers = [{ ...company, clientId: 'c' } as Provider]
    const env = { AUTH_REDIRECT_PROXY_URL: 'https://stable.example/auth' }

    it('is the default of redirectProxyUrl: the redirect URI comes from it, and a state is sent', async () => {
      const params = await authorization(await start(env, { secret, providers }))
      expect(params.get('redirect_uri')).to.equal('https://stable.example/auth/callback/my-company')
      expect(params.get('state')).to.be.a('string').and.not.equal('')
    })

    it('is used after redirectProxyUrl of the configuration, and after the one of a provider', async () => {
      const redirectProxyUrl = 'https://config.example/api/auth'
      const config = { secret, redirectProxyUrl, providers }
      const params = await authorization(await start(env, config))
      expect(params.get('redirect_uri')).to.equal('https://config.example/api/auth/callback/my-company')
      await app?.close()
      const own = [{ ...providers[0], redirectProxyUrl: 'https://own.example/auth' } as Provider]
      const other = await authorization(await start(env, { ...config, providers: own }))
      expect(other.get('redirect_uri')).to.equal('https://own.example/auth/callback/my-company')
    })

    it('is refused where it is no full URL', async () => {
      for (const url of ['stable.example', 'https://stable.example', 'ftp://stable.example/auth']) {
        process.env.AUTH_REDIRECT_PROXY_URL = url
        const error = thrownBy(() => ServerAuth({ secret, providers }))
        expect(error, url).to.have.property('type', 'InvalidConfiguration')
        expect(error.message).to.include('`AUTH_REDIRECT_PROXY_URL` must be')
      }
    })
  })
})
