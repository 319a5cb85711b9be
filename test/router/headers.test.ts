import { expect } from 'chai'
import type { RequestHandler, Response as ServerResponse } from 'express'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import { type Browser, credentials, setCookies, startApp } from '../support/app.js'
import { doors } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { withoutOwnScript } from '../support/own-scripts.js'
import { op } from './fixtures.js'

const json = { accept: 'application/json' }

/** Every kind of reply, and how to get it. */
const replies: ReadonlyArray<[name: string, status: number, ask: (browser: Browser) => Promise<Answer>]> = [
  ['providers', 200, (browser) => browser.get('/auth/providers')],
  ['csrf', 200, (browser) => browser.get('/auth/csrf')],
  ['no session', 200, (browser) => browser.get('/auth/session')],
  ['a session', 200, signedIn((browser) => browser.get('/auth/session'))],
  ['an updated session', 200, signedIn((browser) => browser.submit('/auth/session'))],
  ['a broken session', 200, (browser) => browser.get('/auth/session', { cookie: 'auth.session-token=broken' })],
  ['passkey options of no such provider', 404, (browser) => browser.get('/auth/webauthn-options/op')],
  ['a redirect to a provider (CA-02)', 303, (browser) => browser.submit('/auth/signin/op')],
  ['a sign-in (CK-13)', 303, (browser) => browser.signIn()],
  ['a failed sign-in', 303, (browser) => browser.signIn({ password: 'wrong' })],
  ['a failed sign-in as JSON', 401, (browser) => browser.submit('/auth/callback/credentials', {}, json)],
  ['a sign-in of the browser client', 200, (browser) => clientSignIn(browser)],
  ['a sign-out', 303, signedIn((browser) => browser.submit('/auth/signout'))],
  ['a missing token', 303, (browser) => browser.post('/auth/signout')],
  ['a missing token as JSON', 403, (browser) => browser.post('/auth/session')],
  ['a callback nobody waits for', 302, (browser) => browser.get('/auth/callback/op?code=1&state=2')],
  ['an unknown provider as JSON', 404, (browser) => browser.get('/auth/signin/nobody', json)],
  ['a wrong method', 405, (browser) => browser.send('put', '/auth/session')],
  ['OPTIONS', 405, (browser) => browser.send('options', '/auth/session')],
  ['HEAD', 200, (browser) => browser.send('head', '/auth/session')],
  ['a malformed path', 400, (browser) => browser.get('/auth/signin/%zz')],
  ['a malformed host', 400, (browser) => browser.get('/auth/session', { host: 'a b' })],
]

const pages: ReadonlyArray<[name: string, status: number, ask: (browser: Browser) => Promise<Answer>]> = [
  ['sign-in', 200, (browser) => browser.get('/auth/signin')],
  ['sign-in with one provider', 200, (browser) => browser.get('/auth/signin/op')],
  ['sign-in with an error', 200, (browser) => browser.get('/auth/signin?error=Callback')],
  ['sign-out', 200, (browser) => browser.get('/auth/signout')],
  ['verify-request', 200, (browser) => browser.get('/auth/verify-request')],
  ['error', 200, (browser) => browser.get('/auth/error')],
  ['error 403', 403, (browser) => browser.get('/auth/error?error=AccessDenied')],
  ['error 500', 500, (browser) => browser.get('/auth/error?error=Configuration')],
  ['an unknown provider', 404, (browser) => browser.get('/auth/signin/nobody')],
  ['GET of a credentials callback', 405, (browser) => browser.get('/auth/callback/credentials')],
  ['the way to a provider', 200, (browser) => browser.submit('/auth/signin/op', {}, { 'sec-fetch-mode': 'navigate' })],
]

/** Signs in, and then asks. */
function signedIn(ask: (browser: Browser) => Promise<Answer>): (browser: Browser) => Promise<Answer> {
  return async (browser) => {
    await browser.signIn()
    return ask(browser)
  }
}

async function clientSignIn(browser: Browser): Promise<Answer> {
  return browser.submit(
    '/auth/callback/credentials',
    { username: 'ann', password: 'right' },
    { 'x-auth-return-redirect': '1' },
  )
}

