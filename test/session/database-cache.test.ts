/**
 * `session.cacheFor`: a database session that was read a moment ago is not queried again, unless something changed it.
 */

import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import { gate } from '../sign-in/linking-stage.js'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { sessionName } from '../support/session.js'

const day = 86_400

describe('database sessions with session.cacheFor', () => {
  let app: TestApp
  let db: TestDatabase
  let browser: Browser

  async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
    db = testDatabase()
    app = await startApp(
      { adapter: db.adapter, ...config, session: { cacheFor: 30, ...config.session } },
      {
        after: (express, full) => {
          express.post(
            '/end-others',
            async (req, res) => void res.json(await expressFunctions(full).sessions.endOthers(req)),
          )
          express.get('/account', async (req, res) => void res.json(await expressFunctions(full).account.get(req)))
          express.post(
            '/end/:id',
            async (req, res) => void res.json(await expressFunctions(full).sessions.end(req, req.params.id)),
          )
        },
      },
    )
    browser = app.browser()
    await browser.signIn()
    db.calls.length = 0
  }

  const nameOf = async (each = browser): Promise<unknown> => (await each.get('/me')).body?.user?.name
  /** Returns how often the database was queried for a session since the last call. */
  function looks(): number {
    return db.calls.splice(0).filter((name) => name === 'getSessionAndUser').length
  }

  beforeEach(() => freezeClock())
  afterEach(async () => {
    restoreClock()
    await app.close()
  })

  it('queries once in so many seconds, by getSession and by the route', async () => {
    await start()
    expect([await nameOf(), await nameOf()]).to.deep.equal(['ann', 'ann'])
    expect(await browser.session()).to.deep.nested.include({ 'user.name': 'ann', 'user.email': 'ann@example.com' })
    expect(looks()).to.equal(1)
    advanceClock(29)
    expect([await nameOf(), looks()]).to.deep.equal(['ann', 0])
    advanceClock(1)
    expect([await nameOf(), looks()]).to.deep.equal(['ann', 1])
  })

  it('queries at each request without it', async () => {
    await start({ session: { cacheFor: 0 } })
    await nameOf()
    await nameOf()
    expect(looks()).to.equal(2)
  })

  it('queries again for an unknown token, which may belong to a session by then', async () => {
    await start()
    browser.cookies.set(sessionName, 'a-token-that-nobody-has')
    expect([await nameOf(), looks()]).to.deep.equal([undefined, 1])
    browser.cookies.set(sessionName, 'a-token-that-nobody-has')
    expect([await nameOf(), looks()]).to.deep.equal([undefined, 1])
  })

  it('gives callbacks an object of their own at each read', async () => {
    await start({
      callbacks: {
        session({ session, user }) {
          const { name } = user ?? {}
          if (user) user.name = 'changed by a callback'
          return { ...session, user: { name } }
        },
      },
    })
    for (let read = 0; read < 3; read += 1) expect(await nameOf()).to.equal('ann')
    expect(looks()).to.equal(1)
  })

  it('ends with a sign-out in this process, also for a copy of the cookie', async () => {
    await start()
    const copy = app.browser()
    copy.cookies.set(sessionName, browser.cookies.get(sessionName) ?? '')
    expect([await nameOf(), await nameOf(copy)]).to.deep.equal(['ann', 'ann'])
    await browser.submit('/auth/signout')
    expect(await nameOf(copy)).to.equal(undefined)
  })

  it('ends by endOtherSessions and endSession', async () => {
    await start()
    for (const path of ['/end-others', '/end']) {
      const other = app.browser()
      await other.signIn()
      expect(await nameOf(other)).to.equal('ann')
      const { sessions } = (await browser.get('/account')).body
      const id: unknown = sessions.find((each: { current: boolean }) => !each.current).id
      const response = await browser.post(path === '/end' ? `/end/${id}` : path)
      expect(response.body).to.deep.equal(path === '/end' ? { ok: true } : 1)
      expect(await nameOf(other), path).to.equal(undefined)
    }
  })

  it('shows a user as they are once this process has changed them', async () => {
    await start()
    expect(await nameOf()).to.equal('ann')
    const { user } = (await browser.get('/account')).body
    await app.config.adapter?.updateUser?.({ id: user.id, name: 'Ann by her own adapter' })
    // By the adapter itself: as from another process.
    expect(await nameOf()).to.equal('ann')
    advanceClock(30)
    expect(await nameOf()).to.equal('Ann by her own adapter')
  })

  it('continues for that time if another process ended it', async () => {
    await start()
    expect(await nameOf()).to.equal('ann')
    for (const { sessionToken } of await db.sessions()) await db.real.deleteSession(sessionToken)
    expect(await nameOf()).to.equal('ann')
    advanceClock(30)
    expect(await nameOf()).to.equal(undefined)
  })

  it('is not used by the account functions', async () => {
    await start()
    expect(await nameOf()).to.equal('ann')
    for (const { sessionToken } of await db.sessions()) await db.real.deleteSession(sessionToken)
    expect(await nameOf()).to.equal('ann')
    expect((await browser.get('/account')).body).to.equal(null)
    expect((await browser.post('/end-others')).body).to.equal(0)
  })

  it('is not used for the user of the session, on the page that shows it', async () => {
    await start()
    await nameOf()
    looks()
    expect((await browser.get('/auth/signin')).text).to.include('ann')
    expect(looks()).to.equal(1)
  })

  it('is not used if it would be extended, nor for an update', async () => {
    await start({ session: { updateAge: day } })
    advanceClock(day - 10)
    expect([await nameOf(), looks()]).to.deep.equal(['ann', 1])
    advanceClock(10)
    for (const { sessionToken } of await db.sessions()) await db.real.deleteSession(sessionToken)
    expect(await nameOf()).to.equal(undefined)
    expect(db.calls).to.deep.equal(['getSessionAndUser'])
    await browser.signIn()
    await nameOf()
    looks()
    await browser.submit('/auth/session', { data: 'anything' })
    expect(looks()).to.equal(1)
  })

  it('is cached again after an extension', async () => {
    await start({ session: { updateAge: day } })
    await nameOf()
    advanceClock(day)
    looks()
    await nameOf()
    await nameOf()
    await nameOf()
    expect(looks()).to.be.within(1, 2)
    expect((await db.sessions()).map(({ expires }) => expires.getTime())).to.deep.equal([Date.now() + 30 * day * 1000])
  })

  it('does not outlive the session', async () => {
    await start({ session: { maxAge: 20, updateAge: 3600 } })
    expect(await nameOf()).to.equal('ann')
    advanceClock(20)
    expect(await nameOf()).to.equal(undefined)
  })

  it('is not remembered by a read that began before the sign-out and ends after it', async () => {
    await start()
    const token = browser.cookies.get(sessionName) ?? ''
    const [seen, free] = [gate(), gate()]
    db.replace('getSessionAndUser', async (real, ...args) => {
      const row = await real(...args)
      db.repair()
      seen.open()
      await free.opened
      return row
    })
    const late = getSession({ headers: { cookie: `${sessionName}=${token}`, host: '127.0.0.1' } }, app.config)
    await seen.opened
    await browser.submit('/auth/signout')
    free.open()
    expect(await late).to.equal(null)
    looks()
    browser.cookies.set(sessionName, token)
    expect([await nameOf(), looks()]).to.deep.equal([undefined, 1])
  })
})
