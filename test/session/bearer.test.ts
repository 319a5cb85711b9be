/** `session.bearer`: the session token in the header `Authorization`, with both strategies and at both doors. */

import { expect } from 'chai'
import type { Express } from 'express'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { requireCsrf, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import { type Browser, complete, createLog, startApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { type DoorApp, doors, openFetch } from '../support/doors.js'
import { setCookies } from '../support/http-browser.js'
import { heldSession, heldToken, plant, sessionName } from '../support/session.js'

const day = 86_400
const authorization = (token: string) => ({ authorization: `Bearer ${token}` })
const nameOf = ({ body }: { body: { user?: { name?: string } } | null }) => body?.user?.name

for (const [door, start] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`a bearer token with ${strategy} sessions (${door})`, () => {
      let app: DoorApp
      let db: TestDatabase
      let browser: Browser
      let token: string

      async function open(session: ServerAuthConfig['session'] = {}): Promise<void> {
        db = testDatabase()
        app = await start({ adapter: db.adapter, session: { strategy, bearer: true, ...session } })
        browser = app.browser()
        await browser.signIn()
        token = heldToken(browser)
        db.calls.length = 0
      }

      /** Requests the session with a bearer token and without cookies. */
      const ask = (text = token) => app.browser().get('/me', authorization(text))

      beforeEach(() => freezeClock())
      afterEach(async () => {
        restoreClock()
        await app.close()
      })

      it('is the session, without a cookie', async () => {
        await open()
        const answer = await ask()
        expect([answer.status, nameOf(answer), setCookies(answer)]).to.deep.equal([200, 'ann', []])
        expect(db.calls).to.deep.equal(strategy === 'jwt' ? [] : ['getSessionAndUser'])
        expect(answer.body).to.deep.equal((await browser.get('/me')).body)
      })

      it('is accepted in any case of the scheme, and in no other scheme', async () => {
        await open()
        const send = (value: string) => app.browser().get('/me', { authorization: value })
        expect(nameOf(await send(`bearer ${token}`))).to.equal('ann')
        for (const value of [token, `Basic ${token}`, `Token ${token}`, `Bearer ${token} ${token}`, `Bearer${token}`]) {
          expect((await send(value)).body, value.slice(0, 12)).to.equal(null)
        }
      })

      it('is ignored without the option', async () => {
        await open({ bearer: false })
        expect((await ask()).body).to.equal(null)
        expect(db.calls).to.deep.equal([])
      })

      it('is ignored beside a session cookie, valid or not', async () => {
        await open()
        const other = app.browser()
        await other.signIn({ username: 'ann', password: 'right' })
        await browser.submit('/auth/signout')
        expect(nameOf(await other.get('/me', authorization(token)))).to.equal('ann')
        plant(other, 'garbage')
        expect((await other.get('/me', authorization(heldToken(other)))).body).to.equal(null)
        other.cookies.set(sessionName, '')
        expect((await other.get('/me', authorization('garbage'))).body).to.equal(null)
      })

      it('is rejected if it is none, and clears nothing', async () => {
        await open()
        const stored = (await db.sessions()).map(({ sessionToken }) => sessionToken)
        for (const text of ['garbage', '%', '%E0%A4%A', '', '~', 'x'.repeat(9_000), `${token}x`, ...stored]) {
          const answer = await ask(text)
          expect([answer.status, answer.body, setCookies(answer)], text.slice(0, 12)).to.deep.equal([200, null, []])
        }
      })

      it('ends with a sign-out of the browser', async () => {
        await open({ ...(strategy === 'jwt' && { revocation: true }) })
        expect(nameOf(await ask())).to.equal('ann')
        await browser.submit('/auth/signout')
        expect((await ask()).body).to.equal(null)
      })

      it('ends at its time', async () => {
        await open({ maxAge: 3 * day, absoluteMaxAge: 3 * day })
        advanceClock(3 * day - 1)
        expect(nameOf(await ask())).to.equal('ann')
        advanceClock(1)
        expect((await ask()).body).to.equal(null)
      })

      it('is ignored by the routes of the library', async () => {
        await open()
        const client = app.browser()
        expect((await client.get('/auth/session', authorization(token))).body).to.equal(null)
        const csrfToken = await client.csrf()
        const headers = authorization(token)
        await client.send('post', '/auth/session', { json: { csrfToken, data: { name: 'eve' } }, headers })
        await client.send('post', '/auth/signout', { json: { csrfToken }, headers })
        expect(nameOf(await browser.get('/me'))).to.equal('ann')
      })

      if (strategy === 'jwt') return

      it('is extended in the store when that is due, without a cookie', async () => {
        await open({ maxAge: 10 * day, updateAge: day })
        const endOf = async () => (await db.sessions())[0]?.expires.getTime()
        const first = Date.now()
        advanceClock(day - 1)
        await ask()
        expect(await endOf()).to.equal(first + 10 * day * 1000)
        advanceClock(1)
        const answer = await ask()
        expect([nameOf(answer), setCookies(answer)]).to.deep.equal(['ann', []])
        expect(answer.body.expires).to.equal(new Date(Date.now() + 10 * day * 1000).toISOString())
        expect(await endOf()).to.equal(Date.now() + 10 * day * 1000)
        advanceClock(9 * day)
        expect(nameOf(await ask())).to.equal('ann')
        advanceClock(10 * day)
        expect([(await ask()).body, await db.sessions()]).to.deep.equal([null, []])
      })

      it('does not bring back a session that ends while it is extended', async () => {
        await open({ maxAge: 10 * day, updateAge: 0 })
        advanceClock(day)
        db.replace('updateSession', async (real, ...given) => {
          for (const { sessionToken } of await db.sessions()) await db.real.deleteSession?.(sessionToken)
          return real(...given)
        })
        expect([(await ask()).body, await db.sessions()]).to.deep.equal([null, []])
      })

      it('is queried once in `cacheFor` seconds', async () => {
        await open({ cacheFor: 30 })
        expect([nameOf(await ask()), nameOf(await ask())]).to.deep.equal(['ann', 'ann'])
        expect(db.calls).to.deep.equal(['getSessionAndUser'])
        advanceClock(30)
        expect(nameOf(await ask())).to.equal('ann')
        expect(db.calls).to.deep.equal(['getSessionAndUser', 'getSessionAndUser'])
        await browser.submit('/auth/signout')
        expect((await ask()).body).to.equal(null)
      })

      it('is read from a real database', async () => {
        const connection = connect('sqlite::memory:')
        await migrate(connection)
        db = testDatabase()
        app = await start({ adapter: sqlAdapter(connection), session: { bearer: true, updateAge: 0 } })
        browser = app.browser()
        await browser.signIn()
        token = heldToken(browser)
        advanceClock(day)
        expect([nameOf(await ask()), nameOf(await ask())]).to.deep.equal(['ann', 'ann'])
        await browser.submit('/auth/signout')
        expect((await ask()).body).to.equal(null)
      })
    })
  }
}

