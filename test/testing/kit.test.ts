/** Tests of `server-auth/testing`, used as tests of applications use it. */

import assert from 'node:assert/strict'
import { expect } from 'chai'
import express from 'express'
import request from 'supertest'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import {
  createSession,
  mailbox,
  openIdProvider,
  signInAs,
  stopClock,
  type TestSessionOptions,
} from '../../lib/testing/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { createLog, credentials } from '../support/app.js'
import { opened } from '../support/opened.js'
import { rejectionOf } from '../support/rejection.js'

const secret = 'a-secret-for-tests-of-32-characters'

/** An application that says who is there. */
function site(config: Partial<ServerAuthConfig> = {}) {
  const whole: ServerAuthConfig = { secret, providers: [credentials()], logger: createLog().logger, ...config }
  const auth = defineAuth(whole)
  const app = express()
  app.use('/auth', auth.router)
  app.get('/me', auth.requireSession(), (_req, res) => void res.json(res.locals.session))
  return { app, auth, config: auth.config }
}

const strategies = {
  jwt: () => ({}),
  'jwt with an adapter': () => ({ adapter: memoryAdapter(), session: { strategy: 'jwt' as const } }),
  database: () => ({ adapter: memoryAdapter(), session: { strategy: 'database' as const }, providers: [] }),
}

for (const [name, options] of Object.entries(strategies)) {
  describe(`createSession (${name})`, () => {
    it('makes a session that handlers read, and that ends with a sign-out', async () => {
      const { app, config } = site({
        ...options(),
        callbacks: { session: ({ session, authentication }) => ({ ...session, ...authentication }) },
      })
      const { cookie, csrfToken, user } = await createSession(config, {
        user: { name: 'Ann', email: 'ann@example.com' },
        amr: ['pwd', 'otp'],
      })
      expect(user.email).to.equal('ann@example.com')
      const me = await request(app).get('/me').set('Cookie', cookie).expect(200)
      expect(me.body.user).to.include({ name: 'Ann', email: 'ann@example.com' })
      expect(me.body.amr).to.deep.equal(['pwd', 'otp'])

      const agent = request.agent(app)
      await signInAs(agent, config, { user: { email: 'ann@example.com' } })
      const { body } = await agent.get('/auth/csrf').expect(200)
      await agent.post('/auth/signout').type('form').send({ csrfToken: body.csrfToken }).expect(303)
      await agent.get('/me').expect(401)

      await request(app).post('/auth/signout').set('Cookie', cookie).type('form').send({ csrfToken }).expect(303)
    })

    it('is for Test User by default, and runs the callbacks', async () => {
      const seen: string[] = []
      const { app, config } = site({
        ...options(),
        callbacks: {
          signIn: () => seen.push('signIn') > 0,
          session: ({ session }) => {
            seen.push('session')
            return session
          },
        },
        events: { signIn: () => void seen.push('event') },
      })
      const { headers } = await createSession(config)
      const me = await request(app).get('/me').set(headers).expect(200)
      expect(me.body.user).to.include({ name: 'Test User', email: 'test@example.com' })
      expect(seen).to.include.members(['signIn', 'event', 'session'])
    })

    it('says when the `signIn` callback refuses', async () => {
      const refusing = site({ ...options(), callbacks: { signIn: () => false } })
      expect(await rejectionOf(createSession(refusing.config))).to.include({ type: 'AccessDenied' })
      const sending = site({ ...options(), callbacks: { signIn: () => '/verify' } })
      expect(String(await rejectionOf(createSession(sending.config)))).to.include('/verify')
    })

    it('ends by its own `maxAge`', async () => {
      const { app, config } = site(options())
      const clock = stopClock()
      try {
        const { cookie } = await createSession(config, { maxAge: 60 })
        clock.advance(58)
        await request(app).get('/me').set('Cookie', cookie).expect(200)
        clock.advance(2)
        await request(app).get('/me').set('Cookie', cookie).expect(401)
      } finally {
        clock.restore()
      }
    })

    it('has the cookies of the place, as a browser takes them', async () => {
      const { config } = site({ ...options(), trustHost: true })
      const plain = await createSession(config)
      expect(plain.storageState.cookies.map(({ name: cookie }) => cookie)).to.include('auth.session-token')
      for (const { domain, secure, sameSite } of plain.storageState.cookies) {
        expect([domain, secure, sameSite]).to.deep.equal(['localhost', false, 'Lax'])
      }
      const { storageState } = await createSession(config, { url: 'https://app.example.com/here' })
      const session = storageState.cookies.find(({ name: cookie }) => cookie.endsWith('session-token'))
      expect(session).to.include({ domain: 'app.example.com', secure: true, httpOnly: true, path: '/' })
      expect(session?.expires).to.be.within(Date.now() / 1000 + 29 * 86_400, Date.now() / 1000 + 31 * 86_400)
    })
  })
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`createSession and guards that require proofs (${strategy})`, () => {
    const asks = {
      aal: { aal: 2 },
      fresh: { maxAge: 300 },
      both: { aal: 2, maxAge: 300 },
      key: { amr: ['hwk'] },
    } as const

    function guarded() {
      const { auth, config } = site({
        adapter: memoryAdapter(),
        session: { strategy },
        providers: [],
        factors: [Totp(), RecoveryCodes()],
      })
      const app = express()
      app.use('/auth', auth.router)
      for (const [path, options] of Object.entries(asks)) {
        app.get(`/${path}`, auth.requireSession(options), (_req, res) => void res.send('inside'))
      }
      /** Returns the guards that allow a session. */
      async function allowedIn(options: TestSessionOptions): Promise<string[]> {
        const { headers } = await createSession(config, options)
        const open: string[] = []
        for (const path of Object.keys(asks)) {
          const { status } = await request(app).get(`/${path}`).set(headers)
          expect(status).to.be.oneOf([200, 401])
          if (status === 200) open.push(path)
        }
        return open
      }
      return allowedIn
    }

    it('meets exactly the requirements that the options state', async () => {
      const allowedIn = guarded()
      expect(await allowedIn({})).to.deep.equal(['fresh'])
      expect(await allowedIn({ amr: ['hwk'] })).to.deep.equal(['fresh', 'key'])
      expect(await allowedIn({ aal: 2 })).to.deep.equal(['aal', 'fresh', 'both'])
      expect(await allowedIn({ amr: ['pwd', 'hwk'], aal: 2 })).to.deep.equal(Object.keys(asks))
    })

    it('has proofs with times of their own', async () => {
      const allowedIn = guarded()
      const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
      expect(await allowedIn({ proofs: [{ amr: ['pwd'], at: ago(310) }] })).to.deep.equal([])
      expect(await allowedIn({ proofs: [{ amr: ['pwd', 'otp'], aal: 2, at: ago(310) }] })).to.deep.equal(['aal'])
      const [password, code] = [
        { amr: ['pwd'], at: ago(10) },
        { amr: ['otp'], aal: 2 as const, at: ago(310) },
      ]
      // A fresh password does not make an old second factor fresh.
      expect(await allowedIn({ proofs: [password, code] })).to.deep.equal(['aal', 'fresh'])
      expect(await allowedIn({ proofs: [{ ...code, at: ago(10) }] })).to.deep.equal(['aal', 'fresh', 'both'])
    })

    it('ages with the clock', async () => {
      const clock = stopClock()
      try {
        const allowedIn = guarded()
        const at = Math.floor(Date.now() / 1000)
        clock.advance(300)
        expect(await allowedIn({ proofs: [{ amr: [], aal: 2, at }] })).to.deep.equal(['aal', 'fresh', 'both'])
        clock.advance(1)
        expect(await allowedIn({ proofs: [{ amr: [], aal: 2, at }] })).to.deep.equal(['aal'])
      } finally {
        clock.restore()
      }
    })
  })
}

