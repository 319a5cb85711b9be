import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createLogger, redact } from '../lib/base/logger.js'
import { AccessDenied, AuthError, CallbackRouteError, CredentialsSignin } from '../lib/errors.js'
import { encode } from '../lib/jwt.js'
import type { LoggerInstance } from '../lib/types/logger.js'
import { credentials, secret, startApp, target } from './support/app.js'
import { startHostileProvider } from './support/hostile-provider.js'
import { heldToken } from './support/session.js'

/** Returns the output on the console, line by line as it would print. */
function printed(act: () => void): Array<{ level: string; text: string }> {
  const lines: Array<{ level: string; text: string }> = []
  const levels = ['error', 'warn', 'debug', 'log', 'info'] as const
  const before = levels.map((level) => console[level])
  for (const level of levels)
    console[level] = (...words: unknown[]) => void lines.push({ level, text: words.join(' ') })
  try {
    act()
  } finally {
    for (const [at, level] of levels.entries()) console[level] = before[at] ?? console[level]
  }
  return lines
}

describe('createLogger(user, debug)', () => {
  describe('without methods of the application', () => {
    it('prints an error with its type, its message, and the stack of what led to it', () => {
      const logger = createLogger(undefined, false)
      const lines = printed(() => logger.error(new CallbackRouteError('it broke', new TypeError('the original'))))
      expect(lines.map(({ level }) => level))
        .to.include('error')
        .and.not.include('warn')
      expect(lines[0]?.text).to.equal('[auth][error] CallbackRouteError: it broke')
      expect(lines[1]?.text).to.match(/^\[auth\]\[cause\] TypeError: the original\n +at /)
    })

    it('prints the whole chain of causes', () => {
      const root = new Error('the root', { cause: new Error('below the root') })
      const lines = printed(() => createLogger(undefined, false).error(new AuthError('m', root)))
      expect(lines.map(({ text }) => text)).to.include('[auth][cause] Error: below the root')
    })

    it('prints no stack for common mistakes of users', () => {
      const lines = printed(() => createLogger(undefined, false).error(new CredentialsSignin('refused')))
      expect(lines.map(({ text }) => text)).to.deep.equal(['[auth][error] CredentialsSignin: refused'])
    })

    it('prints details, and errors that are not ours', () => {
      const logger = createLogger(undefined, false)
      const lines = printed(() => logger.error(new RangeError('foreign'), { action: 'session' }, 'more'))
      expect(lines[0]?.text).to.equal('[auth][error] RangeError: foreign')
      expect(lines.at(-1)?.text).to.equal('[auth][details] {"action":"session"} more')
    })

    it('prints a warning with its code', () => {
      const lines = printed(() => createLogger(undefined, false).warn('some-code', 'the text', { a: 1 }))
      expect(lines).to.deep.equal([{ level: 'warn', text: '[auth][warn][some-code] the text {"a":1}' }])
    })

    it('prints debug messages only with debug', () => {
      expect(printed(() => createLogger(undefined, false).debug('m', { a: 1 }))).to.deep.equal([])
      expect(printed(() => createLogger({}, true).debug('m', { a: 1 }))).to.deep.equal([
        { level: 'debug', text: '[auth][debug] m {"a":1}' },
      ])
    })

    it('prints what JSON cannot write', () => {
      const circular: Record<string, unknown> = {}
      circular.self = circular
      const lines = printed(() => createLogger(undefined, true).debug('m', circular, 5n, undefined, new Error('e')))
      expect(lines[0]?.text).to.equal('[auth][debug] m [unprintable] [unprintable] undefined Error: e')
    })
  })

  describe('with methods of the application', () => {
    it('calls them as methods of their object, with all that there is to say', () => {
      class Kept implements LoggerInstance {
        readonly told: unknown[][] = []
        error(...message: unknown[]) {
          this.told.push(['error', ...message])
        }
        warn(...message: unknown[]) {
          this.told.push(['warn', ...message])
        }
        debug(...message: unknown[]) {
          this.told.push(['debug', ...message])
        }
      }
      const kept = new Kept()
      const { error, warn, debug } = createLogger(kept, false)
      const fault = new AuthError('m')
      const lines = printed(() => {
        error(fault, 1)
        warn('code', 'text')
        debug('message', { a: 1 })
      })
      expect(kept.told).to.deep.equal([
        ['error', fault, 1],
        ['warn', 'code', 'text'],
        ['debug', 'message', { a: 1 }],
      ])
      expect(lines).to.deep.equal([])
    })

    it('prints the levels that they leave out', () => {
      const lines = printed(() => {
        const logger = createLogger({ error: () => {} }, false)
        logger.error(new AuthError('m'))
        logger.warn('code')
        logger.debug('m')
      })
      expect(lines).to.deep.equal([{ level: 'warn', text: '[auth][warn][code]' }])
    })

    it('LG-05 continues when they throw or reject', async () => {
      const unhandled: unknown[] = []
      const note = (reason: unknown) => void unhandled.push(reason)
      process.on('unhandledRejection', note)
      try {
        const thrower = () => {
          throw new Error('of the logger')
        }
        for (const method of [thrower, async () => thrower()]) {
          const logger = createLogger({ error: method, warn: method, debug: method } as Partial<LoggerInstance>, false)
          logger.error(new AuthError('m'))
          logger.warn('code')
          logger.debug('m')
        }
        await new Promise(setImmediate)
        await new Promise(setImmediate)
      } finally {
        process.off('unhandledRejection', note)
      }
      expect(unhandled).to.deep.equal([])
    })
  })

  it('cannot be changed', () => {
    expect(createLogger({}, false)).to.be.frozen
  })
})

