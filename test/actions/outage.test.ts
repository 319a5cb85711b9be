/**
 * Tests of an unavailable store: API clients receive 503 and the time to retry, and a page asks the user to try again
 * later.
 */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import Password from '../../lib/providers/password.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'

const base = '/api/auth'

/** Returns the same object, whose methods fail from the moment at which `state` says so. */
function failing<T extends object>(store: T, state: { isAway: boolean }): T {
  return new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (state.isAway) throw new Error('the server at 10.0.0.5 is down')
        return Reflect.apply(value, target, args)
      }
    },
  })
}

const email: EmailConfig = { id: 'email', name: 'Email', type: 'email', sendVerificationRequest: () => {} }
const signInForm = { username: 'ann', password: 'right' }

interface Outage {
  readonly path: string
  readonly form: Record<string, string>
  configOf(state: { isAway: boolean }): Partial<FullStackAuthConfig>
}

const counter = { consume: () => ({ allowed: true, retryAfter: 0 }), refund: () => {} }

const outages: Readonly<Record<string, Outage>> = {
  'the counts of attempts': {
    path: '/callback/credentials',
    form: signInForm,
    configOf: (state) => ({ rateLimit: { store: { counter: failing(counter, state) } } }),
  },
  'users, while an email is asked for': {
    path: '/signin/email',
    form: { email: 'ann@example.com' },
    configOf: (state) => ({ adapter: failing(memoryAdapter(), state), providers: [email] }),
  },
  'database sessions': {
    path: '/callback/credentials',
    form: signInForm,
    configOf: (state) => ({ adapter: failing(memoryAdapter(), state), session: { strategy: 'database' } }),
  },
  passwords: {
    path: '/callback/password',
    form: { email: 'ann@example.com', password: 'four words in a row' },
    configOf: (state) => ({
      adapter: memoryAdapter(),
      providers: [Password({ mail: email, store: { records: failing(memoryStore().records, state) } })],
    }),
  },
  'second factors': {
    path: '/callback/credentials',
    form: signInForm,
    configOf: (state) => ({
      adapter: memoryAdapter(),
      session: { strategy: 'database' },
      factors: { methods: [Totp(), RecoveryCodes()], store: { records: failing(memoryStore().records, state) } },
    }),
  },
  'sessions, at a sign-out': {
    path: '/signout',
    form: {},
    configOf: (state) => ({ adapter: failing(memoryAdapter(), state), session: { strategy: 'database' } }),
  },
}

for (const [door, open] of Object.entries({ express: openExpress, shim: openShim })) {
  describe(`a store that is away (${door})`, () => {
    let app: Door
    afterEach(() => app.close())

    const send = (who: Browser, { path, form }: Outage, headers: Record<string, string>): Promise<Answer> =>
      who.ask(`${base}${path}`, { form: { csrfToken: true, ...form }, headers })

    for (const [store, outage] of Object.entries(outages)) {
      const start = async (): Promise<Browser> => {
        const state = { isAway: false }
        app = await open({ secret: `a-secret-of-the-outage-${Math.random()}`, ...outage.configOf(state) })
        const visitor = app.browser()
        await visitor.ask(`${base}/csrf`)
        if (outage.path === '/signout') await visitor.signIn()
        state.isAway = true
        return visitor
      }

      it(`RL-06 DOS-12: JSON, while the store of ${store} is away`, async () => {
        const { status, headers, text: body } = await send(await start(), outage, { accept: 'application/json' })
        expect([status, headers['retry-after']]).to.deep.equal([503, '30'])
        expect(JSON.parse(body)).to.include.keys('error', 'message')
        expect(body).to.not.include('10.0.0.5')
      })

      it(`RL-06 DOS-12: a form, while the store of ${store} is away`, async () => {
        const { status, headers, text: body } = await send(await start(), outage, { accept: 'text/html' })
        expect([status, headers['retry-after'], headers.location]).to.deep.equal([503, '30', undefined])
        expect(headers['content-type']).to.include('text/html')
        expect(body).to.match(/try again in a few minutes|The library tries again/)
      })

      it(`RL-06 DOS-12: a browser client, while the store of ${store} is away`, async () => {
        const { status, headers, text: body } = await send(await start(), outage, { 'x-auth-return-redirect': '1' })
        expect([status, headers['retry-after']]).to.deep.equal([503, '30'])
        const { url, error } = JSON.parse(body)
        expect(new URL(url).searchParams.get('error')).to.equal(error)
        expect(body).to.not.include('10.0.0.5')
      })
    }

    it('a rejected password is no outage: the browser client receives 200 and the URL, and a form is redirected', async () => {
      app = await open({ rateLimit: { store: { counter } } })
      const wrong: Outage = {
        path: '/callback/credentials',
        form: { ...signInForm, password: 'no' },
        configOf: () => ({}),
      }
      const client = await send(app.browser(), wrong, { 'x-auth-return-redirect': '1' })
      expect([client.status, client.headers['retry-after']]).to.deep.equal([200, undefined])
      expect(new URL(client.body.url).searchParams.get('error')).to.equal('CredentialsSignin')
      expect((await send(app.browser(), wrong, { accept: 'text/html' })).status).to.equal(303)
    })
  })
}
