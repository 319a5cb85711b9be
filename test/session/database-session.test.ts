/** Database sessions: reading, extending, ending on sight, and what the callbacks get. */
import { expect } from 'chai'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import type { AdapterSession } from '../../lib/types/adapter.js'
import type { SessionCallbackParams } from '../../lib/types/config.js'
import { plantRow, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { cookieLines, heldNames, heldToken, plant, plantSession, sessionName } from '../support/session.js'

const day = 86_400
const cleared = `${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`

describe('database sessions in use', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
    db = testDatabase()
    app = await startApp({ adapter: db.adapter, ...config })
    browser = app.browser()
  }

  /** A moment so many seconds from now, by the library's clock. */
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

  function expiresOf(response: Answer): string | undefined {
    const [line = ''] = cookieLines(response)
    const text = /Expires=([^;]+)/.exec(line)?.[1]
    return text && new Date(text).toISOString()
  }

  async function onlyRow(): Promise<AdapterSession> {
    const rows = await db.sessions()
    expect(rows).to.have.length(1)
    return rows[0] as AdapterSession
  }

  beforeEach(() => freezeClock())
  afterEach(async () => {
    restoreClock()
    await app.close()
  })

  describe('a database session that is read', () => {
    it('costs one query and writes nothing', async () => {
      await start()
      await browser.signIn()
      db.calls.length = 0
      const response = await browser.get('/auth/session')
      expect(response.body.user).to.include({ name: 'ann', email: 'ann@example.com', image: null })
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
      expect(cookieLines(response)).to.deep.equal([])
      expect((await browser.get('/me')).body).to.deep.equal(response.body)
      expect(db.calls).to.deep.equal(['getSessionAndUser', 'getSessionAndUser'])
    })

    it('costs one query on the sign-in page, which shows its user and whether it may be linked to', async () => {
      await start()
      await browser.signIn()
      db.calls.length = 0
      expect((await browser.get('/auth/signin')).text).to.include('ann')
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
    })

    it('costs no query if there is no cookie, and is null', async () => {
      await start()
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(cookieLines(response)).to.deep.equal([])
      expect(db.calls).to.deep.equal([])
    })

    it('is null for an unknown token, which is cleared', async () => {
      await start()
      browser.cookies.set(sessionName, 'nobody-has-this-token')
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(cookieLines(response)).to.deep.equal([cleared])
    })

    it('costs no query for an impossible token', async () => {
      await start()
      for (const value of ['x'.repeat(1537), 'x'.repeat(3900)]) {
        browser.cookies.set(sessionName, value)
        expect(await browser.session()).to.equal(null)
        expect(heldNames(browser)).to.deep.equal([])
      }
      expect(db.calls).to.deep.equal([])
    })

    it('is not there for the JWT of the other strategy, whose chunks are cleared too', async () => {
      await start()
      await plantSession(browser)
      expect(await browser.session()).to.equal(null)
      expect(heldNames(browser)).to.deep.equal([])
      await plantSession(browser, { sub: 'ann', note: 'x'.repeat(5000) })
      expect(heldNames(browser).length).to.be.greaterThan(1)
      expect(await browser.session()).to.equal(null)
      expect(heldNames(browser)).to.deep.equal([])
      expect(app.log.errors).to.deep.equal([])
    })

    it('is there in spite of cookies that look like its chunks', async () => {
      await start()
      await browser.signIn()
      const token = heldToken(browser)
      for (const name of ['.0', '.1', '.9', '.zz', '.-1', '.01', '.1e3', '-x']) {
        plant(browser, 'x'.repeat(50), `${sessionName}${name}`)
      }
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect(browser.cookies.get(sessionName)).to.equal(token)
    })

    it('is null when the adapter finds the row by another text', async () => {
      await start()
      await browser.signIn()
      db.replace('getSessionAndUser', async (real, token) => {
        const found = (await real(token)) as { session: AdapterSession }
        return { ...found, session: { ...found.session, sessionToken: found.session.sessionToken.toUpperCase() } }
      })
      expect(await browser.session()).to.equal(null)
      db.repair()
      expect(await db.sessions()).to.have.length(1)
    })

    it('is null for HEAD as for GET, with nothing extended', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      db.calls.length = 0
      const response = await browser.send('head', '/auth/session')
      expect(response.status).to.equal(200)
      expect(db.calls).to.not.include('updateSession')
      expect(cookieLines(response)).to.deep.equal([])
    })
  })

  describe('a database session that has ended', () => {
    it('SE-07 is deleted on sight, and its cookie cleared', async () => {
      await start()
      await plantRow(db, browser, { expires: inSeconds(0) })
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(cookieLines(response)).to.deep.equal([cleared])
      expect(await db.sessions()).to.deep.equal([])
    })

    it('was there until the very second', async () => {
      await start({ session: { maxAge: 60, updateAge: 60 } })
      await plantRow(db, browser, { expires: inSeconds(60) })
      advanceClock(59)
      expect(await browser.session()).to.have.property('user')
      advanceClock(1)
      expect(await browser.session()).to.equal(null)
    })

    it('is null even where it cannot be deleted; that is logged', async () => {
      await start()
      await plantRow(db, browser, { expires: inSeconds(-1) })
      db.replace('deleteSession', () => Promise.reject(new Error('down')))
      expect((await browser.get('/me')).body).to.equal(null)
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['SessionTokenError'])
      expect(app.log.errors[0]).to.have.nested.property('cause.err.type', 'AdapterError')
    })
  })

  describe('a database session in use', () => {
    it('SE-04 is written again once `updateAge` has passed, and not a second before', async () => {
      await start({ session: { maxAge: 30 * day, updateAge: day } })
      await browser.signIn()
      const before = await onlyRow()
      advanceClock(day - 1)
      db.calls.length = 0
      const early = await browser.get('/auth/session')
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
      expect(early.body.expires).to.equal(before.expires.toISOString())
      expect(cookieLines(early)).to.deep.equal([])
      advanceClock(1)
      db.calls.length = 0
      const due = await browser.get('/auth/session')
      expect(db.calls).to.deep.equal(['getSessionAndUser', 'updateSession'])
      const after = await onlyRow()
      expect(after.expires).to.deep.equal(inSeconds(30 * day))
      expect(due.body.expires).to.equal(after.expires.toISOString())
      expect(expiresOf(due)).to.equal(due.body.expires)
      db.calls.length = 0
      await browser.get('/auth/session')
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
    })

    it('is written every time with `updateAge` 0', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      for (let visit = 0; visit < 3; visit += 1) {
        db.calls.length = 0
        const response = await browser.get('/auth/session')
        expect(db.calls).to.deep.equal(['getSessionAndUser', 'updateSession'])
        expect(expiresOf(response)).to.equal(response.body.expires)
        advanceClock(1)
      }
    })

    it('keeps its token, and everything of its row but the end', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      const [token, before] = [heldToken(browser), await onlyRow()]
      advanceClock(100)
      await browser.get('/auth/session')
      expect(heldToken(browser)).to.equal(token)
      expect(await onlyRow()).to.deep.equal({ ...before, expires: inSeconds(30 * day) })
      const at = db.calls.indexOf('updateSession')
      expect(db.args[at]?.[0]).to.have.all.keys('sessionToken', 'expires')
    })

    it('SE-06 tells the same end at sign-in: cookie, row and body', async () => {
      await start({ session: { maxAge: 3600 } })
      const signedIn = await browser.signIn()
      const row = await onlyRow()
      expect(row.expires).to.deep.equal(inSeconds(3600))
      expect(expiresOf(signedIn)).to.equal(row.expires.toISOString())
      expect(((await browser.session()) as { expires: string }).expires).to.equal(row.expires.toISOString())
    })

    it('SE-05 ends sooner if `maxAge` has been lowered in the meantime', async () => {
      await start({ session: { maxAge: 3600, updateAge: 600 } })
      await plantRow(db, browser, { expires: inSeconds(30 * day) })
      const response = await browser.get('/auth/session')
      const sooner = inSeconds(3600).toISOString()
      expect([response.body.expires, expiresOf(response), (await onlyRow()).expires.toISOString()]).to.deep.equal([
        sooner,
        sooner,
        sooner,
      ])
      advanceClock(3600)
      expect(await browser.session()).to.equal(null)
    })

    it('is not written because a database rounds times up', async () => {
      await start({ session: { maxAge: 3600, updateAge: 600 } })
      await plantRow(db, browser, { expires: inSeconds(3600.5) })
      await browser.get('/auth/session')
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
    })

    it('lives on when it cannot be extended, and is extended later', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      const before = await onlyRow()
      db.replace('updateSession', () => Promise.reject(new Error('read-only')))
      advanceClock(60)
      const response = await browser.get('/auth/session')
      expect(response.body).to.nested.include({ 'user.name': 'ann', expires: before.expires.toISOString() })
      expect(cookieLines(response)).to.deep.equal([])
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['SessionTokenError'])
      db.repair()
      const later = await browser.get('/auth/session')
      expect(expiresOf(later)).to.equal(inSeconds(30 * day).toISOString())
    })
  })

  describe('a database session by getSession', () => {
    it('is extended through the response, which is for no cache then', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      advanceClock(60)
      const response = await browser.get('/me')
      expect(expiresOf(response)).to.equal(response.body.expires)
      expect(response.headers).to.include({ 'cache-control': 'private, no-store', vary: 'Cookie' })
      expect((await onlyRow()).expires.toISOString()).to.equal(response.body.expires)
    })

    it('is neither extended nor cleared when the headers are out', async () => {
      db = testDatabase()
      app = await startApp(
        { adapter: db.adapter, session: { updateAge: 0 } },
        {
          after: (express, config) =>
            void express.get('/late', (req, res, next) => {
              res.flushHeaders()
              getSession(req, config).then((session) => res.end(JSON.stringify(session)), next)
            }),
        },
      )
      browser = app.browser()
      await browser.signIn()
      const before = await onlyRow()
      advanceClock(60)
      const response = await browser.get('/late', { accept: 'application/json' })
      expect(JSON.parse(response.text ?? response.body)).to.have.property('expires', before.expires.toISOString())
      expect(cookieLines(response)).to.deep.equal([])
      expect(db.calls).to.not.include('updateSession')
      browser.cookies.set(sessionName, 'nobody-has-this-token')
      expect(cookieLines(await browser.get('/late'))).to.deep.equal([])
    })

    it('is read once per request', async () => {
      db = testDatabase()
      app = await startApp(
        { adapter: db.adapter },
        {
          after: (express, config) =>
            void express.get('/twice', async (req, res) => {
              const both = await Promise.all([getSession(req, config), getSession(req, config)])
              res.json(both[0] === both[1])
            }),
        },
      )
      browser = app.browser()
      await browser.signIn()
      db.calls.length = 0
      expect((await browser.get('/twice')).body).to.equal(true)
      expect(db.calls).to.deep.equal(['getSessionAndUser'])
    })
  })

  describe('callbacks.session with a database session', () => {
    const calls: SessionCallbackParams[] = []
    const session = (params: SessionCallbackParams) => {
      calls.push(params)
      return params.session
    }
    beforeEach(() => {
      calls.length = 0
    })

    it('gets id, name, address and image, the end, and the user of the database; no token', async () => {
      await start({ callbacks: { session } })
      await db.addUser({ id: 'ann', name: 'Ann', image: '/a.png', passwordHash: 'hunter2' } as never)
      await plantRow(db, browser, { expires: inSeconds(30 * day) })
      const response = await browser.get('/auth/session')
      expect(calls).to.have.length(1)
      expect(calls[0]).to.have.all.keys('session', 'user', 'authentication')
      expect(calls[0]?.session).to.deep.equal({
        user: { id: 'ann', name: 'Ann', email: 'ann@example.com', image: '/a.png' },
        expires: inSeconds(30 * day).toISOString(),
      })
      expect(calls[0]).to.have.nested.property('user.id', 'ann')
      expect(calls[0]).to.have.nested.property('user.passwordHash', 'hunter2')
      expect(response.text).to.not.match(/hunter2|sessionToken|h1_/)
    })

    it('decides what is shown: by the routes and by getSession', async () => {
      await start({ callbacks: { session: ({ session, user }) => ({ ...session, id: user?.id }) as never } })
      await plantRow(db, browser, { expires: inSeconds(60) })
      expect(await browser.session()).to.have.property('id', 'ann')
      expect((await browser.get('/me')).body).to.have.property('id', 'ann')
    })

    it('gets the values that the client sends with an update, and decides about them', async () => {
      await start({ callbacks: { session } })
      await plantRow(db, browser, { expires: inSeconds(30 * day) })
      const data = { name: 'Mallory', expires: 'never', userId: 'bob' }
      const csrfToken = await browser.csrf()
      const before = await onlyRow()
      const response = await browser.send('post', '/auth/session', { json: { csrfToken, data } })
      expect(calls[0]).to.deep.include({ trigger: 'update', newSession: data })
      expect(response.body.user).to.deep.equal({ id: 'ann', name: 'ann', email: 'ann@example.com', image: null })
      expect(await onlyRow()).to.deep.equal(before)
    })

    it('is not called by an update without the CSRF token, nor without a session', async () => {
      await start({ callbacks: { session } })
      const csrfToken = await browser.csrf()
      expect((await browser.send('post', '/auth/session', { json: { csrfToken, data: {} } })).body).to.equal(null)
      await plantRow(db, browser, { expires: inSeconds(60) })
      expect((await browser.send('post', '/auth/session', { json: { data: {} } })).status).to.equal(403)
      expect(calls).to.deep.equal([])
    })

    for (const [what, broken] of [
      [
        'throws',
        () => {
          throw new Error('hunter2')
        },
      ],
      ['returns nothing', () => undefined],
    ] as const) {
      it(`that ${what} is an error, and ends no session`, async () => {
        let isBroken = true
        await start({
          callbacks: { session: ({ session: given }) => (isBroken ? (broken() as never) : given) },
        })
        await plantRow(db, browser, { expires: inSeconds(60) })
        const response = await browser.get('/auth/session')
        expect(response.status).to.equal(500)
        expect(response.text).to.not.include('hunter2')
        expect((await browser.get('/me')).status).to.equal(500)
        isBroken = false
        expect(await browser.session()).to.have.property('user')
      })
    }

    it('is followed by the event, with what is shown', async () => {
      const seen: unknown[] = []
      await start({ events: { session: (message) => void seen.push(message) } })
      await plantRow(db, browser, { expires: inSeconds(60) })
      const shown = await browser.session()
      expect(seen).to.deep.equal([{ session: shown }])
    })
  })
})
