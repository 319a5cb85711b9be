/** `GET error` and `GET verify-request` over HTTP. */

import { expect } from 'chai'
import type { PagesOptions } from '../../lib/index.js'
import { startApp, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { heading, links, startAppWithEnv } from './page.js'

for (const [door, start] of doors) {
  describe(`GET /auth/error (${door})`, () => {
    const app = opened(() => start())

    for (const [query, status, title, withSignIn] of [
      ['', 200, 'Something went wrong', false],
      ['?error=', 200, 'Something went wrong', false],
      ['?error=Whatever', 200, 'Something went wrong', false],
      ['?error=Configuration', 500, 'This site has a problem', true],
      ['?error=AccessDenied', 403, 'Access denied', true],
      ['?error=Verification', 403, 'This link does not work any more', true],
      ['?error=InvalidCheck', 400, 'Please start again', true],
      ['?error=InvalidProvider', 404, 'Unknown sign-in method', true],
      ['?error=accessdenied', 200, 'Something went wrong', false],
      ['?error=AccessDenied%00', 200, 'Something went wrong', false],
      ['?error=AccessDenied&error=Configuration', 403, 'Access denied', true],
    ] as const) {
      it(`${query || 'without a type'} is ${status}`, async () => {
        const page = await app.browser().get(`/auth/error${query}`)
        expect(page.status).to.equal(status)
        expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
        expect(heading(page)).to.equal(title)
        const expected = [...(withSignIn ? [`${app.origin}/auth/signin`] : []), `${app.origin}/`]
        expect(links(page)).to.deep.equal(expected)
      })
    }

    for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'size', 'get']) {
      it(`PP-04 looks ${type} up among its own types only`, async () => {
        const page = await app.browser().get(`/auth/error?error=${type}`)
        expect(page.status).to.equal(200)
        expect(heading(page)).to.equal('Something went wrong')
        expect(page.text).to.not.include('undefined').and.not.include('native code')
      })
    }

    for (const payload of ['<script>alert(1)</script>', '"><img src=x>', '{{7*7}}', '\0', 'x'.repeat(10_000)]) {
      it(`XS-01 says nothing of ${JSON.stringify(payload.slice(0, 30))}`, async () => {
        const page = await app.browser().get(`/auth/error?error=${encodeURIComponent(payload)}&message=<b>x</b>`)
        expect(page.status).to.equal(200)
        expect(page.text).to.not.include(payload).and.not.include('<b>')
        expect(page.text).to.not.match(/<script|<img/)
        expect(page.headers['content-security-policy']).to.include("default-src 'none'")
      })
    }

    it('has a policy with the nonce of its style', async () => {
      const page = await app.browser().get('/auth/error?error=Configuration')
      const nonce = /<style nonce="([^"]+)">/.exec(page.text)?.[1]
      expect(nonce).to.match(/^[\w-]{20,}$/)
      expect(page.headers['content-security-policy']).to.include(`style-src 'nonce-${nonce}'`)
    })

    it('names no detail, in production or else', async () => {
      const production = await startAppWithEnv({ NODE_ENV: 'production' }, { trustHost: true })
      for (const each of [app, production]) {
        const page = await each.browser().get('/auth/error?error=Configuration')
        expect(page.text).to.not.include('For developers')
        expect(page.text).to.not.match(/node_modules|\.[jt]s:\d|at \w+ \(/)
      }
      await production.close()
    })
  })
}

describe('GET /auth/error with a page of the developer’s', () => {
  async function location(error: string, query: string): Promise<{ to: string; origin: string }> {
    const app = await startApp({ pages: { error } })
    const response = await app.browser().get(`/auth/error${query}`)
    await app.close()
    expect(response.status).to.equal(302)
    return { to: target(response), origin: app.origin }
  }

  it('goes there with the type', async () => {
    const { to, origin } = await location('/oops', '?error=AccessDenied')
    expect(to).to.equal(`${origin}/oops?error=AccessDenied`)
  })

  it('goes there without a type that was not given', async () => {
    const { to, origin } = await location('/oops', '')
    expect(to).to.equal(`${origin}/oops`)
  })

  it('keeps a query of the page, and encodes the type', async () => {
    const { to, origin } = await location('/oops?x=1', `?error=${encodeURIComponent('a&b=<c>#d\r\nSet-Cookie: x=1')}`)
    expect(to).to.equal(`${origin}/oops?x=1&error=a%26b%3D%3Cc%3E%23d%0D%0ASet-Cookie%3A+x%3D1`)
  })

  it('goes to an absolute URL as it is', async () => {
    const { to } = await location('https://help.example.com/oops', '?error=Verification')
    expect(to).to.equal('https://help.example.com/oops?error=Verification')
  })

  it('gets the failures of the routes too', async () => {
    const app = await startApp({ pages: { error: '/oops?x=1' }, callbacks: { signIn: () => false } })
    const end = await app.browser().signIn()
    expect(target(end)).to.equal(`${app.origin}/oops?x=1&error=AccessDenied`)
    await app.close()
  })

  it('shows the built-in page where that would go round for ever, and logs why', async () => {
    const app = await startApp({ pages: { error: '/auth/error' } })
    const page = await app.browser().get('/auth/error?error=AccessDenied')
    expect(page.status).to.equal(403)
    expect(heading(page)).to.equal('Access denied')
    expect(app.log.errors.map(({ name }) => name)).to.deep.equal(['ErrorPageLoop'])
    await app.close()
  })
})

describe('GET /auth/verify-request', () => {
  async function get(query: string, pages: Partial<PagesOptions> = {}) {
    const app = await startApp({ pages })
    const response = await app.browser().get(`/auth/verify-request${query}`)
    await app.close()
    return { app, response }
  }

  it('shows nothing of an address in the URL', async () => {
    const { app, response } = await get('?provider=email&type=email&email=ann@example.com')
    expect(response.status).to.equal(200)
    expect(response.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(heading(response)).to.equal('Check your email')
    expect(response.text).to.not.include('ann@example.com')
    expect(links(response)).to.deep.equal([`${app.origin}/auth/signin`, `${app.origin}/`])
  })

  it('goes to the developer’s page with the query', async () => {
    const { app, response } = await get('?provider=email&type=email', { verifyRequest: '/check?x=1' })
    expect(response.status).to.equal(302)
    expect(target(response)).to.equal(`${app.origin}/check?x=1&provider=email&type=email`)
  })

  it('shows the built-in page where the option names our own endpoint', async () => {
    const { response } = await get('', { verifyRequest: '/auth/verify-request' })
    expect(response.status).to.equal(200)
    expect(heading(response)).to.equal('Check your email')
  })
})
