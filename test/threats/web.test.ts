/** Cookies, headers, caches, pages, paths and hosts, as a stranger tries them. */
import { expect } from 'chai'
import type { Express } from 'express'
import { requireSession } from '../../lib/index.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { exchange, op, useEnvironment } from '../router/fixtures.js'
import { createLog, credentials, expressMajor, setCookies, startApp, type TestApp, target } from '../support/app.js'
import { type DoorApp, doors, type StartAtDoor } from '../support/doors.js'
import { plantSession } from '../support/session.js'

const running: DoorApp[] = []
afterEach(() => Promise.all(running.splice(0).map((app) => app.close())))

async function start(...[config, options]: Parameters<typeof startApp>): Promise<TestApp> {
  const app = await startApp({ providers: [op, credentials()], ...config }, options)
  running.push(app)
  return app
}

async function startAt(open: StartAtDoor, config: Partial<ServerAuthConfig> = {}): Promise<DoorApp> {
  const app = await open({ providers: [op, credentials()], ...config })
  running.push(app)
  return app
}

/** Headers of a reply that a stranger tries to add lines to. */
const smuggled = /^(set-cookie|x-evil)/i

for (const [door, open] of doors) {
  describe(`cookies (${door})`, () => {
    it('CK-11 are SameSite=Lax and HttpOnly in every flow, form_post included', async () => {
      const posting = {
        ...op,
        id: 'posting',
        authorization: { url: op.authorization, params: { response_mode: 'form_post' } },
      }
      const app = await startAt(open, { providers: [op, posting as typeof op, credentials()] })
      const browser = app.browser()
      const lines = [
        await browser.get('/auth/signin'),
        await browser.submit('/auth/signin/op'),
        await browser.submit('/auth/signin/posting'),
        await browser.signIn(),
        await browser.get('/auth/callback/op?state=x&code=y'),
        await browser.submit('/auth/signout'),
      ].flatMap(setCookies)
      expect(new Set(lines.map((line) => line.split('=')[0])))
        .to.have.property('size')
        .above(4)
      for (const line of lines) expect(line).to.include('; HttpOnly').and.include('SameSite=Lax')
    })

    it('DOS-11 CK-04 cost a bounded number of decryptions, however many chunks are planted', async () => {
      let decoded = 0
      const decode = async () => {
        decoded += 1
        return null
      }
      const app = await startAt(open, { jwt: { encode: async () => 'x', decode } })
      const browser = app.browser()
      browser.cookies.set('auth.session-token', 'x')
      for (let at = 0; at < 3; at += 1) browser.cookies.set(`auth.session-token.${at}`, 'x'.repeat(3936))
      for (let at = 3; at < 60; at += 1) browser.cookies.set(`auth.session-token.${at}`, 'x')
      expect((await browser.get('/auth/session')).body).to.equal(null)
      expect(decoded).to.be.within(1, 6)
    })
  })
}

describe('hosts and headers', () => {
  const internal = {
    'x-auth-session': '{"user":{"name":"admin"}}',
    'x-auth-user': 'admin',
    'x-auth-token': 'x',
    'x-session': 'x',
    'x-middleware-subrequest': 'middleware:middleware:middleware',
    'x-middleware-rewrite': '/auth/session',
    'x-original-url': '/auth/session',
    'x-rewrite-url': '/auth/session',
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
  }

  it('HH-08 no header of a client is mistaken for one of our headers', async () => {
    const app = await start({}, { after: guarded() })
    expect((await app.browser().get('/auth/session', internal)).body).to.equal(null)
    expect((await app.browser().get('/me', internal)).body).to.equal(null)
    expect((await app.browser().get('/admin', internal)).status).to.equal(401)
  })

  describe('with AUTH_URL on https', () => {
    useEnvironment({ AUTH_URL: 'https://app.test/auth' })

    it('HH-09 cookies stay Secure and URLs https, whatever the proxy says of http', async () => {
      const app = await start({}, { trustProxy: true })
      const http = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.test', host: 'evil.test' }
      const csrf = await app.browser().get('/auth/csrf', http)
      expect(setCookies(csrf)[0]).to.match(/^__Host-auth\.csrf-token=.*; Secure/)
      const { body } = await app.browser().get('/auth/providers', http)
      expect(JSON.stringify(body)).to.include('https://app.test/auth/callback/op').and.not.include('evil')
    })
  })
})

