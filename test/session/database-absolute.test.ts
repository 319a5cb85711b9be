/** `session.absoluteMaxAge` with database sessions: the token itself has the time at which the session began. */
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../lib/index.js'
import { plantRow, type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { cookieLines, heldToken, sessionName } from '../support/session.js'

describe('session.absoluteMaxAge with database sessions', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser
  const inSeconds = (count: number) => new Date((seconds() + count) * 1000)

  async function start(session: ServerAuthConfig['session'], database = testDatabase()): Promise<void> {
    db = database
    app = await startApp({ adapter: db.adapter, ...(session && { session }) })
    browser = app.browser()
  }
  beforeEach(() => freezeClock())
  afterEach(async () => {
    restoreClock()
    await app.close()
  })

  it('SE-04 ends a session that is read every minute, to the second, and deletes the row', async () => {
    await start({ absoluteMaxAge: 600, maxAge: 300, updateAge: 0 })
    await browser.signIn()
    for (let minute = 1; minute < 10; minute += 1) {
      advanceClock(60)
      expect(await browser.session(), `minute ${minute}`).to.have.property('user')
    }
    advanceClock(59)
    expect(await browser.session()).to.have.property('user')
    advanceClock(1)
    expect(await browser.session()).to.equal(null)
    expect(browser.cookies.has(sessionName)).to.equal(false)
    expect(await db.sessions()).to.deep.equal([])
  })

  it('SE-06 returns the real end: cookie, row and body', async () => {
    await start({ absoluteMaxAge: 600, maxAge: 300, updateAge: 0 })
    const end = inSeconds(600)
    await browser.signIn()
    advanceClock(200)
    await browser.session()
    advanceClock(200)
    const response = await browser.get('/auth/session')
    expect(response.body.expires).to.equal(end.toISOString())
    expect((await db.sessions())[0]?.expires).to.deep.equal(end)
    expect(cookieLines(response)[0]).to.include(`Expires=${end.toUTCString()}`)
    advanceClock(100)
    db.calls.length = 0
    expect(cookieLines(await browser.get('/auth/session'))).to.deep.equal([])
    expect(db.calls).to.deep.equal(['getSessionAndUser'])
  })

  it('begins again with a sign-in, in the same browser too', async () => {
    await start({ absoluteMaxAge: 600, updateAge: 0 })
    await browser.signIn()
    advanceClock(500)
    await browser.signIn()
    advanceClock(500)
    expect(await browser.session()).to.have.property('user')
  })

  it('cannot be moved by the client with the token', async () => {
    await start({ absoluteMaxAge: 600, updateAge: 0 })
    await browser.signIn()
    const token = heldToken(browser)
    expect(token).to.match(/\.f[\w-]+$/)
    const [made, facts = ''] = token.split('.')
    const said = Buffer.from(facts.slice(1), 'base64url').toString()
    const later = Buffer.from(said.replace(/^\w+/, (seconds() + 10_000).toString(36))).toString('base64url')
    expect(said).to.match(/^[0-9a-z]+\npwd\n\n\ncredentials\n\n\n\n\np\|[0-9a-z]+\|credentials\|pwd$/)
    for (const moved of [
      `${made}.f${later}`,
      made,
      `${token}.f${later}`,
      `${made}.t${(seconds() + 10_000).toString(36)}`,
      `${made}.f`,
      `${token}%20`,
      `${token}0`,
    ]) {
      browser.cookies.set(sessionName, String(moved))
      expect(await browser.session(), moved).to.equal(null)
    }
    browser.cookies.set(sessionName, token)
    advanceClock(600)
    expect(await browser.session()).to.equal(null)
  })

  it('cannot be moved by what a generated token looks like', async () => {
    const later = (seconds() + 100_000).toString(36)
    await start({ absoluteMaxAge: 600, updateAge: 0, generateSessionToken: () => `made-by-the-application.t${later}` })
    await browser.signIn()
    expect(await browser.session()).to.have.property('user')
    advanceClock(600)
    expect(await browser.session()).to.equal(null)
  })

  it('cannot be moved by a row that was given more time', async () => {
    await start({ absoluteMaxAge: 600, updateAge: 300 })
    await browser.signIn()
    const [row] = await db.sessions()
    await db.real.updateSession({ sessionToken: row?.sessionToken ?? '', expires: inSeconds(90_000) })
    expect(await browser.session()).to.have.property('expires', inSeconds(600).toISOString())
    expect((await db.sessions())[0]?.expires).to.deep.equal(inSeconds(600))
    advanceClock(600)
    expect(await browser.session()).to.equal(null)
  })

  it('that is lowered later counts from the beginning', async () => {
    await start({ absoluteMaxAge: 6000 })
    await browser.signIn()
    const token = heldToken(browser)
    await app.close()
    await start({ absoluteMaxAge: 600 }, db)
    browser.cookies.set(sessionName, token)
    advanceClock(100)
    const response = await browser.get('/auth/session')
    expect(response.body.expires).to.equal(inSeconds(500).toISOString())
    expect(cookieLines(response)[0]).to.include(`Expires=${inSeconds(500).toUTCString()}`)
    advanceClock(500)
    expect(await browser.session()).to.equal(null)
  })

  it('ends sessions of before it was set, which do not say when they began', async () => {
    await start({ absoluteMaxAge: 600 })
    await plantRow(db, browser, { expires: inSeconds(300) })
    expect(await browser.session()).to.equal(null)
    expect(await db.sessions()).to.deep.equal([])
  })

  it('that is taken back leaves the sessions that have it', async () => {
    await start({ absoluteMaxAge: 600 })
    await browser.signIn()
    const token = heldToken(browser)
    await app.close()
    await start({}, db)
    browser.cookies.set(sessionName, token)
    expect(await browser.session()).to.have.property('user')
    advanceClock(599)
    expect(await browser.session()).to.have.property('user')
  })
})
