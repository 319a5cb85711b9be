/** Tests of the list of a user's sessions: the sign-in method, the device and the time of each. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import de from '../../lib/i18n/de.js'
import ja from '../../lib/i18n/ja.js'
import { type OpenSession, type ServerAuthConfig, startSession } from '../../lib/index.js'
import type { StartSessionOptions } from '../../lib/types/calls.js'
import type { Provider } from '../../lib/types/provider.js'
import type { SessionOptions } from '../../lib/types/session.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { type AppOptions, type Browser, credentials, secret, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'

const hour = 3600
const day = 24 * hour
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

const strategies = {
  database: (): SessionOptions => ({ strategy: 'database' }),
  jwt: (): SessionOptions => ({ strategy: 'jwt', revocation: { store: memoryStore(), list: true } }),
}

/** Routes, of which `POST /begin` is the one by which the application itself starts a session of the user with this address. */
const routes: AppOptions = {
  after: (app, config) => {
    app.get('/sessions', (req, res, next) => {
      expressFunctions(config)
        .account.get(req)
        .then((account) => res.json(account?.sessions ?? null), next)
    })
    app.post('/begin/:amr/:maxAge', (req, res, next) => {
      const user: StartSessionOptions['user'] = { email: 'ann@example.com', emailVerified: true }
      const amr = req.params.amr.split(',')
      startSession(req, res, config, { user, amr, maxAge: Number(req.params.maxAge) }).then(
        () => res.json('begun'),
        next,
      )
    })
  },
}

const email = 'ann@example.com'
/** The email links that were sent. */
const links: string[] = []
const mailed: Provider = {
  id: 'email',
  name: 'Mailed link',
  type: 'email',
  sendVerificationRequest: ({ url }) => void links.push(url),
}

/** A type as it is in JSON: times are text. */
type Shown = Omit<OpenSession, 'beganAt' | 'usedAt' | 'expires'> & Record<'beganAt' | 'usedAt' | 'expires', string>

