/** Parameters that are repeated, as lists, in another place or under another name; and other methods. At both doors. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { op } from '../router/fixtures.js'
import { type Browser, credentials, setCookies, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { sessionName } from '../support/session.js'

const evil = 'https://evil.test/'

for (const [door, start] of doors) {
  describe(`parameters in unexpected forms (${door})`, () => {
    let browser: Browser
    const mails: string[] = []
    const typed: unknown[] = []

    const app = opened(() =>
      start({
        adapter: memoryAdapter(),
        session: { strategy: 'jwt' },
        providers: [
          op,
          {
            id: 'email',
            name: 'E-mail',
            type: 'email',
            sendVerificationRequest: ({ identifier }) => void mails.push(identifier),
          },
          credentials({
            authorize({ username, password }) {
              typed.push(username)
              return password === 'right' ? { id: String(username), name: String(username) } : null
            },
          }),
        ],
      }),
    )
    beforeEach(() => {
      browser = app.browser()
      mails.length = 0
      typed.length = 0
    })

    /** Names that other software uses for `callbackUrl`. */
    const asOther = [
      'callbackUrl[]',
      'callbackUrl[0]',
      'callbackUrl[href]',
      'callbackurl',
      'callbackUrl ',
      'CallbackUrl',
      'redirectTo',
      'redirect',
      'returnTo',
      'next',
    ]
    for (const name of asOther) {
      it(`HP-01 ${JSON.stringify(name)} is no callback URL`, async () => {
        expect(target(await browser.submit('/auth/signout', { [name]: evil }))).to.equal(`${app.origin}/`)
        const page = await browser.get(`/auth/signin?${new URLSearchParams({ [name]: evil })}`)
        expect(page.text).to.not.include('evil.test')
        expect(target(await browser.signIn({ [name]: evil }))).to.equal(`${app.origin}/`)
      })
    }

    it('HP-01 of two callback URLs none leads away, in query, form and JSON, whichever comes first', async () => {
      for (const pair of [
        ['/ok', evil],
        [evil, '/ok'],
        [evil, evil],
      ]) {
        const twice = pair.map((value) => `callbackUrl=${encodeURIComponent(value)}`).join('&')
        const responses = [
          await browser.submit(`/auth/signout?${twice}`),
          await browser.submit('/auth/signout', { callbackUrl: pair }),
          await browser.send('post', '/auth/signout', { json: { csrfToken: await browser.csrf(), callbackUrl: pair } }),
          await browser.submit('/auth/signin/op', { callbackUrl: pair }),
        ]
        for (const response of responses) {
          expect(new URL(target(response)).host, JSON.stringify(pair)).to.be.oneOf([
            new URL(app.origin).host,
            'op.example',
          ])
        }
        expect((await browser.get('/auth/signin')).text).to.not.include('evil.test')
      }
    })

    const returns: Readonly<Record<string, (state: string) => string>> = {
      'two states, the right one first': (state) => `code=x&state=${state}&state=y`,
      'two states, the right one last': (state) => `code=x&state=y&state=${state}`,
      'the right state twice': (state) => `code=x&state=${state}&state=${state}`,
      'a list of states': (state) => `code=x&state[]=${state}`,
      'two codes': (state) => `code=x&code=y&state=${state}`,
      'a code and an error': (state) => `code=x&error=access_denied&state=${state}`,
      'the state in another case': (state) => `code=x&State=${state}`,
      'the state with a space': (state) => `code=x&state=${state}%20`,
      'the state with a zero byte': (state) => `code=x&state=${state}%00`,
    }
    for (const [what, query] of Object.entries(returns)) {
      it(`HP-02 ST-02 ${what} sign no user in`, async () => {
        const begun = await browser.submit('/auth/signin/op')
        const state = new URL(target(begun)).searchParams.get('state') ?? ''
        const response = await browser.get(`/auth/callback/op?${query(state)}`)
        expect(response.status).to.equal(302)
        expect(target(response)).to.match(/[?&]error=(InvalidCheck|OAuthCallbackError|AccessDenied)/)
        expect(setCookies(response).join()).to.not.include(sessionName)
        expect(await browser.session()).to.equal(null)
      })
    }

    const addresses: Readonly<Record<string, unknown>> = {
      'two addresses': ['ann@x.test', 'eve@evil.test'],
      'one in a list': ['eve@evil.test'],
      'an object': { 0: 'eve@evil.test' },
      'an object that says what it is': { toString: 'eve@evil.test' },
      'addresses behind a comma': 'ann@x.test,eve@evil.test',
      'addresses behind a semicolon': 'ann@x.test;eve@evil.test',
      'addresses behind a line end': 'ann@x.test\neve@evil.test',
      'an address behind a header': 'ann@x.test\r\nBcc: eve@evil.test',
      'an address behind a zero byte': 'ann@x.test\u0000eve@evil.test',
      'an encoded comma': 'ann@x.test%2Ceve@evil.test',
      nothing: null,
    }
    for (const [what, email] of Object.entries(addresses)) {
      it(`HP-03 EM-06 EM-13 ${what} gets no mail, as form and as JSON`, async () => {
        const responses = [
          await browser.send('post', '/auth/signin/email', { json: { csrfToken: await browser.csrf(), email } }),
        ]
        // A form has no lists: one of one is a value.
        if (typeof email === 'string' || (Array.isArray(email) && email.length > 1))
          responses.push(await browser.submit('/auth/signin/email', { email }))
        for (const response of responses) {
          expect(response.status).to.be.within(300, 499)
          expect(target(response)).to.include('error=')
        }
        expect(mails).to.deep.equal([])
      })
    }

    it('HP-03 a repeated name belongs to no user, and `authorize` is not called', async () => {
      const lists = [['ann', 'eve'], ['ann'], { 0: 'ann' }, { $ne: '' }]
      for (const username of lists) {
        const json = { csrfToken: await browser.csrf(), username, password: 'right' }
        expect(target(await browser.send('post', '/auth/callback/credentials', { json }))).to.include('error=')
      }
      expect(target(await browser.signIn({ username: ['ann', 'eve'] }))).to.include('error=')
      expect(typed).to.deep.equal([])
    })

    it('HP-04 the token is read in the body only: not in the query, a header, a cookie, or under another name', async () => {
      await browser.signIn()
      const csrfToken = await browser.csrf()
      const held = new Map(browser.cookies)
      const places: ReadonlyArray<[path: string, fields: object, headers: Record<string, string>]> = [
        [`?csrfToken=${csrfToken}`, {}, {}],
        ['', {}, { 'x-csrf-token': csrfToken, 'csrf-token': csrfToken, csrftoken: csrfToken }],
        ['', { csrf: csrfToken, _csrf: csrfToken, csrftoken: csrfToken, CsrfToken: csrfToken }, {}],
        ['', { 'csrfToken[]': csrfToken, 'csrfToken[0]': csrfToken }, {}],
        ['', { csrfToken: [csrfToken, csrfToken] }, {}],
        [`?csrfToken=${csrfToken}`, { csrfToken: 'f'.repeat(64) }, {}],
      ]
      for (const [query, fields, headers] of places) {
        const response = await browser.post(`/auth/signout${query}`, fields, headers)
        expect(target(response), JSON.stringify([query, fields])).to.include('error=MissingCSRF')
        for (const [name, value] of held) browser.cookies.set(name, value)
      }
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    })

    it('HP-05 a GET stays a GET, whatever names another method', async () => {
      await browser.signIn()
      const csrfToken = await browser.csrf()
      const overrides = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' }
      const query = new URLSearchParams({ _method: 'POST', csrfToken, username: 'eve', password: 'right' })
      for (const path of ['signout', 'signin/op', 'callback/credentials', 'session', 'signin/email']) {
        const response = await browser.get(`/auth/${path}?${query}&email=eve@evil.test`, overrides)
        expect(setCookies(response).join(), path).to.not.match(/transaction|session-token/)
        expect(target(response), path).to.not.include('op.example')
      }
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect([mails, typed]).to.deep.equal([[], ['ann']])
    })

    it('HP-05 a POST stays a POST: nothing makes it a GET that needs no token', async () => {
      await browser.signIn()
      const overrides = { 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' }
      const response = await browser.post('/auth/session?_method=GET', { _method: 'GET', data: 'x' }, overrides)
      expect([response.status, response.body.error]).to.deep.equal([403, 'MissingCSRF'])
    })

    for (const method of ['put', 'patch', 'delete', 'options'] as const) {
      it(`HP-06 ${method.toUpperCase()} is 405 everywhere, says what is allowed, and grants nothing`, async () => {
        await browser.signIn()
        const headers = {
          origin: evil,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-csrf',
        }
        for (const path of ['session', 'csrf', 'providers', 'signin', 'signin/op', 'signout', 'callback/op', 'error']) {
          const response = await browser.send(method, `/auth/${path}`, { headers })
          expect(response.status, path).to.equal(405)
          expect(response.headers.allow, path).to.match(/^(GET|POST)/)
          expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([])
        }
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })
    }

    it('HP-06 HEAD sets no cookie, and calls no callback', async () => {
      await browser.signIn()
      typed.length = 0
      for (const path of ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'callback/op?code=x&state=y']) {
        const response = await browser.send('head', `/auth/${path}`)
        expect(setCookies(response), path).to.deep.equal([])
        expect(response.text ?? '', path).to.equal('')
      }
      expect(typed).to.deep.equal([])
    })

    const types: Readonly<Record<string, string>> = {
      'application/json; charset=utf-7': '{"csrfToken":"%"}',
      'application/json; charset=utf-16': '{"csrfToken":"%"}',
      'application/json, text/plain': '{"csrfToken":"%"}',
      'text/plain': 'csrfToken=%',
      'text/plain; application/json': '{"csrfToken":"%"}',
      'application/json+x': '{"csrfToken":"%"}',
      'multipart/form-data; boundary=x':
        '--x\r\nContent-Disposition: form-data; name="csrfToken"\r\n\r\n%\r\n--x--\r\n',
      'application/xml': '<csrfToken>%</csrfToken>',
      'application/x-www-form-urlencoded; charset=utf-7': 'csrfToken=%',
    }
    for (const [type, body] of Object.entries(types)) {
      it(`HP-08 a body of the type ${type} has no token`, async () => {
        await browser.signIn()
        const csrfToken = await browser.csrf()
        const response = await fetch(`${app.origin}/auth/signout`, {
          method: 'POST',
          headers: { 'content-type': type, cookie: browser.cookieHeader() },
          body: body.replace('%', csrfToken),
          redirect: 'manual',
        })
        expect(response.status).to.be.oneOf([303, 400, 415])
        if (response.status === 303) expect(response.headers.get('location')).to.include('error=MissingCSRF')
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })
    }
  })
}
