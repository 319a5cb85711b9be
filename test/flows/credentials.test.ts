/** Sign-in with typed credentials. */

import { inspect } from 'node:util'
import { expect } from 'chai'
import { CredentialsSignin, type ServerAuthConfig } from '../../lib/index.js'
import type { CredentialsConfig } from '../../lib/types/provider.js'
import { inputs, startAppWithEnv } from '../actions/page.js'
import { type Browser, credentials, secret, setCookies, startApp, type TestApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { withoutOwnScript } from '../support/own-scripts.js'
import { printedOnConsole } from '../support/printed.js'

const path = '/auth/callback/credentials'
const password = 'Correct-Horse-Battery-Staple-9'

/** The arguments of a call of `authorize`. */
interface Call {
  readonly credentials: Record<string, unknown>
  readonly request: Request
}

/** An application whose `authorize` is recorded. It ends with the test. */
const running: TestApp[] = []

async function start(
  authorize: (fields: Record<string, unknown>, request: Request) => unknown,
  config: Partial<ServerAuthConfig> = {},
  provider: Partial<CredentialsConfig> = {},
) {
  const calls: Call[] = []
  const recorded = credentials({
    authorize(fields, request) {
      calls.push({ credentials: fields, request })
      return authorize(fields, request) as null
    },
    ...provider,
  })
  const app = await startApp({ providers: [recorded], ...config })
  running.push(app)
  return { app, browser: app.browser(), calls }
}

const ann = () => ({ id: 'ann-1', name: 'Ann', email: 'ann@example.com' })

/** Returns the log entries about rejected sign-ins, which are not logged as errors. */
const refusals = ({ log }: TestApp) =>
  log.debugs.flatMap(({ details }) => details.filter((each) => each instanceof Error))

/** Checks that no user is signed in, and that the reply leads to the page. */
async function expectFailure(browser: Browser, response: Answer, to: string): Promise<void> {
  expect(response.status).to.equal(303)
  expect(target(response)).to.equal(to)
  expect(response.text).to.equal('')
  expect(setCookies(response).join()).to.not.include('session-token')
  expect(await browser.session()).to.equal(null)
}

describe('POST /auth/callback/credentials', () => {
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()))
  })

  describe('that is right', () => {
    it('signs in by a form', async () => {
      const { app, browser, calls } = await start(ann)
      const response = await browser.signIn({ callbackUrl: '/profile' })
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/profile`)
      expect(setCookies(response).join('\n')).to.match(/^auth\.session-token=[^;]+;.*HttpOnly/m)
      expect(await browser.session()).to.have.deep.property('user', {
        id: 'ann-1',
        name: 'Ann',
        email: 'ann@example.com',
        image: null,
      })
      expect({ ...calls[0]?.credentials }).to.deep.equal({ username: 'ann', password: 'right' })
    })

    it('signs in by JSON', async () => {
      const { app, browser, calls } = await start(ann)
      const json = { csrfToken: await browser.csrf(), callbackUrl: '/x', username: 'ann', password }
      const response = await browser.send('post', path, { json })
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/x`)
      expect(await browser.session()).to.have.nested.property('user.name', 'Ann')
      expect({ ...calls[0]?.credentials }).to.deep.equal({ username: 'ann', password })
    })

    it('passes a real `Request` to every `authorize` that can read it', async () => {
      const given: unknown[] = []
      const keep = (request: unknown) => {
        given.push(request)
        return { id: 'ann-1' }
      }
      const named: CredentialsConfig['authorize'] = (_fields, request) => keep(request)
      const readers: ReadonlyArray<CredentialsConfig['authorize']> = [
        named,
        (...all) => keep(all[1]),
        (_fields, request = new Request('https://default.test')) => keep(request),
        named.bind(undefined),
        new Proxy(named, {}),
      ]
      for (const authorize of readers) {
        const app = await startApp({ providers: [credentials({ authorize })] })
        running.push(app)
        await app.browser().signIn()
        const request = given.pop()
        if (!(request instanceof Request)) throw new TypeError('There is no request.')
        const copy = new Request(request.clone(), { headers: { 'x-copy': '1' } })
        expect([copy.method, copy.url]).to.deep.equal(['POST', app.origin + path])
        expect(await copy.json()).to.deep.equal({ username: 'ann', password: 'right' })
        expect(request.headers.get('content-type')).to.equal('application/json')
        expect(await request.json()).to.deep.equal({ username: 'ann', password: 'right' })
      }
    })

    it('creates no `Request` for an `authorize` that cannot read it', async () => {
      const { Request } = globalThis
      let created = 0
      const app = await startApp({
        providers: [credentials({ authorize: ({ username }) => ({ id: String(username) }) })],
      })
      running.push(app)
      globalThis.Request = class extends Request {
        constructor(...given: ConstructorParameters<typeof Request>) {
          super(...given)
          created += 1
        }
      }
      try {
        const browser = app.browser()
        await browser.signIn()
        expect(await browser.session()).to.have.nested.property('user.id', 'ann')
        expect(created).to.equal(0)
      } finally {
        globalThis.Request = Request
      }
    })

    it('CD-06 passes any password on as it was typed', async () => {
      const { browser, calls } = await start(ann)
      for (const typed of [' with spaces ', 'ﬁne', 'p&a=s%20s+w', 'é'.repeat(100), 'a\0b', '<b>', '']) {
        await browser.signIn({ password: typed })
        expect(calls.at(-1)?.credentials.password).to.equal(typed)
      }
    })

    it('accepts an integer as id, 0 included', async () => {
      const ids: unknown[] = []
      for (const [id, text] of [
        [0, '0'],
        [42, '42'],
        ['x', 'x'],
      ]) {
        const callbacks: ServerAuthConfig['callbacks'] = {
          jwt({ token, account, user }) {
            if (account) ids.push(token.sub, account.providerAccountId, user?.id)
            return token
          },
        }
        const { browser } = await start(() => ({ id }), { callbacks })
        await browser.signIn()
        expect(await browser.session()).to.be.an('object')
        expect(ids.splice(0)).to.deep.equal([text, text, text])
      }
    })

    it('gives callbacks and events the user and the account, and only `signIn` the typed fields', async () => {
      const seen: Record<string, unknown> = {}
      const { browser } = await start(ann, {
        callbacks: {
          signIn(params) {
            seen.callback = params
            return true
          },
          jwt(params) {
            if (params.trigger) seen.jwt = params
            return params.token
          },
        },
        events: {
          signIn(message) {
            seen.event = message
          },
        },
      })
      await browser.signIn({ password: 'right' })
      const account = { provider: 'credentials', providerAccountId: 'ann-1', type: 'credentials' }
      expect(seen.callback).to.have.all.keys('user', 'account', 'credentials')
      expect(seen.callback).to.deep.include({ user: ann(), account })
      expect(seen.callback).to.have.nested.property('credentials.password', 'right')
      expect(seen.event)
        .to.have.all.keys('user', 'account', 'sid', 'request')
        .and.deep.include({ user: ann(), account })
      expect(seen.jwt).to.deep.include({ user: ann(), account, trigger: 'signIn' })
      expect(inspect([seen.event, seen.jwt], { depth: 10 })).to.not.include('right')
    })
  })

  describe('fields', () => {
    const extra = {
      role: 'admin',
      id: 'root',
      isAdmin: 'true',
      callbackUrl: '/x',
      navigation: 'form',
      constructor: 'x',
    }

    it('CD-13 reach `authorize` only where they are declared, by a form', async () => {
      const { browser, calls } = await start(ann)
      await browser.signIn(extra)
      expect(Object.keys(calls[0]?.credentials ?? {})).to.deep.equal(['username', 'password'])
      expect(await calls[0]?.request.json()).to.deep.equal({ username: 'ann', password: 'right' })
    })

    it('CD-13 reach `authorize` only where they are declared, by JSON', async () => {
      const { app, browser, calls } = await start(ann)
      const csrfToken = await browser.csrf()
      // As text: an object literal, and supertest, would make a prototype of `__proto__`.
      const response = await fetch(app.origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', cookie: browser.cookieHeader() },
        body: `{"csrfToken":"${csrfToken}","username":"ann","role":"admin","__proto__":{"isAdmin":true,"password":"x"},"constructor":{"prototype":{"isAdmin":true}}}`,
      })
      expect(response.status).to.equal(303)
      expect(response.headers.get('location')).to.equal(`${app.origin}/`)
      expect(Object.keys(calls[0]?.credentials ?? {})).to.deep.equal(['username'])
      expect(calls[0]?.credentials.isAdmin).to.equal(undefined)
      expect(calls[0]?.credentials.password).to.equal(undefined)
      expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined)
    })

    it('CD-13 have no prototype', async () => {
      const { browser, calls } = await start(ann)
      await browser.signIn()
      expect(Object.getPrototypeOf(calls[0]?.credentials)).to.equal(null)
      expect('toString' in (calls[0]?.credentials ?? {})).to.equal(false)
    })

    it('that were not sent are absent, not inherited', async () => {
      const inputs = { username: {}, toString: {}, constructor: {} }
      const { browser, calls } = await start(ann, {}, { credentials: inputs })
      await browser.signIn()
      expect(Object.keys(calls[0]?.credentials ?? {})).to.deep.equal(['username'])
    })

    it('are passed on except ours if none is declared', async () => {
      const { browser, calls } = await start(ann, {}, { credentials: {} })
      await browser.signIn(extra)
      expect(Object.keys(calls[0]?.credentials ?? {}).sort()).to.deep.equal(
        ['constructor', 'id', 'isAdmin', 'password', 'role', 'username'].sort(),
      )
      expect(Object.getPrototypeOf(calls[0]?.credentials)).to.equal(null)
    })
  })

  describe('request', () => {
    it('has URL, method, headers and the fields as JSON', async () => {
      const { app, browser, calls } = await start(ann)
      const url = `${path}?tenant=7`
      await browser.submit(url, { username: 'ann', password: 'right' }, { 'x-device': 'phone', 'user-agent': 'Test/1' })
      const request = calls[0]?.request
      expect(request).to.be.instanceOf(Request)
      expect(request?.url).to.equal(app.origin + url)
      expect(request?.method).to.equal('POST')
      expect(request?.headers.get('x-device')).to.equal('phone')
      expect(request?.headers.get('user-agent')).to.equal('Test/1')
      expect(request?.headers.get('cookie')).to.include('auth.csrf-token=')
      expect(request?.headers.get('content-type')).to.equal('application/json')
      expect(await request?.json()).to.deep.equal({ username: 'ann', password: 'right' })
    })

    it('has the URL that the browser used, behind a proxy that is trusted', async () => {
      const urls: string[] = []
      const app = await startApp(
        {
          providers: [
            credentials({
              authorize(_fields, { url }) {
                urls.push(url)
                return { id: '1' }
              },
            }),
          ],
        },
        { trustProxy: true, mount: '/api/auth' },
      )
      running.push(app)
      const browser = app.browser()
      Object.assign(browser.headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.test' })
      await browser.signIn({}, '/api/auth')
      expect(urls).to.deep.equal(['https://app.test/api/auth/callback/credentials'])
    })
  })

  describe('that is rejected', () => {
    for (const [what, answer] of [
      ['null', () => null],
      ['a promise of null', async () => null],
      ['undefined', () => undefined],
      ['false', () => false],
    ] as const) {
      it(`by ${what} shows it on the sign-in page`, async () => {
        const { app, browser } = await start(answer)
        const response = await browser.signIn()
        await expectFailure(browser, response, `${app.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
        expect(app.log.errors).to.deep.equal([])
        expect(refusals(app)).to.have.nested.property('[0].name', 'CredentialsSignin')
      })
    }

    it('by CredentialsSignin says the same', async () => {
      const { app, browser } = await start(() => raise(new CredentialsSignin('user 7 is locked')))
      const response = await browser.signIn()
      await expectFailure(browser, response, `${app.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
    })

    it('by a subclass says its code', async () => {
      class TooMany extends CredentialsSignin {
        override code = 'too_many_attempts'
      }
      const { app, browser } = await start(async () => raise(new TooMany('user 7 is locked')))
      const response = await browser.signIn()
      await expectFailure(browser, response, `${app.origin}/auth/signin?error=CredentialsSignin&code=too_many_attempts`)
      expect((await browser.get(target(response))).text).to.not.include('user 7')
      expect(app.log.errors).to.deep.equal([])
      expect(refusals(app)[0]).to.be.instanceOf(TooMany)
    })

    for (const code of ['<script>alert(1)</script>', 'a\r\nSet-Cookie: x=1', 'a&error=AccessDenied#x', 'ü "\'', '']) {
      it(`CD-10 with the code ${JSON.stringify(code)} is one parameter, escaped`, async () => {
        const error = Object.assign(new CredentialsSignin(), { code })
        const { app, browser } = await start(() => raise(error))
        const response = await browser.signIn()
        expect(response.status).to.equal(303)
        const location = new URL(target(response))
        expect(location.origin + location.pathname + location.hash).to.equal(`${app.origin}/auth/signin`)
        expect([...location.searchParams]).to.deep.equal([
          ['error', 'CredentialsSignin'],
          ['code', code],
        ])
        expect(browser.cookies.has('x')).to.equal(false)
        const page = await browser.get(target(response))
        expect(page.status).to.equal(200)
        expect(withoutOwnScript(page.text)).to.not.include('<script').and.not.include('Set-Cookie')
        expect(await browser.session()).to.equal(null)
      })
    }

    it('CD-02 looks the same for an unknown user and a wrong password', async () => {
      const { app } = await start(() => null)
      const answers = []
      for (const typed of [
        { username: 'nobody', password: 'x' },
        { username: 'ann', password: 'wrong' },
      ]) {
        const { status, headers, text } = await app.browser().signIn(typed)
        answers.push({ status, location: headers.location, names: Object.keys(headers).sort(), text })
      }
      expect(answers[0]).to.deep.equal(answers[1])
    })
  })

  describe('with an `authorize` that fails', () => {
    for (const [what, answer] of [
      ['true', true],
      ['{}', {}],
      ['[]', []],
      ['a string', 'ann'],
      ['a number', 7],
      ['{ id: undefined }', { id: undefined }],
      ['{ id: null }', { id: null }],
      ['{ id: "" }', { id: '' }],
      ['{ id: NaN }', { id: Number.NaN }],
      ['{ id: 1.5 }', { id: 1.5 }],
      ['{ id: {} }', { id: {} }],
      ['{ id: true }', { id: true }],
      ['an id that is too long', { id: 'x'.repeat(300) }],
    ] as const) {
      it(`CD-08 by returning ${what} signs no user in`, async () => {
        const { app, browser, calls } = await start(() => answer)
        await expectFailure(browser, await browser.signIn(), `${app.origin}/auth/error?error=Configuration`)
        expect(calls).to.have.length(1)
        expect(app.log.errors).to.have.length(1)
        expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
        expect(app.log.errors[0]?.message).to.include('`authorize`').and.include('`id`')
      })
    }

    it('CD-08 by never settling ends with the time-out', async () => {
      const { app, browser } = await start(() => new Promise(() => {}), { timeout: 0.05 })
      await expectFailure(browser, await browser.signIn(), `${app.origin}/auth/error?error=Configuration`)
      expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
      expect(app.log.errors[0]).to.have.nested.property('cause.err.name', 'TimeoutError')
    })

    it('by rejecting after the time-out causes no unhandled rejection', async () => {
      const unhandled: unknown[] = []
      const note = (reason: unknown) => void unhandled.push(reason)
      process.on('unhandledRejection', note)
      let reject = (_error: Error) => {}
      const late = new Promise((_resolve, fail) => {
        reject = fail
      })
      const { browser } = await start(() => late, { timeout: 0.02 })
      expect(target(await browser.signIn())).to.include('error=Configuration')
      reject(new Error('too late'))
      await new Promise((resolve) => setImmediate(resolve))
      process.off('unhandledRejection', note)
      expect(unhandled).to.deep.equal([])
    })

    for (const [how, authorize] of [
      ['throws', () => raise(new Error('db at 10.0.0.7 is down'))],
      ['rejects', () => Promise.reject(new Error('db at 10.0.0.7 is down'))],
    ] as const) {
      it(`CD-09 that ${how} is the error page, without the message`, async () => {
        for (const NODE_ENV of ['production', 'development']) {
          const provider = credentials({ authorize: authorize as CredentialsConfig['authorize'] })
          const app = await startAppWithEnv({ NODE_ENV }, { trustHost: true, providers: [provider] })
          running.push(app)
          const browser = app.browser()
          const response = await browser.signIn()
          await expectFailure(browser, response, `${app.origin}/auth/error?error=Configuration`)
          const page = await browser.get(target(response))
          expect(page.status).to.equal(500)
          expect(page.text).to.not.include('10.0.0.7')
          expect(app.log.errors).to.have.length(1)
          expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
          expect(app.log.errors[0]).to.have.nested.property('cause.err.message', 'db at 10.0.0.7 is down')
          expect(app.log.errors[0]).to.have.nested.property('cause.provider', 'credentials')
        }
      })
    }

    for (const thrown of [undefined, null, 'text', 7, { password }]) {
      it(`by throwing ${JSON.stringify(thrown) ?? 'nothing'} is the error page too`, async () => {
        const { app, browser } = await start(() => raise(thrown))
        await expectFailure(browser, await browser.signIn(), `${app.origin}/auth/error?error=Configuration`)
        expect(app.log.errors[0]).to.have.property('type', 'CallbackRouteError')
        expect(app.log.errors[0]).to.have.nested.property('cause.err').that.is.an('error')
      })
    }
  })

  it('keeps the session that was there when the next sign-in fails', async () => {
    const { browser } = await start(({ username }) => (username === 'ann' ? ann() : null))
    await browser.signIn()
    const before = browser.cookies.get('auth.session-token')
    await browser.signIn({ username: 'eve' })
    expect(browser.cookies.get('auth.session-token')).to.equal(before)
    expect(await browser.session()).to.have.nested.property('user.name', 'Ann')
  })

  it('receives the provider by its id', async () => {
    const staff = credentials({ id: 'staff', name: 'Staff', authorize: () => ({ id: 's', name: 'Staff member' }) })
    const app = await startApp({ providers: [credentials({ authorize: () => null }), staff] })
    running.push(app)
    const browser = app.browser()
    await browser.submit('/auth/callback/staff', { username: 'x', password: 'y' })
    expect(await browser.session()).to.have.nested.property('user.name', 'Staff member')
  })
})

describe('GET /auth/callback/credentials', () => {
  let calls = 0

  const app = opened(() =>
    startApp({
      providers: [
        credentials({
          authorize() {
            calls += 1
            return { id: '1' }
          },
        }),
      ],
    }),
  )

  for (const method of ['get', 'head', 'put', 'patch', 'delete', 'options'] as const) {
    it(`CD-11 never evaluates a password in the query, by ${method.toUpperCase()}`, async () => {
      const browser = app.browser()
      const csrfToken = await browser.csrf()
      const url = `${path}?username=ann&password=right&csrfToken=${csrfToken}&_method=POST`
      const response = await browser.send(method, url, { headers: { 'x-http-method-override': 'POST' } })
      expect(response.status).to.equal(405)
      expect(setCookies(response).join()).to.not.include('session-token')
      expect(calls).to.equal(0)
      expect(await browser.session()).to.equal(null)
    })
  }

  it('CD-11 HP-04 does not take a password from the query of a POST either', async () => {
    const seen: unknown[] = []
    const provider = credentials({
      authorize(fields) {
        seen.push({ ...fields })
        return null
      },
    })
    const other = await startApp({ providers: [provider] })
    await other.browser().submit(`${path}?username=ann&password=right`)
    expect(seen).to.deep.equal([{}])
    await other.close()
  })
})

describe('a password in logs', () => {
  const ways: Record<string, () => unknown> = {
    right: ann,
    refused: () => null,
    invalid: () => ({ id: undefined }),
    thrown: () => raise(new Error('the database is down')),
    'thrown as it is': () => raise({ password }),
    refusedByCode: () => raise(new CredentialsSignin('locked')),
    late: () => new Promise(() => {}),
  }

  async function sendAll(browser: Browser): Promise<void> {
    await browser.signIn({ username: 'ann', password })
    const json = { csrfToken: await browser.csrf(), username: 'ann', password }
    await browser.send('post', path, { json })
    await browser.post(path, { username: 'ann', password })
    await browser.get(`${path}?password=${password}`)
    await browser.submit('/auth/callback/nobody', { password })
    await browser.submit('/auth/signin', { password, callbackUrl: `//x` })
    await browser.signIn({ password, callbackUrl: `/${'x'.repeat(3000)}` })
  }

  for (const [way, authorize] of Object.entries(ways)) {
    it(`CD-12 never reaches the developer’s logger: ${way}`, async () => {
      const { app, browser } = await start(authorize, { debug: true, timeout: 0.02 })
      await sendAll(browser)
      expect([...app.log.errors, ...app.log.debugs]).to.not.be.empty
      const all = inspect([app.log.errors, app.log.warnings, app.log.debugs], { depth: 10, showHidden: true })
      expect(all).to.not.include(password)
      expect(all).to.not.include(secret)
      await app.close()
      running.length = 0
    })

    it(`never reaches the console: ${way}`, async () => {
      const printed = await printedOnConsole(async () => {
        const { app, browser } = await start(authorize, { debug: true, timeout: 0.02, logger: {} })
        await sendAll(browser)
        await app.close()
        running.length = 0
      })
      expect(printed).to.include('[auth][error] MissingCSRF')
      expect(printed).to.not.include(password)
      expect(printed).to.not.include(secret)
    })
  }

  it('is not printed where an error of `authorize` names it as one', async () => {
    const printed = await printedOnConsole(async () => {
      const authorize = () => raise(new Error(`login failed (password=${password})`))
      const { app, browser } = await start(authorize, { logger: {} })
      await browser.signIn({ password })
      await app.close()
      running.length = 0
    })
    expect(printed).to.include('login failed').and.include('CallbackRouteError')
    expect(printed).to.not.include(password)
  })

  it('CD-12 is not in the page, the cookies or the token', async () => {
    const { browser } = await start(ann)
    const response = await browser.signIn({ password })
    expect(inspect(response.headers, { depth: 5 })).to.not.include(password)
    const page = await browser.get('/auth/signin')
    expect(inputs(page, 'password')).to.deep.equal([''])
    expect(JSON.stringify(await browser.session())).to.not.include(password)
    await Promise.all(running.splice(0).map((app) => app.close()))
  })
})

function raise(error: unknown): never {
  throw error
}