describe('redact(text)', () => {
  const hidden: Record<string, string> = {
    'a JWS': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0123456.c2lnbmF0dXJl',
    'a random hexadecimal value': randomBytes(32).toString('hex'),
    'a random base64url value': randomBytes(48).toString('base64url'),
    'an address': 'ann.example+tag@mail.example.co.uk',
  }

  it('hides a session token', async () => {
    const token = await encode({ token: { sub: 'ann' }, secret: 'x'.repeat(32), salt: 's' })
    for (const text of [token, `token ${token} of`, `(${token})`, `a=b;auth.session-token=${token};c=d`]) {
      const clean = redact(text)
      for (const part of token.split('.').filter(Boolean)) expect(clean).to.not.include(part)
    }
  })

  for (const [name, value] of Object.entries(hidden)) {
    it(`hides ${name}`, () => {
      for (const text of [value, `before ${value} after`, `{"x":"${value}"}`, `<${value}>`]) {
        expect(redact(text)).to.not.include(value)
      }
      expect(redact(`before ${value} after`)).to.match(/^before \[\w+\] after$/)
    })
  }

  for (const name of [
    'code',
    'state',
    'nonce',
    'password',
    'token',
    'access_token',
    'refresh_token',
    'id_token',
    'csrfToken',
    'client_secret',
    'code_verifier',
    'secret',
    'assertion',
  ]) {
    it(`hides the value of ${name}, in a query, a form, JSON or a sentence`, () => {
      for (const text of [
        `/cb?a=b&${name}=hunter2&c=d`,
        `${name}=hunter2`,
        `{"${name}":"hunter2","c":1}`,
        `${name}: hunter2`,
      ]) {
        const clean = redact(text)
        expect(clean).to.include(name).and.include('[redacted]').and.not.include('hunter2')
      }
      expect(redact(`/cb?a=b&${name}=hunter2&c=d`))
        .to.include('a=b')
        .and.include('c=d')
    })
  }

  it('leaves ordinary text, URLs and stacks readable', () => {
    for (const text of [
      'The provider "google" has no issuer: set AUTH_GOOGLE_ISSUER.',
      'https://accounts.google.com/.well-known/openid-configuration',
      'at finish (file:///srv/app/node_modules/server-auth/dist/lib/flows/oauth/index.js:44:20)',
    ]) {
      expect(redact(text)).to.equal(text)
    }
  })

  it('LG-02 allows no faked line and no colours of the terminal', () => {
    const clean = redact('a\n[auth][error] faked\r\nb\u001b[31mred\u0007\u0000\u2028c\u2029d\u0085e\u009b2Kf')
    expect(clean.replaceAll('\n', '')).to.not.match(/[\p{Cc}\u2028\u2029]/u)
    expect(
      clean
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('  ')),
    ).to.equal(true)
    expect(clean).to.include('\\x1b[31m').and.include('\\x0d')
  })

  it('shortens what is very long', () => {
    expect(redact('word '.repeat(100_000)).length).to.be.below(10_000)
  })

  it('is applied to all that is printed', () => {
    const secret = hidden['a random hexadecimal value'] ?? ''
    const evil = `code=hunter2 ${secret}\n[auth][error] faked\u001b[2J`
    const lines = printed(() => {
      const logger = createLogger(undefined, true)
      logger.error(new AccessDenied(evil, new Error(evil, { cause: new Error(evil) })), evil, { evil }, new Error(evil))
      logger.warn('code', evil, { evil })
      logger.debug(evil, evil, { evil })
    })
    expect(lines.length).to.be.at.least(5)
    for (const { text } of lines) {
      expect(text).to.not.include('hunter2').and.not.include(secret).and.not.include('\u001b')
      for (const line of text.split('\n').slice(1)) expect(line).to.match(/^ {2}/)
    }
  })
})

