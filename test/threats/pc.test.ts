/**
 * `threats.md`, groups PC and RD: the redirect proxy's `state`, made by hand; and every value of ours at every door but its
 * own, with mailed links and database sessions. The rest is in
 * `test/session/purpose.test.ts`, `test/crypto/seal.test.ts` and `test/flows/oauth/redirect-proxy.test.ts`.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Adapter } from '../../lib/adapters/types.js'
import { type SealPurpose, seal } from '../../lib/crypto/seal.js'
import { encode } from '../../lib/jwt.js'
import type { EmailConfig, OAuth2Config } from '../../lib/providers/types.js'
import { useStage } from '../flows/oauth/stage.js'
import { type Browser, credentials, secret, startApp, type TestApp, target } from '../support/app.js'
import { advanceClock } from '../support/clock.js'
import { heldToken, sessionName } from '../support/session.js'

const listed = 'https://preview-1.app.test'
const other = 'another-secret-of-more-than-32-characters'

describe('the redirect proxy with a `state` made by hand (RD-22, PC-04)', () => {
  const stage = useStage()
  beforeEach(() => stage.restart({}, { redirectProxyOrigins: [listed, 'https://*.preview.app.test'] }))

  interface Made {
    readonly to?: unknown
    readonly provider?: string
    readonly secret?: string
    readonly purpose?: SealPurpose
  }
  function make({ to = `${listed}/auth/callback/test`, provider = 'test', purpose = 'redirect-proxy', ...made }: Made) {
    return seal(purpose, { to, provider, random: 'r' }, { secrets: [made.secret ?? secret], maxAge: 900 })
  }
  async function answerTo(state: string) {
    const response = await stage.browser.get(`/auth/callback/test?${new URLSearchParams({ code: 'c', state })}`)
    return target(response)
  }
  const refused = () => `${stage.app.origin}/auth/error?error=InvalidCheck`

  it('(control) forwards to a listed origin', async () => {
    for (const to of [`${listed}/auth/callback/test`, 'https://a.preview.app.test/auth/callback/test']) {
      expect((await answerTo(await make({ to }))).startsWith(`${to}?code=c&state=`)).to.equal(true)
    }
  })

  for (const to of [
    'https://evil.test/auth/callback/test',
    'https://preview-1.app.test.evil.test/',
    'https://preview-1.app.test@evil.test/',
    'https://preview-1.app.test:8443/',
    'http://preview-1.app.test/',
    'https://preview-1xapp.test/',
    'https://preview.app.test/',
    'https://a.b.preview.app.test/',
    'https://.preview.app.test/',
    'https://evil.test/.preview.app.test',
    'https://evil.test?.preview.app.test',
    'https://evil.test#.preview.app.test',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    it(`sends nothing to ${to}, although the seal is genuine`, async () => {
      expect(await answerTo(await make({ to }))).to.equal(refused())
    })
  }

  it('sends nothing by a seal of another secret, provider or purpose, or by none', async () => {
    const unsealed = Buffer.from(JSON.stringify({ to: `${listed}/`, provider: 'test' })).toString('base64url')
    const session = await encode({ token: { to: `${listed}/`, provider: 'test' }, secret, salt: sessionName })
    for (const state of [
      await make({ secret: other }),
      await make({ provider: 'second' }),
      await make({ purpose: 'transaction' }),
      await make({ purpose: 'form-post' }),
      await make({ to: 7 }),
      unsealed,
      `e30.${unsealed}.`,
      session,
    ]) {
      expect(await answerTo(state)).to.equal(refused())
    }
  })

  it('sends nothing after fifteen minutes', async () => {
    const state = await make({})
    advanceClock(901)
    expect(await answerTo(state)).to.equal(refused())
  })

  it('forwards nothing where one of two states is for elsewhere: no attempt here has them', async () => {
    await stage.begin()
    const own = new URL(await stage.begin()).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ code: 'c', state: own })
    query.append('state', await make({}))
    expect(target(await stage.browser.get(`/auth/callback/test?${query}`))).to.equal(refused())
  })
})

describe('a session token as the other kind of bearer (PC-06)', () => {
  const stage = useStage()

  it('counts in a header only where the configuration says so, and never on our own routes', async () => {
    for (const bearer of [false, true]) {
      await stage.restart({}, { providers: [credentials()], session: { bearer } })
      await stage.browser.signIn()
      const authorization = `Bearer ${heldToken(stage.browser)}`
      const stranger = stage.app.browser()
      expect((await stranger.get('/me', { authorization })).body !== null, `bearer: ${bearer}`).to.equal(bearer)
      expect((await stranger.get('/auth/session', { authorization })).body).to.equal(null)
      const update = await stranger.submit('/auth/session', { data: { name: 'x' } }, { authorization })
      expect(update.body).to.equal(null)
      expect([...stranger.cookies.keys()]).to.not.include(sessionName)
    }
  })
})

describe('what is made for one door opens no other (PC-01, PC-02, PC-05, EM-10)', () => {
  const victim = 'victim@x.test'
  let app: TestApp
  /** The same secret and cookie names, with sessions in cookies. */
  let jwtApp: TestApp
  let adapter: Adapter
  let links: URL[]
  /** States of sign-ins with the provider. */
  let states: string[]
  let browser: Browser

  /** Nobody answers at its endpoints: a state that is accepted ends in another error than one that is not. */
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
    const providers = [credentials(), plain, email]
    app = await startApp({ providers, adapter, session: { strategy: 'database' } })
    jwtApp = await startApp({ providers, adapter, session: { strategy: 'jwt', bearer: true } })
  })
  after(() => Promise.all([app.close(), jwtApp.close()]))

  /** Asks for a link to the victim's address, as anybody can. */
  async function ask(): Promise<URL> {
    await browser.submit('/auth/signin/email', { email: victim })
    // The mail goes out after the answer.
    while (links.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [link] = links.splice(0)
    if (!link) throw new Error('there is no mail')
    return link
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

  /** The doors: whether a value was taken. Each has what else the door wants, genuine. */
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
      other.cookies.set('auth.transaction.email', value)
      return (await other.get(link.href)).status !== 200
    },
    'the cookie of a sign-in with a provider': async (value) => {
      const state = states.at(-1) ?? (await start())
      const other = app.browser()
      other.cookies.set('auth.transaction.0', value)
      return !/InvalidCheck/.test(target(await other.get(`/auth/callback/plain?code=c&state=${state}`)))
    },
    'the state of a sign-in with a provider': async (value) => {
      const query = new URLSearchParams({ code: 'c', state: value })
      return !/InvalidCheck/.test(target(await browser.get(`/auth/callback/plain?${query}`)))
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

  /** What is handed out, or stored, with the doors it is for. */
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
    it(`${what} opens ${opens.join(' and ') || 'nothing'}`, async () => {
      for (const [door, enter] of Object.entries(doors)) {
        browser = app.browser()
        links = []
        states = []
        const value = await make()
        expect(value, what).to.not.equal('')
        expect(await enter(value), `${what} as ${door}`).to.equal(opens.includes(door))
      }
    })
  }
})
