import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createApp, credentials, expressMajor, secret, startApp, wildcardMount } from '../support/app.js'
import { opened } from '../support/opened.js'
import { exchange, op } from './fixtures.js'

const mounts = ['/auth', wildcardMount]

for (const mount of mounts) {
  describe(`paths below ${mount}`, () => {
    const app = opened(() => startApp({ providers: [op, credentials()] }, { mount }))

    const get = (path: string, headers: string[] = []) => exchange(app.origin, `GET ${path} HTTP/1.1`, headers)

    for (const path of [
      '//auth/session',
      '/auth//session',
      '//auth//session',
      '/auth/session/',
      '/auth/session//',
      '/auth//signin/op',
      '/auth/signin//op',
      '/auth/signin/op/',
      '/auth/signin/',
      '/auth/./session',
      '/auth/../auth/session',
      '/auth/%2e%2e/auth/session',
      '/auth/%2e%2e/',
      '/auth/%2e/session',
      '/auth/session%00',
      '/auth/session%20',
      '/auth/session;x=y',
      '/auth/session;.js',
      '/auth;x=y/session',
      '/auth/%73ession',
      '/auth%2fsession',
      '/auth/signin%2fop',
      '/auth/SESSION',
      '/auth/Session',
      '/auth/callback',
      '/auth/callback/op/extra',
      '/auth/signin/op/x.css',
      '/auth/nothing',
      '/auth/__proto__',
      '/auth/constructor',
      '/authsession',
      '/auth',
      '/auth/',
    ]) {
      it(`PT-01 CA-05 leaves ${path} to the application`, async () => {
        const { status, body } = await get(path)
        expect(status).to.equal(404)
        expect(JSON.parse(body)).to.deep.equal({ app: true, url: path, baseUrl: '', originalUrl: path })
      })
    }

    it('answers the canonical spelling of the same paths', async () => {
      expect(await get('/auth/session')).to.include({ status: 200, body: 'null' })
      expect((await get('/auth/signin/op')).status).to.equal(200)
    })

    // Web cache deception: a path that looks like a file which a cache keeps.
    for (const path of ['/auth/session/x.css', '/auth/session;.js', '/auth/session%2f..%2fx.png', '/auth/csrf/a.png']) {
      it(`CA-05 shows no session at ${path}`, async () => {
        const browser = app.browser()
        await browser.signIn()
        const { status, body } = await get(path, [`Cookie: ${browser.cookieHeader('/auth')}`])
        expect(status).to.equal(404)
        expect(body).to.not.include('ann').and.not.include('csrfToken')
      })
    }

    for (const id of [
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'nobody',
      'OP',
      'op%20',
      '%6fp',
      'op%00',
    ]) {
      for (const action of ['signin', 'callback']) {
        it(`PP-04 does not know the provider of /auth/${action}/${id}`, async () => {
          const json = await get(`/auth/${action}/${id}`, ['Accept: application/json'])
          expect(json.status).to.equal(404)
          expect(json.headers['content-type']).to.equal('application/json; charset=utf-8')
          expect(JSON.parse(json.body)).to.deep.equal({
            error: 'InvalidProvider',
            message: 'This site does not offer this sign-in method. Please choose another one.',
          })
          const page = await get(`/auth/${action}/${id}`, ['Accept: text/html'])
          expect(page.status).to.equal(404)
          expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
          expect(page.body).to.include('class="auth-page auth-error"')
          expect(page.headers['set-cookie']).to.equal(undefined)
        })
      }
    }

    it('does not know the provider of a POST either', async () => {
      const browser = app.browser()
      const signin = await browser.submit('/auth/signin/constructor', {}, { accept: 'application/json' })
      const callback = await browser.submit('/auth/callback/__proto__', {}, { accept: 'application/json' })
      expect([signin.status, signin.body.error]).to.deep.equal([404, 'InvalidProvider'])
      expect([callback.status, callback.body.error]).to.deep.equal([404, 'InvalidProvider'])
    })

    it('takes a client that accepts anything for a browser', async () => {
      for (const accept of ['*/*', 'text/html, application/json', 'text/html,*/*;q=0.8']) {
        const { status, headers } = await get('/auth/signin/nobody', [`Accept: ${accept}`])
        expect([status, headers['content-type']]).to.deep.equal([404, 'text/html; charset=utf-8'])
      }
    })

    it('treats the provider "undefined" as absent', async () => {
      const { status, body } = await get('/auth/signin/undefined')
      expect(status).to.equal(200)
      expect(body).to.include('/auth/signin/op"').and.to.include('/auth/callback/credentials"')
      expect((await get('/auth/callback/undefined')).status).to.equal(404)
    })

    it('shows the one provider of /auth/signin/:provider', async () => {
      const { status, body } = await get('/auth/signin/op')
      expect(status).to.equal(200)
      expect(body).to.include('/auth/signin/op"').and.to.not.include('/auth/callback/credentials"')
    })

    it('strips an absolute request target, and does not believe its host', async () => {
      const { status, body } = await get('http://evil.test/auth/providers')
      expect(status).to.equal(200)
      expect(JSON.parse(body).op.callbackUrl).to.equal('http://app.test/auth/callback/op')
      expect(body).to.not.include('evil.test')
    })

    it('keeps the query of an absolute request target, and nothing of a fragment', async () => {
      const { body } = await get('http://evil.test/auth/signin/op?error=Callback#/auth/session')
      expect(body).to.include('role="alert"').and.to.not.include('evil.test')
    })

    it('shows the default error for error=constructor', async () => {
      const [unknown, inherited] = [await get('/auth/error?error=nope'), await get('/auth/error?error=constructor')]
      expect([inherited.status, heading(inherited.body)]).to.deep.equal([unknown.status, heading(unknown.body)])
      expect(inherited.body).to.not.include('native code')
    })

    it('survives a query that is no encoding', async () => {
      for (const query of ['%', '%zz=%zz', '&&&=', '__proto__[x]=1', 'constructor[prototype][x]=1', '%E0%A4%A=1']) {
        expect((await get(`/auth/signin?${query}`)).status, query).to.equal(200)
      }
      expect(({} as { x?: unknown }).x).to.equal(undefined)
    })

    it('HP-01 takes the first of two callback URLs', async () => {
      const { body } = await get('/auth/signin?callbackUrl=/ok&callbackUrl=https://evil.test/')
      expect(body).to.include('value="http://app.test/ok"').and.to.not.include('evil.test')
    })
  })
}