/** The guards of the tests, by path. */
const guards = new Map<string, { live?: boolean; maxAge?: number }>([
  ['/guarded', {}],
  ['/live', { live: true }],
  ['/fresh', { maxAge: 60 }],
])

function startGuardedExpress(config: Partial<ServerAuthConfig>): Promise<DoorApp> {
  const after = (on: Express, full: ServerAuthConfig) => {
    const { sessions, account } = expressFunctions(full)
    for (const [path, options] of guards) {
      on.get(path, requireSession(full, options), (_req, res) => void res.json(res.locals.session.user?.name))
    }
    on.post('/form', requireCsrf(full), (_req, res) => void res.json('sent'))
    on.get('/account', async (req, res) => void res.json(await account.get(req)))
    on.post('/end-others', async (req, res) => void res.json(await sessions.endOthers(req)))
    on.post('/end-all/:id', async (req, res) => void res.json((await sessions.endAll(req.params.id)) ?? 'ended'))
  }
  return startApp(config, { after })
}

function startGuardedFetch(config: Partial<ServerAuthConfig>): Promise<DoorApp> {
  const log = createLog()
  const full = complete({ basePath: '/auth', ...config }, log)
  const { handlers, auth, account, sessions } = initAuth(full)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth/')) return handlers.GET(request)
    if (pathname === '/form') {
      await auth.csrf.verify(request)
      return Response.json('sent')
    }
    if (pathname === '/account') return Response.json(await account.get())
    if (pathname === '/end-others') return Response.json(await sessions.endOthers())
    if (pathname.startsWith('/end-all/')) {
      await sessions.endAll(pathname.slice('/end-all/'.length))
      return Response.json('ended')
    }
    const session = await auth.require(request, guards.get(pathname))
    return Response.json(session.user?.name)
  }
  return openFetch(log, answer, { ip: '127.0.0.1' }, full)
}