for (const [door, open] of doors) {
  describe(`line breaks in values of a client (${door})`, () => {
    const values = [
      '%0d%0aX-Evil:1',
      '%0d%0aSet-Cookie:evil=1',
      '%0aX-Evil:1',
      '%E5%98%8D%E5%98%8AX-Evil:1',
      '%00',
      '%C2%85X-Evil:1',
    ]
    for (const pages of [undefined, { signIn: '/login', error: '/oops', signOut: '/bye', verifyRequest: '/sent' }]) {
      it(`CR-02 make no header${pages ? ', with pages of the developer' : ''}`, async () => {
        const app = await startAt(open, pages && { pages })
        for (const value of values) {
          for (const path of [
            `signin?error=${value}&code=${value}&callbackUrl=/${value}`,
            `signin/op${value}`,
            `callback/op${value}`,
            `callback/op?error=${value}&error_description=${value}&state=${value}`,
            `error?error=${value}&reference=${value}`,
            `verify-request?provider=${value}`,
            `signout?callbackUrl=${value}`,
          ]) {
            const { status, headers } = await exchange(app.origin, `GET /auth/${path} HTTP/1.1`)
            expect(status, path).to.be.within(200, 404)
            expect(Object.keys(headers).filter((name) => smuggled.test(name) && name !== 'set-cookie')).to.deep.equal(
              [],
            )
            expect(headers['set-cookie'] ?? '', path).to.not.match(/^evil=/m)
          }
        }
      })
    }
  })
}

for (const [door, open] of doors) {
  describe(`names of the prototype in a query (${door})`, () => {
    for (const query of [
      '__proto__[x]=1',
      'constructor[prototype][x]=1',
      '__proto__=1',
      'csrfToken[__proto__]=1',
      'error=__proto__',
    ]) {
      it(`PP-02 pollute nothing: ?${query}`, async () => {
        const app = await startAt(open)
        for (const path of [
          'signin',
          'signin/op',
          'error',
          'verify-request',
          'signout',
          'session',
          'callback/op',
          'csrf',
        ]) {
          const response = await app.browser().get(`/auth/${path}?${query}`)
          expect(response.status, path).to.be.below(500)
        }
        for (const path of ['signin/op', 'signout', 'session', 'callback/credentials']) {
          expect((await app.browser().submit(`/auth/${path}?${query}`)).status, path).to.be.below(500)
        }
        expect(({} as { x?: unknown }).x).to.equal(undefined)
        expect(
          app.log.errors.filter((error) => (error as { type?: string }).type === 'CallbackRouteError'),
        ).to.deep.equal([])
      })
    }
  })
}

