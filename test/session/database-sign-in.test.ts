/** A database session begins: what it replaces, what is stored, and what a failure leaves. */
import { expect } from 'chai'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Adapter, AdapterSession } from '../../lib/types/adapter.js'
import { plantRow, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, credentials, startApp, type TestApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { cookieLines, heldToken, sessionName } from '../support/session.js'

describe('database sessions that begin', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser

  async function start(config: Partial<ServerAuthConfig> = {}, database = testDatabase()): Promise<void> {
    db = database
    app = await startApp({ adapter: db.adapter, ...config })
    browser = app.browser()
  }
  afterEach(() => app.close())

  const soon = () => new Date(Date.now() + 60_000)
  const down = () => Promise.reject(new Error('down'))
  const errorTypes = () => app.log.errors.map((error) => (error as { type?: string }).type)
  const rowKeys = async () => (await db.sessions()).map(({ sessionToken }) => sessionToken)

  /** A failed sign-in: the error page, with a reference, and no session cookie. Where the database is down, at once and with status 503. */
  function expectErrorPage(response: Answer): void {
    if (errorTypes().includes('AdapterError')) {
      expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '30'])
      expect(response.text).to.match(/<code>[0-9a-f]{8}<\/code>/)
    } else {
      expect(response.status).to.equal(303)
      expect(response.headers.location).to.match(/\/auth\/error\?error=Configuration&reference=[0-9a-f]{8}$/)
    }
    expect(cookieLines(response)).to.deep.equal([])
  }

  describe('a sign-in with database sessions', () => {
    it('stores a hash of the token, and nothing else that a browser holds', async () => {
      await start()
      const response = await browser.signIn({ callbackUrl: '/asked' })
      expect(target(response)).to.equal(`${app.origin}/asked`)
      const token = heldToken(browser)
      expect(token).to.match(/^[\w-]{43}\.f[\w-]+$/)
      const [row] = await db.sessions()
      expect(row?.sessionToken).to.match(/^h1_[0-9a-f]{64}\.f[\w-]+$/)
      expect(JSON.stringify(db.args)).to.not.include(token)
      const [line] = cookieLines(response)
      expect(line).to.match(/^auth\.session-token=[\w-]{43}\.f[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
    })

    it('creates a user and an account for a new user', async () => {
      await start()
      await browser.signIn()
      expect(db.calls.filter((name) => /^(?:create|link)/.test(name))).to.deep.equal([
        'createUser',
        'linkAccount',
        'createSession',
      ])
    })

    it('replaces the session that was there, which goes after the new one is there', async () => {
      await start()
      await browser.signIn()
      const [old] = await rowKeys()
      db.calls.length = 0
      await browser.signIn()
      const keys = await rowKeys()
      expect(keys).to.have.length(1)
      expect(keys[0]).to.not.equal(old)
      expect(db.calls.indexOf('deleteSession')).to.be.greaterThan(db.calls.indexOf('createSession'))
      expect(db.calls.filter((name) => name === 'deleteSession')).to.have.length(1)
    })

    it('keeps the sessions of the user in other browsers', async () => {
      await start()
      const other = app.browser()
      await other.signIn()
      await browser.signIn()
      await browser.signIn()
      expect(await other.session()).to.have.property('user')
      expect(await rowKeys()).to.have.length(2)
    })

    it('deletes a session that has ended as well', async () => {
      await start()
      const key = await plantRow(db, browser, { expires: new Date(0) })
      await browser.signIn({ username: 'bob' })
      expect(await rowKeys())
        .to.have.length(1)
        .and.not.include(key)
    })

    it('accepts an adapter that rejects deleting a missing record', async () => {
      await start()
      browser.cookies.set(sessionName, 'nobody-has-this-token')
      db.replace('deleteSession', down)
      expect(target(await browser.signIn())).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.have.property('user')
    })

    for (const [what, config, fields] of [
      ['whose password is wrong', {}, { password: 'wrong' }],
      ['that the callback refuses', { callbacks: { signIn: () => false } }, {}],
      ['that the callback sends elsewhere', { callbacks: { signIn: () => '/elsewhere' } }, {}],
    ] as const) {
      it(`${what} keeps the session that was there`, async () => {
        await start(config)
        const key = await plantRow(db, browser, { expires: soon() })
        const token = heldToken(browser)
        const response = await browser.signIn({ username: 'bob', ...fields })
        expect(cookieLines(response)).to.deep.equal([])
        expect(await rowKeys()).to.deep.equal([key])
        expect(heldToken(browser)).to.equal(token)
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
        expect(db.calls).to.not.include('createUser')
      })
    }

    it('without a session that can be stored keeps the session that was there', async () => {
      await start()
      const key = await plantRow(db, browser, { expires: soon() })
      db.replace('createSession', down)
      expectErrorPage(await browser.signIn({ username: 'bob' }))
      expect(await rowKeys()).to.deep.equal([key])
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      db.repair()
      expect(target(await browser.signIn({ username: 'bob' }))).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.have.nested.property('user.name', 'bob')
    })

    for (const method of ['getSessionAndUser', 'deleteSession'] as const) {
      it(`that cannot end the session that was there keeps that one, and has none (\`${method}\`)`, async () => {
        await start()
        const key = await plantRow(db, browser, { expires: soon() })
        // Of the old one only: what was begun can be taken back.
        db.replace(method, (real, token) => (token === key ? down() : real(token)))
        expectErrorPage(await browser.signIn({ username: 'bob' }))
        expect(await rowKeys()).to.deep.equal([key])
        db.repair()
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })
    }

    it('that cannot undo its changes leaves a row whose token no browser has', async () => {
      await start()
      await plantRow(db, browser, { expires: soon() })
      const token = heldToken(browser)
      db.replace('deleteSession', down)
      expectErrorPage(await browser.signIn({ username: 'bob' }))
      expect(heldToken(browser)).to.equal(token)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    })
  })

  describe('credentials with database sessions', () => {
    const authorizing = (user: object) => ({ providers: [credentials({ authorize: () => user as never })] })

    it('sign in the stored user whose id `authorize` returned', async () => {
      await start(authorizing({ id: 'u7', name: 'not looked at', email: 'x@example.com' }))
      await db.addUser({ id: 'u7', name: 'Seven' })
      await browser.signIn()
      expect(await browser.session()).to.have.deep.property('user', {
        id: 'u7',
        name: 'Seven',
        email: 'u7@example.com',
        image: null,
      })
      expect(db.calls).to.not.include('createUser').and.not.include('linkAccount').and.not.include('updateUser')
    })

    it('find a user again by the account, however the adapter numbers its users', async () => {
      const created: unknown[] = []
      const linked: unknown[] = []
      await start({
        ...authorizing({ id: 42, name: 'Ann', email: 'Ann@Example.com' }),
        events: {
          createUser: ({ user }) => void created.push(user),
          linkAccount: (message) => void linked.push(message),
        },
      })
      await browser.signIn()
      await app.browser().signIn()
      expect(created).to.have.length(1)
      expect(created[0]).to.include({ name: 'Ann', email: 'ann@example.com', emailVerified: null, image: null })
      const rows = await db.sessions()
      expect(rows).to.have.length(2)
      expect(new Set(rows.map(({ userId }) => userId)).size).to.equal(1)
      const account = await db.real.getAccount('42', 'credentials')
      expect(account).to.deep.equal({
        provider: 'credentials',
        providerAccountId: '42',
        type: 'credentials',
        userId: rows[0]?.userId,
      })
    })

    it('create a user of name, address and image alone, never of a password', async () => {
      await start(
        authorizing({
          id: 'x',
          email: 'ann@example.com',
          name: 'Ann',
          image: '/a',
          password: 'hunter2',
          role: 'admin',
        }),
      )
      await browser.signIn()
      const at = db.calls.indexOf('createUser')
      expect(db.args[at]?.[0]).to.have.all.keys('id', 'name', 'email', 'image', 'emailVerified')
      expect(JSON.stringify(db.args)).to.not.include('hunter2').and.not.include('admin')
    })

    describe('with an `authorize` that returns an address and no id', () => {
      const anAddress = (email: string) => authorizing({ email, name: 'Ann' })

      it('create a user, and find them again by the account', async () => {
        await start(anAddress('Ann@Example.com'))
        await browser.signIn()
        await app.browser().signIn()
        expect(app.log.errors).to.deep.equal([])
        const rows = await db.sessions()
        expect(rows).to.have.length(2)
        expect(new Set(rows.map(({ userId }) => userId)).size).to.equal(1)
        const account = await db.real.getAccount('ann@example.com', 'credentials')
        expect(account).to.include({ type: 'credentials', userId: rows[0]?.userId })
        expect(await db.real.getUser(String(rows[0]?.userId))).to.include({
          email: 'ann@example.com',
          emailVerified: null,
        })
      })

      it('never sign in another user who has the address', async () => {
        await start(anAddress('ANN@example.com'))
        await db.addUser({ id: 'ann' })
        const response = await browser.signIn()
        expect(target(response)).to.equal(`${app.origin}/auth/signin?error=AccountNotLinked`)
        expect(await db.sessions()).to.deep.equal([])
        expect(await db.real.getAccount('ann@example.com', 'credentials')).to.equal(null)
      })

      it('never sign in an earlier user of the address, by the account that has its name', async () => {
        await start(anAddress('old@example.com'))
        await browser.signIn()
        const [row] = await db.sessions()
        const id = String(row?.userId)
        for (const email of ['new@example.com', null as unknown as string]) {
          await db.real.updateUser({ id, email })
          const stranger = app.browser()
          expect(target(await stranger.signIn())).to.equal(`${app.origin}/auth/signin?error=AccountNotLinked`)
          expect(await stranger.session()).to.equal(null)
        }
        await db.real.updateUser({ id, email: 'old@example.com' })
        const again = app.browser()
        await again.signIn()
        expect((await db.sessions()).map(({ userId }) => userId)).to.deep.equal([id, id])
      })

      it('never sign in a user who has the address as an id, or at another provider', async () => {
        await start(anAddress('ann@example.com'))
        await db.addUser({ id: 'ann@example.com', email: 'other@example.com' })
        const { id } = await db.addUser({ id: 'eve', email: 'eve@example.com' })
        const key = { provider: 'acme', providerAccountId: 'ann@example.com' }
        await db.real.linkAccount({ ...key, type: 'oauth', userId: id })
        await browser.signIn()
        const [row] = await db.sessions()
        expect(row?.userId).to.be.a('string').and.not.oneOf(['ann@example.com', id])
      })

      it('keep the letters of the address: a look-alike is rejected', async () => {
        // The Kelvin sign, which is a `k` in lower case.
        await start(anAddress('\u212Aate@example.com'))
        expectErrorPage(await browser.signIn())
        expect(errorTypes()).to.deep.equal(['CallbackRouteError'])
        expect(db.calls).to.not.include('createUser')
      })

      it('get an error with JWT sessions that an id is needed', async () => {
        await start({ ...anAddress('ann@example.com'), session: { strategy: 'jwt' } })
        expectErrorPage(await browser.signIn())
        expect(app.log.errors[0]?.message).to.match(/must return a user with an `id` .*JWT sessions/)
      })

      for (const email of ['', 7, null, { $ne: '' }, 'x'.repeat(300)]) {
        it(`are rejected if it is ${JSON.stringify(email).slice(0, 20)}`, async () => {
          await start(authorizing({ email }))
          expectErrorPage(await browser.signIn())
          expect(app.log.errors[0]?.message).to.include('or with an `email`')
        })
      }

      it('are rejected with an invalid id, though there is an address', async () => {
        await start(authorizing({ id: '', email: 'ann@example.com' }))
        expectErrorPage(await browser.signIn())
        expect(errorTypes()).to.deep.equal(['CallbackRouteError'])
      })
    })

    it('need an address to make a user of', async () => {
      await start(authorizing({ id: 'x', name: 'Ann' }))
      expectErrorPage(await browser.signIn())
      expect(errorTypes()).to.deep.equal(['CallbackRouteError'])
      expect(app.log.errors[0]?.message).to.match(/"credentials".*does not know and who has no `email`/)
      expect(db.calls).to.not.include('createUser')
    })

    it('never sign in another user who has the address', async () => {
      await start(authorizing({ id: 'x', email: 'ANN@example.com' }))
      await db.addUser({ id: 'ann' })
      const response = await browser.signIn()
      expect(target(response)).to.equal(`${app.origin}/auth/signin?error=AccountNotLinked`)
      expect(errorTypes()).to.deep.equal(['AccountNotLinked'])
      expect(app.log.errors[0]?.message).to.not.include('@')
      expect(await db.sessions()).to.deep.equal([])
    })

    it('never sign in a user whose id is only similar', async () => {
      await start(authorizing({ id: 'ANN', email: 'other@example.com' }))
      await db.addUser({ id: 'ann' })
      db.replace('getUser', (real, id) => real(String(id).toLowerCase()))
      await browser.signIn()
      expect(await browser.session()).to.have.nested.property('user.email', 'other@example.com')
    })

    it('that come twice at once end in one user', async () => {
      await start()
      const both = await Promise.all([browser, app.browser()].map((each) => each.signIn()))
      for (const response of both) expect(target(response)).to.equal(`${app.origin}/`)
      expect(db.calls.filter((name) => name === 'createUser')).to.have.length(1)
      expect(await rowKeys()).to.have.length(2)
    })

    it('that come to two processes at once end in one user', async () => {
      await start()
      db.replace('createUser', async (real, user) => {
        // The other process is faster by a moment.
        const { id } = await db.addUser({ id: 'of-the-other', email: 'ann@example.com', name: 'ann' })
        const key = { provider: 'credentials', providerAccountId: 'id-of-ann' }
        await db.real.linkAccount({ ...key, type: 'credentials', userId: id })
        return real(user)
      })
      db.replace('transaction', (_real, work) => (work as (adapter: Adapter) => Promise<unknown>)(db.adapter))
      expect(target(await browser.signIn())).to.equal(`${app.origin}/`)
      expect((await db.sessions()).map(({ userId }) => userId)).to.deep.equal(['of-the-other'])
    })

    for (const [what, without] of [
      ['with transactions', []],
      ['without', ['transaction']],
    ] as const) {
      it(`succeed at the next try after the account could not be linked, by an adapter ${what}`, async () => {
        const created: unknown[] = []
        await start({ events: { createUser: ({ user }) => void created.push(user) } }, testDatabase({ without }))
        db.replace('linkAccount', down)
        expectErrorPage(await browser.signIn())
        expect(errorTypes()).to.deep.equal(['AdapterError'])
        expect(await db.sessions()).to.deep.equal([])
        expect(created).to.deep.equal([])
        db.repair()
        expect(target(await browser.signIn())).to.equal(`${app.origin}/`)
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
        expect(created).to.have.length(1)
        expect(target(await app.browser().signIn())).to.equal(`${app.origin}/`)
        expect(created).to.have.length(1)
      })
    }

    it('need no user row with JWT sessions, and do not touch the database', async () => {
      await start({ session: { strategy: 'jwt' } })
      await browser.signIn()
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect(db.calls).to.deep.equal([])
    })
  })

  describe('SE-13 session.generateSessionToken', () => {
    const generating = (generateSessionToken: () => unknown) => ({
      session: { generateSessionToken: generateSessionToken as () => string },
    })

    it('makes what the cookie holds', async () => {
      await start(generating(() => 'made-by-the-application-1'))
      await browser.signIn()
      expect(heldToken(browser)).to.match(/^made-by-the-application-1\.[\w-]{22}\.f[\w-]+$/)
      expect(await browser.session()).to.have.property('user')
      expect(JSON.stringify(await db.sessions())).to.not.include('made-by')
    })

    it('may use any visible ASCII', async () => {
      const odd = `;,="\\%20{}<>'~!#$&*+-./:?@[]^_\`|`
      await start(generating(() => odd))
      await browser.signIn()
      expect(await browser.session()).to.have.property('user')
    })

    for (const [what, value, message] of [
      ['nothing', undefined, /16 random characters or more/],
      ["''", '', /16 random characters or more/],
      ['15 characters', 'x'.repeat(15), /16 random characters or more/],
      ['a promise', Promise.resolve('x'.repeat(20)), /16 random characters or more/],
      ['a number', 12_345, /16 random characters or more/],
      ['spaces', 'x'.repeat(16).replaceAll('xx', 'x '), /ASCII without spaces/],
      ['half a character', `${'x'.repeat(16)}\ud83d`, /ASCII without spaces/],
      ['a line break', `${'x'.repeat(16)}\r\n`, /ASCII without spaces/],
      ['513 characters', 'x'.repeat(513), /too long/],
    ] as const) {
      it(`that returns ${what} is refused, with nothing stored and the old session kept`, async () => {
        await start(generating(() => value))
        const key = await plantRow(db, browser, { expires: soon() })
        expectErrorPage(await browser.signIn({ username: 'bob' }))
        expect(errorTypes()).to.deep.equal(['CallbackRouteError'])
        expect(app.log.errors[0]?.message)
          .to.match(/session\.generateSessionToken/)
          .and.match(message)
        expect(app.log.errors[0]?.message).to.not.include('xxx')
        expect(await rowKeys()).to.deep.equal([key])
        expect(db.calls).to.not.include('createSession')
      })
    }

    it('that throws is an error, with nothing stored', async () => {
      await start(
        generating(() => {
          throw new Error('no entropy')
        }),
      )
      expectErrorPage(await browser.signIn())
      expect(errorTypes()).to.deep.equal(['CallbackRouteError'])
      expect(await db.sessions()).to.deep.equal([])
    })

    it('gives no two sessions the same token, if it returns the same in another process', async () => {
      await start(generating(() => 'the-same-in-each-process'))
      await browser.signIn()
      clearSiteMemories()
      await start(generating(() => 'the-same-in-each-process'))
      const other = app.browser()
      await other.signIn({ username: 'bob' })
      expect(heldToken(other)).to.match(/^the-same-in-each-process\./)
      const strip = (held: string) => held.split('.').slice(0, 2).join('.')
      expect(strip(heldToken(other))).to.not.equal(strip(heldToken(browser)))
    })

    it('is called again if the token is taken', async () => {
      const tokens = ['first-token-of-two', 'first-token-of-two', 'second-token-of-two']
      await start(generating(() => tokens.shift() ?? ''))
      await browser.signIn()
      const other = app.browser()
      await other.signIn({ username: 'bob' })
      const madeOf = (held: string) => held.split('.')[0]
      expect([browser, other].map((each) => madeOf(heldToken(each)))).to.deep.equal([
        'first-token-of-two',
        'second-token-of-two',
      ])
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect(await other.session()).to.have.nested.property('user.name', 'bob')
    })

    it('that returns the same again and again is rejected: no user gets the session of another', async () => {
      await start(generating(() => 'always-the-same-token'))
      await browser.signIn()
      const other = app.browser()
      expectErrorPage(await other.signIn({ username: 'bob' }))
      expect(app.log.errors[0]?.message).to.match(/repeatedly returned the same token/)
      expect(await other.session()).to.equal(null)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    })

    it('by default makes 256 random bits, no two alike', async () => {
      const { createSessionToken } = await import('../../lib/session/database/token.js')
      const { resolveConfig } = await import('../../lib/config/resolve.js')
      await start()
      const config = resolveConfig(app.config)
      const { store } = config
      if (!store) throw new Error('no store')
      const { random } = Math
      Math.random = () => {
        throw new Error('Math.random is no source of tokens')
      }
      const tokens = new Set<string>()
      const stored = new Set<string>()
      try {
        for (let count = 0; count < 10_000; count += 1) {
          const made = createSessionToken(config, { proofs: [] })
          tokens.add(made.token)
          stored.add(made.stored)
        }
      } finally {
        Math.random = random
      }
      expect([tokens.size, stored.size]).to.deep.equal([10_000, 10_000])
      const bytes = Buffer.concat([...tokens].map((token) => Buffer.from(token.split('.')[0] ?? '', 'base64url')))
      expect(bytes.length).to.equal(10_000 * 32)
      const ones = bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
      expect(ones / (bytes.length * 8)).to.be.within(0.495, 0.505)
    })
  })

  describe('a session row of an adapter that counts users', () => {
    it('works with ids that are numbers, and times that are texts', async () => {
      await start()
      const rows = new Map<string, AdapterSession>()
      const user = { id: 7, name: 'Seven', email: 'seven@example.com', emailVerified: '2026-01-01T00:00:00.000Z' }
      db.replace('getUserByAccount', () => user)
      db.replace('getAccount', () => ({ provider: 'credentials', providerAccountId: 'id-of-ann', userId: 7 }))
      db.replace('createSession', (_real, session) => {
        rows.set((session as AdapterSession).sessionToken, session as AdapterSession)
      })
      db.replace('getSessionAndUser', (_real, token) => {
        const row = rows.get(String(token))
        return row && { session: { ...row, userId: 7, expires: row.expires.toISOString() }, user }
      })
      db.replace('deleteSession', (_real, token) => void rows.delete(String(token)))
      await browser.signIn()
      expect([...rows.values()][0]?.userId).to.equal('7')
      expect(await browser.session()).to.have.nested.property('user.name', 'Seven')
      await browser.submit('/auth/signout')
      expect(rows.size).to.equal(0)
    })
  })
})