for (const [strategy, sessionOf] of Object.entries(strategies)) {
  describe(`the sessions of an account page, strategy ${strategy}`, () => {
    let app: TestApp
    beforeEach(() => freezeClock())
    afterEach(async () => {
      restoreClock()
      await app.close()
    })

    async function start(
      session: SessionOptions = {},
      options: AppOptions = {},
      config: Partial<ServerAuthConfig> = {},
    ) {
      app = await startApp(
        {
          adapter: memoryAdapter(),
          providers: [mailed],
          ...config,
          session: { ...sessionOf(), ...session },
        },
        { ...routes, ...options },
      )
    }
    /** Signs in by an email link, because credentials have no owner with JWT sessions. */
    async function signIn(
      headers: Record<string, string>,
      fields: object = {},
      browser = app.browser(),
    ): Promise<Browser> {
      Object.assign(browser.headers, headers)
      await browser.submit('/auth/signin/email', { email, ...fields })
      const answer = await browser.get(links.at(-1) ?? '')
      expect(answer.headers.location, answer.text).to.equal(`${app.origin}/`)
      return browser
    }
    const listOf = async (browser: Browser): Promise<Shown[]> => (await browser.get('/sessions')).body

    it('have the provider, methods, time and device of their sign-in', async () => {
      await start()
      await signIn({ 'user-agent': firefox })
      const begun = Date.now()
      advanceClock(hour)
      const phone = await signIn({ 'user-agent': safari })
      const [here, there] = await listOf(phone)
      expect(here).to.deep.include({
        current: true,
        beganAt: new Date(Math.floor(Date.now() / 1000) * 1000).toISOString(),
        provider: 'email',
        providerName: 'Mailed link',
        amr: ['otp'],
        device: { label: 'Safari on iOS', browser: 'Safari', system: 'iOS' },
      })
      expect(there).to.deep.include({
        current: false,
        beganAt: new Date(Math.floor(begun / 1000) * 1000).toISOString(),
        device: { label: 'Firefox on Linux', browser: 'Firefox', system: 'Linux' },
      })
      expect(JSON.stringify([here, there]))
        .to.not.include('Gecko')
        .and.not.include('network')
    })

    it('have a device label in the language of the request', async () => {
      await start({}, {}, { i18n: { locales: ['en', 'de', 'ja'], messages: { de, ja } } })
      const browser = await signIn({ 'user-agent': firefox })
      const labels: unknown[] = []
      for (const language of ['de-AT', 'ja', 'fr']) {
        browser.headers['accept-language'] = language
        labels.push((await listOf(browser))[0]?.device?.label)
      }
      expect(labels).to.deep.equal(['Firefox auf Linux', 'Linux の Firefox', 'Firefox on Linux'])
    })

    it('keep these facts after an extension, and when another browser sends the cookie', async () => {
      await start()
      const browser = await signIn({ 'user-agent': firefox })
      const [begun] = await listOf(browser)
      for (let days = 2; days < 20; days += 2) {
        advanceClock(2 * day)
        // An update of the browser, a proxy, or an attacker who has the cookie: the facts of the sign-in stay.
        browser.headers['user-agent'] = safari
        expect(await browser.session()).to.have.property('user')
      }
      const [now] = await listOf(browser)
      expect({ ...now, usedAt: '', expires: '' }).to.deep.equal({ ...begun, usedAt: '', expires: '' })
      expect(Date.parse(String(now?.usedAt)) - Date.parse(String(begun?.usedAt))).to.be.greaterThan(10 * day * 1000)
    })

    it('have no device if the client is no browser, and no provider if the application started them', async () => {
      await start()
      const script = await signIn({ 'user-agent': 'curl/8.5.0' })
      const own = app.browser()
      await own.post('/begin/otp/7200')
      const [first, second] = await listOf(script)
      for (const each of [first, second]) expect(each).to.not.have.property('device')
      expect(first).to.include({ provider: 'email' })
      expect(second)
        .to.deep.include({ amr: ['otp'] })
        .and.not.have.any.keys('provider', 'providerName')
    })

    it('have the time of their last use, whatever their length', async () => {
      await start({ maxAge: 12 * hour, rememberMaxAge: 30 * day, updateAge: 0 })
      const kept = await signIn({ 'user-agent': firefox }, { remember: '1' })
      const usual = await signIn({ 'user-agent': safari })
      const short = app.browser()
      await short.post('/begin/otp/7200')
      const began = Date.now()
      advanceClock(hour)
      await kept.session()
      await usual.session()
      for (const { id, usedAt, beganAt, ...told } of await listOf(usual)) {
        const last = told.device ? began + hour * 1000 : began
        const used = Date.parse(usedAt)
        expect(used, id).to.be.within(last - 1000, last)
        expect(used).to.be.at.least(Date.parse(beganAt)).and.at.most(Date.now())
      }
      expect((await listOf(usual)).map(({ device }) => device?.system)).to.deep.equal(['iOS', 'Linux', undefined])
    })

    it('have the network if the application wants it and knows the client', async () => {
      await start({ network: true }, { trustProxy: 1 })
      const browser = await signIn({ 'x-forwarded-for': '10.0.0.1, 203.0.113.77' })
      expect((await listOf(browser))[0]).to.include({ network: '203.0.113.0/24' })
      await signIn({ 'x-forwarded-for': '2001:db8:7:1::5' }, {}, browser)
      expect((await listOf(browser))[0]).to.include({ network: '2001:db8:7::/48' })
    })

    it('have no network of a proxy that is not trusted, and warn of it once', async () => {
      await start({ network: true })
      const browser = await signIn({ 'x-forwarded-for': '203.0.113.77' })
      await signIn({}, {}, browser)
      const sessions = await listOf(browser)
      expect(sessions).to.have.length(1)
      expect(sessions[0]).to.not.have.property('network')
      const codes = app.log.warnings.map(({ code }) => code).filter((code) => code === 'unknown-network')
      expect(codes).to.have.length(1)
    })
  })
}

