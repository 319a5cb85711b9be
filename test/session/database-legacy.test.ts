/** `session.legacy`: sessions that another library stored in the clear are taken over, until a date. */
import { expect } from 'chai'
import { hashSessionToken, type SessionToken } from '../../lib/crypto/session-token.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { AdapterSession } from '../../lib/types/adapter.js'
import type { SignOutMessage } from '../../lib/types/config.js'
import { plantRow, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, setCookies, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { heldToken, sessionName } from '../support/session.js'

const cookieName = 'authjs.session-token'
const token = '6a3f9d80-52c5-4f7b-8f0a-6f5f3ad5f3a1'

describe('session.legacy', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser
  const inSeconds = (count: number) => new Date(Date.now() + count * 1000)

  async function start(config: Partial<ServerAuthConfig> = {}, row: Partial<AdapterSession> = {}): Promise<void> {
    db = testDatabase()
    await db.addUser({ id: 'ann', name: 'Ann' })
    await db.addSession({ sessionToken: token, userId: 'ann', expires: inSeconds(90_000), ...row })
    app = await startApp({
      adapter: db.adapter,
      ...config,
      session: { legacy: { cookieName, until: inSeconds(86_400) }, ...config.session },
    })
    browser = app.browser()
    browser.cookies.set(cookieName, row.sessionToken ?? token)
  }
  const rowOf = async (sessionToken: string) => (await db.sessions()).find((row) => row.sessionToken === sessionToken)

  beforeEach(() => freezeClock())
  afterEach(async () => {
    restoreClock()
    await app.close()
  })

  for (const [how, path] of [
    ['the session endpoint', '/auth/session'],
    ['getSession', '/me'],
  ] as const) {
    it(`accepts the session by ${how}, with one of our tokens from then on`, async () => {
      await start()
      const response = await browser.get(path)
      expect(response.body.user).to.deep.equal({ id: 'ann', name: 'Ann', email: 'ann@example.com', image: null })
      expect([...browser.cookies.keys()]).to.deep.equal([sessionName])
      expect(setCookies(response)).to.include(`${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
      const made = await rowOf(hashSessionToken(heldToken(browser) as SessionToken))
      expect(made).to.deep.include({ userId: 'ann', expires: inSeconds(2_592_000) })
      expect(response.body.expires).to.equal(made?.expires.toISOString())
      expect((await rowOf(token))?.expires).to.deep.equal(inSeconds(60))
      expect(await browser.session()).to.have.property('user')
    })
  }

  it('accepts requests in progress with the old token for a minute, without another replacement', async () => {
    await start()
    await browser.session()
    const late = app.browser()
    late.cookies.set(cookieName, token)
    advanceClock(59)
    const response = await late.get('/auth/session')
    expect(response.body).to.have.property('user')
    expect(setCookies(response)).to.deep.equal([])
    expect(await db.sessions()).to.have.length(2)
    advanceClock(1)
    expect((await late.get('/me')).body).to.equal(null)
    expect(await rowOf(token)).to.equal(undefined)
    expect(await browser.session()).to.have.property('user')
  })

  it('creates one new session for many requests at once', async () => {
    await start()
    // All have read the session before the first replaces it.
    let reads = 0
    let arrive: () => void = () => {}
    const allArrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    db.replace('getSessionAndUser', async (real, text) => {
      const row = await real(text)
      reads += 1
      if (reads === 10) arrive()
      await allArrived
      return row
    })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => {
        const tab = app.browser()
        tab.cookies.set(cookieName, token)
        return tab.get('/me')
      }),
    )
    for (const { body } of answers) expect(body).to.have.property('user')
    expect(answers.filter((response) => setCookies(response).length > 0)).to.have.length(1)
    expect(await db.sessions()).to.have.length(2)
  })

  it('accepts the session though no new one can be stored, and replaces the token later', async () => {
    await start()
    db.replace('createSession', () => Promise.reject(new Error('down')))
    expect((await browser.get('/me')).body).to.have.property('user')
    expect(browser.cookies.get(cookieName)).to.equal(token)
    expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['SessionTokenError'])
    db.repair()
    expect((await browser.get('/me')).body).to.have.property('user')
    expect([...browser.cookies.keys()]).to.deep.equal([sessionName])
  })

  it('leaves no row behind when the old one cannot be shortened', async () => {
    await start()
    db.replace('updateSession', () => Promise.reject(new Error('down')))
    for (let visit = 0; visit < 3; visit += 1) expect(await browser.session()).to.have.property('user')
    expect((await db.sessions()).map(({ sessionToken }) => sessionToken)).to.deep.equal([token])
    expect(browser.cookies.has(sessionName)).to.equal(false)
  })

  it('does not undo a sign-out at the same moment', async () => {
    await start()
    db.replace('createSession', async (real, session) => {
      await db.real.deleteSession(token)
      return real(session)
    })
    expect(await browser.session()).to.equal(null)
    expect(await db.sessions()).to.deep.equal([])
    expect([...browser.cookies.keys()]).to.deep.equal([])
  })

  it('ends such a session at sign-out, with the event', async () => {
    const events: SignOutMessage[] = []
    await start({ events: { signOut: (message) => void events.push(message) } })
    const csrf = await browser.csrf()
    await browser.post('/auth/signout', { csrfToken: csrf })
    expect(events).to.have.nested.property('[0].session.userId', 'ann')
    expect(await db.sessions()).to.deep.equal([])
    expect(browser.cookies.has(cookieName)).to.equal(false)
  })

  it('replaces such a session at a sign-in, whose row goes', async () => {
    await start()
    await browser.signIn({ username: 'bob' })
    expect(browser.cookies.has(cookieName)).to.equal(false)
    expect(await rowOf(token)).to.equal(undefined)
    expect(await browser.session()).to.have.nested.property('user.name', 'bob')
  })

  it('prefers our own session', async () => {
    await start()
    await plantRow(db, browser, { userId: 'bob', expires: inSeconds(2_592_000) })
    expect(await browser.session()).to.have.nested.property('user.name', 'bob')
  })

  it('deletes such a session that has ended', async () => {
    await start({}, { expires: inSeconds(-1) })
    expect(await browser.session()).to.equal(null)
    expect(await db.sessions()).to.deep.equal([])
    expect(browser.cookies.has(cookieName)).to.equal(false)
  })

  it('takes over under the name of our own cookie', async () => {
    await start({ session: { legacy: { cookieName: sessionName, until: inSeconds(86_400) } } })
    browser.cookies.clear()
    browser.cookies.set(sessionName, token)
    for (let visit = 0; visit < 3; visit += 1) expect(await browser.session()).to.have.property('user')
    expect(heldToken(browser)).to.not.equal(token)
    await browser.submit('/auth/signout')
    expect(browser.cookies.size).to.be.below(3)
    expect(browser.cookies.has(sessionName)).to.equal(false)
  })

  it('counts the absolute end from the replacement', async () => {
    await start({ session: { absoluteMaxAge: 600, updateAge: 0 } })
    expect(await browser.session()).to.have.property('user')
    advanceClock(599)
    expect(await browser.session()).to.have.property('user')
    advanceClock(1)
    expect(await browser.session()).to.equal(null)
  })

  describe('accepts no hash that was read out of a dump', () => {
    for (const name of [cookieName, sessionName]) {
      it(`in the cookie ${name}`, async () => {
        await start()
        await browser.session()
        const rows = (await db.sessions()).map(({ sessionToken }) => sessionToken).filter((text) => text !== token)
        expect(rows).to.have.length(1)
        // A database that does not tell upper from lower case, nor a space at the end.
        db.replace('getSessionAndUser', (real, text) => real(String(text).toLowerCase().trim()))
        db.replace('deleteSession', (real, text) => real(String(text).toLowerCase().trim()))
        for (const dumped of [rows[0], rows[0]?.toUpperCase(), `H1_${rows[0]?.slice(3)}`, `${rows[0]}%20`]) {
          const thief = app.browser()
          thief.cookies.set(name, String(dumped))
          expect((await thief.get('/me')).body, dumped).to.equal(null)
          expect(await thief.session(), dumped).to.equal(null)
          thief.cookies.set(name, String(dumped))
          await thief.submit('/auth/signout')
        }
        db.repair()
        expect(await browser.session()).to.have.property('user')
      })
    }
  })

  it('accepts no clear token by another case', async () => {
    await start({}, { sessionToken: 'a-token-in-lower-case' })
    db.replace('getSessionAndUser', (real, text) => real(String(text).toLowerCase()))
    browser.cookies.set(cookieName, 'A-Token-In-Lower-Case')
    expect(await browser.session()).to.equal(null)
  })

  it('accepts no clear token in our own cookie', async () => {
    await start()
    browser.cookies.clear()
    browser.cookies.set(sessionName, token)
    expect(await browser.session()).to.equal(null)
  })

  it('accepts none without the option', async () => {
    await start()
    await app.close()
    app = await startApp({ adapter: db.adapter })
    const other = app.browser()
    other.cookies.set(cookieName, token)
    expect(await other.session()).to.equal(null)
    expect(await db.sessions()).to.have.length(1)
  })

  it('accepts none after the date, neither at construction nor later', async () => {
    await start({ session: { legacy: { cookieName, until: inSeconds(100) } } })
    advanceClock(100)
    expect((await browser.get('/me')).body).to.equal(null)
    expect(db.calls).to.deep.equal([])
    await app.close()
    app = await startApp({ adapter: db.adapter, session: { legacy: { cookieName, until: '2020-01-01' } } })
    const other = app.browser()
    other.cookies.set(cookieName, token)
    expect(await other.session()).to.equal(null)
    expect(app.log.warnings.map(({ code }) => code)).to.deep.equal(['legacy-ended'])
  })
})
