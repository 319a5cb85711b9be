import { expect } from 'chai'
import type { JwtCallbackParams, ServerAuthConfig, SessionCallbackParams } from '../../lib/types/config.js'
import { type Browser, secret, setCookies } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { cookieLines, heldNames, heldSession, heldToken, plant, plantSession, sessionName } from '../support/session.js'

for (const [door, open] of doors) {
  describe(`POST /auth/session (the client updates its session) (${door})`, () => {
    let app: DoorApp
    let browser: Browser
    const jwtCalls: JwtCallbackParams[] = []
    const sessionCalls: SessionCallbackParams[] = []

    const recorders: ServerAuthConfig['callbacks'] = {
      jwt(params) {
        jwtCalls.push({ ...params, token: { ...params.token } })
        if (params.trigger !== 'update') return params.token
        const { nickname } = (params.session ?? {}) as { nickname?: unknown }
        return typeof nickname === 'string' ? { ...params.token, name: nickname } : params.token
      },
      session(params) {
        sessionCalls.push(params)
        return params.session
      },
    }

    async function start(config: Partial<ServerAuthConfig> = { callbacks: recorders }): Promise<void> {
      app = await open(config)
      browser = app.browser()
    }

    /** Posts as browser clients do: JSON, with the CSRF token. */
    async function update(data: unknown, headers: Record<string, string> = {}) {
      const csrfToken = await browser.csrf()
      return browser.send('post', '/auth/session', { json: { csrfToken, data }, headers })
    }

    beforeEach(() => {
      jwtCalls.length = 0
      sessionCalls.length = 0
    })
    afterEach(() => app.close())

    it('runs jwt with the trigger and what the client sent, session with newSession, and re-issues the token', async () => {
      await start()
      const before = await plantSession(browser, { sub: 'ann', name: 'ann' })
      const response = await update({ nickname: 'Annie', more: [1] })
      expect(response.status).to.equal(200)
      expect(response.body).to.nested.include({ 'user.name': 'Annie' })
      expect(jwtCalls).to.have.length(1)
      expect(jwtCalls[0]).to.deep.include({ trigger: 'update', session: { nickname: 'Annie', more: [1] } })
      expect(jwtCalls[0]?.token).to.include({ sub: 'ann', name: 'ann' })
      expect(sessionCalls).to.have.length(1)
      expect(sessionCalls[0]).to.deep.include({ trigger: 'update', newSession: { nickname: 'Annie', more: [1] } })
      expect(heldToken(browser)).to.not.equal(before)
      expect(await heldSession(browser)).to.include({ sub: 'ann', name: 'Annie' })
      expect(await browser.session()).to.nested.include({ 'user.name': 'Annie' })
    })

    it('has neither trigger nor newSession at a plain read', async () => {
      await start()
      await plantSession(browser)
      await browser.get('/auth/session')
      expect(jwtCalls[0]).to.not.have.any.keys('trigger', 'session', 'user', 'account', 'profile')
      expect(sessionCalls[0]).to.have.all.keys('session', 'token', 'authentication')
    })

    for (const data of [undefined, null, 'text', 5, [1, 2], { deep: { er: [null] } }]) {
      it(`hands over ${JSON.stringify(data)} as it came: to be validated by the callback`, async () => {
        await start()
        await plantSession(browser)
        const response = await update(data)
        expect(response.status).to.equal(200)
        expect(jwtCalls[0]).to.have.deep.property('session', data)
        expect(sessionCalls[0]).to.have.deep.property('newSession', data)
      })
    }

    it('PP-06 changes nothing by itself: only what the jwt callback copies', async () => {
      await start({})
      await plantSession(browser, { sub: 'ann', name: 'ann' })
      const { exp } = (await heldSession(browser)) ?? {}
      const data = { user: { id: 'other', name: 'admin' }, sub: 'other', role: 'admin', exp: 9e12, name: 'x' }
      const response = await update(data)
      expect(response.body.user).to.deep.equal({ id: 'ann', name: 'ann', email: null, image: null })
      const token = await heldSession(browser)
      expect(token).to.include({ sub: 'ann', name: 'ann' }).and.not.have.any.keys('role', 'user')
      expect(token?.exp).to.be.within(Number(exp), Number(exp) + 60)
    })

    it('AZ-07 takes the token back that the callback spoiled: iat, exp and jti stay ours', async () => {
      await start({ callbacks: { jwt: ({ token }) => ({ ...token, exp: 9e12, iat: 1, jti: 'mine' }) } })
      await plantSession(browser)
      await update({})
      const token = await heldSession(browser)
      expect(token?.exp).to.be.below(9e12)
      expect(token?.iat).to.be.above(1)
      expect(token?.jti).to.not.equal('mine')
    })

    it('pollutes no prototype', async () => {
      await start()
      await plantSession(browser)
      const csrfToken = await browser.csrf()
      const text = `{"csrfToken":"${csrfToken}","data":{"__proto__":{"admin":true}},"__proto__":{"admin":true}}`
      const response = await browser.send('post', '/auth/session', { json: JSON.parse(text) })
      expect(response.status).to.equal(200)
      expect(({} as Record<string, unknown>).admin).to.equal(undefined)
    })

    it('takes a form body as well', async () => {
      await start()
      await plantSession(browser)
      const response = await browser.submit('/auth/session', { data: 'text' })
      expect(response.status).to.equal(200)
      expect(jwtCalls[0]).to.include({ trigger: 'update', session: 'text' })
    })

    it('is null without a session, and runs no callback', async () => {
      await start()
      const response = await update({ nickname: 'x' })
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect([jwtCalls, sessionCalls]).to.deep.equal([[], []])
    })

    it('is null with an invalid session, whose cookie it clears', async () => {
      await start()
      plant(browser, 'garbage')
      expect((await update({})).body).to.equal(null)
      expect(heldNames(browser)).to.deep.equal([])
      expect(jwtCalls).to.deep.equal([])
    })

    describe('is refused, with no callback run and no cookie changed', () => {
      const cases: ReadonlyArray<[string, (csrfToken: string) => { json: object; headers?: Record<string, string> }]> =
        [
          ['without the CSRF token', () => ({ json: { data: {} } })],
          ['with a wrong one', () => ({ json: { csrfToken: '0'.repeat(64), data: {} } })],
          ['with one that is no text', (csrfToken) => ({ json: { csrfToken: [csrfToken], data: {} } })],
          ['from another origin', (csrfToken) => ({ json: { csrfToken }, headers: { origin: 'https://evil.test' } })],
          ['from an opaque origin', (csrfToken) => ({ json: { csrfToken }, headers: { origin: 'null' } })],
          ['from another site', (csrfToken) => ({ json: { csrfToken }, headers: { 'sec-fetch-site': 'cross-site' } })],
          ['from a sibling site', (csrfToken) => ({ json: { csrfToken }, headers: { 'sec-fetch-site': 'same-site' } })],
        ]
      for (const [name, what] of cases) {
        it(name, async () => {
          await start()
          await plantSession(browser)
          const response = await browser.send('post', '/auth/session', what(await browser.csrf()))
          expect(response.status).to.equal(403)
          expect(response.body).to.have.property('error', 'MissingCSRF')
          expect(setCookies(response)).to.deep.equal([])
          expect([jwtCalls, sessionCalls]).to.deep.equal([[], []])
        })
      }

      it('with the token in the query only', async () => {
        await start()
        await plantSession(browser)
        const response = await browser.send('post', `/auth/session?csrfToken=${await browser.csrf()}`, { json: {} })
        expect(response.status).to.equal(403)
        expect(jwtCalls).to.deep.equal([])
      })
    })

    it('is taken from the own origin, however the browser says so', async () => {
      await start()
      await plantSession(browser)
      for (const headers of [{ origin: app.origin }, { 'sec-fetch-site': 'same-origin' }, {}]) {
        expect((await update({}, headers as Record<string, string>)).status).to.equal(200)
      }
      expect(jwtCalls).to.have.length(3)
    })

    it('with a jwt callback that returns null ends the session', async () => {
      await start({ callbacks: { jwt: ({ token, trigger }) => (trigger === 'update' ? null : token) } })
      await plantSession(browser)
      const response = await update({})
      expect([response.status, response.body]).to.deep.equal([200, null])
      expect(cookieLines(response)).to.deep.equal([`${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
    })

    it('with a callback that throws changes nothing', async () => {
      const fault = new Error('not valid')
      await start({
        callbacks: {
          jwt: ({ token, trigger }) => {
            if (trigger === 'update') throw fault
            return token
          },
        },
      })
      const before = await plantSession(browser)
      const response = await update({})
      expect(response.status).to.equal(500)
      expect(response.body).to.have.property('error', 'Configuration')
      expect(JSON.stringify(response.body)).to.not.include('not valid')
      expect(heldToken(browser)).to.equal(before)
      expect(app.log.errors[0]).to.have.nested.property('cause.err', fault)
    })

    it('works under rotation: a token of the old secret is updated under the new', async () => {
      const older = 'an-older-secret-of-more-than-32-characters'
      await start({ secret: [secret, older], callbacks: recorders })
      await plantSession(browser, { sub: 'ann' }, { secret: older })
      await update({ nickname: 'Annie' })
      expect(await heldSession(browser)).to.include({ sub: 'ann', name: 'Annie' })
    })
  })
}
