/** Fields of the configuration object as a browser and a log see them, and the values that are refused. */
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import { ServerAuth } from '../../lib/index.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { Provider } from '../../lib/types/provider.js'
import {
  type AppOptions,
  createLog,
  credentials,
  secret,
  setCookies,
  startApp,
  type TestApp,
  target,
} from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { thrownBy } from '../support/rejection.js'
import { sessionName } from '../support/session.js'

/** Returns the error of `ServerAuth` for options of any shape. */
function refusal(options: Record<string | symbol, unknown>): Error {
  const config = { secret, providers: [credentials()], logger: createLog().logger, ...options }
  return thrownBy(() => ServerAuth(config as unknown as ServerAuthConfig))
}

describe('the configuration object', () => {
  let app: TestApp | undefined
  afterEach(async () => {
    restoreClock()
    await app?.close()
    app = undefined
  })
  async function start(config: Partial<ServerAuthConfig>, options?: AppOptions) {
    app = await startApp(config, options)
    return app.browser()
  }

  describe('providers', () => {
    it('takes an object, a function, and what a function returns, in their order', async () => {
      const other = credentials({ id: 'other', name: 'Other' })
      const browser = await start({ providers: [() => other, credentials()] })
      const { body } = await browser.get('/auth/providers')
      expect(Object.keys(body)).to.deep.equal(['other', 'credentials'])
    })

    it('may be empty: the pages and the session are there', async () => {
      const browser = await start({ providers: [] })
      expect((await browser.get('/auth/providers')).body).to.deep.equal({})
      expect((await browser.get('/auth/signin')).status).to.equal(200)
      expect(await browser.session()).to.equal(null)
    })

    it('is required', () => {
      expect(refusal({ providers: undefined }).message).to.include('`providers` must be an array of providers')
    })
  })

  describe('basePath', () => {
    it('does not move the routes under Express: the mount decides', async () => {
      const browser = await start({ basePath: '/elsewhere' }, { mount: '/api/auth' })
      const { body } = await browser.get('/api/auth/providers')
      expect(body.credentials.callbackUrl).to.equal(`${app?.origin}/api/auth/callback/credentials`)
      expect((await browser.get('/elsewhere/providers')).status).to.equal(404)
    })

    it('is /auth by default, so that callbacks come to <origin>/auth/callback/<provider>', async () => {
      const { body } = await (await start({})).get('/auth/providers')
      expect(body.credentials.callbackUrl).to.equal(`${app?.origin}/auth/callback/credentials`)
    })
  })

  describe('pages', () => {
    for (const [page, path] of [
      ['signIn', '/auth/signin'],
      ['signOut', '/auth/signout'],
      ['error', '/auth/error?error=AccessDenied'],
      ['verifyRequest', '/auth/verify-request'],
    ] as const) {
      it(`${page} replaces the built-in one`, async () => {
        const browser = await start({ pages: { [page]: `/my-${page}` } })
        const response = await browser.get(path)
        expect(response.status).to.equal(302)
        expect(new URL(target(response)).pathname).to.equal(`/my-${page}`)
      })
    }

    it('newUser is accepted, and used only once there are stored users', async () => {
      const browser = await start({ pages: { newUser: '/welcome' } })
      expect(target(await browser.signIn({ callbackUrl: '/home' }))).to.equal(`${app?.origin}/home`)
    })

    for (const page of ['signIn', 'signOut', 'error', 'verifyRequest', 'newUser']) {
      it(`${page} is refused where it is no path`, () => {
        for (const value of [5, '', 'relative', '//evil.test', 'javascript:alert(1)']) {
          const error = refusal({ pages: { [page]: value } })
          expect(error, String(value)).to.be.instanceOf(InvalidConfiguration)
          expect(error.message).to.include(`\`pages.${page}\``)
        }
      })
    }
  })

  describe('theme', () => {
    it('colours the built-in pages, forces the scheme, shows the logo', async () => {
      const theme = { colorScheme: 'dark', brandColor: '#aa3311', buttonText: '#fefefe', logo: '/logo.png' } as const
      const { text } = await (await start({ theme })).get('/auth/signin')
      expect(text).to.include('#aa3311').and.include('#fefefe').and.include('src="/logo.png"')
      expect(text).to.include('dark').and.not.include('prefers-color-scheme')
    })

    it('follows the browser by default', async () => {
      expect((await (await start({})).get('/auth/signin')).text).to.include('prefers-color-scheme')
    })
  })

  describe('session', () => {
    // To the second: a slow sign-in would move the end that the tests look at.
    beforeEach(() => freezeClock())

    it('maxAge is when an idle session ends', async () => {
      const browser = await start({ session: { maxAge: 60 } })
      await browser.signIn()
      advanceClock(59)
      expect(await browser.session()).to.have.property('user')
      advanceClock(61)
      expect(await browser.session()).to.equal(null)
    })

    it('lasts 30 days, and is extended once a day', async () => {
      const browser = await start({})
      await browser.signIn()
      const first = browser.cookies.get(sessionName)
      advanceClock(86_399)
      await browser.session()
      expect(browser.cookies.get(sessionName)).to.equal(first)
      advanceClock(2)
      await browser.session()
      expect(browser.cookies.get(sessionName)).to.not.equal(first)
      advanceClock(2_592_000 - 1)
      expect(await browser.session()).to.have.property('user')
      advanceClock(2_592_001)
      expect(await browser.session()).to.equal(null)
    })

    it('strategy jwt is the default, and may be said', async () => {
      const browser = await start({ session: { strategy: 'jwt' } })
      await browser.signIn()
      expect(browser.cookies.get(sessionName)?.split('.')).to.have.length(5)
    })
  })

  describe('cookies', () => {
    it('have names and attributes one by one', async () => {
      const browser = await start({ cookies: { sessionToken: { name: 'sid', options: { sameSite: 'strict' } } } })
      const response = await browser.signIn()
      const line = setCookies(response).find((each) => each.startsWith('sid='))
      expect(line).to.include('SameSite=Strict').and.include('HttpOnly').and.include('Path=/')
      expect(await browser.session()).to.have.property('user')
    })

    for (const [what, cookies, message] of [
      ['httpOnly as a word', { sessionToken: { options: { httpOnly: 'false' } } }, 'sessionToken.options.httpOnly'],
      ['secure as a word', { csrfToken: { options: { secure: 'no' } } }, 'csrfToken.options.secure'],
      ['partitioned as a number', { state: { options: { partitioned: 1 } } }, 'state.options.partitioned'],
      ['two of one name', { sessionToken: { name: 'a' }, csrfToken: { name: 'a' } }, 'have the name "a"'],
      ['a name of another of ours', { sessionToken: { name: 'auth.csrf-token' } }, 'have the name "auth.csrf-token"'],
    ] as const) {
      it(`refuse ${what}`, () => {
        const error = refusal({ cookies })
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include(message)
      })
    }
  })

  describe('debug and logger', () => {
    it('a debug function of the logger is called, whatever debug says', async () => {
      for (const debug of [false, true]) {
        await start({ debug })
        expect(app?.log.debugs.map(({ message }) => message)).to.include('configuration resolved')
        await app?.close()
      }
    })

    it('levels that the logger lacks are the built-in ones', async () => {
      const lines: unknown[] = []
      const { error: original } = console
      console.error = (...line: unknown[]) => void lines.push(...line)
      try {
        const browser = await start({ logger: {}, callbacks: { signIn: () => false } })
        await browser.signIn()
      } finally {
        console.error = original
      }
      expect(lines[0]).to.equal('[auth][error] AccessDenied: The `signIn` callback rejected the sign-in.')
    })

    it('a logger with more methods than ours is taken as it is', async () => {
      const lines: string[] = []
      class Logger {
        readonly #lines = lines
        error(error: Error) {
          this.#lines.push(error.message)
        }
        info() {}
      }
      const browser = await start({ logger: new Logger(), callbacks: { signIn: () => false } })
      await browser.signIn()
      expect(lines).to.deep.equal(['The `signIn` callback rejected the sign-in.'])
    })
  })

  describe('experimental', () => {
    it('enableWebAuthn prints a warning; without it there is none', async () => {
      await start({ experimental: { enableWebAuthn: true } })
      expect(app?.log.warnings.map(({ code }) => code)).to.deep.equal(['experimental-webauthn'])
      await app?.close()
      await start({ experimental: {} })
      expect(app?.log.warnings).to.deep.equal([])
    })
  })

  describe('timeout', () => {
    it('is how long `authorize` may take', async () => {
      const slow = credentials({ authorize: () => new Promise(() => {}) })
      const browser = await start({ timeout: 0.05, providers: [slow] })
      expect(target(await browser.signIn())).to.include('error=Configuration')
      expect(app?.log.errors[0]?.message).to.match(/authorize/)
    })
  })

  describe('redirectProxyUrl', () => {
    it('is refused where it is no full URL, whoever the providers are', () => {
      for (const redirectProxyUrl of [5, '', 'proxy.test', 'https://proxy.test', 'https://proxy.test/auth?x']) {
        const error = refusal({ redirectProxyUrl })
        expect(error, String(redirectProxyUrl)).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include('`redirectProxyUrl` must be')
      }
    })
  })

  describe('secret', () => {
    const older = 'an-older-secret-of-more-than-32-characters'

    it('as an array: sessions of an older one are read, and go on under the first', async () => {
      const before = await start({ secret: older })
      await before.signIn()
      const held = before.cookies.get(sessionName) ?? ''
      await app?.close()
      const after = await start({ secret: [secret, older] })
      after.cookies.set(sessionName, held)
      expect(await after.session()).to.have.property('user')
      const renewed = after.cookies.get(sessionName) ?? ''
      await app?.close()
      const later = await start({ secret })
      later.cookies.set(sessionName, renewed)
      expect(await later.session()).to.have.property('user')
      later.cookies.set(sessionName, held)
      expect(await later.session()).to.equal(null)
    })
  })
})