describe('the log of whole sign-ins, debug included', () => {
  const password = 'hunter2-hunter2'

  /**
   * Signs in in both ways, successfully and not, reads and ends the session. Returns the values that must not be
   * logged.
   */
  async function live(logger: Partial<LoggerInstance> | undefined): Promise<string[]> {
    const provider = await startHostileProvider()
    const secrets: string[] = [secret, password, provider.settings.clientSecret]
    provider.onToken = async (body) => {
      const reply = await provider.tokens(body)
      const tokens = reply.body as Record<string, unknown>
      secrets.push(String(body.code), String(body.code_verifier), String(tokens.access_token), String(tokens.id_token))
      return reply
    }
    const authorize = (typed: Record<string, unknown>) => {
      if (typed.username === 'broken') throw new Error(`no row for password=${typed.password}`)
      return typed.username === 'ann' ? { id: '1' } : null
    }
    const app = await startApp({
      providers: [credentials({ authorize }), { id: 'op', name: 'OP', type: 'oidc', ...provider.settings }],
      logger,
      debug: true,
    })
    const browser = app.browser()
    try {
      const begun = await browser.submit('/auth/signin/op')
      secrets.push(
        new URL(target(begun)).searchParams.get('state') ?? '',
        browser.cookies.get('auth.transaction.0') ?? '',
      )
      const back = provider.authorize(target(begun))
      await browser.get(back)
      secrets.push(heldToken(browser), await browser.csrf())
      await browser.session()
      await browser.get('/me')
      await browser.get(back)
      await browser.submit('/auth/signout')
      for (const username of ['ann', 'bob', 'broken']) await browser.signIn({ username, password })
      await browser.get('/auth/session', { cookie: `auth.session-token=${secrets[0]}` })
    } finally {
      await app.close()
      await provider.close()
    }
    expect(secrets.filter((each) => each.length < 8)).to.deep.equal([])
    return secrets
  }

  it('holds no secret, when it is the application’s', async () => {
    const told: unknown[] = []
    const note = (...message: unknown[]) => void told.push(...message)
    const secrets = await live({ error: ({ name, message }) => note(name, message), warn: note, debug: note })
    expect(told.length).to.be.above(1)
    for (const each of secrets) expect(JSON.stringify(told)).to.not.include(each)
  })

  it('holds no secret, when it is the console', async () => {
    let secrets: string[] = []
    const lines = await printedWhile(async () => {
      secrets = await live(undefined)
    })
    const text = lines.join('\n')
    expect(text).to.include('[auth][debug]').and.include('[auth][error] CallbackRouteError')
    for (const each of secrets) expect(text).to.not.include(each)
  })
})

/** Returns the output on the console during a call. */
async function printedWhile(act: () => Promise<void>): Promise<string[]> {
  const lines: string[] = []
  const levels = ['error', 'warn', 'debug'] as const
  const before = levels.map((level) => console[level])
  for (const level of levels) console[level] = (...words: unknown[]) => void lines.push(words.join(' '))
  try {
    await act()
  } finally {
    for (const [at, level] of levels.entries()) console[level] = before[at] ?? console[level]
  }
  return lines
}
