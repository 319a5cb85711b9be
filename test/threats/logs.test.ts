/**
 * Whole sign-ins, successful and failed, with `debug: true`, and no secret in the logs: neither by a logger of the
 * developer's that prints all it gets, nor on the console. `test/flows/oauth/secrets-in-logs.test.ts` has the values
 * that a provider may repeat, `test/flows/credentials.test.ts` has passwords; here are the other ways.
 */
import { inspect } from 'node:util'
import { expect } from 'chai'
import { redact } from '../../lib/base/logger.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { LoggerInstance } from '../../lib/types/logger.js'
import { type ProviderOptions, useStage } from '../flows/oauth/stage.js'
import { type Browser, createLog, credentials, startApp, type TestApp, target } from '../support/app.js'
import { advanceClock } from '../support/clock.js'
import { logsMayHold, tellSecret } from '../support/log-watch.js'
import { itPrintsNoSecret } from '../support/printed.js'
import { heldToken } from '../support/session.js'

const address = 'ännä.person@example.com'
/** A short token, so that only the list of secrets can hide it. */
const accessToken = 'gho_Short7Token'

interface Case {
  /** Plays it with this logger. */
  play(logger: Partial<LoggerInstance>): Promise<unknown>
  /** The text that must be logged, so that a case that logs nothing by mistake fails. */
  readonly logged: RegExp
}