describe('options of a provider', () => {
  const company = {
    id: 'my-company',
    name: 'My Company',
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'c',
    clientSecret: 's',
  }
  const plain = {
    ...company,
    type: 'oauth',
    authorization: 'https://op.test/authorize',
    token: 'https://op.test/token',
    userinfo: 'https://op.test/me',
  }

  async function pageWith(provider: object): Promise<string> {
    const app = await startApp({ providers: [provider as Provider] })
    const { text } = await app.browser().get('/auth/signin')
    await app.close()
    return text
  }

  it('id is part of the URLs, name of the button', async () => {
    const page = await pageWith(company)
    expect(page).to.match(/action="[^"]*\/auth\/signin\/my-company"/)
    expect(page).to.include('Sign in with My Company')
  })

  it('name is the id where there is none', async () => {
    expect(await pageWith({ ...company, name: undefined })).to.include('Sign in with my-company')
  })

  it('style is the look of the button: brandColor and logo', async () => {
    const page = await pageWith({ ...company, style: { brandColor: '#b01dfa', logo: '/company.png' } })
    expect(page).to.include('#b01dfa').and.include('src="/company.png"')
  })

  it('style.bg is taken where there is no brandColor; style.text is not: the text is chosen for contrast', async () => {
    const page = await pageWith({ ...company, style: { bg: '#b01dfa', text: '#b01dfb' } })
    expect(page).to.include('#b01dfa').and.not.include('#b01dfb')
  })

  describe('are refused', () => {
    const cases: ReadonlyArray<[what: string, provider: object, message: string]> = [
      ['a name that is no text', { ...company, name: 5 }, '`providers.my-company.name` must be a non-empty string'],
      ['a style that is none', { ...company, style: 'red' }, '`providers.my-company.style` must be an object'],
      ['a logo that is no text', { ...company, style: { logo: {} } }, '.style.logo` must be a non-empty string'],
      ['a colour that is no text', { ...company, style: { brandColor: 1 } }, '.style.brandColor` must be'],
      [
        'linking as a word',
        { ...company, allowDangerousEmailAccountLinking: 'false' },
        '.allowDangerousEmailAccountLinking` must be true or false',
      ],
      ['token.request that is none', { ...company, token: { request: 'x' } }, '.token.request` must be a function'],
      ['token.conform that is none', { ...company, token: { conform: {} } }, '.token.conform` must be a function'],
      [
        'userinfo.request that is none',
        { ...plain, userinfo: { request: 1 } },
        '.userinfo.request` must be a function',
      ],
      [
        'parameters that are none',
        { ...company, authorization: { params: 'a=b' } },
        '.authorization.params` must be an',
      ],
      ['jwks_endpoint that is no text', { ...company, jwks_endpoint: 5 }, '.jwks_endpoint` must be a non-empty'],
      ['jwks_endpoint over http', { ...company, jwks_endpoint: 'http://op.test/k' }, '.jwks_endpoint` must be https'],
      [
        'the check nonce for plain OAuth',
        { ...plain, checks: ['nonce'] },
        'must be an array of "pkce", "state" or "none"',
      ],
      [
        'an unknown way to authenticate',
        { ...company, client: { token_endpoint_auth_method: 'basic' } },
        '.client.token_endpoint_auth_method` must be one of client_secret_basic, ',
      ],
      [
        'private_key_jwt without a key',
        { ...company, client: { token_endpoint_auth_method: 'private_key_jwt' } },
        'private_key_jwt needs `token.clientPrivateKey`',
      ],
      [
        'a method that needs a secret without one',
        { ...company, clientSecret: undefined, client: { token_endpoint_auth_method: 'client_secret_post' } },
        'client_secret_post needs `clientSecret`, or AUTH_MY_COMPANY_SECRET',
      ],
      [
        'unsigned id_tokens',
        { ...company, client: { id_token_signed_response_alg: 'none' } },
        '.client.id_token_signed_response_alg` must be an algorithm such as "RS256"',
      ],
      [
        'unsigned userinfo',
        { ...company, client: { userinfo_signed_response_alg: 'NONE' } },
        '.client.userinfo_signed_response_alg` must be an algorithm',
      ],
      [
        'redirectProxyUrl that is none',
        { ...company, redirectProxyUrl: 'x' },
        '.redirectProxyUrl` must be an absolute',
      ],
    ]
    for (const [what, provider, message] of cases) {
      it(what, () => {
        const error = refusal({ providers: [provider] })
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include(message)
      })
    }
  })
})
