import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import {
  type AuthError,
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
  MissingSecretError,
} from '../../lib/errors.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { ServerAuth, skipCSRFCheck } from '../../lib/index.js'
import * as jwt from '../../lib/jwt.js'
import Password from '../../lib/providers/password.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { createLog, credentials, type Log, secret } from '../support/app.js'
import { compileScript } from '../support/child-script.js'
import { thrownBy } from '../support/rejection.js'

const production = { NODE_ENV: 'production' }

/** Resolves options of any shape, as JavaScript callers can pass them, under exactly this environment. */
function resolve(options: Record<string, unknown> = {}, env: Record<string, string> = {}, log: Log = createLog()) {
  const config = { providers: [], secret, logger: log.logger, ...options }
  return resolveConfig(config as ServerAuthConfig, readEnv(env))
}

/** Returns the codes of the warnings while resolving. */
function warnings(options: Record<string, unknown>, env: Record<string, string> = {}): string[] {
  const log = createLog()
  resolve({ providers: [credentials()], ...options }, env, log)
  return log.warnings.map(({ code }) => code)
}

describe('resolveConfig(config)', () => {
  it('has the documented defaults', () => {
    const config = resolve()
    expect(config).to.deep.include({
      secrets: [secret],
      basePath: '/auth',
      trustHost: 'local',
      session: { strategy: 'jwt', maxAge: 2592000, updateAge: 86400, bearer: false },
      events: {},
      pages: {},
      theme: { colorScheme: 'auto' },
      checkCsrf: true,
      timeout: 10_000,
      production: false,
    })
    expect(config.jwt).to.deep.equal({ maxAge: 2592000, encode: jwt.encode, decode: jwt.decode })
    expect(config).to.not.have.any.keys('site', 'useSecureCookies')
    expect(config.providers.size).to.equal(0)
  })

  describe('takes each option', () => {
    const own = { encode: () => '', decode: () => null }
    const generateSessionToken = () => 'x'
    const cases: ReadonlyArray<[string, Record<string, unknown>, Record<string, unknown>]> = [
      ['secret', { secret: 's'.repeat(32) }, { secrets: ['s'.repeat(32)] }],
      ['secret as an array', { secret: ['n'.repeat(32), secret] }, { secrets: ['n'.repeat(32), secret] }],
      ['basePath', { basePath: '/api/auth' }, { basePath: '/api/auth' }],
      ['basePath with a slash at the end', { basePath: '/api/auth/' }, { basePath: '/api/auth' }],
      ['basePath at the root', { basePath: '/' }, { basePath: '' }],
      ['trustHost', { trustHost: false }, { trustHost: false, trustRule: '`trustHost` in the configuration' }],
      ['useSecureCookies', { useSecureCookies: false }, { useSecureCookies: false }],
      ['timeout, fractions too', { timeout: 0.5 }, { timeout: 500 }],
      ['pages', { pages: { signIn: '/in', newUser: undefined } }, { pages: { signIn: '/in' } }],
      [
        'theme',
        { theme: { colorScheme: 'dark', logo: '/l.png', brandColor: '#36f', buttonText: '#FFFFFF' } },
        { theme: { colorScheme: 'dark', logo: '/l.png', brandColor: '#36f', buttonText: '#FFFFFF' } },
      ],
      [
        'theme.logo on another site',
        { theme: { logo: 'https://cdn.test/l.png' } },
        { theme: { colorScheme: 'auto', logo: 'https://cdn.test/l.png' } },
      ],
      [
        'session',
        { session: { strategy: 'jwt', maxAge: 60, updateAge: 0, bearer: true, generateSessionToken } },
        { session: { strategy: 'jwt', maxAge: 60, updateAge: 0, bearer: true, generateSessionToken } },
      ],
      ['jwt', { jwt: { maxAge: 30, ...own } }, { jwt: { maxAge: 30, ...own } }],
      [
        'session.maxAge as default of jwt.maxAge',
        { session: { maxAge: 60 } },
        { jwt: { maxAge: 60, encode: jwt.encode, decode: jwt.decode } },
      ],
      [
        'null in place of a number of seconds: the default',
        { session: { maxAge: null, updateAge: null }, jwt: { maxAge: null }, timeout: null },
        {
          session: { strategy: 'jwt', maxAge: 2592000, updateAge: 86400, bearer: false },
          jwt: { maxAge: 2592000, encode: jwt.encode, decode: jwt.decode },
          timeout: 10_000,
        },
      ],
      ['skipCSRFCheck', { skipCSRFCheck }, { checkCsrf: false }],
    ]
    for (const [name, options, expected] of cases) {
      it(name, () => expect(resolve(options)).to.deep.include(expected))
    }

    it('debug: the built-in logger prints debug messages', () => {
      const lines: unknown[] = []
      const { debug, warn } = console
      console.debug = (line: unknown) => void lines.push(line)
      console.warn = () => {}
      try {
        resolve({ logger: undefined })
        expect(lines).to.deep.equal([])
        resolve({ logger: undefined, debug: true })
      } finally {
        Object.assign(console, { debug, warn })
      }
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include('configuration resolved').and.not.include(secret)
    })
  })

  describe('keeps callbacks and events', () => {
    it('beside the defaults for those that are not given', () => {
      const { callbacks, events } = resolve({
        callbacks: { jwt: () => null, session: undefined },
        events: { signIn: undefined },
      })
      expect(callbacks).to.have.all.keys('signIn', 'redirect', 'jwt', 'session')
      expect(callbacks.jwt({ token: {} })).to.equal(null)
      expect(callbacks.signIn({ user: {}, account: null })).to.equal(true)
      expect(events).to.deep.equal({})
    })

    it('treats `callbacks.authorized: undefined` as an omitted option, as it does with the others', () => {
      const { callbacks } = resolve({ callbacks: { authorized: undefined } })
      expect(callbacks).to.have.all.keys('signIn', 'redirect', 'jwt', 'session')
    })

    it('of an object of a class: found on its prototype, called as its methods', () => {
      const told: unknown[] = []
      class Callbacks {
        readonly #allowed = false
        signIn() {
          return this.#allowed
        }
      }
      class Events {
        readonly #told: unknown[] = told
        signOut(message: unknown) {
          this.#told.push(message)
        }
      }
      const config = resolve({ callbacks: new Callbacks(), events: new Events() })
      expect(config.callbacks.signIn({ user: {}, account: null })).to.equal(false)
      config.events.signOut?.({ token: null, request: {} })
      expect(told).to.deep.equal([{ token: null, request: {} }])
    })
  })

  describe('rejects, naming the option and the remedy', () => {
    const cases: ReadonlyArray<[Record<string, unknown>, typeof AuthError, RegExp]> = [
      [{ providers: undefined }, InvalidConfiguration, /`providers` must be an array of providers, not undefined/],
      [{ providers: {} }, InvalidConfiguration, /`providers` must be an array of providers, not an object/],
      [{ provider: [] }, InvalidConfiguration, /no option `provider`\. Did you mean `providers`\?/],
      [{ basepath: '/x' }, InvalidConfiguration, /no option `basepath`\. Did you mean `basePath`\?/],
      [{ callback: {} }, InvalidConfiguration, /no option `callback`\. Did you mean `callbacks`\?/],
      [{ banana: 1 }, InvalidConfiguration, /no option `banana`\. Known here: providers, adapter, /],
      [{ session: { maxage: 1 } }, InvalidConfiguration, /no option `session\.maxage`\. Did you mean `maxAge`\?/],
      [
        { secret: '' },
        MissingSecretError,
        /`secret` must not be an empty string\. .*npx server-auth secret.*AUTH_SECRET/,
      ],
      [{ secret: [] }, MissingSecretError, /`secret` is an empty array\. .*npx server-auth secret/],
      [{ secret: [''] }, MissingSecretError, /`secret` must not be an empty string/],
      [{ secret: [secret, undefined] }, MissingSecretError, /`secret` must not be undefined/],
      [{ secret: 5 }, MissingSecretError, /`secret` must not be 5/],
      [{ secret: null }, MissingSecretError, /`secret` must not be null/],
      [
        { basePath: 'auth' },
        InvalidConfiguration,
        /`basePath` must be a path that begins with one slash, such as "\/auth"/,
      ],
      [{ basePath: '//auth' }, InvalidConfiguration, /`basePath` must be a path/],
      [{ basePath: '/auth?x' }, InvalidConfiguration, /`basePath` must be a path/],
      [{ basePath: '/a b' }, InvalidConfiguration, /`basePath` must be written as in URLs: "\/a%20b"/],
      [{ basePath: '/é' }, InvalidConfiguration, /`basePath` must be written as in URLs: "\/%C3%A9"/],
      [{ basePath: '/a/../auth' }, InvalidConfiguration, /`basePath` must be written as in URLs: "\/auth"/],
      [{ basePath: '/{tenant}' }, InvalidConfiguration, /`basePath` must be written as in URLs: "\/%7B/],
      [{ basePath: '\\auth' }, InvalidConfiguration, /`basePath` must be a path/],
      [{ basePath: '/100%' }, InvalidConfiguration, /`basePath` must have "%25" where it means "%"/],
      [{ basePath: '/a;b' }, InvalidConfiguration, /`basePath` must have no ";"/],
      [{ basePath: '' }, InvalidConfiguration, /`basePath` must be a non-empty string/],
      [{ basePath: 5 }, InvalidConfiguration, /`basePath` must be a non-empty string, not 5/],
      [{ debug: 'yes' }, InvalidConfiguration, /`debug` must be true or false, not a string/],
      [{ trustHost: 'true' }, InvalidConfiguration, /`trustHost` must be true or false, not a string/],
      [{ useSecureCookies: 1 }, InvalidConfiguration, /`useSecureCookies` must be true or false, not 1/],
      [{ timeout: 0 }, InvalidConfiguration, /`timeout` must be a number of seconds, at least 0\.001, not 0/],
      [{ timeout: '10' }, InvalidConfiguration, /`timeout` must be a number of seconds/],
      [
        { timeout: Number.POSITIVE_INFINITY },
        InvalidConfiguration,
        /`timeout` must be a number of seconds.*not Infinity/,
      ],
      [
        { callbacks: { authorized: () => true } },
        InvalidConfiguration,
        /no option `callbacks.authorized` here: it belongs to initAuth/,
      ],
      [{ callbacks: [] }, InvalidConfiguration, /`callbacks` must be an object, not an array/],
      [
        { callbacks: { signin: () => true } },
        InvalidConfiguration,
        /no option `callbacks\.signin`\. Did you mean `signIn`\?/,
      ],
      [{ callbacks: { jwt: {} } }, InvalidConfiguration, /`callbacks\.jwt` must be a function, not an object/],
      [{ events: { signOut: 'x' } }, InvalidConfiguration, /`events\.signOut` must be a function, not a string/],
      [
        { events: { error: () => {} } },
        InvalidConfiguration,
        /no option `events\.error`\. Known here: signIn, signOut/,
      ],
      [{ logger: { error: 'x' } }, InvalidConfiguration, /`logger\.error` must be a function, not a string/],
      [{ logger: () => {} }, InvalidConfiguration, /`logger` must be an object, not a function/],
      [{ session: { strategy: 'cookie' } }, InvalidConfiguration, /`session\.strategy` must be "jwt" or "database"/],
      [
        { session: { strategy: 'database' } },
        MissingAdapter,
        /`session\.strategy` "database" needs an `adapter`\. Set one, or use "jwt"/,
      ],
      [
        { session: { maxAge: 0 } },
        InvalidConfiguration,
        /`session\.maxAge` must be a number of seconds, at least 1, not 0\. Thirty days/,
      ],
      [{ session: { maxAge: '1d' } }, InvalidConfiguration, /`session\.maxAge` must be a number of seconds/],
      [{ session: { maxAge: Number.NaN } }, InvalidConfiguration, /`session\.maxAge` .*not NaN/],
      [
        { session: { updateAge: -1 } },
        InvalidConfiguration,
        /`session\.updateAge` must be a number of seconds, 0 or more, not -1/,
      ],
      [
        { session: { cacheFor: -1 } },
        InvalidConfiguration,
        /`session\.cacheFor` must be a number of seconds from 0 to 300, not -1\. .*another process/,
      ],
      [{ session: { cacheFor: 301 } }, InvalidConfiguration, /`session\.cacheFor` .*not 301/],
      [{ session: { cacheFor: Number.NaN } }, InvalidConfiguration, /`session\.cacheFor` .*not NaN/],
      [{ session: { cacheFor: '30' } }, InvalidConfiguration, /`session\.cacheFor` must be a number of seconds/],
      [{ session: { network: 'yes' } }, InvalidConfiguration, /`session\.network` must be true or false/],
      [
        { session: { network: true } },
        InvalidConfiguration,
        /`session\.revocation: \{ list: true \}`, with a store, or remove it/,
      ],
      [{ session: { bearer: 'yes' } }, InvalidConfiguration, /`session\.bearer` must be true or false/],
      [
        { session: { generateSessionToken: 'x' } },
        InvalidConfiguration,
        /`session\.generateSessionToken` must be a function/,
      ],
      [{ adapter: {} }, MissingAdapterMethods, /`adapter` lacks `createUser`, .*needed for database sessions/],
      [{ jwt: { maxAge: 0 } }, InvalidConfiguration, /`jwt\.maxAge` must be a number of seconds, at least 1/],
      [
        { jwt: { encode: () => '' } },
        InvalidConfiguration,
        /`jwt\.encode` needs a `jwt\.decode` that reads what it writes/,
      ],
      [{ jwt: { encode: 'x', decode: () => null } }, InvalidConfiguration, /`jwt\.encode` must be a function/],
      [{ jwt: { cache: false } }, InvalidConfiguration, /`jwt\.cache` is removed/],
      [{ jwt: { secret: 'x' } }, InvalidConfiguration, /no option `jwt\.secret`\. Known here: maxAge, encode, decode/],
      [{ pages: { twoFactor: '/code' } }, InvalidConfiguration, /`pages\.twoFactor` is a page of second factors/],
      [{ pages: { resetPassword: '/new' } }, InvalidConfiguration, /`pages\.resetPassword` is a page of .*`Password`/],
      [
        { pages: { changeEmail: () => '' } },
        InvalidConfiguration,
        /`pages\.changeEmail` is a page behind an email link/,
      ],
      [{ pages: { connect: () => '' } }, InvalidConfiguration, /`pages\.connect` is a page of provider tokens/],
      [{ pages: { twoFactorSetup: 'setup' } }, InvalidConfiguration, /`pages\.twoFactorSetup` must begin with a slash/],
      [{ assurance: {} }, InvalidConfiguration, /`assurance` is now part of `factors`: .*methods/],
      [{ questionPages: {} }, InvalidConfiguration, /`questionPages` is now part of `pages`/],
      [{ pages: { reset: '/new' } }, InvalidConfiguration, /`pages\.reset` is now `pages\.resetPassword`/],
      [
        { factors: { methods: [Totp()], pages: { setup: '/setup' } } },
        InvalidConfiguration,
        /`factors\.pages` is now part of `pages`/,
      ],
      [
        { providers: [{ ...Password(), password: { pages: {} } }] },
        InvalidConfiguration,
        /`providers\.password\.pages` is now part of the option `pages`/,
      ],
      [{ factors: 'totp' }, InvalidConfiguration, /`factors` must be an array of what Totp\(\).* or \{ methods/],
      [{ factors: {} }, InvalidConfiguration, /`factors\.methods` must be an array of what Totp\(\)/],
      [{ factors: { methods: [] } }, InvalidConfiguration, /`factors\.methods` is empty/],
      [{ factors: [{ type: 'sms' }] }, InvalidConfiguration, /`factors\[0\]` must be what Totp\(\)/],
      [
        { factors: { methods: [Totp(), Totp()] } },
        InvalidConfiguration,
        /`factors\.methods\[1\]` is another factor of the type "totp"/,
      ],
      [{ factors: [RecoveryCodes()] }, InvalidConfiguration, /`factors` has recovery codes only/],
      [
        { factors: { methods: [Totp()], remember: { days: 91 } } },
        InvalidConfiguration,
        /`factors\.remember\.days` must be a whole number of days from 1 to 90, not 91/,
      ],
      [
        { factors: { methods: [Totp()], whenEnrolled: 'never' } },
        InvalidConfiguration,
        /`factors\.whenEnrolled` must be "always" or "ask"/,
      ],
      [{ factors: { methods: [Totp()] } }, InvalidConfiguration, /`factors\.store` needs a store.*sqlStore/],
      [
        { factors: { methods: [Totp()], store: {} } },
        InvalidConfiguration,
        /`factors\.store` must be true, or a store with `records` .*it is/,
      ],
      [
        { factors: { methods: [Totp()], store: { records: {} } } },
        InvalidConfiguration,
        /`factors\.store` must be .*its `records` lacks find, list, write, take, remove/,
      ],
      [{ pages: { signin: '/in' } }, InvalidConfiguration, /no option `pages\.signin`\. Did you mean `signIn`\?/],
      [{ pages: { error: '' } }, InvalidConfiguration, /`pages\.error` must be a non-empty string/],
      [{ pages: { signIn: 'login' } }, InvalidConfiguration, /`pages\.signIn` must begin with a slash: "\/login"\./],
      [{ pages: { error: 'a/b' } }, InvalidConfiguration, /`pages\.error` must begin with a slash: "\/a\/b"\./],
      [{ pages: { error: '//error' } }, InvalidConfiguration, /`pages\.error` must be an absolute http\(s\) URL/],
      [{ pages: { signIn: '//evil.test' } }, InvalidConfiguration, /`pages\.signIn` must be an absolute http\(s\) URL/],
      [
        { pages: { signIn: 'javascript:alert(1)' } },
        InvalidConfiguration,
        /`pages\.signIn` must be an absolute http\(s\) URL/,
      ],
      [
        { theme: { colorScheme: 'blue' } },
        InvalidConfiguration,
        /`theme\.colorScheme` must be "auto", "light" or "dark"/,
      ],
      [
        { theme: { brandColor: 'red' } },
        InvalidConfiguration,
        /`theme\.brandColor` must be a colour such as "#3366ff"/,
      ],
      [{ theme: { buttonText: '#12345' } }, InvalidConfiguration, /`theme\.buttonText` must be a colour/],
      [{ theme: { brandColor: '#fff}</style>' } }, InvalidConfiguration, /`theme\.brandColor` must be a colour/],
      [
        { theme: { logo: 'javascript:alert(1)' } },
        InvalidConfiguration,
        /`theme\.logo` must be an absolute http\(s\) URL/,
      ],
      [{ theme: { colour: '#fff' } }, InvalidConfiguration, /no option `theme\.colour`/],
      [
        { experimental: { enableWebAuthn: 'yes' } },
        InvalidConfiguration,
        /`experimental\.enableWebAuthn` must be true or false/,
      ],
      [
        { experimental: { webauthn: true } },
        InvalidConfiguration,
        /no option `experimental\.webauthn`\. Known here: enableWebAuthn/,
      ],
      [{ skipCSRFCheck: true }, InvalidConfiguration, /`skipCSRFCheck` takes only the symbol that server-auth exports/],
      [{ skipCSRFCheck: false }, InvalidConfiguration, /`skipCSRFCheck` takes only the symbol/],
      [{ skipCSRFCheck: 'skip' }, InvalidConfiguration, /`skipCSRFCheck` takes only the symbol/],
      [
        { skipCSRFCheck: Symbol('server-auth.skip-csrf-check') },
        InvalidConfiguration,
        /`skipCSRFCheck` takes only the symbol/,
      ],
      [{ redirectProxyUrl: 5 }, InvalidConfiguration, /`redirectProxyUrl` must be a non-empty string/],
      [
        { redirectProxyOrigins: 'https://a.test' },
        InvalidConfiguration,
        /`redirectProxyOrigins` must be an array of origins/,
      ],
      [{ redirectProxyOrigins: ['*'] }, InvalidConfiguration, /`redirectProxyOrigins` takes origins such as/],
    ]
    for (const [options, Class, message] of cases) {
      it(toText(options), () => {
        const error = thrownBy(() => resolve(options))
        expect(error).to.be.instanceOf(Class)
        expect(error.message).to.match(message)
        expect(thrownBy(() => ServerAuth({ providers: [], secret, ...options } as ServerAuthConfig))).to.be.instanceOf(
          Class,
        )
      })
    }

    it('never with the value of a secret', () => {
      for (const options of [
        { secret: { value: 'hunter2hunter2' } },
        { trustHost: 'hunter2' },
        { timeout: 'hunter2' },
      ]) {
        expect(thrownBy(() => resolve(options)).message).to.not.include('hunter2')
      }
    })

    it('no configuration at all', () => {
      for (const [nothing, message] of [
        [{ socket: {}, headers: {} }, /ServerAuth was called by Express.*`app\.use\('\/auth', ServerAuth\(\{/],
        [undefined, /No configuration\. Call ServerAuth\(\{ providers/],
        [null, /`config` must be an object, not null/],
        [[], /`config` must be an object, not an array/],
      ] as const) {
        const error = thrownBy(() => ServerAuth(nothing as unknown as ServerAuthConfig))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(message)
      }
    })
  })

  describe('HH-10 reads the site from AUTH_URL', () => {
    it('as origin and path, which is the default basePath', () => {
      const config = resolve({}, { AUTH_URL: 'https://app.test:8443/api/auth/' })
      expect(config).to.deep.include({
        site: { origin: 'https://app.test:8443', path: '/api/auth' },
        basePath: '/api/auth',
      })
      expect(resolve({ basePath: '/own' }, { AUTH_URL: 'https://app.test/api/auth' }).basePath).to.equal('/own')
      expect(resolve({}, { AUTH_URL: 'https://app.test' }).basePath).to.equal('/auth')
    })

    it('or from LEGACYAUTH_URL', () => {
      expect(resolve({}, { LEGACYAUTH_URL: 'https://app.test' }).site?.origin).to.equal('https://app.test')
    })

    for (const url of ['app.test', 'ftp://app.test', 'https://u:p@app.test', 'https://', 'javascript:1']) {
      it(`rejects ${url}`, () => {
        const error = thrownBy(() => resolve({}, { AUTH_URL: url }))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(
          /`AUTH_URL` must be an absolute http\(s\) URL such as "https:\/\/app\.example\.com"/,
        )
      })
    }

    for (const url of ['https://app.test/?a=b', 'https://app.test/#a']) {
      it(`rejects ${url}: no query, no fragment`, () => {
        expect(thrownBy(() => resolve({}, { AUTH_URL: url })).message).to.include('no query and no fragment')
      })
    }
  })

  describe('decides whether to trust the host, and names the rule (design 3)', () => {
    const cases: ReadonlyArray<[Record<string, unknown>, Record<string, string>, boolean | 'local', string]> = [
      [{}, { AUTH_URL: 'https://app.test', ...production }, true, 'AUTH_URL is the site'],
      [{ trustHost: false }, { AUTH_TRUST_HOST: 'true' }, false, '`trustHost` in the configuration'],
      [{ trustHost: true }, { AUTH_TRUST_HOST: 'false', ...production }, true, '`trustHost` in the configuration'],
      [{}, { AUTH_TRUST_HOST: 'true', ...production }, true, 'AUTH_TRUST_HOST'],
      [{}, { AUTH_TRUST_HOST: 'false' }, false, 'AUTH_TRUST_HOST'],
      [{}, { VERCEL: '1', ...production }, true, 'running on Vercel'],
      [{}, { VERCEL: '1', AUTH_TRUST_HOST: '0' }, false, 'AUTH_TRUST_HOST'],
      [{}, production, false, 'production without AUTH_URL, AUTH_TRUST_HOST or `trustHost`'],
      [{}, {}, 'local', 'not production'],
    ]
    for (const [options, env, trustHost, rule] of cases) {
      it(`${toText(options)} and ${JSON.stringify(env)}: ${trustHost}`, () => {
        const config = resolve(options, env)
        expect(config.trustHost).to.equal(trustHost)
        expect(config.trustRule).to.include(rule)
      })
    }

    it('once, in a debug message', () => {
      const log = createLog()
      resolve({}, { AUTH_TRUST_HOST: 'true' }, log)
      const [resolved, ...others] = log.debugs.filter(({ message }) => message === 'configuration resolved')
      expect(resolved?.details[0]).to.include({ trustHost: true, rule: 'AUTH_TRUST_HOST' })
      expect(others).to.deep.equal([])
    })
  })

  describe('reads the secret', () => {
    const long = (letter: string) => letter.repeat(32)

    it('from the environment if the configuration has none', () => {
      const env = { AUTH_SECRET: long('a'), AUTH_SECRET_1: long('b'), AUTH_SECRET_3: long('c') }
      expect(resolve({ secret: undefined }, env).secrets).to.deep.equal([long('c'), long('b'), long('a')])
      expect(resolve({ secret: undefined }, { LEGACYAUTH_SECRET: long('l') }).secrets).to.deep.equal([long('l')])
    })

    it('from the configuration if it has one, and only from there', () => {
      expect(resolve({}, { AUTH_SECRET: long('a') }).secrets).to.deep.equal([secret])
    })

    it('JW-11 and throws MissingSecretError in production without one', () => {
      const error = thrownBy(() => resolve({ secret: undefined }, production))
      expect(error).to.be.instanceOf(MissingSecretError)
      expect(error).to.include({ name: 'MissingSecretError', type: 'MissingSecret' })
      expect(error.message).to.include('no secret').and.include('npx server-auth secret').and.include('AUTH_SECRET')
    })

    it('and warns of one under 32 characters, in either place', () => {
      expect(warnings({ secret: 'x'.repeat(31) })).to.deep.equal(['short-secret'])
      expect(warnings({ secret: [secret, 'short'] })).to.deep.equal(['short-secret'])
      expect(warnings({ secret: undefined }, { AUTH_SECRET: 'short' })).to.deep.equal(['short-secret'])
      expect(warnings({ secret: 'x'.repeat(31) }, production)).to.deep.equal(['short-secret'])
      expect(warnings({ secret: 'x'.repeat(32) })).to.deep.equal([])
      expect(warnings({ secret: 'x'.repeat(16) }, production)).to.deep.equal(['short-secret'])
    })

    it('and rejects one under 16 characters in production, in either place', () => {
      for (const short of ['abc', 'x'.repeat(15), [secret, 'abc']]) {
        expect(thrownBy(() => resolve({ secret: short }, production))).to.be.instanceOf(MissingSecretError)
        expect(warnings({ secret: short })).to.deep.equal(['short-secret'])
      }
      expect(thrownBy(() => resolve({ secret: undefined }, { ...production, AUTH_SECRET: 'abc' })).message).to.match(
        /fewer than 16 characters.*npx server-auth secret/,
      )
    })

    it('or creates one for the process outside production: one for all configurations, with one warning', async () => {
      const script = `
        const { resolveConfig } = await import(${JSON.stringify(await compileScript('lib/config/resolve.ts'))})
        const warned = []
        const logger = () => ({ warn: (code, text) => warned.push([code, text]) })
        const provider = { id: 'c', name: 'C', type: 'credentials', credentials: {}, authorize: () => null }
        const secrets = [1, 2, 3].map(() => resolveConfig({ providers: [provider], logger: logger() }).secrets)
        console.log(JSON.stringify({ secrets, warned }))`
      const root = fileURLToPath(new URL('../..', import.meta.url))
      const { AUTH_SECRET: _, NODE_ENV: __, NODE_OPTIONS: ___, ...env } = process.env
      const runs = [0, 1].map(async () => {
        const parameters = ['--input-type=module', '--eval', script]
        const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: root, env })
        return JSON.parse(stdout) as { secrets: string[][]; warned: string[][] }
      })
      const [one, other] = await Promise.all(runs)
      expect(one?.secrets[0]?.[0]).to.match(/^[\w-]{43}$/)
      expect(new Set(one?.secrets.flat()).size).to.equal(1)
      expect(one?.secrets[0]).to.not.deep.equal(other?.secrets[0])
      expect(one?.warned).to.have.length(1)
      expect(one?.warned[0]?.[0]).to.equal('missing-secret')
      expect(one?.warned[0]?.[1]).to.include('npx server-auth secret --write')
      expect(JSON.stringify(one?.warned)).to.not.include(String(one?.secrets[0]?.[0]))
    })
  })

  describe('warns', () => {
    for (const [options, codes] of [
      [{}, []],
      [{ debug: true }, ['debug-enabled']],
      [{ skipCSRFCheck }, ['csrf-disabled']],
      [{ experimental: { enableWebAuthn: true } }, ['experimental-webauthn']],
      [{ experimental: { enableWebAuthn: false } }, []],
      [{ pages: { signIn: 'https://elsewhere.test/in' } }, ['foreign-page']],
      [{ pages: { signIn: '/in' } }, []],
    ] as const) {
      it(`${toText(options)}: ${codes.join(', ') || 'not'}`, () => expect(warnings(options)).to.deep.equal(codes))
    }

    it('of no providers', () => {
      expect(warnings({ providers: [] })).to.deep.equal(['no-providers'])
    })

    it('of AUTH_URL without https in production, except on this machine', () => {
      const codes = (url: string, more = {}) => warnings({}, { AUTH_URL: url, ...more })
      const production = { NODE_ENV: 'production' }
      expect(codes('http://app.example.com', production)).to.deep.equal(['insecure-url'])
      expect(codes('https://app.test', production)).to.deep.equal([])
      expect(codes('http://localhost:3000', production)).to.deep.equal([])
      expect(codes('http://app.example.com')).to.deep.equal([])
    })

    it('not of a custom page on the site of AUTH_URL', () => {
      expect(warnings({ pages: { signIn: 'https://app.test/in' } }, { AUTH_URL: 'https://app.test' })).to.deep.equal([])
    })
  })

  describe('is frozen', () => {
    const full = () =>
      resolve(
        {
          providers: [
            credentials(),
            {
              id: 'x',
              name: 'X',
              type: 'oidc',
              issuer: 'https://x.test',
              clientId: 'c',
              token: { params: { a: '1' } },
            },
          ],
          callbacks: { jwt: () => null },
          events: { signIn: () => {} },
          pages: { signIn: '/in' },
          theme: { brandColor: '#fff' },
          cookies: { sessionToken: { options: { domain: 'app.test' } } },
        },
        { AUTH_URL: 'https://app.test' },
      )

    it('with all records in it', () => {
      const open: string[] = []
      const walk = (value: unknown, path: string): void => {
        if (typeof value !== 'object' || value === null) return
        const entries = value instanceof Map ? [...value] : value instanceof Set ? [] : Object.entries(value)
        if (!Object.isFrozen(value) && !(value instanceof Map) && !(value instanceof Set)) open.push(path)
        for (const [key, entry] of entries) walk(entry, `${path}.${key}`)
      }
      walk(full(), 'config')
      // The inputs of a form are the developer's own objects.
      expect(open.filter((path) => !path.startsWith('config.providers.credentials.credentials.'))).to.deep.equal([])
    })

    it('so that writing to it throws', () => {
      const config = full() as unknown as { timeout: number; session: { maxAge: number } }
      expect(() => {
        config.timeout = 1
      }).to.throw(TypeError)
      expect(() => {
        config.session.maxAge = 1
      }).to.throw(TypeError)
    })
  })

  describe("never writes to the developer's object", () => {
    const config = () => ({
      providers: [
        credentials(),
        () => ({ id: 'f', name: 'F', type: 'oidc' as const, issuer: 'https://f.test', options: { clientId: 'c' } }),
        {
          id: 'x',
          name: 'X',
          type: 'oauth' as const,
          clientId: 'c',
          clientSecret: 's',
          authorization: { url: 'https://x.test/a', params: { scope: 'a' }, allowedParams: ['prompt'] },
          token: 'https://x.test/t',
          userinfo: { url: 'https://x.test/u', params: { v: '1' } },
          checks: ['pkce' as const],
          client: { token_endpoint_auth_method: 'client_secret_post' as const },
          style: { brandColor: '#fff' },
          options: { authorization: { params: { scope: 'b' } } },
        },
      ],
      secret: [secret, `${secret} older`],
      basePath: '/auth',
      callbacks: { jwt: () => null },
      cookies: { sessionToken: { name: 's', options: { path: '/x' } } },
      events: { signIn: () => {} },
      jwt: { maxAge: 5 },
      logger: { error: () => {}, warn: () => {}, debug: () => {} },
      pages: { signIn: '/in' },
      session: { maxAge: 5 },
      theme: { brandColor: '#fff' },
      experimental: { enableWebAuthn: true },
    })

    it('accepts a deeply frozen one', () => {
      const frozen = deepFreeze(config())
      expect(resolveConfig(frozen, readEnv({})).providers.size).to.equal(3)
      ServerAuth(frozen)
    })

    it('leaves an open one as it was, and does not follow later changes', () => {
      const open = config()
      const before = JSON.stringify(open)
      const resolved = resolveConfig(open, readEnv({}))
      expect(JSON.stringify(open)).to.equal(before)
      expect(
        Object.isFrozen(open) || Object.isFrozen(open.secret) || Object.isFrozen(open.cookies.sessionToken.options),
      ).to.equal(false)
      open.secret.length = 0
      open.session.maxAge = 9
      open.cookies.sessionToken.options.path = '/changed'
      expect(resolved.secrets).to.have.length(2)
      expect(resolved.session.maxAge).to.equal(5)
      expect(resolved.cookies.plain.sessionToken.options.path).to.equal('/x')
    })

    it('PP-07 rejects a key that a JSON file could smuggle in', () => {
      const session: unknown = JSON.parse('{"__proto__":{"bearer":true},"maxAge":5}')
      expect(thrownBy(() => resolve({ session })).message).to.include('`session.__proto__`')
      expect(({} as Record<string, unknown>).bearer).to.equal(undefined)
    })
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const entry of Object.values(value)) deepFreeze(entry)
  }
  return value
}

function toText(options: object): string {
  return JSON.stringify(options, (_key, value) =>
    typeof value === 'function' || typeof value === 'symbol' || typeof value === 'undefined' || Number.isNaN(value)
      ? String(value)
      : value,
  )
}
