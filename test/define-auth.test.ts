/** `defineAuth`: one object that holds what belongs together. Its types are tested in `types/session.ts`. */
import { expect } from 'chai'
import express, { type Express } from 'express'
import { AuthError, defineAuth, getSession, ServerAuth } from '../lib/index.js'
import { Browser, createLog, credentials, secret, startApp, target, wildcardMount } from './support/app.js'
import type { Answer } from './support/http-browser.js'
import { startLoopbackServer } from './support/loopback-server.js'

function define() {
  const { logger } = createLog()
  return defineAuth({
    secret,
    logger,
    providers: [credentials()],
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, role: user.name === 'ann' ? 'admin' : 'guest' } : token),
      session: ({ session, token }) => ({ ...session, role: String(token?.role) }),
    },
  })
}

/** Serves an application for the time of a test. */
async function serve(app: Express, use: (browser: Browser, origin: string) => Promise<void>): Promise<void> {
  const server = await startLoopbackServer(app)
  try {
    await use(new Browser(server.origin), server.origin)
  } finally {
    await server.close()
  }
}

function appOf(auth: ReturnType<typeof define>, mount = '/auth'): Express {
  const app = express()
  app.use(mount, auth.router)
  app.get('/me', (req, res, next) => {
    auth.getSession(req).then((session) => res.json(session), next)
  })
  app.get('/account', auth.requireSession(), (_req, res) => void res.json(res.locals.session))
  app.get('/admin', auth.requireSession({ allow: (session) => session.role === 'admin' }), (_req, res) => {
    res.json({ admin: true })
  })
  return app
}

describe('defineAuth(config)', () => {
  for (const mount of ['/auth', wildcardMount, '/']) {
    it(`signs in, reads and guards with one configuration, mounted at ${mount}`, async () => {
      await serve(appOf(define(), mount), async (browser) => {
        expect((await browser.get('/me')).body).to.equal(null)
        await browser.signIn({}, mount === '/' ? '' : '/auth')
        const { body } = await browser.get('/me')
        expect(body).to.include({ role: 'admin' })
        expect((await browser.get('/account')).body).to.deep.equal(body)
        expect((await browser.get('/admin')).body).to.deep.equal({ admin: true })
      })
    })
  }

  it('gives `allow` what the session callback returned', async () => {
    await serve(appOf(define()), async (browser) => {
      await browser.signIn({ username: 'bob' })
      expect((await browser.get('/account')).body).to.include({ role: 'guest' })
      const refused = await browser.get('/admin')
      expect(refused.status).to.equal(403)
      expect(refused.body).to.have.property('error', 'Forbidden')
    })
  })

  it('brings a person back to where the guard stopped them', async () => {
    await serve(appOf(define()), async (browser, origin) => {
      const refused: Answer = await browser.get('/admin?tab=2', { accept: 'text/html' })
      expect(target(refused)).to.equal('/auth/signin?callbackUrl=%2Fadmin%3Ftab%3D2')
      await browser.get(target(refused))
      expect(target(await browser.signIn())).to.equal(`${origin}/admin?tab=2`)
    })
  })

  it('keeps the very object: doors that are given it read the same sessions', async () => {
    const auth = define()
    const app = appOf(auth)
    app.get('/two', (req, res, next) => {
      getSession(req, auth.config).then((session) => res.json({ role: session?.role }), next)
    })
    app.use('/again', ServerAuth(auth.config))
    await serve(app, async (browser) => {
      await browser.signIn()
      expect((await browser.get('/two')).body).to.deep.equal({ role: 'admin' })
      expect(await browser.session('/again')).to.include({ role: 'admin' })
    })
  })

  it('gives functions that work apart from their object', async () => {
    const auth = define()
    const { router, getSession: read, requireSession } = auth
    const app = express()
    app.use('/auth', router)
    app.get('/me', requireSession(), (req, res, next) => {
      read(req).then((session) => res.json(session), next)
    })
    await serve(app, async (browser) => {
      await browser.signIn()
      expect((await browser.get('/me')).body).to.include({ role: 'admin' })
    })
  })

  it('does not write to the configuration', () => {
    const config = Object.freeze({ secret, providers: [credentials()], callbacks: Object.freeze({}) })
    expect(defineAuth(config).config).to.equal(config)
  })

  it('FO-05 makes guards that hand errors on: rejected promises are not lost on Express 4', async () => {
    const auth = defineAuth({
      secret,
      logger: createLog().logger,
      providers: [credentials()],
      callbacks: { session: () => Promise.reject(new Error('no database')) },
    })
    const app = await startApp(auth.config, {
      after: (server) => server.get('/account', auth.requireSession(), (_req, res) => void res.json({ in: true })),
    })
    try {
      const browser = app.browser()
      await browser.signIn()
      const response = await browser.get('/account')
      expect(response.status).to.equal(500)
      expect(response.body).to.deep.equal({ app: true, error: 'no database' })
    } finally {
      await app.close()
    }
  })

  it('throws for a configuration that cannot work', () => {
    const make = defineAuth as (config: unknown) => unknown
    expect(() => make({ secret, providers: [], sessions: {} })).to.throw(AuthError, /`sessions`.*`session`/)
    expect(() => make({ secret, providers: [{ id: 'a', name: 'A', type: 'oidc', clientId: 'x' }] })).to.throw(
      AuthError,
      /issuer/,
    )
    for (const config of [undefined, null, 'config']) expect(() => make(config), String(config)).to.throw()
  })
})