for (const [door, start] of doors) {
  describe(`headers of every reply (${door})`, () => {
    const app = opened(() => start({ providers: [op, credentials()] }))

    // The text of a host must be valid before there is a Request of Fetch.
    const asked = replies.filter(([name]) => door === 'Express' || name !== 'a malformed host')
    for (const [name, status, ask] of [...asked, ...pages]) {
      it(`CA-01 ${name}: uncached, not sniffed, not framed, no referrer to other sites`, async () => {
        const response = await ask(app.browser())
        expect(response.status).to.equal(status)
        expect(response.headers).to.include({
          'cache-control': 'private, no-cache, no-store',
          vary: 'Cookie',
          pragma: 'no-cache',
          expires: '0',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'same-origin',
          'x-frame-options': 'DENY',
          'cross-origin-opener-policy': 'same-origin',
        })
        expect(policyOf(response)).to.include({
          'default-src': "'none'",
          'frame-ancestors': "'none'",
          'base-uri': "'none'",
          'form-action': "'self'",
        })
        expect(response.headers).to.not.have.any.keys(
          'etag',
          'strict-transport-security',
          'access-control-allow-origin',
        )
        if (response.text)
          expect(response.headers['content-type']).to.match(/^(application\/json|text\/(html|plain)); charset=utf-8$/)
      })
    }

    for (const [name, , ask] of asked) {
      it(`XS-07 ${name}: its policy allows nothing inline`, async () => {
        const { headers } = await ask(app.browser())
        expect(headers['content-security-policy']).to.not.include('nonce').and.not.include('unsafe')
      })
    }

    for (const [name, , ask] of pages) {
      it(`XS-07 XS-11 the page ${name}: its policy names the nonce of its one style and script`, async () => {
        const response = await ask(app.browser())
        expect(response.headers['content-type']).to.equal('text/html; charset=utf-8')
        const nonces = [...response.text.matchAll(/<(?:style|script)\b[^>]*?nonce="([^"]+)"/g)].map(
          ([, nonce]) => nonce,
        )
        expect(new Set(nonces)).to.have.property('size', 1)
        expect(nonces[0]).to.match(/^[\w-]{22,}$/)
        expect(policyOf(response)).to.include({
          'style-src': `'nonce-${nonces[0]}'`,
          'script-src': `'nonce-${nonces[0]}'`,
          'img-src': "'self' data:",
        })
        expect(withoutOwnScript(response.text).match(/<(?:style|script)\b/g)).to.have.lengthOf(1)
        expect(response.text).to.not.match(/\s(?:style|on[a-z]+)="/)
      })

      it(`the page ${name}: its nonce is fresh`, async () => {
        const policies = [await ask(app.browser()), await ask(app.browser())].map((each) => policyOf(each)['style-src'])
        expect(policies[0]).to.not.equal(policies[1])
      })
    }

    it('CA-04 never answers 304', async () => {
      const browser = app.browser()
      await browser.signIn()
      const { status, body } = await browser.get('/auth/session', {
        'if-none-match': '*',
        'if-modified-since': new Date(Date.now() + 1e9).toUTCString(),
      })
      expect([status, body.user.name]).to.deep.equal([200, 'ann'])
    })

    if (door === 'Express') {
      it('touches no header of what it leaves to the application', async () => {
        const { headers } = await app.browser().get('/auth/nothing')
        expect(headers).to.not.have.any.keys(
          'cache-control',
          'vary',
          'content-security-policy',
          'x-frame-options',
          'pragma',
        )
      })
    }

    it('CA-07 a sign-out makes the browser forget pages, and nothing else does', async () => {
      const browser = app.browser()
      const forgets = async (asked: Promise<Answer>) => (await asked).headers['clear-site-data']
      expect(await forgets(browser.signIn())).to.equal(undefined)
      for (const path of ['session', 'signin', 'signout', 'csrf']) {
        expect(await forgets(browser.get(`/auth/${path}`)), path).to.equal(undefined)
      }
      expect(await forgets(browser.post('/auth/signout', {}, { origin: 'https://evil.test' }))).to.equal(undefined)
      expect(await forgets(browser.submit('/auth/signout'))).to.equal('"cache"')
      expect(await browser.session()).to.equal(null)
      expect(await forgets(browser.submit('/auth/signout')), 'nobody was signed in').to.equal(undefined)

      // As the published client asks, and with a cookie that holds no session.
      await browser.signIn()
      const told = { 'x-auth-return-redirect': '1' }
      expect(await forgets(browser.submit('/auth/signout', {}, told))).to.equal('"cache"')
      browser.cookies.set('auth.session-token', 'left-over')
      expect(await forgets(browser.submit('/auth/signout'))).to.equal('"cache"')
    })
  })
}

