import { expect } from 'chai'
import { AccessDenied, CredentialsSignin } from '../lib/errors.js'
import type { ServerAuthConfig, SignInCallbackParams } from '../lib/types/config.js'
import { type Browser, setCookies, startApp, type TestApp, target } from './support/app.js'
import { cookieLines, heldToken, plantSession, sessionName } from './support/session.js'

type Callbacks = NonNullable<ServerAuthConfig['callbacks']>

describe('callbacks', () => {
  let app: TestApp
  let browser: Browser

  async function start(callbacks: Callbacks, config: Partial<ServerAuthConfig> = {}): Promise<void> {
    app = await startApp({ ...config, callbacks })
    browser = app.browser()
  }
  afterEach(() => app?.close())

  describe('signIn', () => {
    /** A `signIn` callback that returns any value, as JavaScript callbacks can. */
    const answering = (answer: unknown) => ({ signIn: () => answer as boolean })

    it('gets user, account and the typed values', async () => {
      const calls: SignInCallbackParams[] = []
      await start({
        signIn(params) {
          calls.push(params)
          return true
        },
      })
      await browser.signIn({ callbackUrl: '/x', more: 'ignored' })
      expect(calls).to.have.length(1)
      expect(calls[0]).to.have.all.keys('user', 'account', 'credentials')
      expect(calls[0]?.user).to.deep.equal({ id: 'id-of-ann', name: 'ann', email: 'ann@example.com' })
      expect(calls[0]?.account).to.deep.equal({
        provider: 'credentials',
        providerAccountId: 'id-of-ann',
        type: 'credentials',
      })
      expect({ ...calls[0]?.credentials }).to.deep.equal({ username: 'ann', password: 'right' })
    })

    it('is not called when the credentials are wrong', async () => {
      let asked = 0
      await start({
        signIn: () => {
          asked += 1
          return true
        },
      })
      expect(target(await browser.signIn({ password: 'wrong' }))).to.include('error=CredentialsSignin')
      expect(asked).to.equal(0)
    })

    it('that returns true allows the sign-in', async () => {
      await start(answering(Promise.resolve(true)))
      expect(target(await browser.signIn({ callbackUrl: '/x' }))).to.equal(`${app.origin}/x`)
      expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
    })

    for (const [name, answer] of [
      ['false', false],
      ['nothing', undefined],
      ['null', null],
      ['an empty text', ''],
      ['0', 0],
      ['a promise of false', Promise.resolve(false)],
    ] as const) {
      it(`that returns ${name} rejects: AccessDenied, and the session that was there stays`, async () => {
        await start(answering(answer))
        const before = await plantSession(browser, { name: 'before' })
        const response = await browser.signIn()
        expect(target(response)).to.equal(`${app.origin}/auth/error?error=AccessDenied`)
        expect(cookieLines(response)).to.deep.equal([])
        expect(heldToken(browser)).to.equal(before)
        expect(app.log.errors.map((error) => error.name)).to.deep.equal(['AccessDenied'])
      })
    }

    it('that throws rejects: AccessDenied keeps the original message, the page shows a generic one', async () => {
      const fault = new Error('ann is banned since Monday')
      await start({ signIn: () => Promise.reject(fault) })
      const response = await browser.signIn()
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=AccessDenied`)
      const [error] = app.log.errors
      expect(error).to.be.instanceOf(AccessDenied)
      expect(error).to.include({ message: 'ann is banned since Monday' }).and.have.nested.property('cause.err', fault)
      const page = await browser.get(target(response))
      expect(page.status).to.equal(403)
      expect(page.text).to.not.include('banned')
      expect(page.text).to.include('Access denied')
    })

    it('that throws shows nothing of it in JSON either', async () => {
      await start({
        signIn: () => {
          throw new Error('ann is banned')
        },
      })
      const csrfToken = await browser.csrf()
      const fields = { csrfToken, username: 'ann', password: 'right' }
      const response = await browser.send('post', '/auth/callback/credentials', {
        json: fields,
        headers: { accept: 'application/json' },
      })
      expect(response.status).to.equal(403)
      expect(response.body).to.deep.equal({
        error: 'AccessDenied',
        message:
          'This account may not sign in here. If you have another account, sign in with that one, or ask the people who run the site for access.',
      })
    })

    it('that throws an error of the library: the reply has that error', async () => {
      class Locked extends CredentialsSignin {
        override code = 'locked'
      }
      await start({
        signIn: () => {
          throw new Locked()
        },
      })
      expect(target(await browser.signIn())).to.equal(`${app.origin}/auth/signin?error=CredentialsSignin&code=locked`)
    })

    for (const [text, to] of [
      ['/pending?why=new', '/pending?why=new'],
      ['https://help.example/why', 'https://help.example/why'],
      ['http://help.example/', 'http://help.example/'],
      ['pending', '/pending'],
    ] as const) {
      it(`that returns ${text} redirects there, without a session`, async () => {
        await start(answering(text))
        const response = await browser.signIn({ callbackUrl: '/x' })
        expect(response.status).to.be.within(302, 303)
        expect(target(response)).to.equal(new URL(to, app.origin).href)
        expect(cookieLines(response)).to.deep.equal([])
        expect(await browser.session()).to.equal(null)
      })
    }

    for (const text of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc',
      'http://[',
      'https://u:p@x.test/',
    ]) {
      it(`that returns ${text} is an error: no redirect to it, no session`, async () => {
        await start(answering(text))
        const response = await browser.signIn()
        expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
        expect(app.log.errors[0]?.message).to.equal(
          'The `signIn` callback returned a string that is neither an http(s) URL nor a path.',
        )
        expect(await browser.session()).to.equal(null)
      })
    }

    it('that returns line breaks injects no header', async () => {
      await start(answering('/a\r\nSet-Cookie: evil=1'))
      const response = await browser.signIn()
      expect(setCookies(response).join()).to.not.include('evil')
      expect(new URL(target(response)).origin).to.equal(app.origin)
    })
  })

  describe('redirect', () => {
    it('gets the URL as the client sent it, and the origin', async () => {
      const calls: unknown[] = []
      await start({
        redirect(params) {
          calls.push(params)
          return params.baseUrl
        },
      })
      await browser.signIn({ callbackUrl: '/x?y=z' })
      expect(calls).to.deep.equal([{ url: '/x?y=z', baseUrl: app.origin }])
    })

    it('is called at sign-out too', async () => {
      await start({ redirect: ({ baseUrl }) => `${baseUrl}/decided` })
      await browser.signIn()
      expect(target(await browser.submit('/auth/signout', { callbackUrl: '/x' }))).to.equal(`${app.origin}/decided`)
      expect(cookieLines(await browser.get('/auth/session'))).to.deep.equal([])
    })

    const home = (origin: string) => `${origin}/`
    const cases: ReadonlyArray<[string, () => unknown, (origin: string) => string]> = [
      ['a path', () => '/decided', (origin) => `${origin}/decided`],
      ['a relative path', () => 'foo', (origin) => `${origin}/foo`],
      ['a promise of a path', async () => '/decided', (origin) => `${origin}/decided`],
      [
        'an URL elsewhere: the decision of the application',
        () => 'https://elsewhere.example/x',
        () => 'https://elsewhere.example/x',
      ],
      ['null', () => null, home],
      ['nothing', () => undefined, home],
      ['an object', () => ({ href: 'https://elsewhere.example' }), home],
      ['javascript:', () => 'javascript:alert(1)', home],
      ['data:', () => 'data:text/html,x', home],
      ['what is no URL', () => 'http://[', home],
      ['an URL with a password', () => 'https://a:b@elsewhere.example', home],
    ]
    for (const [name, answer, expected] of cases) {
      it(`that returns ${name}`, async () => {
        await start({ redirect: answer as Callbacks['redirect'] })
        const response = await browser.signIn({ callbackUrl: '/asked' })
        expect(target(response)).to.equal(expected(app.origin))
        expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
      })
    }

    it('that throws: the default page, and the error is logged', async () => {
      const fault = new Error('of the callback')
      await start({
        redirect: () => {
          throw fault
        },
      })
      const response = await browser.signIn({ callbackUrl: '/asked' })
      expect(target(response)).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
      expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
      expect(app.log.errors[0]).to.have.nested.property('cause.err', fault)
    })

    it('is not called for our own endpoints, which are no pages to return to', async () => {
      const calls: string[] = []
      await start({
        redirect({ url }) {
          calls.push(url)
          return url
        },
      })
      for (const url of ['/auth/signin', '/auth/signout', '/auth/callback/credentials?x=y', '/auth/error']) {
        expect(target(await browser.signIn({ callbackUrl: url }))).to.equal(`${app.origin}/`)
      }
      expect(calls).to.deep.equal([])
    })
  })

  describe('jwt', () => {
    it('gets user, account and trigger at sign-in, and a token of name, email, picture and sub', async () => {
      const calls: unknown[] = []
      await start({
        jwt(params) {
          calls.push(structuredClone(params))
          return params.token
        },
      })
      await browser.signIn()
      expect(calls).to.deep.equal([
        {
          token: { name: 'ann', email: 'ann@example.com', picture: null, sub: 'id-of-ann' },
          user: { id: 'id-of-ann', name: 'ann', email: 'ann@example.com' },
          account: { provider: 'credentials', providerAccountId: 'id-of-ann', type: 'credentials' },
          trigger: 'signIn',
        },
      ])
    })

    it('gets the token alone at a read', async () => {
      const calls: Array<Record<string, unknown>> = []
      await start({
        jwt(params) {
          calls.push(params)
          return params.token
        },
      })
      await plantSession(browser, { sub: 'ann', role: 'r' })
      await browser.get('/auth/session')
      expect(calls[0]).to.have.all.keys('token')
      expect(calls[0]?.token).to.include({ sub: 'ann', role: 'r' })
    })

    it('that throws at sign-in: an error, logged with its cause; the session does not change', async () => {
      const fault = new Error('of the database')
      await start({
        jwt: ({ token, trigger }) => {
          if (trigger === 'signIn') throw fault
          return token
        },
      })
      const before = await plantSession(browser)
      const response = await browser.signIn()
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
      expect(cookieLines(response)).to.deep.equal([])
      expect(heldToken(browser)).to.equal(before)
      expect(app.log.errors[0]).to.have.nested.property('cause.err', fault)
    })

    it('decides the token of the session callback and of the cookie', async () => {
      await start({
        jwt: ({ token, user }) => (user ? { ...token, role: 'admin' } : token),
        session: ({ session, token }) => ({ ...session, role: token?.role }),
      })
      await browser.signIn()
      expect(await browser.session()).to.include({ role: 'admin' })
    })
  })

  describe('session', () => {
    it('starts from id, name, email, image and expiry', async () => {
      const calls: unknown[] = []
      await start({
        session(params) {
          calls.push(structuredClone(params.session))
          return params.session
        },
      })
      await plantSession(browser, { sub: 's', name: 'n', email: 'e', picture: 'p', secretClaim: 1 })
      const body = await browser.session()
      expect(calls).to.deep.equal([
        { user: { id: 's', name: 'n', email: 'e', image: 'p' }, expires: (body as { expires: string }).expires },
      ])
    })

    it('may be asynchronous', async () => {
      await start({ session: async ({ session }) => ({ ...session, more: 1 }) })
      await plantSession(browser)
      expect(await browser.session()).to.include({ more: 1 })
    })

    it('is not called without a session', async () => {
      let asked = 0
      await start({
        session: ({ session }) => {
          asked += 1
          return session
        },
      })
      await browser.session()
      browser.cookies.set(sessionName, 'garbage')
      await browser.session()
      expect(asked).to.equal(0)
    })
  })
})
