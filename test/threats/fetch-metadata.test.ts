/** POSTs without a CSRF token: they are accepted only if the browser itself reports a page of the site's own origin. */
import { request } from 'node:http'
import { expect } from 'chai'
import { hasCsrfToken } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import {
  type Browser,
  createLog,
  credentials,
  secret,
  setCookies,
  startApp,
  type TestApp,
  target,
} from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'

type Headers = Record<string, string>

const person = { username: 'ann', password: 'right' }

/** The result of each POST when it is allowed. */
const posts = [
  { url: '/auth/signin', fields: {}, done: /\/auth\/signin$/ },
  { url: '/auth/signin/test', fields: {}, done: /\?response_type=/ },
  { url: '/auth/callback/credentials', fields: person, done: /\/$/ },
  { url: '/auth/signout', fields: {}, done: /\/$/ },
] as const

describe('a POST without a CSRF token', () => {
  let provider: OpenIdProvider
  let app: TestApp
  let browser: Browser
  let own: Headers
  let updates = 0

  before(async () => {
    provider = await startOpenIdProvider()
    app = await startApp(
      {
        providers: [credentials(), { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }],
        callbacks: {
          jwt({ token, trigger }) {
            if (trigger === 'update') updates += 1
            return token
          },
        },
      },
      {
        after: (on, config) =>
          void on.post('/own', (req, res) => {
            res.json(hasCsrfToken(req, config))
          }),
      },
    )
    own = { 'sec-fetch-site': 'same-origin', origin: app.origin }
  })
  after(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => {
    browser = app.browser()
    updates = 0
  })

  function expectRefusal(response: Answer): void {
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
    expect(setCookies(response).join()).to.not.match(/session-token|transaction|auth\.browser/)
  }

  /** The headers that a browser sends with a POST from such a page, or that others make of them. */
  const foreign: ReadonlyArray<[from: string, headers: (origin: string) => Headers]> = [
    ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })],
    ['a sibling subdomain', () => ({ 'sec-fetch-site': 'same-site', origin: 'https://blog.app.test' })],
    ['another port of the host', () => ({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' })],
    ['a sandboxed frame', () => ({ 'sec-fetch-site': 'cross-site', origin: 'null' })],
    ['an extension, or a typed address', (origin) => ({ 'sec-fetch-site': 'none', origin })],
    ['a browser without Sec-Fetch-Site', (origin) => ({ origin })],
    ['a browser on plain http without Origin', () => ({})],
    ['a page with `Referrer-Policy: no-referrer`', () => ({ 'sec-fetch-site': 'same-origin', origin: 'null' })],
    ['a GET whose method something overrode', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['an Origin of another host', () => ({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' })],
    ['an Origin of another scheme', (origin) => ({ ...same, origin: origin.replace('http:', 'https:') })],
    ['an Origin of another port', (origin) => ({ ...same, origin: origin.replace(/\d+$/, '1') })],
    ['an Origin that goes on', (origin) => ({ ...same, origin: `${origin}.evil.test` })],
    ['two Origins', (origin) => ({ ...same, origin: `${origin}, ${origin}` })],
    ['a list in Sec-Fetch-Site', (origin) => ({ 'sec-fetch-site': 'same-origin, same-origin', origin })],
    ['a contradiction in Sec-Fetch-Site', (origin) => ({ 'sec-fetch-site': 'same-origin, cross-site', origin })],
    ['another spelling of Sec-Fetch-Site', (origin) => ({ 'sec-fetch-site': 'Same-Origin', origin })],
    ['a parameter in Sec-Fetch-Site', (origin) => ({ 'sec-fetch-site': 'same-origin;q=1', origin })],
    ['an empty Sec-Fetch-Site', (origin) => ({ 'sec-fetch-site': '', origin })],
  ]
  const same = { 'sec-fetch-site': 'same-origin' }

  for (const { url, fields, done } of posts) {
    describe(url, () => {
      it('is allowed if the browser says same-origin, and Origin is the site', async () => {
        const response = await browser.post(url, fields, own)
        expect([200, 303]).to.include(response.status)
        expect(target(response)).to.match(done)
        expect(target(response)).to.not.include('error=')
      })

      for (const [from, headers] of foreign) {
        it(`is rejected from ${from}`, async () => {
          expectRefusal(await browser.post(url, fields, headers(app.origin)))
          expect(await browser.session()).to.equal(null)
        })
      }

      it('is rejected with a wrong token, whatever the browser says', async () => {
        await browser.csrf()
        for (const csrfToken of ['', 'a'.repeat(64), await app.browser().csrf()]) {
          expectRefusal(await browser.post(url, { ...fields, csrfToken }, own))
        }
        expectRefusal(await browser.send('post', url, { json: { ...fields, csrfToken: null }, headers: own }))
      })
    })
  }

  it('is rejected if the header is repeated: a request that was smuggled in front of another', async () => {
    const headers = { origin: app.origin, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(person).toString()
    for (const site of [
      ['same-origin', 'same-origin'],
      ['same-origin', 'none'],
      ['cross-site', 'same-origin'],
    ]) {
      expect(await locationOf(app.origin, { ...headers, 'sec-fetch-site': site }, body)).to.include('MissingCSRF')
    }
    expect(await locationOf(app.origin, { ...headers, 'sec-fetch-site': ['same-origin'] }, body)).to.equal(
      `${app.origin}/`,
    )
  })

  it('changes the session only if the browser says same-origin', async () => {
    await browser.signIn()
    const json = { data: { name: 'changed' } }
    for (const [, headers] of foreign) {
      const { status, body } = await browser.send('post', '/auth/session', { json, headers: headers(app.origin) })
      expect([status, body.error]).to.deep.equal([403, 'MissingCSRF'])
    }
    expect(updates).to.equal(0)
    expect((await browser.send('post', '/auth/session', { json, headers: own })).status).to.equal(200)
    expect(updates).to.equal(1)
  })

  it('does not sign out from another site', async () => {
    await browser.signIn()
    for (const [, headers] of foreign) expectRefusal(await browser.post('/auth/signout', {}, headers(app.origin)))
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    await browser.post('/auth/signout', {}, own)
    expect(await browser.session()).to.equal(null)
  })

  it('signs in in one request, and has the same result as a sign-in with a token', async () => {
    await browser.post('/auth/callback/credentials', person, own)
    const other = app.browser()
    await other.signIn()
    expect([...browser.cookies.keys()].sort()).to.deep.equal([...other.cookies.keys()].sort())
    // The proof that the session began in this browser: without it, nothing could be linked to the account.
    expect(browser.cookies.get('auth.browser')).to.match(/^[\w-]{22}\.[\w-]{22}$/)
    const fields = { csrfToken: await browser.csrf() }
    expect(target(await browser.post('/auth/signout', fields))).to.equal(`${app.origin}/`)
  })

  it('still binds a sign-in at a provider to the browser that began it', async () => {
    const start = await browser.post('/auth/signin/test', {}, own)
    const back = await provider.signInAs(target(start), 'alice')
    const stranger = app.browser()
    for (const [name, value] of browser.cookies) if (name.includes('transaction')) stranger.cookies.set(name, value)
    expect(target(await stranger.get(back))).to.include('error=InvalidCheck')
    expect(await stranger.session()).to.equal(null)
    expect(target(await browser.get(back))).to.not.include('error=')
    expect(await browser.session()).to.have.property('user')
  })

  it('is no form with a token for `hasCsrfToken`, on which forms of the application rely', async () => {
    expect((await browser.send('post', '/own', { json: {}, headers: own })).body).to.equal(false)
  })
})

describe('a POST without a CSRF token, with AUTH_URL', () => {
  const { AUTH_URL } = process.env
  let app: TestApp
  beforeEach(async () => {
    process.env.AUTH_URL = 'http://site.test'
    app = await startApp()
  })
  afterEach(async () => {
    if (AUTH_URL === undefined) delete process.env.AUTH_URL
    else process.env.AUTH_URL = AUTH_URL
    await app.close()
  })

  it('is allowed from the site, and not from the host that the request names', async () => {
    const from = async (origin: string) =>
      target(
        await app.browser().post('/auth/callback/credentials', person, { 'sec-fetch-site': 'same-origin', origin }),
      )
    expect(await from('http://site.test')).to.equal('http://site.test/')
    expect(await from(app.origin)).to.equal('http://site.test/auth/signin?error=MissingCSRF')
  })
})

describe('a POST without a CSRF token, to an application that overrides methods by the query', () => {
  it("HP-05 HP-07 is rejected if it was a link or an image on a page of the site's own origin", async () => {
    const app = await startApp(
      {},
      {
        before: (on) =>
          void on.use((req, _res, next) => {
            if (req.query._method === 'POST') req.method = 'POST'
            next()
          }),
      },
    )
    const browser = app.browser()
    await browser.signIn()
    // Browsers send no Origin with a GET of the own origin.
    const response = await browser.get('/auth/signout?_method=POST', { 'sec-fetch-site': 'same-origin' })
    expect(target(response)).to.include('error=MissingCSRF')
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
    await app.close()
  })
})

describe('a POST without a CSRF token, through Fetch', () => {
  const { handlers } = initAuth({ secret, trustHost: true, logger: createLog().logger, providers: [credentials()] })
  const signIn = async (headers: [string, string][]) => {
    const body = new URLSearchParams(person)
    const sent = new Request('https://app.test/api/auth/callback/credentials', { method: 'POST', headers, body })
    return (await handlers.POST(sent)).headers.get('location')
  }

  it('is allowed by the same rule', async () => {
    const origin: [string, string] = ['origin', 'https://app.test']
    expect(await signIn([origin, ['sec-fetch-site', 'same-origin']])).to.equal('https://app.test/')
    for (const headers of [
      [origin],
      [origin, ['sec-fetch-site', 'same-site']],
      [origin, ['sec-fetch-site', 'none']],
      [origin, ['sec-fetch-site', 'same-origin'], ['sec-fetch-site', 'same-origin']],
      [
        ['origin', 'https://evil.test'],
        ['sec-fetch-site', 'same-origin'],
      ],
    ] as [string, string][][]) {
      expect(await signIn(headers)).to.equal('https://app.test/api/auth/signin?error=MissingCSRF')
    }
  })
})

/** Returns the redirect of a POST of a form. Node writes a list as several lines. */
function locationOf(origin: string, headers: Record<string, string | string[]>, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/auth/callback/credentials`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.headers.location)
    })
    sent.on('error', reject).end(body)
  })
}
