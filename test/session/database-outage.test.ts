/** Outages are not sign-outs: any failure of the database fails closed, soon, and ends when the database is back. */
import { expect } from 'chai'
import { requireSession, type ServerAuthConfig } from '../../lib/index.js'
import type { AdapterMethod } from '../../lib/types/adapter.js'
import { never, type Replacement, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, setCookies, startApp, type TestApp, target } from '../support/app.js'
import { cookieLines, heldToken, sessionName } from '../support/session.js'

const secrets = /hunter2|ann@example\.com|opaque|h1_[0-9a-f]{16}/
function driverError(): Error {
  return Object.assign(new Error("insert into users values ('ann@example.com') password='hunter2'"), {
    code: '08006',
    detail: 'Key (email)=(ann@example.com)',
    sql: "insert into users values ('hunter2')",
    parameters: ['hunter2', 'opaque'],
  })
}
const faults: ReadonlyArray<[what: string, fault: Replacement]> = [
  [
    'throws',
    () => {
      throw driverError()
    },
  ],
  ['rejects', () => Promise.reject(driverError())],
  ['hangs', never],
  ['returns garbage', () => 'garbage'],
]

describe('DOS-12 a database that fails', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser
  const told: string[] = []

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
    db = testDatabase()
    told.length = 0
    app = await startApp(
      {
        adapter: db.adapter,
        timeout: 0.05,
        events: { failure: ({ type }) => void told.push(type) },
        ...config,
      },
      {
        after: (express, full) =>
          void express.get('/guarded', requireSession(full), (_req, res) => void res.json('in')),
      },
    )
    browser = app.browser()
  }
  afterEach(() => app.close())

  const expectSilentLog = () => {
    for (const error of app.log.errors) {
      const { cause = {} } = error as { cause?: { err?: Error } }
      const all = JSON.stringify([error, { ...error }, cause, { ...cause.err }])
      for (const text of [error.message, error.stack, cause.err?.message, cause.err?.stack, all]) {
        expect(text ?? '').to.not.match(secrets)
      }
    }
  }

  for (const [what, fault] of faults) {
    it(`while a session is read (${what}) answers 503, clears no cookie, authenticates no request, and recovers when it is back`, async () => {
      await start()
      await browser.signIn()
      const token = heldToken(browser)
      db.replace('getSessionAndUser', fault)
      const response = await browser.get('/auth/session')
      expect(response.status).to.equal(503)
      expect(response.body).to.have.all.keys('error', 'message')
      expect(response.body.error).to.equal('Configuration')
      expect(response.body.message).to.match(/Reference: [0-9a-f]{8}$/)
      expect(setCookies(response)).to.deep.equal([])
      expect(response.text).to.not.match(secrets)
      const me = await browser.get('/me')
      expect([me.status, setCookies(me)]).to.deep.equal([500, []])
      const guarded = await browser.get('/guarded', { accept: 'application/json' })
      expect(guarded.status).to.be.at.least(500)
      expect(setCookies(guarded)).to.deep.equal([])
      expect(app.log.errors.map((error) => (error as { type?: string }).type)).to.include('AdapterError')
      expect(told).to.include('AdapterError')
      expectSilentLog()
      db.repair()
      expect(heldToken(browser)).to.equal(token)
      expect(await browser.session()).to.have.property('user')
      expect((await browser.get('/guarded')).body).to.equal('in')
    })
  }

  it('makes getSession reject with an AdapterError', async () => {
    let caught: unknown
    db = testDatabase()
    app = await startApp(
      { adapter: db.adapter },
      {
        after: (express) =>
          void express.use((error: unknown, _req: unknown, _res: unknown, next: (error: unknown) => void) => {
            caught = error
            next(error)
          }),
      },
    )
    // The error handler of the application itself is the last one: `/me` reports what it was.
    browser = app.browser()
    await browser.signIn()
    db.replace('getSessionAndUser', () => Promise.reject(new Error('down')))
    const { body } = await browser.get('/me')
    expect(body).to.deep.equal({
      app: true,
      error: "The adapter's method `getSessionAndUser` failed.",
      type: 'AdapterError',
    })
    expect(caught).to.equal(undefined)
  })

  const signInMethods: readonly AdapterMethod[] = [
    'getUserByAccount',
    'getUser',
    'getUserByEmail',
    'transaction',
    'createUser',
    'linkAccount',
    'createSession',
  ]
  for (const method of signInMethods) {
    for (const [what, fault] of faults) {
      // The result of these methods is not used, because the record was their argument.
      if (what === 'returns garbage' && (method === 'linkAccount' || method === 'createSession')) continue
      it(`at a sign-in (\`${method}\` ${what}) shows the error page with 503, a reference and no session`, async () => {
        await start()
        db.replace(method, fault)
        const response = await browser.signIn()
        expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '30'])
        expect(response.text)
          .to.match(/try again in a few minutes/)
          .and.match(/<code>[0-9a-f]{8}<\/code>/)
        expect(cookieLines(response)).to.deep.equal([])
        expect(response.text).to.not.match(secrets)
        expect(app.log.errors).to.have.length(1)
        expect(app.log.errors[0]).to.have.property('type', 'AdapterError')
        expect(app.log.errors[0]).to.have.nested.property('cause.method', method)
        expectSilentLog()
        expect(await db.sessions()).to.deep.equal([])
        // If a transaction hangs in the middle, the database still holds it, and none of it is visible.
        if (what === 'hangs') return
        const key = { provider: 'credentials', providerAccountId: 'id-of-ann' }
        const [user, owner] = [await db.real.getUserByEmail('ann@example.com'), await db.real.getUserByAccount(key)]
        // A user without the account would be in the way of every further try.
        expect(user).to.deep.equal(owner)
        expect(user === null).to.equal(method !== 'createSession')
        db.repair()
        expect(target(await browser.signIn())).to.equal(`${app.origin}/`)
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })
    }
  }

  it('as a whole leaves users signed in, and the process alive', async () => {
    await start()
    await browser.signIn()
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    for (const [, fault] of faults) {
      db.replaceAll(fault)
      const answers = await Promise.all([
        browser.get('/auth/session'),
        app.browser().signIn(),
        browser.get('/me'),
        browser.submit('/auth/session', { data: {} }),
      ])
      for (const { status } of answers) expect(status).to.be.oneOf([303, 500, 503])
      expect(browser.cookies.has(sessionName)).to.equal(true)
    }
    db.repair()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
  })

  it('does not stop routes that need no database', async () => {
    await start()
    db.replaceAll(never)
    for (const path of ['/auth/csrf', '/auth/providers', '/auth/signin', '/auth/signout', '/auth/error']) {
      expect((await browser.get(path)).status, path).to.be.below(503)
    }
    expect(await browser.session()).to.equal(null)
    expect(db.calls).to.deep.equal([])
  })
})
