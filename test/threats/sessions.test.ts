/**
 * Sessions that should have ended, or that another user may see: tests that no other suite has. The rest is in
 * `test/session/`.
 */

import { encode as encodeLegacy } from '@auth/core/jwt'
import { expect } from 'chai'
import { getCsrfToken, getSession, requireSession } from '../../lib/index.js'
import { plantRow, testDatabase } from '../support/adapter.js'
import { secret, setCookies, startApp, type TestApp } from '../support/app.js'
import { opened } from '../support/opened.js'
import { heldToken, plantSession, sessionName } from '../support/session.js'

describe('SE-10 sessions of a user who was disabled in the meantime', () => {
  let app: TestApp
  afterEach(() => app.close())

  it('are rejected everywhere: guard, getSession, bearer, session endpoint, update', async () => {
    const disabled = new Set<unknown>()
    app = await startApp(
      {
        session: { bearer: true },
        callbacks: { jwt: ({ token }) => (disabled.has(token.sub) ? null : token) },
      },
      {
        after: (express, config) =>
          void express.get('/guarded', requireSession(config), (_req, res) => void res.json('in')),
      },
    )
    const browser = app.browser()
    await browser.signIn()
    const token = heldToken(browser)
    expect((await browser.get('/guarded')).body).to.equal('in')
    disabled.add('id-of-ann')
    const replay = await assertEnded(app, token)
    const cleared = await replay().get('/auth/session')
    expect(setCookies(cleared).some((line) => line.startsWith(`${sessionName}=; Max-Age=0`))).to.equal(true)
  })
})

describe('SE-10 database sessions of a user who was deleted in the meantime', () => {
  it('are rejected everywhere: guard, getSession, session endpoint, update', async () => {
    const db = testDatabase()
    const app = await startApp(
      { adapter: db.adapter },
      {
        after: (express, config) =>
          void express.get('/guarded', requireSession(config), (_req, res) => void res.json('in')),
      },
    )
    const browser = app.browser()
    await browser.signIn()
    const token = heldToken(browser)
    expect((await browser.get('/guarded')).body).to.equal('in')
    const [row] = await db.sessions()
    await db.real.deleteUser(row?.userId ?? '')
    await assertEnded(app, token)
    await app.close()
  })
})

describe('SE-12 a dump of the sessions table', () => {
  it('opens no session, whichever way it is presented, and ends none', async () => {
    const db = testDatabase()
    const app = await startApp({ adapter: db.adapter })
    const browser = app.browser()
    await browser.signIn()
    const [row] = await db.sessions()
    const stored = row?.sessionToken ?? ''
    expect(stored).to.match(/^h1_[0-9a-f]{64}\.f[\w-]+$/)
    const bare = stored.slice(3)
    for (const value of [stored, bare, Buffer.from(bare, 'hex').toString('base64url'), stored.toUpperCase()]) {
      for (const name of [sessionName, `${sessionName}.0`, `__Secure-${sessionName}`]) {
        const thief = app.browser()
        thief.cookies.set(name, value)
        expect((await thief.get('/me')).body).to.equal(null)
        await thief.submit('/auth/signout')
        thief.cookies.set(name, value)
        await thief.signIn({ username: 'mallory' })
      }
    }
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    await app.close()
  })
})

describe('SE-14 the contents of a database session', () => {
  it('are id, name, address and image, though the tables hold more', async () => {
    const db = testDatabase()
    const app = await startApp({ adapter: db.adapter })
    const browser = app.browser()
    await db.addUser({ id: 'ann', name: 'Ann', passwordHash: 'hunter2', role: 'admin' } as { id: string })
    const key = await plantRow(db, browser, { expires: new Date(Date.now() + 3_000_000_000) })
    await db.real.updateSession({ sessionToken: key, refreshToken: 'opaque', ip: '10.0.0.1' } as {
      sessionToken: string
    })
    for (const path of ['/auth/session', '/me']) {
      const { body } = await browser.get(path)
      expect(body).to.have.all.keys('user', 'expires')
      expect(body.user).to.deep.equal({ id: 'ann', name: 'Ann', email: 'ann@example.com', image: null })
    }
    await app.close()
  })
})

