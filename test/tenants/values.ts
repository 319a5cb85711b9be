/** The kinds of values that a tenant issues, each with a use that shows whether another tenant accepts it. */
import { expect } from 'chai'
import type { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import type { EmailConfig, OAuth2Config, VerificationRequest } from '../../lib/types/provider.js'
import { fieldIn, keyIn } from '../factors/stage.js'
import { quickHasher } from '../password/stage.js'
import { type Answer, type Browser, credentials, target } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { advanceClock } from '../support/clock.js'
import { formIn } from '../support/mail-server.js'
import { PasskeyPerson } from '../support/passkey-person.js'
import type { Loaded } from './stage.js'

export type Strategy = 'jwt' | 'database'

/** A tenant in a test. */
export interface Side {
  readonly id: string
  readonly mails: VerificationRequest[]
  readonly adapter: ReturnType<typeof memoryAdapter>
  /** The tokens that its engine stored last. */
  readonly stored: { session?: string; link?: string }
  /** The key of the authenticator app of its user. */
  app?: Buffer
  /** Its unused recovery codes. */
  codes?: string[]
  browser(): Browser
}

/** A value, with the cookies that its browser has. */
interface Value {
  readonly text: string
  readonly cookies: ReadonlyMap<string, string>
  readonly key?: Authenticator
}

/** A kind of values. */
export interface Kind {
  readonly only?: Strategy
  make(side: Side): Promise<Value>
  /** Uses a value at a tenant. Returns whether it was accepted. */
  accepts(side: Side, value: Value): Promise<boolean>
}

export const address = 'ann@x.test'
const password = 'four words in a row'

/** The configuration of a tenant with all kinds of values. */
export function richConfig(strategy: Strategy, { id, mails, adapter }: Pick<Side, 'id' | 'mails' | 'adapter'>): Loaded {
  const email: EmailConfig = {
    ...{ id: 'email', name: 'Email', type: 'email', limit: false },
    sendVerificationRequest: (request) => void mails.push(request),
    sendNotice: () => {},
  }
  // Its endpoints do not answer: an accepted attempt ends in another error than a rejected one.
  const plain: OAuth2Config = {
    ...{ id: 'plain', name: 'Plain', type: 'oauth', clientId: 'c', clientSecret: 's' },
    authorization: 'http://127.0.0.1:9/authorize',
    token: 'http://127.0.0.1:9/token',
    userinfo: 'http://127.0.0.1:9/me',
  }
  return {
    // Behind a proxy that ends TLS.
    origins: [`https://${id}.test`],
    adapter,
    providers: [credentials(), email, plain, Passkey(), Password({ mail: email, hash: quickHasher() })],
    experimental: { enableWebAuthn: true },
    factors: { methods: [Totp(), RecoveryCodes()] },
    rateLimit: false,
    session: { strategy, bearer: true, revocation: true },
  }
}

/** The session cookie's name on https. */
const sessionName = '__Host-auth.session-token'

const cookiesOf = (browser: Browser) => new Map(browser.cookies)
const isRejected = (answer: Answer, error: string) => (answer.headers.location ?? '').includes(error)

/** A browser at a tenant that has the cookies of a value. */
function visit(side: Side, { cookies }: Pick<Value, 'cookies'>): Browser {
  const browser = side.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

/** Waits for the next mail, which goes out after the answer. */
async function nextMail(side: Side, ask: () => Promise<unknown>): Promise<string> {
  const before = side.mails.length
  await ask()
  for (let tries = 0; side.mails.length === before && tries < 400; tries += 1)
    await new Promise((r) => setTimeout(r, 5))
  const { pathname, search } = new URL(side.mails.at(-1)?.url ?? '')
  return pathname + search
}

/** Opens a link and sends the forms of its pages. */
async function openLink(browser: Browser, link: string, fields: object = {}): Promise<Answer> {
  let answer = await browser.get(link)
  for (let pages = 0; pages < 4; pages += 1) {
    if (answer.status === 302 && /\/auth\/(password|signup|callback)/.test(answer.headers.location ?? '')) {
      answer = await browser.get(target(answer))
    } else if (answer.status === 200 && answer.text.includes('method="post"')) {
      const { action, fields: hidden } = formIn(answer.text, '/auth/')
      answer = await browser.post(action, { ...hidden, ...fields })
    } else break
  }
  return answer
}

const isIn = async (browser: Browser) => (await browser.session()) !== null
const mailLink = (side: Side, browser: Browser, email = address) =>
  nextMail(side, () => browser.submit('/auth/signin/email', { email }))

/** Signs in by email, with the address of a user. */
export async function signInByMail(side: Side, browser = side.browser(), email = address): Promise<Browser> {
  await openLink(browser, await mailLink(side, browser, email))
  return browser
}

const passwordSignIn = (browser: Browser, email = address, text = password) =>
  browser.submit('/auth/callback/password', { email, password: text })

let people = 0
/** An address that no user has yet. */
const newAddress = () => {
  people += 1
  return `new-${people}@x.test`
}

async function signUp(side: Side): Promise<Value> {
  const browser = side.browser()
  const email = newAddress()
  const text = await nextMail(side, () => browser.submit('/auth/signup/password', { email, password }))
  return { text, cookies: cookiesOf(browser) }
}

/** Adds an authenticator app to a user, and returns the recovery codes. */
export async function enrol(side: Side, email: string): Promise<{ browser: Browser; key: Buffer; codes: string[] }> {
  const browser = await signInByMail(side, side.browser(), email)
  const page = await browser.get('/auth/two-factor/totp?setup')
  expect(page.status, page.text).to.equal(200)
  const key = keyIn(page.text)
  const form = { intent: 'setup', setup: fieldIn(page.text, 'setup'), code: codeOf(key), name: 'Phone' }
  const done = await answerForm(browser, 'totp', form)
  expect(done.status, done.text).to.equal(200)
  const codes = [...done.text.matchAll(/<code>([A-Z2-9-]{14})<\/code>/g)].map(([, code]) => code ?? '')
  advanceClock(30)
  return { browser, key, codes }
}

const codeOf = (key: Buffer) => totpCodeAt(key, totpStepAt(Date.now()))

/** Begins a sign-in of a user with a second factor. */
const pending = (side: Side, email: string) => signInByMail(side, side.browser(), email)

const answerFactor = async (browser: Browser, factor: string, code: string, more: object = {}) => {
  await answerForm(browser, factor, { code, ...more })
  return isIn(browser)
}

const answerForm = async (browser: Browser, factor: string, form: object) =>
  browser.post(`/auth/two-factor/${factor}`, { csrfToken: await browser.csrf(), ...form })

/** The kinds that are tried over HTTP. */
export const kinds: Readonly<Record<string, Kind>> = {
  'a session cookie': {
    async make(side) {
      const browser = side.browser()
      await browser.signIn()
      return { text: '', cookies: cookiesOf(browser) }
    },
    accepts: (side, value) => isIn(visit(side, value)),
  },
  'a session at a guard': {
    async make(side) {
      const browser = await signInByMail(side)
      return { text: '', cookies: cookiesOf(browser) }
    },
    accepts: async (side, value) => (await visit(side, value).get('/guarded')).status === 200,
  },
  'a session at a guard that queries the store': {
    async make(side) {
      const browser = await signInByMail(side)
      return { text: '', cookies: cookiesOf(browser) }
    },
    accepts: async (side, value) => (await visit(side, value).get('/live')).status === 200,
  },
  'a bearer token': {
    async make(side) {
      const browser = side.browser()
      await browser.signIn()
      return { text: browser.cookies.get(sessionName) ?? '', cookies: new Map() }
    },
    accepts: async (side, { text }) =>
      (await side.browser().get('/me', { authorization: `Bearer ${text}` })).body !== null,
  },
  'a session token as it is stored': {
    only: 'database',
    async make(side) {
      const browser = side.browser()
      await browser.signIn()
      return { text: side.stored.session ?? '', cookies: cookiesOf(browser) }
    },
    // The control is the token in the cookie: the stored text opens no session anywhere.
    async accepts(side, { text, cookies }) {
      const browser = side.browser()
      browser.cookies.set(sessionName, text)
      return (await isIn(browser)) || isIn(visit(side, { cookies }))
    },
  },
  'a CSRF token with its cookie': {
    async make(side) {
      const browser = side.browser()
      return { text: await browser.csrf(), cookies: cookiesOf(browser) }
    },
    accepts: async (side, value) =>
      !isRejected(
        await visit(side, value).post('/auth/signin/email', { csrfToken: value.text, email: 'no' }),
        'MissingCSRF',
      ),
  },
  'a CSRF token in a form of the application': {
    async make(side) {
      const browser = side.browser()
      return { text: await browser.csrf(), cookies: cookiesOf(browser) }
    },
    accepts: async (side, value) => (await visit(side, value).post('/form', { csrfToken: value.text })).status === 200,
  },
  'an attempt at a provider': {
    async make(side) {
      const browser = side.browser()
      const state = new URL(target(await browser.submit('/auth/signin/plain'))).searchParams.get('state') ?? ''
      return { text: state, cookies: cookiesOf(browser) }
    },
    async accepts(side, value) {
      const query = new URLSearchParams({ code: 'c', state: value.text })
      return !isRejected(await visit(side, value).get(`/auth/callback/plain?${query}`), 'InvalidCheck')
    },
  },
  'an email link, in its browser': {
    async make(side) {
      const browser = side.browser()
      return { text: await mailLink(side, browser), cookies: cookiesOf(browser) }
    },
    async accepts(side, value) {
      const browser = visit(side, value)
      await openLink(browser, value.text)
      return isIn(browser)
    },
  },
  'an email link, in another browser': {
    make: async (side) => ({ text: await mailLink(side, side.browser()), cookies: new Map() }),
    async accepts(side, { text }) {
      const browser = side.browser()
      await openLink(browser, text)
      return isIn(browser)
    },
  },
  'an email link as it is stored': {
    async make(side) {
      const browser = side.browser()
      const link = await mailLink(side, browser)
      return { text: `${link}\n${side.stored.link}`, cookies: cookiesOf(browser) }
    },
    // The control is the token of the link.
    async accepts(side, value) {
      const [link = '', stored = ''] = value.text.split('\n')
      const forged = new URL(link, 'http://x.test')
      forged.searchParams.set('token', stored)
      const browser = visit(side, value)
      await openLink(browser, forged.pathname + forged.search)
      if (await isIn(browser)) return true
      const genuine = visit(side, value)
      await openLink(genuine, link)
      return isIn(genuine)
    },
  },
  'a link to sign up with a password': {
    make: signUp,
    async accepts(side, value) {
      const browser = visit(side, value)
      await openLink(browser, value.text)
      return isIn(browser)
    },
  },
  'a link to choose a password': {
    async make(side) {
      const { text: link, cookies } = await signUp(side)
      await openLink(visit(side, { cookies }), link)
      const browser = side.browser()
      const email = `new-${people}@x.test`
      const text = await nextMail(side, () => browser.submit('/auth/password/forgot', { email }))
      return { text, cookies: cookiesOf(browser) }
    },
    async accepts(side, value) {
      const chosen = `a password of ${side.id} for ${people}`
      const browser = visit(side, value)
      await openLink(browser, value.text, { password: chosen })
      const other = side.browser()
      await passwordSignIn(other, `new-${people}@x.test`, chosen)
      return (await isIn(browser)) || isIn(other)
    },
  },
  'a password': {
    async make(side) {
      const { text, cookies } = await signUp(side)
      await openLink(visit(side, { cookies }), text)
      return { text: `new-${people}@x.test`, cookies: new Map() }
    },
    async accepts(side, { text }) {
      const browser = side.browser()
      await passwordSignIn(browser, text)
      return isIn(browser)
    },
  },
  'the challenge of a passkey': {
    async make(side) {
      const browser = side.browser()
      const person = new PasskeyPerson(browser, new Authenticator())
      const { challenge } = await person.options('register', { email: newAddress() })
      return { text: challenge, cookies: cookiesOf(browser) }
    },
    async accepts(side, value) {
      const key = new Authenticator()
      const person = new PasskeyPerson(side.browser(), key)
      const options = await person.options('register', { email: `new-${people}@x.test` })
      const browser = visit(side, value)
      const lies = { origin: `https://${side.id}.test` }
      const answer = key.create({ ...options, challenge: value.text }, lies)
      const sent = await new PasskeyPerson(browser, key).send('register', answer)
      return !isRejected(sent, 'InvalidCheck')
    },
  },
  'a passkey': {
    async make(side) {
      const key = new Authenticator()
      const person = new PasskeyPerson(side.browser(), key)
      await person.register({ email: newAddress() }, { lies: { origin: `https://${side.id}.test` } })
      return { text: `${side.id}.test`, cookies: new Map(), key }
    },
    // As if the browser used the passkey at any site.
    async accepts(side, { key = new Authenticator() }) {
      const browser = side.browser()
      const person = new PasskeyPerson(browser, key)
      const options = await person.options('authenticate')
      const lies = { origin: `https://${side.id}.test`, rpId: `${side.id}.test` }
      const [made] = key.passkeys
      const answer = key.get({ ...options, rpId: made?.rpId ?? '', allowCredentials: [] }, lies)
      await person.send('authenticate', answer)
      return isIn(browser)
    },
  },
  'a sign-in that waits for a second factor': {
    async make(side) {
      const email = newAddress()
      const { key } = await enrol(side, email)
      const browser = await pending(side, email)
      return { text: key.toString('hex'), cookies: cookiesOf(browser) }
    },
    accepts: (side, value) => answerFactor(visit(side, value), 'totp', codeOf(Buffer.from(value.text, 'hex'))),
  },
  'a recovery code': {
    make: async (side) => ({ text: side.codes?.pop() ?? '', cookies: new Map() }),
    accepts: async (side, { text }) => answerFactor(await pending(side, 'both@x.test'), 'recovery', text),
  },
  'the code of an authenticator app': {
    async make(side) {
      return { text: side.app === undefined ? '' : codeOf(side.app), cookies: new Map() }
    },
    accepts: async (side, { text }) => answerFactor(await pending(side, 'both@x.test'), 'totp', text),
  },
}
