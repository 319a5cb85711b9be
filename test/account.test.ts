/** Tests of "your account": the sessions and accounts of a user, and that no user reaches those of another. */

import { expect } from 'chai'
import express, { type Request } from 'express'
import { memoryAdapter } from '../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../lib/adapters/sql/index.js'
import { expressFunctions } from '../lib/functions/on-express.js'
import { type AccountOverview, type Adapter, hasCsrfToken, type ServerAuthConfig } from '../lib/index.js'
import { createSession } from '../lib/testing/index.js'
import type { Provider } from '../lib/types/provider.js'
import { type Browser, createLog, credentials, secret, startApp, type TestApp } from './support/app.js'
import { databaseKinds, requireDatabase } from './support/databases.js'
import { wordOf } from './support/outcome.js'

const github: Provider = {
  id: 'github',
  name: 'GitHub',
  type: 'oidc',
  issuer: 'https://github.example',
  clientId: 'x',
  clientSecret: 'y',
}
const email: Provider = { id: 'email', name: 'Email', type: 'email', sendVerificationRequest: () => {} }

describe('the account functions', () => {
  const running: TestApp[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()))
  })

  /** An application whose routes do what an "account" page does. */
  async function start(config: Partial<ServerAuthConfig> = {}): Promise<TestApp> {
    const app = await startApp(
      { adapter: memoryAdapter(), providers: [credentials(), github], ...config },
      { after: addRoutes },
    )
    running.push(app)
    return app
  }

  async function signIn(app: TestApp, username = 'ann'): Promise<Browser> {
    const browser = app.browser()
    await browser.signIn({ username })
    expect(await browser.session()).to.have.property('user')
    return browser
  }

  describe('getAccount', () => {
    it('is null for a visitor', async () => {
      const browser = (await start()).browser()
      expect((await browser.get('/account')).body).to.equal(null)
    })

    it('returns the user, the sessions with this one first, and the accounts', async () => {
      const app = await start()
      await signIn(app)
      const browser = await signIn(app)
      const { user, sessions, accounts } = await overview(browser)
      expect(user).to.include({ name: 'ann', email: 'ann@example.com' })
      expect(sessions.map(({ current }) => current)).to.deep.equal([true, false])
      expect(accounts).to.deep.equal([
        { provider: 'credentials', name: 'Credentials', providerAccountId: 'id-of-ann', isLast: true },
      ])
    })

    it('names sessions by ids that authenticate no request, with the times of last use and expiry', async () => {
      const adapter = memoryAdapter()
      const browser = await signIn(await start({ adapter, session: { maxAge: 3600 } }))
      const { user, sessions } = await overview(browser)
      const [row] = await adapter.listSessionsByUserId(user.id)
      expect(sessions[0]?.expires).to.equal(row?.expires.toISOString())
      const lifetime = Date.parse(String(sessions[0]?.expires)) - Date.parse(String(sessions[0]?.usedAt))
      expect(lifetime).to.be.within(3600_000, 3601_000)
      const told = JSON.stringify(sessions)
      expect(told).not.to.contain(row?.sessionToken).and.not.contain(browser.cookies.get('auth.session-token'))
    })

    it('leaves out sessions that have ended, and those of other users', async () => {
      const adapter = memoryAdapter()
      const app = await start({ adapter })
      await signIn(app, 'bob')
      const browser = await signIn(app)
      const { user } = await overview(browser)
      await adapter.createSession({ sessionToken: 'old', userId: user.id, expires: new Date(Date.now() - 1000) })
      expect((await overview(browser)).sessions).to.have.length(1)
    })

    it('calls an account by its id when its provider is gone from the configuration', async () => {
      const adapter = memoryAdapter()
      const browser = await signIn(await start({ adapter }))
      const { user } = await overview(browser)
      await adapter.linkAccount({ provider: 'gone', providerAccountId: '1', type: 'oidc', userId: user.id })
      const gone = (await overview(browser)).accounts.find(({ provider }) => provider === 'gone')
      expect(gone).to.include({ name: 'gone', isLast: false })
    })

    it('is null for a forged session', async () => {
      const app = await start()
      await signIn(app)
      const browser = app.browser()
      browser.cookies.set('auth.session-token', 'a'.repeat(43))
      expect((await browser.get('/account')).body).to.equal(null)
    })

    it('reports what is missing without an adapter', async () => {
      const browser = await signIn(await start({ adapter: undefined }))
      expect((await browser.get('/account')).body).to.include({ type: 'MissingAdapter' })
    })

    it('fails if the database fails, and does not report the user as signed out', async () => {
      const adapter = memoryAdapter()
      const browser = await signIn(await start({ adapter }))
      adapter.listAccountsByUserId = () => Promise.reject(new Error('away'))
      const response = await browser.get('/account')
      expect(response.status).to.equal(500)
      expect(response.body.type).to.equal('AdapterError')
    })
  })

  describe('endSession', () => {
    it('ends one session, and no other', async () => {
      const app = await start()
      const [first, second, third] = [await signIn(app), await signIn(app), await signIn(app)]
      const { sessions } = await overview(second)
      const { id } = (await overview(first)).sessions.find(({ current }) => current) ?? { id: '' }
      expect(sessions.map((session) => session.id)).to.include(id)
      expect((await post(second, 'end', { id })).body).to.deep.equal({ ok: true })
      expect(await first.session()).to.equal(null)
      expect(await second.session()).to.have.property('user')
      expect(await third.session()).to.have.property('user')
    })

    it('SE-15 AZ-02 ends no session of another user, whose id is answered like an unknown one', async () => {
      const app = await start()
      const [victim, thief] = [await signIn(app, 'victim'), await signIn(app, 'thief')]
      const [session] = (await overview(victim)).sessions
      const known = await post(thief, 'end', { id: session?.id })
      const unknown = await post(thief, 'end', { id: 'x' })
      expect(known.body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect([known.status, known.text]).to.deep.equal([unknown.status, unknown.text])
      expect(await victim.session()).to.have.property('user')
    })

    it('does not accept a stored token as an id', async () => {
      const adapter = memoryAdapter()
      const browser = await signIn(await start({ adapter }))
      const [row] = await adapter.listSessionsByUserId((await overview(browser)).user.id)
      expect((await post(browser, 'end', { id: row?.sessionToken })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
    })

    it('AZ-01 ends nothing for a visitor who knows an id', async () => {
      const app = await start()
      const victim = await signIn(app)
      const [session] = (await overview(victim)).sessions
      expect((await post(app.browser(), 'end', { id: session?.id })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
      expect(await victim.session()).to.have.property('user')
    })

    it('also ends the session of the request', async () => {
      const browser = await signIn(await start())
      const [session] = (await overview(browser)).sessions
      expect((await post(browser, 'end', { id: session?.id })).body).to.deep.equal({ ok: true })
      expect(await browser.session()).to.equal(null)
    })
  })

  describe('endOtherSessions', () => {
    it('ends all sessions of this user except this one', async () => {
      const app = await start()
      const other = await signIn(app, 'bob')
      const [first, second, third] = [await signIn(app), await signIn(app), await signIn(app)]
      expect((await post(second, 'end-others')).body).to.equal(2)
      expect(await first.session()).to.equal(null)
      expect(await third.session()).to.equal(null)
      expect(await second.session()).to.have.property('user')
      expect(await other.session()).to.have.property('user')
    })

    it('ends nothing for a visitor', async () => {
      const app = await start()
      const browser = await signIn(app)
      expect((await post(app.browser(), 'end-others')).body).to.equal(0)
      expect(await browser.session()).to.have.property('user')
    })
  })

  describe('unlinkAccount', () => {
    /** Signed in by password, with a second account. */
    async function withGithub(config: Partial<ServerAuthConfig> = {}, adapter = memoryAdapter()) {
      const app = await start({ adapter, ...config })
      const browser = await signIn(app)
      const { user } = await overview(browser)
      await adapter.linkAccount({ provider: 'github', providerAccountId: '7', type: 'oidc', userId: user.id })
      const mine = { provider: 'github', providerAccountId: '7' }
      const password = { provider: 'credentials', providerAccountId: 'id-of-ann' }
      return { app, adapter, browser, user, mine, password }
    }

    it('LK-07 unlinks one, and refuses the last', async () => {
      const { browser, mine, password } = await withGithub()
      expect((await overview(browser)).accounts.map(({ isLast }) => isLast)).to.deep.equal([false, false])
      expect((await post(browser, 'unlink', mine)).body).to.deep.equal({ ok: true })
      expect((await overview(browser)).accounts).to.have.length(1)
      expect((await overview(browser)).accounts[0]).to.include({ ...password, isLast: true })
      expect((await post(browser, 'unlink', password)).body).to.deep.equal({ ok: false, reason: 'last' })
      expect((await overview(browser)).accounts).to.have.length(1)
    })

    it('LK-07 AZ-02 unlinks no account of another user', async () => {
      const { app, browser, mine } = await withGithub()
      const thief = await signIn(app, 'thief')
      expect((await post(thief, 'unlink', mine)).body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect((await overview(browser)).accounts).to.have.length(2)
    })

    for (const [what, providerAccountId] of [
      ['another case', 'ID-OF-ANN'],
      ['a space at the end', 'id-of-ann '],
      ['nothing', ''],
    ] as const) {
      it(`compares ids exactly: ${what}`, async () => {
        const { browser } = await withGithub()
        const asked = { provider: 'credentials', providerAccountId }
        expect((await post(browser, 'unlink', asked)).body).to.deep.equal({ ok: false, reason: 'unknown' })
        expect((await overview(browser)).accounts).to.have.length(2)
      })
    }

    it('AZ-01 unlinks nothing for a visitor', async () => {
      const { app, browser, mine } = await withGithub()
      expect((await post(app.browser(), 'unlink', mine)).body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect((await overview(browser)).accounts).to.have.length(2)
    })

    it('does not count an account whose provider is gone as a sign-in method', async () => {
      const { adapter, browser, user, mine, password } = await withGithub()
      await adapter.linkAccount({ provider: 'gone', providerAccountId: '1', type: 'oidc', userId: user.id })
      expect((await post(browser, 'unlink', mine)).body).to.deep.equal({ ok: true })
      expect((await post(browser, 'unlink', password)).body).to.deep.equal({ ok: false, reason: 'last' })
    })

    it('counts an email link as a sign-in method if the email address is verified', async () => {
      const { adapter, browser, user, mine, password } = await withGithub({
        providers: [credentials(), github, email],
      })
      expect((await post(browser, 'unlink', mine)).body).to.deep.equal({ ok: true })
      expect((await post(browser, 'unlink', password)).body).to.deep.equal({ ok: false, reason: 'last' })
      await adapter.updateUser({ id: user.id, emailVerified: new Date() })
      expect((await post(browser, 'unlink', password)).body).to.deep.equal({ ok: true })
      expect((await overview(browser)).accounts).to.deep.equal([])
    })

    it('leaves one of two that are unlinked at once', async () => {
      const { browser, mine, password } = await withGithub()
      await browser.csrf()
      const answers = await Promise.all([post(browser, 'unlink', mine), post(browser, 'unlink', password)])
      expect(answers.map(({ body }) => wordOf(body)).sort()).to.deep.equal(['last', 'ok'])
      expect((await overview(browser)).accounts).to.have.length(1)
    })

    it('leaves one without transactions, too', async () => {
      const adapter = memoryAdapter()
      const slow = adapter.listAccountsByUserId
      Object.assign(adapter, {
        transaction: undefined,
        listAccountsByUserId: async (id: string) => {
          const found = await slow(id)
          await new Promise((resolve) => setTimeout(resolve, 20))
          return found
        },
      })
      const { browser, mine, password } = await withGithub({}, adapter)
      await browser.csrf()
      const answers = await Promise.all([post(browser, 'unlink', mine), post(browser, 'unlink', password)])
      expect(answers.map(({ body }) => wordOf(body)).sort()).to.deep.equal(['last', 'ok'])
    })

    it('changes nothing of the user', async () => {
      const { adapter, browser, user, mine } = await withGithub()
      await adapter.updateUser({ id: user.id, image: 'https://example.com/ann.png', emailVerified: new Date(0) })
      const before = await adapter.getUser(user.id)
      await post(browser, 'unlink', mine)
      expect(await adapter.getUser(user.id)).to.deep.equal(before)
    })
  })

  for (const kind of databaseKinds) {
    it(`unlinkAccount leaves one of two that are unlinked at once by two processes (${kind})`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        await migrate(database.db)
        const config = () => ({ adapter: sqlAdapter(database.db) })
        // Two engines share nothing but the database, as two processes do.
        const [app, twin] = [await start(config()), await start(config())]
        const browser = await signIn(app)
        const { user } = await overview(browser)
        const other = twin.browser()
        for (const [name, value] of browser.cookies) other.cookies.set(name, value)
        for (let round = 0; round < 5; round += 1) {
          const mine = { provider: 'github', providerAccountId: String(round) }
          await sqlAdapter(database.db).linkAccount({ ...mine, type: 'oidc', userId: user.id })
          const [kept] = (await overview(browser)).accounts.filter(({ provider }) => provider !== 'github')
          const password = { provider: 'credentials', providerAccountId: 'id-of-ann' }
          const answers = await Promise.all([post(browser, 'unlink', mine), post(other, 'unlink', password)])
          expect(answers.map(({ body }) => wordOf(body)).sort()).to.deep.equal(['last', 'ok'])
          if (!kept || answers[1]?.body.reason === 'last') continue
          await sqlAdapter(database.db).linkAccount({ ...password, type: 'credentials', userId: user.id })
          await sqlAdapter(database.db).unlinkAccount(mine)
        }
      } finally {
        await database.close()
      }
    })
  }

  it('CS-16 forms without the CSRF token, with another one’s, or from another site change nothing', async () => {
    const app = await start()
    const [first, browser] = [await signIn(app), await signIn(app)]
    const [, other] = (await overview(browser)).sessions
    const strangers = await app.browser().csrf()
    const own = await browser.csrf()
    const attempts = [
      browser.post('/account/end', { id: other?.id }),
      browser.post('/account/end', { id: other?.id, csrfToken: strangers }),
      browser.post('/account/end', { id: other?.id, csrfToken: own }, { 'sec-fetch-site': 'cross-site' }),
      browser.post('/account/end', { id: other?.id, csrfToken: own }, { origin: 'https://evil.example' }),
      browser.post('/account/end-others', {}),
      browser.post('/account/unlink', { provider: 'credentials', providerAccountId: 'id-of-ann' }),
      browser.send('post', '/account/end-others', { json: { csrfToken: [own] } }),
      browser.send('post', '/account/end-others', { json: null as never }),
    ]
    for (const response of await Promise.all(attempts)) expect(response.status).to.equal(403)
    expect(await first.session()).to.have.property('user')
    expect((await overview(browser)).accounts).to.have.length(1)
  })

  it('ignores a token that comes from the prototype of the body', () => {
    const config = { secret, providers: [credentials()], logger: createLog().logger }
    const body = Object.create({ csrfToken: 'x' })
    expect(hasCsrfToken({ headers: {}, body }, config)).to.equal(false)
    expect(hasCsrfToken({ headers: {} }, config)).to.equal(false)
  })

  describe('with JWT sessions and an adapter', () => {
    /** Sets up a session as after a sign-in that found the user in the database. */
    async function holdSessionOf(id: string, app: TestApp): Promise<Browser> {
      const browser = app.browser()
      const { setCookies } = await createSession(app.config, { user: { id }, url: app.origin })
      for (const line of setCookies) {
        const [pair = ''] = line.split('; ')
        browser.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      return browser
    }

    it('the accounts of a stored user are listed and unlinked; there are no sessions to list', async () => {
      const adapter = memoryAdapter()
      const user = await adapter.createUser({ id: 'id-of-ann', email: 'ann@example.com', emailVerified: null })
      await adapter.linkAccount({ provider: 'github', providerAccountId: '7', type: 'oidc', userId: user.id })
      await adapter.linkAccount({ provider: 'github', providerAccountId: '8', type: 'oidc', userId: user.id })
      const browser = await holdSessionOf(user.id, await start({ adapter, session: { strategy: 'jwt' } }))
      const { sessions, accounts } = await overview(browser)
      expect(sessions).to.deep.equal([])
      expect(accounts).to.have.length(2)
      expect((await post(browser, 'end', { id: 'x' })).body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect((await post(browser, 'end-others')).body).to.equal(0)
      expect((await post(browser, 'unlink', { provider: 'github', providerAccountId: '7' })).body).to.deep.equal({
        ok: true,
      })
      expect((await post(browser, 'unlink', { provider: 'github', providerAccountId: '8' })).body).to.deep.equal({
        ok: false,
        reason: 'last',
      })
    })

    it('returns nothing and does nothing for a token that the `jwt` callback revokes', async () => {
      const adapter = memoryAdapter()
      const user = await adapter.createUser({ id: 'id-of-ann', email: 'ann@example.com', emailVerified: null })
      for (const providerAccountId of ['7', '8']) {
        await adapter.linkAccount({ provider: 'github', providerAccountId, type: 'oidc', userId: user.id })
      }
      const revoked = new Set<string>()
      const app = await start({
        adapter,
        session: { strategy: 'jwt' },
        callbacks: { jwt: ({ token }) => (revoked.has(String(token.sub)) ? null : token) },
      })
      const browser = await holdSessionOf(user.id, app)
      expect((await browser.get('/account')).body).to.have.property('user')
      revoked.add(user.id)
      expect((await browser.get('/account')).body).to.equal(null)
      const unlinked = await post(browser, 'unlink', { provider: 'github', providerAccountId: '7' })
      expect(unlinked.body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(await adapter.listAccountsByUserId(user.id)).to.have.length(2)
    })

    it('returns nothing for a user whom the adapter does not know, whatever id `authorize` returned', async () => {
      const adapter = memoryAdapter()
      await adapter.createUser({ id: 'id-of-ann', email: 'ann@example.com', emailVerified: null })
      const browser = await signIn(await start({ adapter, session: { strategy: 'jwt' } }))
      expect((await browser.get('/account')).body).to.equal(null)
    })
  })

  it('with an adapter that cannot list, nothing is listed, ended or unlinked', async () => {
    const {
      listAccountsByUserId: _accounts,
      listSessionsByUserId: _sessions,
      transaction: _transaction,
      ...adapter
    }: Adapter = memoryAdapter()
    const app = await start({ adapter })
    const [other, browser] = [await signIn(app), await signIn(app)]
    expect(await overview(browser)).to.deep.include({ sessions: [], accounts: [] })
    expect((await post(browser, 'end', { id: 'x' })).body).to.deep.equal({ ok: false, reason: 'unknown' })
    expect((await post(browser, 'end-others')).body).to.equal(0)
    const mine = { provider: 'credentials', providerAccountId: 'id-of-ann' }
    expect((await post(browser, 'unlink', mine)).body).to.deep.equal({ ok: false, reason: 'unknown' })
    expect(await other.session()).to.have.property('user')
  })
})

function addRoutes(app: express.Express, config: ServerAuthConfig): void {
  app.use(express.urlencoded({ extended: false }), express.json({ strict: false }))
  const route = (path: string, act: (req: Request) => Promise<unknown>) => {
    app.post(path, (req, res, next) => {
      if (!hasCsrfToken(req, config)) return void res.sendStatus(403)
      act(req).then((result) => res.json(result), next)
    })
  }
  app.get('/account', (req, res, next) => {
    expressFunctions(config)
      .account.get(req)
      .then((account) => res.json(account), next)
  })
  route('/account/end', (req) => expressFunctions(config).sessions.end(req, req.body.id))
  route('/account/end-others', (req) => expressFunctions(config).sessions.endOthers(req))
  route('/account/unlink', (req) => expressFunctions(config).account.unlink(req, req.body))
}

/** A type as it is in JSON: times are text. */
type Told<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] extends object ? Told<T[Key]> : T[Key] }

async function overview(browser: Browser): Promise<Told<AccountOverview>> {
  const { body, status } = await browser.get('/account')
  expect(status, JSON.stringify(body)).to.equal(200)
  return body
}

async function post(browser: Browser, path: string, fields: object = {}) {
  return browser.post(`/account/${path}`, { csrfToken: await browser.csrf(), ...fields })
}
