/** CSRF and login CSRF: forms of other sites, and forms without the token. */

import { expect } from 'chai'
import { type ServerAuthConfig, skipCSRFCheck } from '../../lib/index.js'
import { type Browser, credentials, secret, setCookies, startApp, target } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { heading, inputs } from './page.js'

const cookieName = 'auth.csrf-token'

/** The POSTs that need the token. `fields` would do the work if the token were right. */
const protectedPosts = [
  { url: '/auth/signin', fields: {} },
  { url: '/auth/signin/credentials', fields: {} },
  { url: '/auth/signin/test', fields: {} },
  { url: '/auth/callback/credentials', fields: { username: 'eve', password: 'right' } },
  { url: '/auth/signout', fields: {} },
] as const

for (const [door, start] of doors) {
  describe(`the CSRF check (${door})`, () => {
    let provider: OpenIdProvider
    let app: DoorApp
    let browser: Browser
    const calls = { authorize: 0, update: 0, signOut: 0 }

    before(async () => {
      provider = await startOpenIdProvider()
      app = await start({
        providers: [
          { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() },
          credentials({
            authorize({ username }) {
              calls.authorize += 1
              return { id: '1', name: String(username) }
            },
          }),
        ],
        callbacks: {
          jwt({ token, trigger }) {
            if (trigger === 'update') calls.update += 1
            return token
          },
        },
        events: {
          signOut() {
            calls.signOut += 1
          },
        },
      })
    })
    after(async () => {
      await app.close()
      await provider.close()
    })
    beforeEach(() => {
      browser = app.browser()
      Object.assign(calls, { authorize: 0, update: 0, signOut: 0 })
      provider.requests.length = 0
    })

    /** Refused: back on the sign-in page, nothing done, no session. */
    async function expectRefusal(response: Answer, from: Browser = browser): Promise<void> {
      expect(response.status).to.equal(303)
      expect(target(response)).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
      expect(response.text).to.equal('')
      expect(setCookies(response).join()).to.not.match(/session-token|transaction/)
      expect(calls).to.deep.equal({ authorize: 0, update: 0, signOut: 0 })
      expect(await from.session()).to.equal(null)
    }

    for (const { url, fields } of protectedPosts) {
      describe(`POST ${url}`, () => {
        it('CS-01 refuses without token and cookie', async () => {
          await expectRefusal(await browser.post(url, fields))
          expect(provider.requests).to.deep.equal([])
        })

        it('CS-01 refuses a token without its cookie', async () => {
          const csrfToken = await browser.csrf()
          browser.cookies.clear()
          await expectRefusal(await browser.post(url, { csrfToken, ...fields }))
        })

        it('CS-01 refuses the cookie without a token', async () => {
          await browser.csrf()
          await expectRefusal(await browser.post(url, fields))
        })

        it('CS-02 refuses the token of another jar', async () => {
          const stranger = await app.browser().csrf()
          await browser.csrf()
          await expectRefusal(await browser.post(url, { csrfToken: stranger, ...fields }))
        })

        it('HP-04 refuses a token in the query', async () => {
          const csrfToken = await browser.csrf()
          await expectRefusal(await browser.post(`${url}?csrfToken=${csrfToken}`, fields))
        })

        it('refuses a token that is an array or an object', async () => {
          const csrfToken = await browser.csrf()
          await expectRefusal(await browser.post(url, { csrfToken: [csrfToken, csrfToken], ...fields }))
          for (const wrong of [[csrfToken], { token: csrfToken }, { toString: csrfToken }, null, 0, true]) {
            const json = { ...fields, csrfToken: wrong }
            await expectRefusal(await browser.send('post', url, { json }))
          }
        })

        it('CS-03 refuses a wrong, cut or longer token', async () => {
          const csrfToken = await browser.csrf()
          for (const wrong of ['', csrfToken.slice(1), `${csrfToken}0`, csrfToken.toUpperCase(), `${csrfToken}|`]) {
            await expectRefusal(await browser.post(url, { ...fields, csrfToken: wrong }))
          }
        })

        it('CS-03 refuses a cookie that we did not sign, without a throw', async () => {
          const csrfToken = await browser.csrf()
          const signature = decodeURIComponent(browser.cookies.get(cookieName) ?? '').split('|')[1] ?? ''
          const forged = [
            `${csrfToken}|${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`,
            `${csrfToken}|`,
            csrfToken,
            '|',
            '||',
            `${csrfToken}|${signature}|`,
            `${csrfToken}||${signature}`,
            `|${signature}`,
            '%',
            'x'.repeat(4000),
          ]
          for (const value of forged) {
            const jar = app.browser()
            jar.cookies.set(cookieName, encodeURIComponent(value))
            await expectRefusal(await jar.post(url, { csrfToken, ...fields }), jar)
          }
        })

        for (const headers of [
          { origin: 'https://evil.test' },
          { origin: 'null' },
          { origin: 'http://127.0.0.1' },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { 'sec-fetch-site': 'something-new' },
          { 'sec-fetch-site': 'same-origin, cross-site' },
        ] as Record<string, string>[]) {
          it(`CS-06 refuses a right token with ${JSON.stringify(headers)}`, async () => {
            await expectRefusal(await browser.submit(url, fields, headers))
          })
        }

        it('CS-07 accepts another site with no header of a browser: curl', async () => {
          const response = await browser.submit(url, fields)
          expect(response.status).to.equal(303)
          expect(target(response)).to.not.include('error=')
        })

        for (const site of ['same-origin', 'none']) {
          it(`accepts Sec-Fetch-Site: ${site}, whatever Origin says`, async () => {
            const response = await browser.submit(url, fields, { 'sec-fetch-site': site, origin: 'null' })
            expect(response.status).to.equal(303)
            expect(target(response)).to.not.include('error=')
          })
        }

        it('accepts our own Origin', async () => {
          const response = await browser.submit(url, fields, { origin: app.origin })
          expect(response.status).to.equal(303)
          expect(target(response)).to.not.include('error=')
        })
      })
    }

    it('takes the token from a JSON body', async () => {
      const json = { csrfToken: await browser.csrf(), username: 'ann', password: 'right' }
      const response = await browser.send('post', '/auth/callback/credentials', { json })
      expect(target(response)).to.equal(`${app.origin}/`)
      expect(calls.authorize).to.equal(1)
    })

    it('CS-10 refuses a password form that another site submits', async () => {
      const victim = app.browser()
      const csrfToken = await app.browser().csrf()
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.test' }
      const fields = { csrfToken, username: 'attacker', password: 'right' }
      await expectRefusal(await victim.post('/auth/callback/credentials', fields, headers), victim)
    })

    it('CS-09 refuses an answer that another browser asked for: login CSRF', async () => {
      const attacker = app.browser()
      const start = await attacker.submit('/auth/signin/test')
      const back = await provider.signInAs(target(start), 'alice')
      const end = await browser.get(back)
      expect(end.status).to.equal(302)
      expect(target(end)).to.equal(`${app.origin}/auth/error?error=InvalidCheck`)
      expect(await browser.session()).to.equal(null)
      expect(provider.count('/token')).to.equal(0)
    })

    it('CS-08 leaves GET without effect', async () => {
      await browser.signIn()
      expect((await browser.get('/auth/signout')).status).to.equal(200)
      expect(await browser.session()).to.be.an('object')
      expect(calls.signOut).to.equal(0)
      provider.requests.length = 0
      const page = await browser.get('/auth/signin/test')
      expect(page.status).to.equal(200)
      expect(page.headers).to.not.have.property('location')
      expect([...browser.cookies.keys()].filter((name) => name.includes('transaction'))).to.deep.equal([])
      expect(provider.requests).to.deep.equal([])
    })

    for (const [what, headers, withToken] of [
      ['without a token', {}, false],
      ['from another site', { 'sec-fetch-site': 'cross-site' }, true],
      ['from another origin', { origin: 'https://evil.test' }, true],
    ] as const) {
      it(`CS-11 refuses an update of the session ${what}`, async () => {
        await browser.signIn()
        const csrfToken = await browser.csrf()
        const json = { data: { name: 'changed' }, ...(withToken && { csrfToken }) }
        const response = await browser.send('post', '/auth/session', { json, headers })
        expect(response.status).to.equal(403)
        expect(response.type).to.equal('application/json')
        expect(response.body).to.have.keys('error', 'message')
        expect(response.body.error).to.equal('MissingCSRF')
        expect(calls.update).to.equal(0)
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      })
    }

    it('runs the update with a token (the test above can fail)', async () => {
      await browser.signIn()
      const json = { csrfToken: await browser.csrf(), data: {} }
      const response = await browser.send('post', '/auth/session', {
        json,
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      expect(response.status).to.equal(200)
      expect(calls.update).to.equal(1)
    })

    it('CS-12 renews the token at sign-in and at sign-out', async () => {
      const first = await browser.csrf()
      await browser.signIn()
      const second = await browser.csrf()
      expect(second).to.match(/^[0-9a-f]{64}$/)
      expect(second).to.not.equal(first)
      expect(target(await browser.post('/auth/signout', { csrfToken: first }))).to.include('error=MissingCSRF')
      expect(await browser.session()).to.be.an('object')
      await browser.post('/auth/signout', { csrfToken: second })
      expect(await browser.session()).to.equal(null)
      const third = await browser.csrf()
      expect(third).to.not.equal(second)
      const again = await browser.post('/auth/callback/credentials', {
        csrfToken: second,
        username: 'a',
        password: 'b',
      })
      expect(target(again)).to.include('error=MissingCSRF')
    })

    it('keeps a token that is genuine, so that forms in other tabs stay good', async () => {
      const first = await browser.csrf()
      const again = await browser.get('/auth/csrf')
      expect(again.body.csrfToken).to.equal(first)
      expect(setCookies(again)).to.deep.equal([])
      expect(inputs(await browser.get('/auth/signin'), 'csrfToken')).to.deep.equal([first, first])
    })

    it('replaces a cookie that is not ours', async () => {
      browser.cookies.set(cookieName, encodeURIComponent(`${'a'.repeat(64)}|${'b'.repeat(43)}`))
      const token = await browser.csrf()
      expect(token).to.not.equal('a'.repeat(64))
      expect(target(await browser.post('/auth/signin', { csrfToken: token }))).to.not.include('error')
    })
  })
}

for (const [door, start] of doors) {
  describe(`the CSRF check on https (${door})`, () => {
    const app = opened(() => start({}, { behindProxy: true }))

    function browse(): Browser {
      const browser = app.browser()
      Object.assign(browser.headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.test' })
      return browser
    }

    it('CS-13 keeps the cookie under __Host-', async () => {
      const [cookie] = setCookies(await browse().get('/auth/csrf'))
      expect(cookie).to.match(/^__Host-auth\.csrf-token=[0-9a-f]{64}%7C[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    })

    it('CS-13 ignores a cookie that a subdomain tossed', async () => {
      const attacker = app.browser()
      const csrfToken = await attacker.csrf()
      const victim = browse()
      victim.cookies.set(cookieName, attacker.cookies.get(cookieName) ?? '')
      const end = await victim.post('/auth/callback/credentials', { csrfToken, username: 'eve', password: 'right' })
      expect(target(end)).to.equal('https://app.test/auth/signin?error=MissingCSRF')
      expect(await victim.session()).to.equal(null)
    })
  })
}

describe('the CSRF check behind a proxy that is not trusted', () => {
  const app = opened(() => startApp())

  it('CK-12 names the remedy where nothing but the scheme differs', async () => {
    const browser = app.browser()
    const response = await browser.submit('/auth/signin', {}, { origin: app.origin.replace('http:', 'https:') })
    expect(response.status).to.equal(403)
    expect(response.type).to.equal('text/html')
    expect(response.text).to.include('trust proxy').and.include('AUTH_URL')
    expect(response.headers).to.not.have.property('location')
    expect(response.text).to.include('the proxy does not send')
  })

  it('names a proxy that reports https, if it is not trusted', async () => {
    const headers = { origin: app.origin.replace('http:', 'https:'), 'x-forwarded-proto': 'https' }
    const response = await app.browser().submit('/auth/signin', {}, headers)
    expect(response.text).to.include('the proxy reports https').and.include('trust proxy')
  })

  it('does not name it where the host differs too', async () => {
    const response = await app.browser().submit('/auth/signin', {}, { origin: 'https://evil.test' })
    expect(response.status).to.equal(303)
    expect(response.text).to.not.include('trust proxy')
  })

  it('asks for the token all the same where Sec-Fetch-Site says same-origin', async () => {
    const headers = { origin: app.origin.replace('http:', 'https:'), 'sec-fetch-site': 'same-origin' }
    expect(target(await app.browser().submit('/auth/signin', {}, headers))).to.equal(`${app.origin}/auth/signin`)
    expect(target(await app.browser().post('/auth/signin', {}, headers))).to.include('error=MissingCSRF')
  })
})

for (const [door, start] of doors) {
  describe(`the CSRF token and secrets (${door})`, () => {
    const newer = 'a-newer-secret-of-more-than-32-characters'

    async function tokenUnder(used: string): Promise<{ csrfToken: string; cookie: string }> {
      const app = await start({ secret: used })
      const browser = app.browser()
      const csrfToken = await browser.csrf()
      await app.close()
      return { csrfToken, cookie: browser.cookies.get(cookieName) ?? '' }
    }

    it('CS-15 made under a previous secret is accepted, and its form stays open', async () => {
      const { csrfToken, cookie } = await tokenUnder(secret)
      const app = await start({ secret: [newer, secret] })
      const browser = app.browser()
      browser.cookies.set(cookieName, cookie)
      const end = await browser.post('/auth/callback/credentials', { csrfToken, username: 'ann', password: 'right' })
      expect(target(end)).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      await app.close()
    })

    it('CS-15 made under a secret that is gone is refused with a fresh page', async () => {
      const { csrfToken, cookie } = await tokenUnder(secret)
      const app = await start({ secret: newer })
      const browser = app.browser()
      browser.cookies.set(cookieName, cookie)
      const end = await browser.post('/auth/callback/credentials', { csrfToken, username: 'ann', password: 'right' })
      expect(target(end)).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
      const page = await browser.get(target(end))
      expect(page.status).to.equal(200)
      expect(heading(page)).to.equal('Sign in')
      const [fresh = ''] = inputs(page, 'csrfToken')
      expect(fresh)
        .to.match(/^[0-9a-f]{64}$/)
        .and.not.equal(csrfToken)
      expect(target(await browser.post('/auth/signin', { csrfToken: fresh }))).to.equal(`${app.origin}/auth/signin`)
      await app.close()
    })
  })
}

for (const [door, start] of doors) {
  describe(`skipCSRFCheck (${door})`, () => {
    it('CS-14 takes the exported symbol only', async () => {
      for (const value of [
        true,
        'skip',
        Symbol('server-auth.skip-csrf-check'),
        Symbol.for('skipCSRFCheck'),
        {},
        null,
      ]) {
        const config = { skipCSRFCheck: value } as unknown as Partial<ServerAuthConfig>
        // Express says it when the Router is made, and the shim at the first request.
        const error = await start(config).then(
          async (app) => {
            const { status } = await app.browser().post('/auth/signout')
            await app.close()
            expect(status).to.equal(500)
            return app.log.errors[0]
          },
          (thrown: unknown) => thrown,
        )
        expect(error, String(value)).to.have.property('type', 'InvalidConfiguration')
        expect(error).to.have.property('message').that.includes('skipCSRFCheck')
      }
    })

    it('turns the check off: no token is given, and none is needed', async () => {
      const app = await start({ skipCSRFCheck })
      const browser = app.browser()
      browser.cookies.set(cookieName, 'left-over')
      const csrf = await browser.get('/auth/csrf')
      expect(csrf.status).to.equal(404)
      expect(csrf.text).to.equal('')
      expect(setCookies(csrf)).to.deep.equal([`${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
      expect(browser.cookies.has(cookieName)).to.equal(false)
      const end = await browser.post('/auth/callback/credentials', { username: 'ann', password: 'right' })
      expect(target(end)).to.equal(`${app.origin}/`)
      expect(setCookies(end).join()).to.not.include('csrf-token')
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect(app.log.warnings.map(({ code }) => code)).to.include('csrf-disabled')
      await app.close()
    })
  })
}
