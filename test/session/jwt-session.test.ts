import { expect } from 'chai'
import { redact } from '../../lib/base/logger.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { JWTSessionError } from '../../lib/errors.js'
import { decode, encode, type JWT } from '../../lib/jwt.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import {
  type AppOptions,
  type Browser,
  secret,
  setCookies,
  startApp,
  type TestApp,
  target,
  withoutReference,
} from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { flipBit } from '../support/jwe.js'
import { cookieLines, heldNames, heldSession, heldToken, plant, plantSession, sessionName } from '../support/session.js'

const day = 24 * 60 * 60
const older = 'an-older-secret-of-more-than-32-characters'

describe('JWT sessions', () => {
  let app: TestApp
  let browser: Browser

  /** Starts the application of a test; it is closed after it. */
  async function start(config: Partial<ServerAuthConfig> = {}, options: AppOptions = {}): Promise<void> {
    app = await startApp(config, options)
    browser = app.browser()
  }
  afterEach(async () => {
    restoreClock()
    await app?.close()
  })

  describe('are issued at sign-in', () => {
    it('with name, email, picture and sub of the user, and nothing of the account', async () => {
      freezeClock()
      await start()
      await browser.signIn()
      const token = await heldSession(browser)
      expect(token).to.deep.equal({
        name: 'ann',
        email: 'ann@example.com',
        picture: null,
        sub: 'id-of-ann',
        amr: ['pwd'],
        iat: seconds(),
        exp: seconds() + 30 * day,
        jti: token?.jti,
        sid: token?.sid,
        auth_time: seconds(),
        auth_began: seconds(),
        auth_proofs: `p|${seconds().toString(36)}|credentials|pwd`,
      })
    })

    it('as a cookie that ends with the token, HttpOnly, SameSite=Lax, for the whole site', async () => {
      freezeClock()
      await start({ session: { maxAge: 600 } })
      const [line, ...others] = cookieLines(await browser.signIn())
      const expires = new Date(Date.now() + 600_000).toUTCString()
      expect(line?.split('; ').slice(1)).to.have.members(['Path=/', `Expires=${expires}`, 'HttpOnly', 'SameSite=Lax'])
      expect(others).to.deep.equal([])
      expect((await heldSession(browser))?.exp).to.equal(seconds() + 600)
    })

    it('on https under the prefixed name and Secure', async () => {
      await start({}, { trustProxy: true })
      browser.headers['x-forwarded-proto'] = 'https'
      const response = await browser.signIn()
      expect(cookieLines(response)).to.deep.equal([])
      const [line] = cookieLines(response, `__Secure-${sessionName}`)
      expect(line?.split('; ')).to.include.members(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      expect(await heldSession(browser, `__Secure-${sessionName}`)).to.include({ sub: 'id-of-ann' })
    })

    it('for as long as the shorter of session.maxAge and jwt.maxAge', async () => {
      freezeClock()
      await start({ session: { maxAge: 600 }, jwt: { maxAge: 60 } })
      const [line] = cookieLines(await browser.signIn())
      expect((await heldSession(browser))?.exp).to.equal(seconds() + 60)
      expect(line).to.include(`Expires=${new Date(Date.now() + 60_000).toUTCString()}`)
    })
  })

  describe('are read', () => {
    it('SE-14 with id, name, email, image and the end, nothing else', async () => {
      await start()
      await plantSession(browser, {
        sub: 'x',
        name: 'Ann',
        email: 'a@x.test',
        picture: '/a.png',
        access_token: 't',
        role: 'r',
      })
      const { body, status } = await browser.get('/auth/session')
      expect(status).to.equal(200)
      const user = { id: 'x', name: 'Ann', email: 'a@x.test', image: '/a.png' }
      expect(body).to.deep.equal({ user, expires: body.expires })
    })

    it('SE-06 with the real end, at every read', async () => {
      freezeClock()
      await start({ session: { maxAge: 10 * day, updateAge: day } })
      await browser.signIn()
      for (const passed of [0, 3600, day]) {
        advanceClock(passed)
        const { body } = await browser.get('/auth/session')
        const { exp } = (await heldSession(browser)) ?? {}
        expect(body.expires).to.equal(new Date(Number(exp) * 1000).toISOString())
      }
    })

    it('null without a cookie, and then nothing is cleared', async () => {
      await start()
      const response = await browser.get('/auth/session')
      expect([response.status, response.body, cookieLines(response)]).to.deep.equal([200, null, []])
    })
  })

  describe('end', () => {
    it('SE-02 maxAge after they were issued, for any client that replays the cookie', async () => {
      freezeClock()
      await start({ session: { maxAge: 600 } })
      await browser.signIn()
      const token = heldToken(browser)
      advanceClock(599)
      expect(await browser.session()).to.not.equal(null)
      advanceClock(2)
      plant(browser, token)
      const response = await browser.get('/auth/session')
      expect(response.body).to.equal(null)
      expect(cookieLines(response)).to.deep.equal([`${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
    })

    it('SE-05 sooner when maxAge was lowered since', async () => {
      freezeClock()
      await start({ session: { maxAge: 600 } })
      await plantSession(browser, { sub: 'ann' }, { maxAge: 30 * day })
      const { body } = await browser.get('/auth/session')
      expect(body.expires).to.equal(new Date(Date.now() + 600_000).toISOString())
      advanceClock(600)
      await plantSession(browser, { sub: 'ann' }, { maxAge: 30 * day })
      expect(await browser.session()).to.not.equal(null)
      advanceClock(600)
      expect(await browser.session()).to.equal(null)
    })

    it('SE-03 not by a sign-out in another process: a copy of the token lives until its end (documented)', async () => {
      await start()
      await browser.signIn()
      const copy = heldToken(browser)
      await browser.submit('/auth/signout')
      expect(await browser.session()).to.equal(null)
      plant(browser, copy)
      expect(await browser.session(), 'in this process').to.equal(null)
      clearSiteMemories()
      await app.close()
      await start()
      plant(browser, copy)
      expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
    })
  })

  describe('that are invalid are null and their cookie is cleared', () => {
    const attributes = {
      domain: 'example.com',
      path: '/app',
      sameSite: 'strict',
      partitioned: true,
      secure: true,
    } as const
    const cleared = 'Max-Age=0; Domain=example.com; Path=/app; HttpOnly; Secure; Partitioned; SameSite=Strict'

    it('SE-07 with the attributes that it was set with', async () => {
      await start({ cookies: { sessionToken: { options: attributes } } })
      const [set] = cookieLines(await browser.signIn())
      const without = set
        ?.split('; ')
        .slice(1)
        .filter((attribute) => !attribute.startsWith('Expires='))
      plant(browser, 'garbage')
      const lines = cookieLines(await browser.get('/auth/session', { cookie: `${sessionName}=garbage` }))
      expect(lines).to.deep.equal([`${sessionName}=; ${cleared}`])
      expect(lines[0]?.split('; ').slice(1)).to.have.members(['Max-Age=0', ...(without ?? [])])
    })

    it('SE-07 all chunks of it, and the unchunked one', async () => {
      await start()
      const names = [sessionName, `${sessionName}.0`, `${sessionName}.1`, `${sessionName}.2`]
      for (const name of names) browser.cookies.set(name, 'garbage')
      const response = await browser.get('/auth/session')
      expect(response.body).to.equal(null)
      expect(cookieLines(response)).to.have.members(
        names.map((name) => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`),
      )
    })

    it('and so is a token of which one bit was changed', async () => {
      await start()
      const token = await plantSession(browser)
      plant(browser, flipBit(token, 3))
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(heldNames(browser)).to.deep.equal([])
    })

    it('and so is a token of another cookie name', async () => {
      await start()
      plant(browser, await encode({ token: { sub: 'ann' }, secret, salt: `__Secure-${sessionName}` }))
      expect(await browser.session()).to.equal(null)
    })
  })

  describe('that are long', () => {
    const fill = (size: number) => ({ jwt: ({ token }: { token: JWT }) => ({ ...token, fill: 'x'.repeat(size) }) })

    for (const [size, count] of [
      [4000, 2],
      [8300, 3],
    ] as const) {
      it(`CK-02 keep ${size} characters in ${count} cookies of at most 4096 bytes, and come back`, async () => {
        await start({ callbacks: fill(size) })
        const lines = cookieLines(await browser.signIn())
        expect(lines.map((line) => line.slice(0, line.indexOf('=')))).to.deep.equal(
          Array.from({ length: count }, (_, at) => `${sessionName}.${at}`),
        )
        for (const line of lines) {
          expect(line.length).to.be.at.most(4096)
          expect(line).to.include('; Path=/; Expires=').and.include('; HttpOnly; SameSite=Lax')
        }
        expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
        expect(await heldSession(browser))
          .to.have.property('fill')
          .with.length(size)
      })
    }

    it('CK-02 too long are refused at sign-in with their size, and the old session stays', async () => {
      let size = 10
      await start({ callbacks: { jwt: ({ token }) => ({ ...token, fill: 'x'.repeat(size) }) } })
      await browser.signIn()
      const before = heldToken(browser)
      size = 60_000
      const response = await browser.signIn({ username: 'bob' })
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
      expect(cookieLines(response)).to.deep.equal([])
      expect(heldToken(browser)).to.equal(before)
      const [error] = app.log.errors
      expect(error).to.have.property('type', 'SessionTooLarge')
      expect(error?.message)
        .to.match(/has \d{5} characters; 11808 fit/)
        .and.include('`jwt` callback')
    })

    it('too long are an error at a read, and the old session stays', async () => {
      await start({ callbacks: { jwt: ({ token }) => ({ ...token, fill: 'x'.repeat(60_000) }) } })
      await plantSession(browser)
      const response = await browser.get('/auth/session')
      expect([response.status, response.body.error, cookieLines(response)]).to.deep.equal([500, 'Configuration', []])
      expect(app.log.errors[0]).to.have.property('type', 'SessionTooLarge')
    })

    it('CK-03 clear the cookies that they no longer need, from three to one and back', async () => {
      let size = 8300
      await start({ callbacks: { jwt: ({ token }) => ({ ...token, fill: 'x'.repeat(size) }) } })
      await browser.signIn()
      expect(heldNames(browser)).to.have.length(3)
      size = 10
      expect(await browser.session()).to.not.equal(null)
      expect(heldNames(browser)).to.deep.equal([sessionName])
      size = 4000
      expect(await browser.session()).to.not.equal(null)
      expect(heldNames(browser)).to.deep.equal([`${sessionName}.0`, `${sessionName}.1`])
      expect(await heldSession(browser))
        .to.have.property('fill')
        .with.length(4000)
    })

    for (const [name, fillSize] of [
      ['one cookie', 10],
      ['chunks', 4000],
    ] as const) {
      it(`CK-04 or short: a session in ${name} does not mind look-alikes`, async () => {
        await start()
        await plantSession(browser, { name: 'ann', fill: 'x'.repeat(fillSize) })
        for (const end of ['.9', '.zz', '.-1', '.01', '.1e3', '-x', '.', '.3'])
          browser.cookies.set(sessionName + end, 'planted')
        const other = fillSize > 1000 ? sessionName : `${sessionName}.0`
        browser.cookies.set(other, 'planted')
        const response = await browser.get('/auth/session')
        expect(response.body).to.nested.include({ 'user.name': 'ann' })
        expect(cookieLines(response)).to.deep.equal([])
      })
    }
  })

  describe('are extended by updateAge', () => {
    beforeEach(() => freezeClock())

    it('0: at every read', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      const tokens = new Set([heldToken(browser)])
      for (let read = 0; read < 2; read += 1) {
        expect(cookieLines(await browser.get('/auth/session'))).to.have.length(1)
        tokens.add(heldToken(browser))
      }
      expect(tokens.size).to.equal(3)
    })

    it('SE-04 not before it is due; then with a new end', async () => {
      await start({ session: { maxAge: 10 * day, updateAge: day } })
      await browser.signIn()
      const first = await heldSession(browser)
      advanceClock(day - 1)
      const early = await browser.get('/auth/session')
      expect(setCookies(early)).to.deep.equal([])
      advanceClock(1)
      const due = await browser.get('/auth/session')
      const [line] = cookieLines(due)
      const second = await heldSession(browser)
      expect(second).to.include({ sub: 'id-of-ann', iat: seconds(), exp: seconds() + 10 * day })
      expect(second?.jti).to.not.equal(first?.jti)
      expect(line).to.include(`Expires=${new Date(Date.now() + 10 * day * 1000).toUTCString()}`)
      expect(due.body.expires).to.equal(new Date(Date.now() + 10 * day * 1000).toISOString())
    })

    it('so that one in use never ends', async () => {
      await start({ session: { maxAge: 2 * day, updateAge: day } })
      await browser.signIn()
      for (let passed = 0; passed < 10; passed += 1) {
        advanceClock(day)
        expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
      }
    })

    it('not by HEAD', async () => {
      await start({ session: { updateAge: 0 } })
      await browser.signIn()
      expect(setCookies(await browser.send('head', '/auth/session'))).to.deep.equal([])
    })
  })

  describe('are re-issued when the jwt callback changed them, due or not', () => {
    it('with the change', async () => {
      let visits = 0
      await start({ callbacks: { jwt: ({ token }) => ({ ...token, visits: ++visits }) } })
      await browser.signIn()
      expect(cookieLines(await browser.get('/auth/session'))).to.have.length(1)
      expect(await heldSession(browser)).to.include({ visits: 2, sub: 'id-of-ann' })
    })

    it('in place too', async () => {
      await start({
        callbacks: {
          jwt: ({ token }) => {
            token.list = [...((token.list as number[]) ?? []), 1]
            return token
          },
        },
      })
      await browser.signIn()
      await browser.get('/auth/session')
      expect(await heldSession(browser)).to.deep.include({ list: [1, 1] })
    })

    it('not when the change does not show in the token: undefined, a date as its text', async () => {
      const since = new Date(0)
      await start({
        callbacks: { jwt: ({ token }) => ({ ...token, none: undefined, since, deep: { none: undefined } }) },
      })
      await browser.signIn()
      expect(cookieLines(await browser.get('/auth/session'))).to.deep.equal([])
    })
  })

  describe('and the jwt callback', () => {
    it('SE-08 that returns null ends the session', async () => {
      let ended = false
      await start({ callbacks: { jwt: ({ token }) => (ended ? null : token) } })
      await browser.signIn()
      ended = true
      const response = await browser.get('/auth/session')
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(cookieLines(response)).to.deep.equal([`${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
    })

    it('that returns null at sign-in refuses it, and leaves the session that was there', async () => {
      await start({ callbacks: { jwt: ({ token, trigger }) => (trigger === 'signIn' ? null : token) } })
      const before = await plantSession(browser)
      const response = await browser.signIn()
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=AccessDenied`)
      expect(heldToken(browser)).to.equal(before)
    })

    for (const [name, answer] of [
      ['nothing', undefined],
      ['a text', 'text'],
      ['true', true],
      ['an array', []],
    ] as const) {
      it(`that returns ${name} is an error that names it, and the session stays`, async () => {
        const jwt = () => answer as unknown as JWT
        await start({ callbacks: { jwt } })
        await plantSession(browser)
        const response = await browser.get('/auth/session')
        expect(response.status).to.equal(500)
        expect(response.body).to.have.property('error', 'Configuration')
        expect(setCookies(response)).to.deep.equal([])
        expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
        const { message = '' } = app.log.errors[0] ?? {}
        expect(message).to.equal('The `jwt` callback must return the token, or null to end the session.')
        expect(redact(message), 'as it is printed').to.equal(message)
        expect(target(await browser.signIn())).to.equal(`${app.origin}/auth/error?error=Configuration`)
      })
    }

    for (const name of ['jwt', 'session'] as const) {
      it(`${name === 'session' ? '(the session callback too) ' : ''}that throws is an error, and the session stays`, async () => {
        const fault = new Error('of the database')
        const thrower = () => {
          throw fault
        }
        await start({ callbacks: { [name]: thrower } })
        await plantSession(browser)
        const response = await browser.get('/auth/session')
        expect([response.status, setCookies(response)]).to.deep.equal([500, []])
        expect(withoutReference(response.body)).to.deep.equal({
          error: 'Configuration',
          message: 'This site has a problem, so signing in does not work right now. Please try again later.',
        })
        expect(app.log.errors[0]).to.have.nested.property('cause.err', fault)
      })
    }
  })

  describe('and the session callback', () => {
    it('decides what is shown', async () => {
      await start({
        callbacks: {
          session: ({ session, token }) => ({ ...session, user: { ...session.user, id: String(token?.sub) } }),
        },
      })
      await browser.signIn()
      expect(await browser.session()).to.nested.include({ 'user.id': 'id-of-ann', 'user.name': 'ann' })
    })

    it('that returns nothing is an error that names it', async () => {
      await start({ callbacks: { session: (() => undefined) as never } })
      await plantSession(browser)
      const response = await browser.get('/auth/session')
      expect([response.status, setCookies(response)]).to.deep.equal([500, []])
      expect(app.log.errors[0]?.message).to.equal('The `session` callback returned no session. Return the session.')
    })
  })

  describe('under a new secret', () => {
    it('are read, and re-issued under it at the first read', async () => {
      await start({ secret: [secret, older] })
      await plantSession(browser, { sub: 'ann', name: 'ann' }, { secret: older })
      const response = await browser.get('/auth/session')
      expect(response.body).to.nested.include({ 'user.name': 'ann' })
      expect(cookieLines(response)).to.have.length(1)
      expect(await decode({ token: heldToken(browser), secret, salt: sessionName })).to.include({ sub: 'ann' })
      expect(await decode({ token: heldToken(browser), secret: older, salt: sessionName })).to.equal(null)
      expect(cookieLines(await browser.get('/auth/session'))).to.deep.equal([])
    })

    it('are null once the old one is dropped', async () => {
      await start({ secret: [secret] })
      await plantSession(browser, { sub: 'ann' }, { secret: older })
      expect(await browser.session()).to.equal(null)
    })

    it('RC-09 stay valid during a rotation', async () => {
      await start({ secret: older })
      await browser.signIn()
      const rotated = await startApp({ secret: [secret, older] })
      const browsers = Array.from({ length: 20 }, () => rotated.browser())
      for (const each of browsers) plant(each, heldToken(browser))
      const sessions = await Promise.all(browsers.map((each) => each.session()))
      await rotated.close()
      for (const session of sessions) expect(session).to.nested.include({ 'user.name': 'ann' })
    })
  })

  describe('through jwt.encode and jwt.decode of the application', () => {
    const calls: Array<Record<string, unknown>> = []
    const jwt: ServerAuthConfig['jwt'] = {
      encode: ({ token, ...params }) => {
        calls.push({ encode: params })
        return Buffer.from(JSON.stringify(token)).toString('base64url')
      },
      decode: ({ token = '', ...params }) => {
        calls.push({ decode: params })
        return JSON.parse(Buffer.from(token, 'base64url').toString())
      },
    }
    beforeEach(() => {
      calls.length = 0
    })

    it('are written and read by them, with secret, salt and maxAge', async () => {
      await start({ jwt, secret: [secret, older], session: { maxAge: 600 } })
      await browser.signIn()
      expect(JSON.parse(Buffer.from(heldToken(browser), 'base64url').toString())).to.include({ sub: 'id-of-ann' })
      expect(await browser.session()).to.nested.include({ 'user.name': 'ann' })
      expect(calls.slice(0, 2)).to.deep.equal([
        { encode: { secret: [secret, older], salt: sessionName, maxAge: 600 } },
        { decode: { secret: [secret, older], salt: sessionName } },
      ])
    })

    it('end like others', async () => {
      freezeClock()
      await start({ jwt, session: { maxAge: 600 } })
      plant(browser, Buffer.from(JSON.stringify({ name: 'ann', iat: seconds() - 600 })).toString('base64url'))
      expect(await browser.session()).to.equal(null)
    })

    it('are null where decode throws; the error is logged with its cause', async () => {
      await start({ jwt })
      plant(browser, 'no-json')
      const response = await browser.get('/auth/session')
      expect([response.status, response.body, heldNames(browser)]).to.deep.equal([200, null, []])
      expect(app.log.errors[0]).to.be.instanceOf(JWTSessionError)
      expect(app.log.errors[0]).to.have.nested.property('cause.err').instanceOf(SyntaxError)
    })

    it('cannot be changed by them for other sealed values', async () => {
      await start({ jwt })
      const csrfToken = await browser.csrf()
      await browser.post('/auth/signin/credentials', { csrfToken })
      expect(calls).to.deep.equal([])
    })
  })
})