describe('the sessions of an account page', () => {
  afterEach(restoreClock)

  /** Creates a stored session and returns what is shown of it. */
  async function shown(adapter: ReturnType<typeof memoryAdapter>, session: SessionOptions = {}, tokens: string[] = []) {
    const app = await startApp({ adapter, session }, routes)
    try {
      const browser = app.browser()
      await browser.signIn()
      const user = await adapter.getUserByEmail('ann@example.com')
      const expires = new Date(Date.now() + 10 * hour * 1000)
      for (const sessionToken of tokens) await adapter.createSession({ sessionToken, userId: user?.id ?? '', expires })
      return (await browser.get('/sessions')).body.slice(1) as Shown[]
    } finally {
      await app.close()
    }
  }

  it('of earlier versions show the facts that are known, and nothing else', async () => {
    freezeClock()
    const startedAt = Math.floor(Date.now() / 1000) - day
    const methods = Buffer.from('["pwd"]').toString('base64url')
    const hash = `h1_${'0'.repeat(64)}`
    const tokens = [hash, `${hash}.t${startedAt.toString(36)}.m${methods}`, 'in-the-clear.fZmFrZQ']
    const [one, two, three] = await shown(memoryAdapter(), { maxAge: 11 * hour }, tokens)
    const beganAt = new Date(startedAt * 1000).toISOString()
    const list = [one, two, three].map(({ id, usedAt, expires, ...told } = missing()) => told)
    expect(list).to.have.deep.members([
      { current: false },
      { current: false },
      { current: false, beganAt, amr: ['pwd'] },
    ])
    expect(Date.now() - Date.parse(String(one?.usedAt))).to.equal(hour * 1000)
  })

  it('that have ended by a lowered limit are not shown', async () => {
    freezeClock()
    const old = `h1_${'0'.repeat(64)}.f${Buffer.from((Math.floor(Date.now() / 1000) - day).toString(36)).toString('base64url')}`
    expect(await shown(memoryAdapter(), { absoluteMaxAge: 2 * day }, [old])).to.have.length(1)
    expect(await shown(memoryAdapter(), { absoluteMaxAge: day / 2 }, [old])).to.have.length(0)
  })

  it('that exceed the size of a column leave out the network first, then the methods', async () => {
    const adapter = memoryAdapter()
    const app = await startApp({ adapter, session: { network: true } }, { ...routes, trustProxy: 1 })
    try {
      const browser = app.browser()
      await browser.signIn()
      Object.assign(browser.headers, { 'user-agent': firefox, 'x-forwarded-for': '203.0.113.77' })
      const all: Shown[] = []
      for (const length of [3, 30, 32]) {
        const amr = Array.from({ length: length === 3 ? 1 : length === 30 ? 2 : 8 }, (_, at) =>
          'abcdefgh'.charAt(at).repeat(length),
        ).join(',')
        await browser.post(`/begin/${amr}/86400`)
        all.push(...(await browser.get('/sessions')).body.slice(0, 1))
      }
      const rows = await adapter.listSessionsByUserId((await adapter.getUserByEmail('ann@example.com'))?.id ?? '')
      for (const { sessionToken } of rows) expect(sessionToken.length).to.be.at.most(187)
      const device = { label: 'Firefox on Linux', browser: 'Firefox', system: 'Linux' }
      expect(all.map((each) => [each.device, each.network, each.amr?.length])).to.deep.equal([
        [device, '203.0.113.0/24', 1],
        [device, undefined, 2],
        [device, undefined, 0],
      ])
    } finally {
      await app.close()
    }
  })

  for (const [strategy, sessionOf] of Object.entries(strategies)) {
    it(`are the same by the shim, strategy ${strategy}`, async () => {
      const own = initAuth({
        secret,
        adapter: memoryAdapter(),
        providers: [mailed],
        session: { ...sessionOf(), network: true },
      })
      const accounts: Array<Awaited<ReturnType<typeof own.account.get>>> = []
      const headers = { origin: 'http://localhost', 'user-agent': safari }
      const request = new Request('http://localhost/account', { method: 'POST', headers })
      const answer = async () => {
        await own.startSession({ user: { email, emailVerified: true }, amr: ['otp'] })
        accounts.push(await own.account.get())
        return new Response()
      }
      await withRequest(request, answer, { ip: '203.0.113.77' })
      const { id, beganAt, usedAt, expires, ...told } = accounts[0]?.sessions[0] ?? missing()
      expect(beganAt).to.be.instanceOf(Date)
      expect(told).to.deep.equal({
        current: true,
        amr: ['otp'],
        device: { label: 'Safari on iOS', browser: 'Safari', system: 'iOS' },
        network: '203.0.113.0/24',
      })
    })
  }

  it('cannot have a network if nothing stores it', async () => {
    const session: SessionOptions = { strategy: 'jwt', network: true }
    expect(() => initAuth({ secret, providers: [credentials()], session }).handlers).to.not.throw()
    await startApp({ session }).then(
      () => expect.fail('it was taken'),
      (error: Error) => expect(error.message).to.include('`session.network` is stored in the list of sessions'),
    )
  })
})

function missing(): never {
  throw new Error('there is no session')
}
