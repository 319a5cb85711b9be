/**
 * Each of our values at every door but its own, with email links, passkeys and database sessions. The rest is in
 * `token-purpose.test.ts`, `test/session/purpose.test.ts` and `test/crypto/seal.test.ts`.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Passkey from '../../lib/providers/passkey.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { EmailConfig, OAuth2Config } from '../../lib/types/provider.js'
import { type Browser, credentials, startApp, type TestApp, target } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { type Ceremony, PasskeyPerson } from '../support/passkey-person.js'
import { heldToken, sessionName } from '../support/session.js'

describe('a value for one door is rejected at all others', () => {
  const victim = 'victim@x.test'
  let app: TestApp
  /** An application with the same secret and cookie names, with sessions in cookies. */
  let jwtApp: TestApp
  let adapter: Adapter
  let links: URL[]
  /** States of sign-ins with the provider. */
  let states: string[]
  /** Challenges of passkeys to sign in. */
  let challenges: string[]
  let browser: Browser
  /** An authenticator with a user's passkey. */
  let key: Authenticator

  /** A provider whose endpoints do not answer: an accepted state ends in another error than a rejected one. */
  const plain: OAuth2Config = {
    id: 'plain',
    name: 'Plain',
    type: 'oauth',
    clientId: 'c',
    clientSecret: 's',
    authorization: 'http://127.0.0.1:9/authorize',
    token: 'http://127.0.0.1:9/token',
    userinfo: 'http://127.0.0.1:9/me',
  }
  const email: EmailConfig = {
    id: 'email',
    name: 'Email',
    type: 'email',
    limit: false,
    sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
  }

  before(async () => {
    adapter = memoryAdapter()
    const providers = [credentials(), plain, email, Passkey()]
    const experimental = { enableWebAuthn: true }
    app = await startApp({ providers, adapter, experimental, session: { strategy: 'database' } })
    jwtApp = await startApp({ providers, adapter, experimental, session: { strategy: 'jwt', bearer: true } })
    key = new Authenticator()
    await person(app.browser()).register({ email: 'ann@x.test' })
  })
  after(() => Promise.all([app.close(), jwtApp.close()]))

  /** Requests a link to the victim's address, as any client can. */
  async function ask(): Promise<URL> {
    await browser.submit('/auth/signin/email', { email: victim })
    // The mail goes out after the answer.
    while (links.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [link] = links.splice(0)
    if (!link) throw new Error('there is no mail')
    return link
  }
  const person = (of = browser) => new PasskeyPerson(of, key)
  const challengeFor = async (ceremony: Ceremony) => {
    const query: Record<string, string> = ceremony === 'register' ? { email: victim } : {}
    return textOf((await person().options(ceremony, query)).challenge)
  }
  /**
   * Answers the challenge as text, and as the text of its bytes. The browser has requested one, and so has the cookie.
   */
  const answers = async (challenge: string, ceremony: Ceremony) => {
    for (const encoded of [base64url(challenge), challenge]) {
      const options = await person().options('register', { email: victim })
      const fresh = new Authenticator()
      const answer =
        ceremony === 'register'
          ? fresh.create({ ...options, challenge: encoded })
          : key.get({ rpId: options.rp.id ?? '', challenge: encoded })
      // The passkey itself is right in both.
      if (!/InvalidCheck/.test(target(await person().send(ceremony, answer)))) return true
    }
    return false
  }
  const start = async () => new URL(target(await browser.submit('/auth/signin/plain'))).searchParams.get('state') ?? ''
  const rowOf = async (method: 'createVerificationToken' | 'createSession', work: () => Promise<unknown>) => {
    const original = adapter[method] as (row: { token?: string; sessionToken?: string }) => Promise<unknown>
    const seen: string[] = []
    Object.assign(adapter, {
      [method]: (row: { token?: string; sessionToken?: string }) => {
        seen.push(row.sessionToken ?? row.token ?? '')
        return original(row)
      },
    })
    try {
      await work()
    } finally {
      Object.assign(adapter, { [method]: original })
    }
    return seen.at(-1) ?? ''
  }

  /**
   * The doors: each returns whether a value was accepted. Each adds the other values that the door needs, genuine ones.
   */
  const doors: Record<string, (value: string) => Promise<boolean>> = {
    'the session cookie': async (value) => {
      const other = app.browser()
      other.cookies.set(sessionName, value)
      return (await other.session()) !== null
    },
    'the session cookie of an application with JWT sessions': async (value) => {
      const other = jwtApp.browser()
      other.cookies.set(sessionName, value)
      return (await other.session()) !== null
    },
    'a bearer token': async (value) =>
      (await jwtApp.browser().get('/me', { authorization: `Bearer ${value}` })).body !== null,
    'the token of a mailed link': async (value) => {
      const other = app.browser()
      await other.submit('/auth/callback/email', { token: value, email: victim })
      return (await other.session()) !== null
    },
    'the cookie of the browser that asked': async (value) => {
      const link = links.at(-1) ?? (await ask())
      const other = app.browser()
      other.cookies.set('auth.browser', browser.cookies.get('auth.browser') ?? '')
      other.cookies.set('auth.transaction.email', value)
      return (await other.get(link.href)).status !== 200
    },
    'the cookie of a sign-in with a provider': async (value) => {
      const state = states.at(-1) ?? (await start())
      const other = app.browser()
      other.cookies.set('auth.browser', browser.cookies.get('auth.browser') ?? '')
      other.cookies.set('auth.transaction.0', value)
      return !/InvalidCheck/.test(target(await other.get(`/auth/callback/plain?code=c&state=${state}`)))
    },
    'the state of a sign-in with a provider': async (value) => {
      const query = new URLSearchParams({ code: 'c', state: value })
      return !/InvalidCheck/.test(target(await browser.get(`/auth/callback/plain?${query}`)))
    },
    'the challenge of a passkey to sign in': (value) => answers(value, 'authenticate'),
    'the challenge of a passkey to sign up': (value) => answers(value, 'register'),
    'the cookie of the browser that asked for a passkey': async (value) => {
      const challenge = challenges.at(-1) ?? (await challengeFor('authenticate'))
      const other = app.browser()
      other.cookies.set('auth.browser', value)
      const answer = key.get({ rpId: 'localhost', challenge: base64url(challenge) })
      return !/InvalidCheck/.test(target(await person(other).send('authenticate', answer)))
    },
    'the user handle of a passkey': async (value) => {
      const options = await person().options('authenticate')
      const answer = key.get(options, { userHandle: base64url(value) })
      return !/WebAuthnVerificationError/.test(target(await person().send('authenticate', answer)))
    },
    'the CSRF token': async (csrfToken) =>
      !/MissingCSRF/.test(target(await browser.post('/auth/signin/email', { csrfToken, email: 'no' }))),
    'the CSRF cookie': async (value) => {
      const csrfToken = await browser.csrf()
      const other = app.browser()
      other.cookies.set('auth.csrf-token', value)
      return !/MissingCSRF/.test(target(await other.post('/auth/signin/email', { csrfToken, email: 'no' })))
    },
  }

  /** The values that are issued, or stored, with the doors that accept them. */
  const values: Record<string, { make: () => Promise<string>; opens?: string[] }> = {
    'the token of a mailed link': {
      make: async () => (await ask()).searchParams.get('token') ?? '',
      opens: ['the token of a mailed link'],
    },
    'the token of a mailed link, as it is stored': { make: () => rowOf('createVerificationToken', ask) },
    'the attempt of a mailed link': { make: async () => (await ask()).searchParams.get('attempt') ?? '' },
    'the cookie of the browser that asked for a link': {
      make: async () => {
        links.push(await ask())
        return browser.cookies.get('auth.transaction.email') ?? ''
      },
      opens: ['the cookie of the browser that asked'],
    },
    'the token of a database session': {
      make: async () => {
        await browser.signIn()
        return heldToken(browser)
      },
      opens: ['the session cookie'],
    },
    'a JWT session token': {
      make: async () => {
        const other = jwtApp.browser()
        await other.signIn()
        return heldToken(other)
      },
      opens: ['the session cookie of an application with JWT sessions', 'a bearer token'],
    },
    'the token of a database session, as it is stored': { make: () => rowOf('createSession', () => browser.signIn()) },
    'the cookie of a sign-in with a provider': {
      make: async () => {
        states.push(await start())
        return browser.cookies.get('auth.transaction.0') ?? ''
      },
      opens: ['the cookie of a sign-in with a provider'],
    },
    'the state of a sign-in with a provider': { make: start, opens: ['the state of a sign-in with a provider'] },
    'the challenge of a passkey to sign in': {
      make: () => challengeFor('authenticate'),
      opens: ['the challenge of a passkey to sign in'],
    },
    'the challenge of a passkey to sign up': {
      make: () => challengeFor('register'),
      opens: ['the challenge of a passkey to sign up'],
    },
    'the cookie of the browser that asked for a passkey': {
      make: async () => {
        challenges.push(await challengeFor('authenticate'))
        return browser.cookies.get('auth.browser') ?? ''
      },
      opens: ['the cookie of the browser that asked for a passkey'],
    },
    'the user handle of a passkey': {
      make: async () => key.passkeys[0]?.userHandle.toString() ?? '',
      opens: ['the user handle of a passkey'],
    },
    'the challenge of a passkey, as its use is noted': {
      make: () => rowOf('createVerificationToken', () => person().signIn()),
    },
    'a CSRF token': { make: () => browser.csrf(), opens: ['the CSRF token'] },
    'a CSRF cookie': {
      make: async () => {
        await browser.csrf()
        return browser.cookies.get('auth.csrf-token') ?? ''
      },
      opens: ['the CSRF cookie'],
    },
    'a callback-url cookie': {
      make: async () => {
        await browser.submit('/auth/signin/email', { email: victim, callbackUrl: '/x' })
        return browser.cookies.get('auth.callback-url') ?? ''
      },
    },
  }

  for (const [what, { make, opens = [] }] of Object.entries(values)) {
    it(`PC-02 PC-03 ${what} opens ${opens.join(' and ') || 'nothing'}`, async () => {
      for (const [door, enter] of Object.entries(doors)) {
        browser = app.browser()
        links = []
        states = []
        challenges = []
        const value = await make()
        expect(value, what).to.not.equal('')
        expect(await enter(value), `${what} as ${door}`).to.equal(opens.includes(door))
      }
    })
  }
})

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function textOf(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString()
}
