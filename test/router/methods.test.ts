import { METHODS } from 'node:http'
import { expect } from 'chai'
import type { NextFunction, Request, Response } from 'express'
import { type Browser, credentials, setCookies, startApp, type TestApp, target, wildcardMount } from '../support/app.js'
import { opened } from '../support/opened.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { exchange, op } from './fixtures.js'

/** Every route, with the methods it has. */
const routes: ReadonlyArray<[path: string, allow: string]> = [
  ['providers', 'GET, HEAD'],
  ['session', 'GET, POST, HEAD'],
  ['csrf', 'GET, HEAD'],
  ['jwks', 'GET, HEAD'],
  ['signin', 'GET, POST, HEAD'],
  ['signin/op', 'GET, POST, HEAD'],
  ['signout', 'GET, POST, HEAD'],
  ['callback/op', 'GET, POST, HEAD'],
  ['verify-request', 'GET, HEAD'],
  ['error', 'GET, HEAD'],
  ['webauthn-options/op', 'GET, HEAD'],
]

/** All that Node lets through, but those with a meaning to a connection. */
const others = METHODS.filter((method) => !['GET', 'POST', 'HEAD', 'CONNECT'].includes(method))

for (const mount of ['/auth', wildcardMount]) {
  describe(`methods below ${mount}`, () => {
    const app = opened(() => startApp({ providers: [op, credentials()] }, { mount }))

    const ask = (method: string, path: string, headers: string[] = []) =>
      exchange(app.origin, `${method} /auth/${path} HTTP/1.1`, headers)

    for (const [path, allow] of routes) {
      it(`HP-06 refuses other methods than ${allow} at ${path}`, async () => {
        const wrong = allow.includes('POST') ? others : [...others, 'POST']
        for (const method of wrong) {
          const { status, headers, body } = await ask(method, path, ['Accept: application/json', 'Content-Length: 0'])
          expect([method, status, headers.allow]).to.deep.equal([method, 405, allow])
          expect(headers['cache-control'], method).to.equal('private, no-cache, no-store')
          expect(headers['set-cookie'], method).to.equal(undefined)
          expect(JSON.parse(body), method).to.deep.equal({
            error: 'InvalidRequest',
            message: `This URL allows ${allow.replaceAll(', ', ' and ')} only.`,
          })
        }
      })
    }

    it('grants nothing to other origins on GET', async () => {
      const { headers } = await ask('GET', 'session', ['Origin: https://evil.test'])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([])
    })

    it('writes the rejection as text for users', async () => {
      const { headers, body } = await ask('DELETE', 'signin')
      expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
      expect(body).to.equal('This URL allows GET and POST and HEAD only.\n')
    })

    it('answers HEAD like GET, without body and cookies', async () => {
      for (const [path] of routes.filter(([path]) => !path.startsWith('callback'))) {
        const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
        if (path !== 'webauthn-options/op') expect([path, head.status]).to.deep.equal([path, get.status])
        expect([path, head.body]).to.deep.equal([path, ''])
        expect(head.headers['set-cookie'], path).to.equal(undefined)
        expect(head.headers['cache-control'], path).to.equal(get.headers['cache-control'])
      }
    })

    it('says the same to HEAD as to GET about a callback that is not there', async () => {
      for (const path of ['callback/credentials', 'callback/nobody']) {
        const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
        expect([path, head.status, head.headers.allow]).to.deep.equal([path, get.status, get.headers.allow])
      }
    })

    it('takes no POST at the callback of a provider that answers by GET', async () => {
      const { status, headers } = await ask('POST', 'callback/op', ['Content-Length: 0'])
      expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD'])
    })
  })
}

describe('an application that overrides methods before us', () => {
  it('HP-07 does not get around the CSRF check', async () => {
    const override = (req: Request, _res: Response, next: NextFunction) => {
      req.method = String(req.headers['x-http-method-override'] ?? req.method)
      next()
    }
    const app = await startApp({}, { before: (on) => void on.use(override) })
    const browser = app.browser()
    await browser.signIn()
    const { status, body } = await browser.get('/auth/signout', {
      'x-http-method-override': 'POST',
      accept: 'application/json',
    })
    const session = await browser.session()
    await app.close()
    expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
    expect(session).to.have.nested.property('user.name', 'ann')
  })
})

describe('HEAD', () => {
  const calls: string[] = []
  let app: TestApp
  let provider: OpenIdProvider
  let browser: Browser

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp({
      providers: [credentials(), { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }],
      session: { updateAge: 0 },
      callbacks: {
        jwt: ({ token }) => {
          calls.push('jwt')
          return token
        },
      },
    })
  })
  after(() => Promise.all([app.close(), provider.close()]))
  beforeEach(() => {
    browser = app.browser()
  })

  it('HP-06 does not renew a session, and runs no callback of the application', async () => {
    await browser.signIn()
    calls.length = 0
    const head = await browser.send('head', '/auth/session')
    expect([head.status, setCookies(head), calls]).to.deep.equal([200, [], []])
    const get = await browser.get('/auth/session')
    expect([setCookies(get).length, calls]).to.deep.equal([1, ['jwt']])
  })

  it('HP-06 does not use up a callback: the GET after it signs in', async () => {
    const start = await browser.submit('/auth/signin/test', { callbackUrl: '/profile' })
    const back = await provider.signInAs(target(start), 'alice')
    const before = provider.requests.length
    const head = await browser.send('head', back)
    expect([head.status, setCookies(head), head.headers.location]).to.deep.equal([200, [], undefined])
    expect(provider.requests.slice(before)).to.deep.equal([])
    const get = await browser.get(back)
    expect([get.status, target(get)]).to.deep.equal([302, `${app.origin}/profile`])
  })
})