describe('the log', () => {
  const stage = useStage()

  const formPost: ProviderOptions = { authorization: { params: { scope: 'openid', response_mode: 'form_post' } } }
  const plainOAuth = (): ProviderOptions => ({
    type: 'oauth',
    issuer: undefined,
    authorization: `${stage.provider.issuer}/authorize`,
    token: `${stage.provider.issuer}/token`,
    userinfo: `${stage.provider.issuer}/userinfo`,
  })

  /** A sign-in over the stage's provider; `changes` to the way back as in `HostileProvider.authorize`. */
  async function signIn(
    way: { logger: Partial<LoggerInstance>; options?: ProviderOptions; config?: Partial<ServerAuthConfig> },
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<void> {
    const { logger, options, config } = way
    await stage.restart(options, { debug: true, logger, ...config })
    const url = await stage.begin()
    const back = new URL(stage.provider.authorize(url, changes))
    if (options === formPost) {
      const relayed = await stage.app.browser().post('/auth/callback/test', Object.fromEntries(back.searchParams))
      tellSecret(new URL(target(relayed)).searchParams.get('form_post'))
      await stage.browser.get(target(relayed))
    } else {
      await stage.browser.get(back.href)
    }
    await stage.browser.get('/auth/session')
    await stage.browser.submit('/auth/signout')
  }

  function answerPlainly(): void {
    stage.provider.person = { id: 7, name: 'Anna', email: address }
    stage.provider.onToken = () => ({ body: { access_token: accessToken, token_type: 'bearer' } })
  }

  /** Signs in by password, with a configuration in which something fails. */
  async function byPassword(
    { logger, ...config }: { logger: Partial<LoggerInstance> } & Partial<ServerAuthConfig>,
    then: (browser: Browser, app: TestApp) => Promise<unknown> = async () => {},
  ): Promise<void> {
    const password = 'correct horse 9 battery'
    const authorize = () => ({ id: '1', name: 'Anna', email: address })
    const app = await startApp({ providers: [credentials({ authorize })], debug: true, logger, ...config })
    try {
      const browser = app.browser()
      await browser.signIn({ password })
      await then(browser, app)
    } finally {
      await app.close()
    }
  }

  const cases: Readonly<Record<string, Case>> = {
    'a sign-in over form_post': {
      play: (logger) => signIn({ logger, options: formPost }),
      logged: /configuration resolved/,
    },
    'a sign-in over form_post with a foreign state': {
      play: (logger) => signIn({ logger, options: formPost }, { state: 'x'.repeat(43) }),
      logged: /no open sign-in/,
    },
    'a sign-in over plain OAuth': {
      play: (logger) => {
        answerPlainly()
        return signIn({ logger, options: plainOAuth() }, { iss: null })
      },
      logged: /configuration resolved/,
    },
    'a userinfo endpoint that repeats a short token': {
      play: (logger) => {
        answerPlainly()
        stage.provider.onUserinfo = () => ({
          status: 400,
          headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${accessToken}"` },
          body: { error: 'invalid_token', error_description: `no such token ${accessToken}` },
        })
        return signIn({ logger, options: plainOAuth() }, { iss: null })
      },
      logged: /could not be used/,
    },
    'a userinfo hook that throws a short token': {
      play: (logger) => {
        answerPlainly()
        const request = ({ tokens }: { tokens: { access_token?: string } }) => {
          throw new Error(`cannot ask with ${tokens.access_token}`, {
            cause: new Error(`inner ${tokens.access_token}`),
          })
        }
        return signIn({ logger, options: { ...plainOAuth(), userinfo: { request } } }, { iss: null })
      },
      logged: /cannot ask with/,
    },
    'a profile without an id': {
      play: (logger) => {
        answerPlainly()
        stage.provider.person = { name: 'Anna', email: address }
        return signIn({ logger, options: plainOAuth() }, { iss: null })
      },
      logged: /must return an `id`/,
    },
    'a provider that is down': {
      play: (logger) => {
        stage.provider.onDiscovery = () => ({ status: 500 })
        return stage.restart({}, { debug: true, logger }).then(async () => {
          await stage.browser.submit('/auth/signin/test', { callbackUrl: '/' })
        })
      },
      logged: /could not be started/,
    },
    'a person who is refused by the signIn callback': {
      play: (logger) => signIn({ logger, config: { callbacks: { signIn: () => false } } }),
      logged: /rejected/,
    },
    'an answer on a redirect proxy that does not forward it': {
      play: async (logger) => {
        const preview = { redirectProxyUrl: 'https://stable.example/auth', logger: createLog().logger }
        await stage.restart({}, preview)
        const back = new URL(stage.provider.authorize(await stage.begin()))
        await stage.restart({}, { debug: true, logger })
        await stage.browser.get(`/auth/callback/test${back.search}`)
      },
      logged: /`redirectProxyOrigins` does not list/,
    },
    'a session that is too large': {
      play: (logger) =>
        byPassword({
          logger,
          callbacks: { jwt: ({ token }) => ({ ...token, much: `${address} `.repeat(900) }) },
        }),
      logged: /SessionTooLarge/,
    },
    'a jwt callback that fails at a read': {
      play: (logger) =>
        byPassword(
          {
            logger,
            callbacks: {
              jwt: ({ token, trigger }) => {
                if (trigger === undefined) throw new Error('the database is down')
                return token
              },
            },
          },
          (browser) => Promise.all([browser.get('/auth/session'), browser.get('/me')]),
        ),
      logged: /the database is down/,
    },
    'a session that cannot be decoded, an event and a redirect callback that fail': {
      play: (logger) => {
        const fail = () => {
          throw new Error('of the application')
        }
        return byPassword(
          {
            logger,
            callbacks: { redirect: fail },
            events: { signIn: fail, session: fail, signOut: fail },
            jwt: { encode: async () => 'token-of-the-application', decode: fail },
          },
          async (browser) => {
            await browser.get('/auth/session')
            await browser.submit('/auth/signout')
            tellSecret('token-of-the-application')
          },
        )
      },
      logged: /JWTSessionError/,
    },
    'cookies and tokens that are not genuine': {
      play: (logger) =>
        byPassword({ logger, session: { bearer: true } }, async (browser, app) => {
          const token = heldToken(browser)
          const stranger = app.browser()
          for (const name of ['auth.session-token', 'auth.csrf-token', 'auth.transaction.0', 'auth.callback-url']) {
            stranger.cookies.set(name, `${token}tampered`)
          }
          const planted = { csrfToken: 'planted-csrf-token', callbackUrl: '/#planted-fragment' }
          tellSecret(`${token}tampered`, 'planted-csrf-token', 'planted-fragment', 'planted-bearer')
          for (const path of ['session', 'signin', 'error?error=x']) await stranger.get(`/auth/${path}`)
          for (const path of ['signout', 'session', 'signin/credentials', 'callback/credentials']) {
            await stranger.post(`/auth/${path}`, planted)
            await stranger.post(`/auth/${path}`, planted, {
              'sec-fetch-site': 'planted-site',
              origin: 'https://evil.test',
            })
          }
          await app.browser().get('/me', { authorization: 'Bearer planted-bearer' })
          await advanceClock(31 * 24 * 60 * 60)
          await browser.get('/auth/session')
        }),
      logged: /MissingCSRF/,
    },
  }

  for (const [what, { play, logged }] of Object.entries(cases)) {
    itPrintsNoSecret(what, logged, play, [address, 'person@example.com'])
  }

  it('can fail: a logger of the developer gets the errors that the developer throws', async () => {
    const log = createLog()
    const password = 'hunter2-hunter2'
    logsMayHold('the application throws it')
    const authorize = () => {
      throw new Error(`wrong: ${password}`)
    }
    const app = await startApp({ providers: [credentials({ authorize })], logger: log.logger })
    await app.browser().signIn({ password })
    await app.close()
    expect(inspect(log.errors, { depth: 10 })).to.include(password)
  })
})

describe('redact(text): errors that applications throw', () => {
  const hidden: ReadonlyArray<[text: string, secrets: string[]]> = [
    ['user ännä@example.com refused', ['ännä']],
    ['ann@exämple.com', ['exämple']],
    ['/cb?login_hint=ann%40example.com&x=1', ['ann']],
    ['Authorization: Basic YXBwOnMzY3JldA==', ['YXBw']],
    ['sent Bearer abc123def456', ['abc123']],
    ['{"password":"my secret phrase","x":1}', ['my', 'phrase']],
    ['{"password":"a\\"b phrase","x":1}', ['phrase']],
    ["{ password: 'my secret phrase' }", ['my', 'phrase']],
    [JSON.stringify({ message: JSON.stringify({ password: 'my secret phrase' }) }), ['my', 'phrase']],
    ['AUTH_SECRET=short', ['short']],
    ['clientSecret: short', ['short']],
    ['api_key=short&otp=123456', ['short', '123456']],
    ['connect postgres://app:hunter2@localhost:5432/db failed', ['hunter2']],
  ]
  for (const [text, secrets] of hidden) {
    it(`hides the secret in ${text}`, () => {
      for (const each of secrets) expect(redact(text)).to.not.include(each)
    })
  }

  it('leaves sentences about them readable', () => {
    for (const text of [
      'Basic authentication is not enough, a Bearer token is wanted.',
      'There is no secret. Make one with `npx server-auth secret` and put it into AUTH_SECRET.',
      'connect ECONNREFUSED 127.0.0.1:5432',
      'the answer has status_code: 500',
    ]) {
      expect(redact(text)).to.equal(text)
    }
  })

  it('escapes characters that change the direction of text', () => {
    expect(redact('a\u202eb\u2066c\u200fd')).to.equal('a\\x202eb\\x2066c\\x200fd')
  })

  it('is fast for inputs that are made to be slow', () => {
    for (const piece of [
      'a.',
      'aaaaaaaa.',
      'a@',
      '%40',
      'token',
      'token="',
      'password:\\"',
      'Basic A',
      '://',
      'code    ',
    ]) {
      const text = piece.repeat(8192)
      const before = process.cpuUsage()
      redact(text)
      expect(process.cpuUsage(before).user / 1000, piece).to.be.below(300)
    }
  })
})
