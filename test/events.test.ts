import { expect } from 'chai'
import { EventError } from '../lib/errors.js'
import type { ServerAuthConfig } from '../lib/types/config.js'
import type { OAuth2Config } from '../lib/types/provider.js'
import { type Browser, credentials, startApp, type TestApp, target } from './support/app.js'
import { type HostileProvider, startHostileProvider } from './support/hostile-provider.js'
import { heldNames, plant, plantSession } from './support/session.js'

const names = ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session'] as const

/** The request of the tests' browser, as events report it. */
const request = { ip: '127.0.0.1' }

describe('events', () => {
  let app: TestApp
  let browser: Browser
  /** The calls, in order. */
  const told: Array<[string, unknown]> = []

  /** Handlers and callbacks that record their calls. */
  const noted: Pick<ServerAuthConfig, 'events' | 'callbacks'> = {
    events: Object.fromEntries(
      names.map((name) => [name, (message: unknown) => void told.push([`event ${name}`, message])]),
    ),
    callbacks: {
      signIn: () => Boolean(told.push(['signIn', undefined])),
      redirect: ({ url }) => {
        told.push(['redirect', undefined])
        return url
      },
      jwt: ({ token }) => {
        told.push(['jwt', undefined])
        return token
      },
      session: ({ session }) => {
        told.push(['session', undefined])
        return session
      },
    },
  }
  const order = () => told.map(([name]) => name)
  const message = (event: string) => told.find(([name]) => name === `event ${event}`)?.[1]

  async function start(config: Partial<ServerAuthConfig> = noted): Promise<void> {
    app = await startApp(config)
    browser = app.browser()
    told.length = 0
  }
  afterEach(() => app?.close())

  describe('with credentials', () => {
    const ann = { id: 'id-of-ann', name: 'ann', email: 'ann@example.com' }
    const account = { provider: 'credentials', providerAccountId: 'id-of-ann', type: 'credentials' }

    it('come in the order of the contract at sign-in: redirect, signIn, jwt, event signIn', async () => {
      await start()
      await browser.signIn({ callbackUrl: '/x' })
      expect(order()).to.deep.equal(['redirect', 'signIn', 'jwt', 'event signIn'])
      const { sid, ...told } = message('signIn') as Record<string, unknown>
      expect(sid).to.match(/^[\w-]{43}$/)
      expect(told).to.deep.equal({ user: ann, account, request })
    })

    it('are awaited before the answer is sent', async () => {
      let release = () => {}
      let enter = () => {}
      const entered = new Promise<void>((resolve) => {
        enter = resolve
      })
      const signIn = () =>
        new Promise<void>((resolve) => {
          release = resolve
          enter()
        })
      await start({ events: { signIn } })
      let answered = false
      const answer = browser.signIn().then(() => {
        answered = true
      })
      await entered
      // An answer that does not wait would arrive before those to requests that begin now.
      const other = app.browser()
      for (let request = 0; request < 3; request += 1) await other.get('/auth/csrf')
      expect(answered).to.equal(false)
      release()
      await answer
    })

    it('do not report a sign-in that did not happen', async () => {
      await start({ ...noted, callbacks: { ...noted.callbacks, signIn: () => false } })
      await browser.signIn()
      await browser.signIn({ password: 'wrong' })
      expect(order().filter((name) => name.startsWith('event'))).to.deep.equal([])
    })

    it('hold no password', async () => {
      await start({ ...noted, providers: [credentials({ authorize: () => ({ id: '1' }) })] })
      await browser.signIn({ password: 'hunter2hunter2' })
      expect(JSON.stringify(told)).to.include('event signIn').and.not.include('hunter2')
    })
  })

  describe('with an OAuth provider', () => {
    let provider: HostileProvider
    before(async () => {
      provider = await startHostileProvider()
    })
    after(() => provider.close())
    beforeEach(() => provider.reset())

    it('come in the order of the contract, with the profile', async () => {
      await start({ ...noted, providers: [{ id: 'op', name: 'OP', type: 'oidc', ...provider.settings }] })
      const begun = await browser.submit('/auth/signin/op', { callbackUrl: '/x' })
      await browser.get(provider.authorize(target(begun)))
      expect(order()).to.deep.equal(['redirect', 'signIn', 'jwt', 'event signIn'])
      const { user, account, profile, sid, ...others } = message('signIn') as Record<string, Record<string, unknown>>
      expect(others).to.deep.equal({ request })
      expect(sid).to.be.a('string')
      expect(profile).to.include({ sub: provider.person.sub, iss: provider.issuer })
      expect(account).to.include({ provider: 'op', providerAccountId: provider.person.sub, type: 'oidc' })
      expect(user).to.include({ email: provider.person.email })
    })

    it('are not emitted when the profile cannot be read', async () => {
      const broken: OAuth2Config = {
        id: 'op',
        name: 'OP',
        type: 'oauth',
        ...provider.settings,
        profile: () => {
          throw new Error('of the profile')
        },
      }
      await start({ ...noted, providers: [broken] })
      const begun = await browser.submit('/auth/signin/op')
      await browser.get(provider.authorize(target(begun)))
      expect(order().filter((name) => name.startsWith('event'))).to.deep.equal([])
    })
  })

  describe('session', () => {
    it('is emitted after the callbacks, with the session as shown and the token', async () => {
      await start()
      await plantSession(browser, { sub: 'ann', name: 'ann' })
      const session = await browser.session()
      expect(order()).to.deep.equal(['jwt', 'session', 'event session'])
      const { session: shown, token, ...others } = message('session') as Record<string, unknown>
      expect([shown, others]).to.deep.equal([session, {}])
      expect(token).to.include({ sub: 'ann' })
    })

    it('is emitted for getSession, and once for several calls in a request', async () => {
      await start()
      await plantSession(browser)
      await browser.get('/me')
      expect(order()).to.deep.equal(['jwt', 'session', 'event session'])
    })

    it('is not emitted if there is no session', async () => {
      await start()
      await browser.session()
      plant(browser, 'garbage')
      await browser.get('/me')
      expect(order()).to.deep.equal([])
    })
  })

  describe('signOut', () => {
    it('is emitted with the token that ended', async () => {
      await start()
      await plantSession(browser, { sub: 'ann' })
      await browser.submit('/auth/signout')
      expect(order()).to.deep.equal(['event signOut'])
      const { token, sid, ...others } = message('signOut') as Record<string, unknown>
      expect(others).to.deep.equal({ request })
      expect(sid).to.be.a('string')
      expect(token).to.include({ sub: 'ann' })
    })

    it('is emitted with null for a token that cannot be read; the cookie is deleted all the same', async () => {
      await start()
      plant(browser, 'garbage')
      await browser.submit('/auth/signout')
      expect(message('signOut')).to.deep.equal({ token: null, request })
      expect(heldNames(browser)).to.deep.equal([])
    })

    it('is not emitted if no user was signed in', async () => {
      await start()
      await browser.submit('/auth/signout')
      expect(order()).to.deep.equal([])
    })

    it('is not emitted without the CSRF token', async () => {
      await start()
      await plantSession(browser)
      await browser.post('/auth/signout')
      expect(order()).to.deep.equal([])
      expect(heldNames(browser)).to.have.length(1)
    })
  })

  describe('with failing handlers', () => {
    const fault = new Error('of the handler')
    const failures: Record<string, () => unknown> = {
      throw: () => {
        throw fault
      },
      reject: async () => {
        throw fault
      },
    }

    for (const [name, handler] of Object.entries(failures)) {
      it(`LG-06 (${name}) are logged, and change nothing`, async () => {
        await start({ events: Object.fromEntries(names.map((each) => [each, handler as () => void])) })
        expect(target(await browser.signIn({ callbackUrl: '/x' }))).to.equal(`${app.origin}/x`)
        expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
        expect((await browser.get('/me')).body).to.nested.include({ 'user.name': 'ann' })
        expect(target(await browser.submit('/auth/signout', { callbackUrl: '/y' }))).to.equal(`${app.origin}/y`)
        expect(heldNames(browser)).to.deep.equal([])
        for (const error of app.log.errors) {
          expect(error).to.be.instanceOf(EventError)
          expect(error).to.have.nested.property('cause.err', fault)
        }
        expect(app.log.errors.map((error) => error.message)).to.deep.equal([
          'The event handler `events.signIn` threw.',
          'The event handler `events.session` threw.',
          'The event handler `events.session` threw.',
          'The event handler `events.signOut` threw.',
        ])
      })
    }

    it('LG-06 leave no unhandled rejection behind', async () => {
      const unhandled: unknown[] = []
      const note = (reason: unknown) => void unhandled.push(reason)
      process.on('unhandledRejection', note)
      try {
        await start({ events: { signIn: () => Promise.reject(fault) } })
        await browser.signIn()
        await new Promise(setImmediate)
      } finally {
        process.off('unhandledRejection', note)
      }
      expect(unhandled).to.deep.equal([])
    })
  })
})