for (const [door, open] of doors) {
  describe(`the session as JSON (${door})`, () => {
    it('CA-04 CA-06 XS-10 is not shared: no ETag to ask with, no wrapper, no other origin', async () => {
      const app = await startAt(open)
      const [ann, bob] = [app.browser(), app.browser()]
      await ann.signIn({ username: '<script>alert(1)</script>' })
      await bob.signIn({ username: 'bob' })
      const first = await ann.get('/auth/session?callback=alert&jsonp=alert', { origin: 'https://evil.test' })
      expect(first.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(first.headers).to.not.have.any.keys(
        'etag',
        'access-control-allow-origin',
        'access-control-allow-credentials',
      )
      expect(first.text.startsWith('{')).to.equal(true)
      const second = await bob.get('/auth/session', {
        'if-none-match': '*',
        'if-modified-since': new Date().toUTCString(),
      })
      expect(second.status).to.equal(200)
      expect(second.body.user.name).to.equal('bob')
    })
  })
}

for (const [door, open] of doors) {
  describe(`pages and redirects (${door})`, () => {
    it('XS-06 a redirect has no body that could repeat an URL', async () => {
      const app = await startAt(open, { callbacks: { redirect: ({ url }) => url } })
      const evil = '/"><script>alert(1)</script>'
      const browser = app.browser()
      for (const response of [
        await browser.submit('/auth/signin/op', { callbackUrl: evil }),
        await browser.signIn({ callbackUrl: evil }),
        await browser.submit('/auth/signout', { callbackUrl: evil }),
        await browser.get(`/auth/callback/op?error=${encodeURIComponent(evil)}&state=x`),
      ]) {
        expect(response.status).to.be.within(302, 303)
        expect(response.text).to.equal('')
        expect(target(response)).to.not.include('<script>')
      }
    })

    it('XS-08 pages request no device, and passkeys on their own site only', async () => {
      const app = await startAt(open)
      for (const path of ['signin', 'signout', 'error', 'verify-request', 'signin/nobody']) {
        const { headers } = await app.browser().get(`/auth/${path}`)
        expect(headers['permissions-policy'], path)
          .to.include('publickey-credentials-get=(self)')
          .and.include('camera=()')
          .and.not.include('*')
        expect(headers).to.include({ 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' })
      }
    })
  })
}

describe('paths', () => {
  const mount = '/t/:tenant/auth'

  for (const tenant of ['a;Domain=evil.test', 'a;b', 'a<b']) {
    it(`a mount's parameter to which no cookie can be bound is 400: ${tenant}`, async () => {
      const app = await start({}, { mount })
      for (const path of ['csrf', 'signin', 'session']) {
        const reply = await exchange(app.origin, `GET /t/${tenant}/auth/${path} HTTP/1.1`)
        expect(reply).to.include({ status: 400 })
        expect(reply.headers['cache-control']).to.equal('private, no-cache, no-store')
        expect(reply.headers['set-cookie']).to.equal(undefined)
      }
      expect(app.log.errors).to.deep.equal([])
    })
  }

  it('cookies are bound to other parameters unchanged, and the sign-in starts', async () => {
    const app = await start({}, { mount })
    for (const tenant of ['a,b', 'caf%C3%A9', '%3b', 'a=b']) {
      const response = await app.browser().submit(`/t/${tenant}/auth/signin/op`)
      expect(new URL(target(response)).origin).to.equal('https://op.example')
      expect(setCookies(response).join()).to.include(`; Path=/t/${tenant}/auth;`)
    }
  })

  // `//admin`, `/./admin` and encoded spellings are other routes for Express; those that it takes for ours are guarded.
  for (const path of [
    '/admin',
    '/ADMIN',
    '/admin/',
    '/admin//',
    '/admin/x/../../admin',
    '//admin',
    '/./admin',
    '/x/../admin',
    '/admin%2f',
    '/%61dmin',
    '/admin;x=y',
    '/admin?x',
    '/admin%00',
    '/admin%20',
    '/admin/%2e%2e/admin',
    '/auth/../admin',
    'http://evil.test/admin',
  ]) {
    it(`PT-04 a guarded handler is not reached as ${path} (Express ${expressMajor})`, async () => {
      const app = await start({}, { after: guarded() })
      const reply = await exchange(app.origin, `GET ${path} HTTP/1.1`)
      expect(reply.status).to.be.oneOf([400, 401, 404])
      expect(reply.body).to.not.include('guarded')
    })
  }

  it('and is reached by a signed-in user', async () => {
    const app = await start({}, { after: guarded() })
    const browser = app.browser()
    await plantSession(browser)
    expect((await browser.get('/admin')).text).to.equal('guarded')
  })

  it('DOS-08 a path made of wildcards’ separators is processed fast', async () => {
    const wild = expressMajor === 4 ? '/*/auth/*' : '/*any/auth/*splat'
    const app = await start({}, { mount: wild })
    for (const path of [
      `${'/a'.repeat(6000)}/auth/session`,
      `/${'/'.repeat(12_000)}/auth/x`,
      `/a/auth/${'%2F'.repeat(4000)}`,
    ]) {
      const before = process.cpuUsage()
      const { status } = await exchange(app.origin, `GET ${path} HTTP/1.1`)
      expect(status).to.be.within(200, 404)
      expect(process.cpuUsage(before).user / 1000, path.slice(0, 20)).to.be.below(1000)
    }
  })
})

describe('a bearer token that is no token', () => {
  for (const token of ['%', '%E0%A4%A', '', 'a.b.c', 'x'.repeat(8000), '%00', '....', 'null']) {
    it(`DOS-01 is no session: ${JSON.stringify(token.slice(0, 20))}`, async () => {
      const app = await start({ session: { bearer: true } }, { after: guarded({ session: { bearer: true } }) })
      const headers = { authorization: `Bearer ${token}` }
      expect((await app.browser().get('/me', headers)).body).to.equal(null)
      expect((await app.browser().get('/auth/session', headers)).body).to.equal(null)
      expect((await app.browser().get('/admin', headers)).status).to.equal(401)
      expect(app.log.errors).to.deep.equal([])
    })
  }
})

/** An application with a guarded handler at `/admin`. */
function guarded(options: Partial<ServerAuthConfig> = {}) {
  return (app: Express, config: ServerAuthConfig) => {
    const guard = requireSession({ ...config, ...options, logger: createLog().logger })
    app.use('/admin', guard, (_req, res) => void res.send('guarded'))
  }
}