describe('images of the configuration', () => {
  it('may be loaded from the origins that the developer chose, and no others', async () => {
    const app = await startApp({
      theme: { logo: 'https://cdn.example/logo.svg' },
      providers: [
        { ...op, style: { logo: 'https://img.example:8443/a/b.png?c' } },
        { ...op, id: 'other', style: { logo: '/own.svg' } },
      ],
    })
    const response = await app.browser().get('/auth/signin')
    await app.close()
    expect(policyOf(response)['img-src']).to.equal("'self' data: https://cdn.example https://img.example:8443")
  })
})

describe('requests of our script', () => {
  const policyWith = async (config: Partial<ServerAuthConfig>) => {
    const app = await startApp({ providers: [op], ...config })
    const response = await app.browser().get('/auth/signin')
    await app.close()
    return policyOf(response)
  }

  it('may go to the site where there is a form for passkeys, and nowhere else', async () => {
    const passkeys = { experimental: { enableWebAuthn: true }, adapter: memoryAdapter() }
    expect(await policyWith({ ...passkeys, providers: [op, Passkey] })).to.include({ 'connect-src': "'self'" })
    expect(await policyWith(passkeys)).to.not.have.property('connect-src')
  })
})

describe('headers that the application has set before', () => {
  const start = (prepare: (response: ServerResponse) => void) => {
    const handler: RequestHandler = (_req, res, next) => {
      prepare(res)
      next()
    }
    return startApp({ providers: [op, credentials()] }, { before: (on) => void on.use(handler) })
  }

  const cookies: ReadonlyArray<[name: string, prepare: (response: ServerResponse) => void, expected: string[]]> = [
    ['one', (res) => void res.setHeader('Set-Cookie', 'a=1; Path=/'), ['a=1; Path=/']],
    ['several', (res) => void res.setHeader('Set-Cookie', ['a=1', 'b=2; Path=/x']), ['a=1', 'b=2; Path=/x']],
    ['res.cookie', (res) => void res.cookie('a', 'x y').cookie('b', '2'), ['a=x%20y; Path=/', 'b=2; Path=/']],
  ]
  for (const [name, prepare, expected] of cookies) {
    it(`CK-09 keeps its cookies: ${name}`, async () => {
      const app = await start(prepare)
      const browser = app.browser()
      const reply = await browser.signIn()
      const refused = await browser.send('put', '/auth/session')
      await app.close()
      const lines = setCookies(reply)
      expect(lines.slice(0, expected.length)).to.deep.equal(expected)
      expect(lines.slice(expected.length).map((line) => line.split('=')[0])).to.have.members([
        'auth.session-token',
        'auth.browser',
        'auth.callback-url',
        'auth.csrf-token',
        'auth.last-method',
      ])
      expect(setCookies(refused)).to.deep.equal(expected)
    })
  }

  const varied: ReadonlyArray<[before: string, after: string]> = [
    ['Origin', 'Origin, Cookie'],
    ['Accept-Encoding, Origin', 'Accept-Encoding, Origin, Cookie'],
    ['cookie, Origin', 'cookie, Origin'],
    ['*', '*'],
  ]
  for (const [before, after] of varied) {
    it(`keeps Vary: ${before}`, async () => {
      const app = await start((res) => void res.setHeader('Vary', before))
      const [ours, refused] = [
        await app.browser().get('/auth/session'),
        await app.browser().send('put', '/auth/session'),
      ]
      await app.close()
      expect([ours.headers.vary, refused.headers.vary]).to.deep.equal([after, after])
    })
  }

  it('replaces a policy that our pages could not work under', async () => {
    const app = await start((res) => {
      res.setHeader('Content-Security-Policy', "default-src 'self'; form-action 'none'")
      res.setHeader('Referrer-Policy', 'no-referrer')
      res.setHeader('Cache-Control', 'public, max-age=3600')
    })
    const response = await app.browser().get('/auth/signin')
    await app.close()
    expect(policyOf(response)['form-action']).to.equal("'self'")
    expect(response.headers).to.include({
      'referrer-policy': 'same-origin',
      'cache-control': 'private, no-cache, no-store',
    })
  })
})

/** The directives of a reply's Content-Security-Policy. */
function policyOf({ headers }: Answer): Record<string, string> {
  const directives = String(headers['content-security-policy']).split(';')
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ')
      return [name, sources.join(' ')]
    }),
  )
}