describe('jwt.legacy under the name of our own session cookie', () => {
  let app: TestApp
  afterEach(() => app.close())

  it('takes the session over and keeps it', async () => {
    const until = new Date(Date.now() + 60_000)
    app = await startApp({ session: { updateAge: 0 }, jwt: { legacy: { cookieName: sessionName, until } } })
    const browser = app.browser()
    const old = await encodeLegacy({ token: { sub: '1', name: 'Ann' }, secret, salt: sessionName })
    browser.cookies.set(sessionName, old)
    for (let visit = 0; visit < 3; visit += 1) {
      expect(await browser.session()).to.have.nested.property('user.name', 'Ann')
      expect(heldToken(browser)).to.not.equal(old)
    }
    await plantSession(browser)
    await browser.submit('/auth/signout')
    expect(browser.cookies.has(sessionName)).to.equal(false)
  })
})

describe('the data of one user, in an application that lets its CDN keep everything', () => {
  const names = ['CDN-Cache-Control', 'Cloudflare-CDN-Cache-Control', 'Surrogate-Control', 'Vercel-CDN-Cache-Control']
  const app = opened(() =>
    startApp(
      {},
      {
        before: (express) =>
          void express.use((_req, res, next) => {
            for (const name of names) res.set(name, 'public, max-age=60')
            next()
          }),
        after: (express, config) => void express.get('/form', (req, res) => void res.send(getCsrfToken(req, config))),
      },
    ),
  )

  for (const path of ['/auth/session', '/auth/csrf', '/auth/providers', '/auth/signin', '/auth/error', '/form']) {
    it(`CA-01 is kept by no cache: ${path}`, async () => {
      const { headers } = await app.browser().get(path)
      for (const name of names) expect(headers[name.toLowerCase()], name).to.equal('no-store')
    })
  }

  it('and other routes of the application are not changed', async () => {
    const { headers } = await app.browser().get('/me')
    for (const name of names) expect(headers[name.toLowerCase()], name).to.equal('public, max-age=60')
  })
})

describe('a session that is extended on a response for a CDN', () => {
  const app = opened(() =>
    startApp(
      { session: { updateAge: 0 } },
      {
        after: (express, config) =>
          void express.get('/cdn', (req, res, next) => {
            const { name, value } = req.query
            getSession(req, config).then(() => res.set(String(name), String(value)).json('page'), next)
          }),
      },
    ),
  )

  async function cookiesOf(name: string, value: string): Promise<string[]> {
    const browser = app.browser()
    await browser.signIn()
    return setCookies(await browser.get(`/cdn?${new URLSearchParams({ name, value })}`))
  }

  for (const name of [
    'CDN-Cache-Control',
    'Cloudflare-CDN-Cache-Control',
    'Surrogate-Control',
    'Vercel-CDN-Cache-Control',
  ]) {
    it(`CA-03 omits its cookie if ${name} lets the CDN keep it`, async () => {
      expect(await cookiesOf(name, 'max-age=600')).to.deep.equal([])
      expect(await cookiesOf(name, 'no-store')).to.have.length(1)
    })
  }
})

/**
 * Checks that the token is rejected at every door. `/guarded` has a guard.
 *
 * @returns A function that makes a browser with the token.
 */
async function assertEnded(app: TestApp, token: string) {
  const replay = () => {
    const other = app.browser()
    other.cookies.set(sessionName, token)
    return other
  }
  expect((await replay().get('/guarded')).status).to.equal(401)
  expect((await replay().get('/me')).body).to.equal(null)
  expect((await app.browser().get('/me', { authorization: `Bearer ${token}` })).body).to.equal(null)
  expect(await replay().session()).to.equal(null)
  expect((await replay().submit('/auth/session', { data: {} })).body).to.equal(null)
  return replay
}