describe('a malformed path', () => {
  for (const tail of ['%', '%zz', '%E0%A4%A', 'op%C3', '%c0%af']) {
    it(`PT-05 is 400 with our headers below a plain mount: ${tail}`, async () => {
      const app = await startApp()
      const [page, json] = await Promise.all([
        app.browser().get(`/auth/signin/${tail}`, { accept: 'text/html' }),
        app.browser().get(`/auth/signin/${tail}`, { accept: 'application/json' }),
      ])
      await app.close()
      expect([page.status, page.text]).to.deep.equal([400, 'The path is malformed.\n'])
      expect(page.headers['content-type']).to.equal('text/plain; charset=utf-8')
      expect(page.headers['cache-control']).to.equal('private, no-cache, no-store')
      expect([json.status, json.body]).to.deep.equal([
        400,
        { error: 'InvalidRequest', message: 'The path is malformed.' },
      ])
    })
  }

  it('is an error of Express with status 400 below a wildcard, which decodes it before us', async () => {
    const statuses: unknown[] = []
    const app = await startApp(undefined, {
      mount: wildcardMount,
      after: (on) =>
        void on.use((error: Error & { status?: number }, _req: unknown, _res: unknown, next: (e: Error) => void) => {
          statuses.push(error.status)
          next(error)
        }),
    })
    await app.browser().get('/auth/signin/%zz')
    await app.close()
    expect(statuses).to.deep.equal([400])
  })
})

describe('a very long URL', () => {
  let server: Server
  let origin: string

  before(async () => {
    const app = createApp(
      { secret, providers: [op, credentials()], logger: { error: () => {} } },
      { mount: wildcardMount },
    )
    server = createServer({ maxHeaderSize: 256 * 1024 }, app).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => new Promise((resolve) => server.close(resolve)))

  const get = (path: string) => exchange(origin, `GET ${path} HTTP/1.1`)
  const long = 64 * 1024

  it('names no provider, and is not repeated', async () => {
    const { status, body } = await get(`/auth/signin/${'x'.repeat(long)}`)
    expect(status).to.equal(404)
    expect(body.length).to.be.below(long)
  })

  it('PT-06 is left to the application when it has many segments', async () => {
    const { status, body } = await get(`/auth${'/x'.repeat(long / 2)}`)
    expect([status, JSON.parse(body).app]).to.deep.equal([404, true])
  })

  it('PT-06 is left to the application when it is all slashes', async () => {
    const { status, body } = await get(`/auth${'/'.repeat(long)}`)
    expect([status, JSON.parse(body).app]).to.deep.equal([404, true])
  })

  it('asks for a callback URL that is too long: the default is used', async () => {
    const { status, body } = await get(`/auth/signin?callbackUrl=/${'x'.repeat(long)}`)
    expect(status).to.equal(200)
    expect(body).to.include('name="callbackUrl" value="http://app.test/"')
  })

  it('is refused by Node itself with its usual limit', async () => {
    const app = await startApp()
    const { status } = await exchange(app.origin, `GET /auth/session?${'x'.repeat(long)} HTTP/1.1`)
    await app.close()
    expect(status).to.equal(431)
  })
})

describe('segments', () => {
  it(`does not take /authentic for /auth on Express ${expressMajor}`, async () => {
    const app = await startApp()
    const { status, body } = await app.browser().get('/authentic/session')
    await app.close()
    expect([status, body.app]).to.deep.equal([404, true])
  })
})

function heading(html: string): string | undefined {
  return /<h1[^>]*>[^<]*<\/h1>/.exec(html)?.[0]
}