describe('createSession', () => {
  it('passes all fields of the user to the `jwt` callback, if no user is stored', async () => {
    const { app, config } = site({
      callbacks: {
        jwt: ({ token, user }) => ({ ...token, ...(user && { role: Reflect.get(user, 'role') }) }),
        session: ({ session, token }) => Object.assign(session, { role: token?.role }),
      },
    })
    const { cookie } = await createSession(config, { user: { id: '1', name: 'Ann', role: 'admin' } })
    const me = await request(app).get('/me').set('Cookie', cookie).expect(200)
    expect(me.body.role).to.equal('admin')
  })

  it('is for a stored user by their id, and rejects an unknown one', async () => {
    const adapter = memoryAdapter()
    const ann = await adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: null, name: 'Ann' })
    const { app, config } = site({ adapter, session: { strategy: 'database' }, providers: [] })
    const { cookie, user } = await createSession(config, { user: { id: ann.id } })
    expect(user.id).to.equal(ann.id)
    expect((await request(app).get('/me').set('Cookie', cookie).expect(200)).body.user.name).to.equal('Ann')
    expect(await rejectionOf(createSession(config, { user: { id: 'nobody' } }))).to.include({
      type: 'AccountNotLinked',
    })
  })

  it('rejects fields that a sign-in does not store, and names the field and the fix', async () => {
    const adapter = memoryAdapter({ user: { role: 'string' } })
    const { config } = site({ adapter, session: { strategy: 'database' }, providers: [] })
    const error = await rejectionOf(createSession(config, { user: { email: 'ann@example.com', role: 'admin' } }))
    expect(error).to.include({ type: 'InvalidConfiguration' })
    expect(String(error)).to.include('user.role').and.include('auth.users.create')
    expect(await adapter.getUserByEmail('ann@example.com')).to.equal(null)

    const ann = await adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: null, role: 'admin' })
    expect((await createSession(config, { user: ann })).user.id).to.equal(ann.id)
  })

  it('keeps `data` and `remember`', async () => {
    const { app, config } = site({ session: { data: true, rememberMaxAge: 90 * 86_400 } })
    const { cookie, storageState } = await createSession(config, { remember: true, data: { organisation: 'acme' } })
    const me = await request(app).get('/me').set('Cookie', cookie).expect(200)
    expect(me.body.data).to.deep.equal({ organisation: 'acme' })
    const session = storageState.cookies.find(({ name }) => name === 'auth.session-token')
    expect(session?.expires).to.be.above(Date.now() / 1000 + 80 * 86_400)
  })

  it('is read by a full-stack framework, too', async () => {
    const config: FullStackAuthConfig = { secret, trustHost: true, providers: [credentials()] }
    const { auth } = initAuth(config)
    const { cookie } = await createSession(config, { user: { id: '1', name: 'Ann' } })
    const answer = await withRequest(new Request('http://localhost:3000/', { headers: { cookie } }), async () =>
      Response.json(await auth()),
    )
    expect((await answer.json()).user.name).to.equal('Ann')
  })

  it('says what is wrong with the options', async () => {
    const { config } = site()
    for (const [options, word] of [
      [{ url: 'app.example.com' }, 'url'],
      [{ maxAge: -1 }, 'maxAge'],
      [{ amr: ['a b'] }, 'amr'],
      [{ amr: ['pwd'], proofs: [{ amr: ['pwd'], at: 1 }] }, 'proofs'],
      [{ proofs: [{ amr: ['pwd'], at: Date.now() }] }, 'proofs[0].at'],
      [{ data: {} }, 'data'],
    ] as const) {
      const error = await rejectionOf(createSession(config, options))
      expect(error).to.include({ type: 'InvalidConfiguration' })
      expect(String(error)).to.include(word)
    }
  })
})

