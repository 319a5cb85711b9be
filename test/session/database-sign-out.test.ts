/** A database session ends: the row, the cookie, the event, and what happens at the same moment. */
import { expect } from 'chai'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import { sessionIdOf } from '../../lib/session/browser.js'
import type { SignOutMessage } from '../../lib/types/config.js'
import { gate } from '../sign-in/linking-stage.js'
import { plantRow, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { cookieLines, heldNames, heldToken, sessionName } from '../support/session.js'

const cleared = `${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`

describe('sign-out with database sessions', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser
  const events: SignOutMessage[] = []

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
    db = testDatabase()
    events.length = 0
    app = await startApp({
      adapter: db.adapter,
      events: { signOut: (message) => void events.push(message) },
      ...config,
    })
    browser = app.browser()
  }
  afterEach(() => app.close())

  it('SE-01 deletes the row and the cookie; a copy of the cookie is invalid', async () => {
    await start()
    await browser.signIn()
    const token = heldToken(browser)
    const response = await browser.submit('/auth/signout')
    expect(response.status).to.equal(303)
    expect(cookieLines(response)).to.deep.equal([cleared])
    expect(await db.sessions()).to.deep.equal([])
    browser.cookies.set(sessionName, token)
    expect(await browser.session()).to.equal(null)
    expect((await browser.get('/me')).body).to.equal(null)
  })

  it('keeps other sessions of the same user', async () => {
    await start()
    const other = app.browser()
    await other.signIn()
    await browser.signIn()
    await browser.submit('/auth/signout')
    expect(await other.session()).to.have.property('user')
  })

  for (const [what, said] of [
    ['that says which session it deleted', undefined],
    ['that says nothing, as most do', null],
  ] as const) {
    it(`emits the event with the user of the session, with an adapter ${what}`, async () => {
      await start()
      await browser.signIn()
      const [row] = await db.sessions()
      if (said === null) {
        db.replace('deleteSession', async (real, token) => {
          await real(token)
        })
      }
      await browser.submit('/auth/signout')
      const sid = sessionIdOf(row?.sessionToken ?? '')
      expect(events).to.deep.equal([{ session: row, sid, request: { ip: '127.0.0.1' } }])
    })
  }

  it('emits the event without a user for a missing session, and accepts an adapter that rejects it', async () => {
    await start()
    browser.cookies.set(sessionName, 'nobody-has-this-token')
    db.replace('deleteSession', () => Promise.reject(new Error('no such row')))
    const response = await browser.submit('/auth/signout')
    expect(cookieLines(response)).to.deep.equal([cleared])
    expect(events).to.deep.equal([{ session: null, request: { ip: '127.0.0.1' } }])
    expect(app.log.errors).to.deep.equal([])
  })

  it('queries no database if there is no cookie, and emits no event', async () => {
    await start()
    expect((await browser.submit('/auth/signout')).status).to.equal(303)
    expect(db.calls).to.deep.equal([])
    expect(events).to.deep.equal([])
  })

  for (const method of ['getSessionAndUser', 'deleteSession'] as const) {
    it(`clears the cookie when the database is down, and logs it (\`${method}\`)`, async () => {
      await start()
      await browser.signIn()
      db.replace(method, () => Promise.reject(new Error('down')))
      const response = await browser.submit('/auth/signout')
      expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '30'])
      expect(response.text).to.include('signed out in this browser only')
      expect(cookieLines(response)).to.deep.equal([cleared])
      expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['SignOutError'])
      expect(app.log.errors[0]).to.have.nested.property('cause.err.type', 'AdapterError')
      expect(heldNames(browser)).to.deep.equal([])
    })
  }

  it('that failed is reported to JSON clients and to the failure event, and ends the session when the database is back', async () => {
    const failures: string[] = []
    const ended = gate()
    await start({
      events: { failure: ({ type }) => void failures.push(type), signOut: () => ended.open() },
    })
    await browser.signIn()
    db.replace('deleteSession', () => Promise.reject(new Error('down')))
    const response = await browser.submit('/auth/signout', {}, { accept: 'application/json' })
    expect([response.status, response.body.error]).to.deep.equal([503, 'SignOutError'])
    expect(response.body.message).to.include('The session could not be ended on the server.')
    expect(failures).to.deep.equal(['SignOutError'])
    expect(await db.sessions()).to.have.length(1)
    db.repair()
    await ended.opened
    expect(await db.sessions()).to.deep.equal([])
  })

  it('that failed for one of two rows deletes that one later, with an adapter that rejects a missing row', async () => {
    const ended = gate()
    await start({ events: { signOut: () => ended.open() } })
    const other = app.browser()
    await other.signIn()
    await browser.signIn()
    const csrfToken = await browser.csrf()
    const planted = heldToken(other)
    let calls = 0
    db.replace('deleteSession', async (real, token) => {
      calls += 1
      if (calls === 1 || !(await db.real.getSessionAndUser(String(token)))) throw new Error('no such row')
      return real(token)
    })
    const cookie = `${browser.cookieHeader()}; ${sessionName}=${planted}`
    expect((await browser.post('/auth/signout', { csrfToken }, { cookie })).status).to.equal(503)
    await ended.opened
    expect(await db.sessions()).to.deep.equal([])
  })

  it('without the CSRF token, or by GET, ends nothing', async () => {
    await start()
    await browser.signIn()
    await browser.post('/auth/signout')
    await browser.get('/auth/signout')
    expect(await browser.session()).to.have.property('user')
    expect(events).to.deep.equal([])
  })

  describe('while another request extends the session', () => {
    beforeEach(() => freezeClock())
    afterEach(restoreClock)

    /** Blocks a method until it is released, and reports when it was called. */
    function gate() {
      let open: () => void = () => {}
      let arrive: () => void = () => {}
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      const reached = new Promise<void>((resolve) => {
        arrive = resolve
      })
      const wait = () => {
        arrive()
        return opened
      }
      return { open, reached, wait }
    }

    async function race(returned: 'row' | 'null' | 'nothing' | 'rejects') {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      advanceClock(60)
      const held = gate()
      const token = heldToken(browser)
      // After the session was read, before it is written.
      db.replace('updateSession', async (real, session) => {
        const row = await real(session)
        if (returned === 'row') return row
        if (returned === 'rejects' && row === null) throw new Error('no result')
        return returned === 'null' ? row : undefined
      })
      let reads = 0
      db.replace('getSessionAndUser', async (real, text) => {
        const row = await real(text)
        reads += 1
        if (reads === 1) await held.wait()
        return row
      })
      const other = app.browser()
      other.cookies.set(sessionName, token)
      const reading = other.get('/auth/session')
      await held.reached
      await browser.submit('/auth/signout')
      held.open()
      return { response: await reading, other, token }
    }

    for (const returned of ['null', 'nothing', 'rejects'] as const) {
      it(`RC-07 ends signed out, with an adapter whose update of no row ${returned === 'rejects' ? '' : 'returns '}${returned}`, async () => {
        const { response, other, token } = await race(returned)
        expect(await db.sessions()).to.deep.equal([])
        expect(cookieLines(response).filter((line) => line.includes(token))).to.deep.equal([])
        if (returned !== 'rejects') expect(response.body).to.equal(null)
        expect(await other.session()).to.equal(null)
        expect(await browser.session()).to.equal(null)
      })
    }

    it('RC-07 ends signed out, with an adapter that would write back what it has read', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      advanceClock(60)
      db.replace('updateSession', async (_real, changes) => {
        const { sessionToken, expires } = changes as { sessionToken: string; expires: Date }
        const found = await db.real.getSessionAndUser(sessionToken)
        await new Promise((resolve) => setImmediate(resolve))
        if (!found) return null
        await db.real.deleteSession(sessionToken)
        return db.real.createSession({ ...found.session, expires })
      })
      const csrfToken = await browser.csrf()
      const reading = app.browser()
      reading.cookies.set(sessionName, heldToken(browser))
      await Promise.all([
        ...Array.from({ length: 10 }, () => reading.get('/auth/session')),
        browser.post('/auth/signout', { csrfToken }),
        ...Array.from({ length: 10 }, () => reading.get('/auth/session')),
      ])
      expect(await db.sessions()).to.deep.equal([])
      expect(await reading.session()).to.equal(null)
    })
  })

  it('in a request whose guard has just extended the session stays a sign-out', async () => {
    db = testDatabase()
    app = await startApp(
      { adapter: db.adapter, session: { updateAge: 0 } },
      {
        before: (express) =>
          void express.use('/auth/signout', (req, _res, next) => {
            getSession(req, app.config).then(() => next(), next)
          }),
      },
    )
    browser = app.browser()
    await browser.signIn()
    const response = await browser.submit('/auth/signout')
    expect(cookieLines(response)).to.deep.equal([cleared])
    expect(await db.sessions()).to.deep.equal([])
  })
})

describe('a planted row', () => {
  it('that has ended is deleted at sign-out too', async () => {
    const db = testDatabase()
    const app = await startApp({ adapter: db.adapter })
    const browser = app.browser()
    await plantRow(db, browser, { expires: new Date(0) })
    await browser.submit('/auth/signout')
    expect(await db.sessions()).to.deep.equal([])
    await app.close()
  })
})