for (const [door, start] of [
  ['Express', startGuardedExpress],
  ['Fetch', startGuardedFetch],
] as const) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`guards and functions with a bearer token and ${strategy} sessions (${door})`, () => {
      let app: DoorApp
      let db: TestDatabase
      let browser: Browser
      let token: string

      async function open(session: ServerAuthConfig['session'] = {}): Promise<void> {
        db = testDatabase()
        const revocation = strategy === 'jwt' && { revocation: true }
        app = await start({ adapter: db.adapter, session: { strategy, bearer: true, ...revocation, ...session } })
        browser = app.browser()
        await browser.signIn()
        token = heldToken(browser)
      }

      const ask = (path: string, text = token) => app.browser().get(path, authorization(text))

      beforeEach(() => freezeClock())
      afterEach(async () => {
        restoreClock()
        await app.close()
      })

      it('are allowed, also by `live` and `maxAge`', async () => {
        await open()
        for (const path of guards.keys()) {
          const answer = await ask(path)
          expect([path, answer.status, answer.body, setCookies(answer)]).to.deep.equal([path, 200, 'ann', []])
        }
      })

      it('are challenged by 401 (RFC 6750 §3)', async () => {
        await open()
        const nobody = await app.browser().get('/guarded')
        expect([nobody.status, nobody.headers['www-authenticate']]).to.deep.equal([401, 'Bearer'])
        const wrong = await ask('/guarded', 'garbage')
        expect([wrong.status, wrong.body.error]).to.deep.equal([401, 'Unauthorized'])
        expect(wrong.headers['www-authenticate']).to.match(/^Bearer error="invalid_token", error_description="[^"]+"$/)
        const basic = await app.browser().get('/guarded', { authorization: 'Basic YTpi' })
        expect([basic.status, basic.headers['www-authenticate']]).to.deep.equal([401, 'Bearer'])
        const page = await app.browser().get('/guarded', { accept: 'text/html' })
        expect([page.status, page.headers['www-authenticate']]).to.deep.equal([302, undefined])
        advanceClock(61)
        const old = await ask('/fresh')
        expect([old.status, old.headers['www-authenticate']?.includes('max_age="60"')]).to.deep.equal([401, true])
      })

      it('are not challenged without `session.bearer`', async () => {
        await open({ bearer: false })
        const { status, headers } = await ask('/guarded')
        expect([status, headers['www-authenticate']]).to.deep.equal([401, undefined])
      })

      it('are rejected by `live` when another process has ended the session', async () => {
        await open(strategy === 'database' ? { cacheFor: 300 } : {})
        expect((await ask('/live')).status).to.equal(200)
        if (strategy === 'database') {
          for (const { sessionToken } of await db.sessions()) await db.real.deleteSession?.(sessionToken)
        } else {
          await browser.submit('/auth/signout')
        }
        expect((await ask('/live')).status).to.equal(401)
      })

      it('are ended by `auth.sessions`, and end nothing themselves', async () => {
        await open()
        const client = app.browser()
        const other = app.browser()
        await other.signIn()
        expect((await client.send('post', '/end-others', { headers: authorization(token) })).body).to.equal(0)
        expect((await client.get('/account', authorization(token))).body).to.equal(null)
        expect([(await ask('/guarded')).status, (await other.get('/guarded')).status]).to.deep.equal([200, 200])
        const id = strategy === 'jwt' ? (await heldSession(browser))?.sub : (await browser.get('/account')).body.user.id
        expect((await browser.send('post', `/end-all/${id}`, {})).body).to.equal('ended')
        expect((await ask('/guarded')).status).to.equal(401)
      })

      it('need no CSRF token for a form, unless there is a session cookie', async () => {
        await open()
        const send = async (from: Browser, headers: Record<string, string>) =>
          (await from.send('post', '/form', { fields: { a: 'b' }, headers })).status
        expect(await send(app.browser(), authorization(token))).to.equal(200)
        expect(await send(app.browser(), {})).to.equal(403)
        expect(await send(app.browser(), { authorization: 'Basic YTpi' })).to.equal(403)
        expect(await send(app.browser(), { authorization: 'Bearer ' })).to.equal(403)
        expect(await send(browser, authorization(token))).to.equal(403)
        plant(browser, 'garbage')
        expect(await send(browser, authorization(token))).to.equal(403)
      })

      it('need a CSRF token without `session.bearer`', async () => {
        await open({ bearer: false })
        const answer = await app.browser().send('post', '/form', { fields: { a: 'b' }, headers: authorization(token) })
        expect([answer.status, answer.body.error]).to.deep.equal([403, 'MissingCSRF'])
      })
    })
  }
}