describe('helpers for tests', () => {
  it('do nothing in production, and say so', async () => {
    const { config } = site()
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    try {
      for (const [name, work] of [
        ['createSession', () => createSession(config)],
        ['signInAs', () => signInAs({ jar: { setCookies: () => {} } }, config)],
        ['openIdProvider', () => openIdProvider()],
        ['mailbox', async () => mailbox()],
        ['stopClock', async () => stopClock()],
      ] as const) {
        const error = await rejectionOf(work())
        expect(error).to.include({ type: 'InvalidConfiguration' })
        expect(String(error)).to.include(name).and.include('NODE_ENV')
      }
    } finally {
      if (before === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = before
    }
  })

  it('a clock stands, is moved, and is not stopped twice', () => {
    const real = Date.now
    const clock = stopClock()
    const at = Date.now()
    clock.advance(90)
    expect(Date.now()).to.equal(at + 90_000)
    expect(() => stopClock()).to.throw('restore')
    clock.restore()
    expect(Date.now).to.equal(real)
  })
})

describe('mailbox', () => {
  const start = () => {
    const box = mailbox()
    const { sendVerificationRequest } = box
    const email = { id: 'email', name: 'Email', type: 'email' as const, sendVerificationRequest }
    const { app } = site({ adapter: memoryAdapter(), providers: [email] })
    return { box, app }
  }
  const ask = async (agent: ReturnType<typeof request.agent>, address: string) => {
    const { body } = await agent.get('/auth/csrf')
    await agent.post('/auth/signin/email').type('form').send({ csrfToken: body.csrfToken, email: address })
  }

  it('has the link that signs in', async () => {
    const { box, app } = start()
    const server = app.listen(0)
    try {
      const agent = request.agent(server)
      await ask(agent, 'Ann@Example.com')
      const { identifier, url } = await box.next()
      expect(identifier).to.equal('ann@example.com')
      expect(box.lastLink()).to.equal(url)
      expect(new URL(url).searchParams.get('token')).to.equal(box.lastCode('ANN@example.com'))
      await agent.get(url.slice(new URL(url).origin.length)).expect(302)
      expect((await agent.get('/me').expect(200)).body.user.email).to.equal('ann@example.com')
    } finally {
      server.close()
    }
  })

  it('gives each mail once, to whom it is for, and says when none comes', async () => {
    const { box, app } = start()
    const later = box.next({ to: 'bob@example.com' })
    await ask(request.agent(app), 'ann@example.com')
    await ask(request.agent(app), 'bob@example.com')
    expect((await later).identifier).to.equal('bob@example.com')
    expect((await box.next()).identifier).to.equal('ann@example.com')
    expect(String(await rejectionOf(box.next({ to: 'eve@example.com', within: 20 })))).to.include('eve@example.com')
    expect(box.mails).to.have.length(2)
    box.clear()
    expect(() => box.lastLink()).to.throw('box.next')
  })
})

describe('openIdProvider', () => {
  const provider = opened(() =>
    openIdProvider({
      users: [
        { sub: 'ann', name: 'Ann', email: 'ann@example.com', email_verified: true, department: 'R&D' },
        { sub: 'bob', name: '<b>Bob' },
      ],
    }),
  )
  afterEach(() => {
    provider.mode = 'well'
  })

  const start = async (config: Partial<ServerAuthConfig> = {}) => {
    const { app } = site({
      providers: [{ id: 'company', name: 'Company', type: 'oidc', ...provider.settings }],
      timeout: 1,
      ...config,
    })
    const server = app.listen(0)
    const agent = request.agent(server)
    const { body } = await agent.get('/auth/csrf')
    const begun = await agent.post('/auth/signin/company').type('form').send({ csrfToken: body.csrfToken })
    return { server, agent, location: begun.headers.location ?? '' }
  }
  const pathOf = (url: string) => url.slice(new URL(url).origin.length)

  it('signs in whom the test says', async () => {
    for (const [sub, name] of [
      [undefined, 'Ann'],
      ['bob', '<b>Bob'],
    ] as const) {
      const { server, agent, location } = await start()
      await agent.get(pathOf(await provider.signIn(location, sub))).expect(302)
      expect((await agent.get('/me').expect(200)).body.user.name).to.equal(name)
      server.close()
    }
  })

  it('tells claims of the test’s own, and gives refresh tokens that are good once', async () => {
    const seen: unknown[] = []
    const { server, agent, location } = await start({
      providers: [
        {
          id: 'company',
          name: 'Company',
          type: 'oidc',
          ...provider.settings,
          authorization: { params: { scope: 'openid profile email offline_access', prompt: 'consent' } },
        },
      ],
      callbacks: { signIn: ({ profile, account }) => seen.push(profile?.department, account?.refresh_token) > 0 },
    })
    await agent.get(pathOf(await provider.signIn(location))).expect(302)
    server.close()
    expect(seen[0]).to.equal('R&D')
    const refresh = (): Promise<Response> =>
      fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${provider.settings.clientId}:${provider.settings.clientSecret}`)}`,
        },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(seen[1]) }),
      })
    expect((await refresh()).status).to.equal(200)
    expect((await refresh()).status).to.equal(400)
  })

  it('denies', async () => {
    const { server, agent, location } = await start()
    provider.mode = 'deny'
    const back = await provider.signIn(location)
    expect(new URL(back).searchParams.get('error')).to.equal('access_denied')
    const answer = await agent.get(pathOf(back))
    expect(answer.headers.location).to.include('error=')
    server.close()
  })

  for (const mode of ['slow', 'down'] as const) {
    it(`is ${mode}: the sign-in says so, and works later`, async () => {
      const first = await start()
      const back = await provider.signIn(first.location)
      provider.mode = mode
      const answer = await first.agent.get(pathOf(back))
      expect(answer.headers.location).to.include('error=')
      first.server.close()
      provider.mode = 'well'
      const { server, agent, location } = await start()
      await agent.get(pathOf(await provider.signIn(location))).expect(302)
      server.close()
    })
  }

  it('shows its users on a page, escaped', async () => {
    const { server, location } = await start()
    server.close()
    let page = await fetch(location, { redirect: 'manual' })
    const cookie = page.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    page = await fetch(new URL(page.headers.get('location') ?? '', provider.issuer), { headers: { cookie } })
    const html = await page.text()
    expect(html).to.include('Ann (ann@example.com)').and.not.include('<b>Bob')
  })

  it('says what is wrong', async () => {
    for (const users of [[], [{ sub: '' }], [{ sub: 'a' }, { sub: 'a' }]]) {
      expect(String(await rejectionOf(openIdProvider({ users })))).to.include('sub')
    }
    expect(String(await rejectionOf(provider.signIn('http://127.0.0.1:1/auth')))).to.include(provider.issuer)
    const { server, location } = await start()
    server.close()
    expect(String(await rejectionOf(provider.signIn(location, 'eve')))).to.include('ann, bob')
    const port = Number(new URL(provider.issuer).port)
    assert.equal(Reflect.get(Object(await rejectionOf(openIdProvider({ port }))), 'code'), 'EADDRINUSE')
  })
})
