/** The redirects after a sign-in: hostile callback URLs through every entry. */

import { expect } from 'chai'
import { inputs, rawLocation } from '../actions/page.js'
import { type Browser, credentials, startApp, target } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { sample } from '../support/extent.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { type HostileUrl, hostileIds, hostileUrls } from './hostile-urls.js'

const cookieName = '__Secure-auth.callback-url'
const origin = 'https://app.test'

/** Returns a browser behind a proxy that sends `https://app.test`. */
function browse(app: DoorApp): Browser {
  const browser = app.browser()
  Object.assign(browser.headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.test' })
  return browser
}

function remembered(browser: Browser): string | undefined {
  const value = browser.cookies.get(cookieName)
  return value === undefined ? undefined : decodeURIComponent(value)
}

/** The outcome of one value through one entry: the redirect, and the callback-url cookie afterwards. */
interface Outcome {
  readonly to: string | undefined
  readonly cookie: string | undefined
}

interface Entry {
  readonly name: string
  run(browser: Browser, value: string): Promise<Outcome>
}

function query(value: string): string {
  return `callbackUrl=${encodeURIComponent(value)}`
}

/** Returns the hidden field of the sign-in page, which its forms will send. */
async function shownNext(browser: Browser): Promise<string | undefined> {
  return inputs(await browser.get('/auth/signin'), 'callbackUrl')[0]
}

const entries: readonly Entry[] = [
  {
    name: 'POST signin, body',
    async run(browser, value) {
      await browser.submit('/auth/signin', { callbackUrl: value })
      const cookie = remembered(browser)
      return { to: await shownNext(browser), cookie }
    },
  },
  {
    name: 'POST signin, query',
    async run(browser, value) {
      await browser.submit(`/auth/signin?${query(value)}`)
      const cookie = remembered(browser)
      return { to: await shownNext(browser), cookie }
    },
  },
  {
    name: 'GET signin, query',
    async run(browser, value) {
      const page = await browser.get(`/auth/signin?${query(value)}`)
      return { to: inputs(page, 'callbackUrl')[0], cookie: remembered(browser) }
    },
  },
  {
    name: 'callback-url cookie, at credentials sign-in',
    async run(browser, value) {
      const csrfToken = await browser.csrf()
      browser.cookies.set(cookieName, encodeURIComponent(value))
      const end = await browser.post('/auth/callback/credentials', { csrfToken, username: 'ann', password: 'right' })
      return { to: target(end), cookie: remembered(browser) }
    },
  },
  {
    name: 'callback-url cookie, on the sign-in page',
    async run(browser, value) {
      browser.cookies.set(cookieName, encodeURIComponent(value))
      return { to: await shownNext(browser), cookie: remembered(browser) }
    },
  },
  {
    name: 'POST signout, body',
    async run(browser, value) {
      const end = await browser.submit('/auth/signout', { callbackUrl: value })
      return { to: target(end), cookie: remembered(browser) }
    },
  },
  {
    name: 'POST callback/credentials, body',
    async run(browser, value) {
      const end = await browser.signIn({ callbackUrl: value })
      return { to: target(end), cookie: remembered(browser) }
    },
  },
  {
    name: 'POST callback/credentials with a wrong password, body',
    async run(browser, value) {
      await browser.signIn({ callbackUrl: value, password: 'wrong' })
      const cookie = remembered(browser)
      return { to: await shownNext(browser), cookie }
    },
  },
]

function selected(table: readonly HostileUrl[], id: string): readonly HostileUrl[] {
  return table.filter((entry) => entry.id === id)
}

for (const [door, start] of doors) {
  describe(`callbackUrl (${door})`, () => {
    const app = opened(() => start({}, { behindProxy: true }))

    for (const [turn, entry] of entries.entries()) {
      describe(entry.name, () => {
        for (const id of door === 'Express' ? hostileIds : sample(hostileIds, turn)) {
          it(`${id} leads to our own origin only`, async () => {
            const found = []
            const wanted = []
            for (const { value, to } of selected(hostileUrls(origin), id)) {
              found.push({ value, ...(await entry.run(browse(app), value)) })
              wanted.push({ value, to, cookie: to })
            }
            expect(found).to.deep.equal(wanted)
          })
        }
      })
    }

    it('CR-01 sends no header that the value names', async () => {
      for (const callbackUrl of ['/a\r\nSet-Cookie: x=1', '/a%0d%0aSet-Cookie:%20x=1']) {
        const browser = browse(app)
        const end = await browser.signIn({ callbackUrl })
        expect(end.status).to.equal(303)
        expect([...browser.cookies.keys()]).to.not.include('x')
      }
    })

    it('RD-20 CR-05 takes a lone surrogate for what a browser makes of it', async () => {
      const browser = browse(app)
      const json = { csrfToken: await browser.csrf(), username: 'ann', password: 'right', callbackUrl: '/\ud800' }
      const end = await browser.send('post', '/auth/callback/credentials', { json })
      expect(end.status).to.equal(303)
      expect(target(end)).to.equal(`${origin}/%EF%BF%BD`)
      const page = await browse(app).get('/auth/signin?callbackUrl=%ED%A0%80')
      expect(page.status).to.equal(200)
      expect(new URL(inputs(page, 'callbackUrl')[0] ?? '').origin).to.equal(origin)
    })

    it('HP-04 takes the body before the query, the query before the cookie', async () => {
      const browser = browse(app)
      browser.cookies.set(cookieName, encodeURIComponent('/cookie'))
      const both = await browser.submit('/auth/signout?callbackUrl=/query', { callbackUrl: '/body' })
      expect(target(both)).to.equal(`${origin}/body`)
      expect(target(await browser.submit('/auth/signout?callbackUrl=/query'))).to.equal(`${origin}/query`)
      expect(target(await browser.submit('/auth/signout'))).to.equal(`${origin}/query`)
    })

    it('HP-01 never honours the second of two', async () => {
      const twice = await browse(app).get('/auth/signin?callbackUrl=/ok&callbackUrl=https://evil.test/')
      expect(inputs(twice, 'callbackUrl')).to.deep.equal([`${origin}/ok`])
      const array = await browse(app).submit('/auth/signout', { callbackUrl: ['/ok', 'https://evil.test/'] })
      expect(target(array)).to.equal(`${origin}/`)
    })

    it('ignores a value that is no text', async () => {
      for (const callbackUrl of [{ href: 'https://evil.test' }, ['https://evil.test'], 7, true, null, '']) {
        const browser = browse(app)
        const json = { csrfToken: await browser.csrf(), callbackUrl }
        const end = await browser.send('post', '/auth/signout', { json })
        expect(end.status).to.equal(303)
        expect(target(end), JSON.stringify(callbackUrl)).to.equal(`${origin}/`)
      }
    })

    it('is shown to a sign-in page of the developer in its allowed form', async () => {
      const custom = await start({ pages: { signIn: '/sign-in' } }, { behindProxy: true })
      try {
        for (const { value, to } of hostileUrls(origin)) {
          const page = await browse(custom).get(`/auth/signin?${query(value)}`)
          expect(page.status).to.equal(302)
          const location = new URL(target(page))
          expect(location.origin + location.pathname).to.equal(`${origin}/sign-in`)
          expect(location.searchParams.get('callbackUrl'), JSON.stringify(value)).to.equal(to)
        }
      } finally {
        await custom.close()
      }
    })
  })
}

for (const [door, start] of doors) {
  describe(`callbacks.redirect (${door})`, () => {
    async function end(redirect: unknown, callbackUrl = '/asked'): Promise<{ app: DoorApp; response: Answer }> {
      const app = await start({ callbacks: { redirect: redirect as () => string } }, { behindProxy: true })
      const response = await browse(app).signIn({ callbackUrl })
      await app.close()
      return { app, response }
    }

    it('gets the URL as the client sent it, and the origin', async () => {
      const calls: unknown[] = []
      await end((params: { url: string }) => {
        calls.push(params)
        return params.url
      })
      expect(calls).to.deep.include({ url: '/asked', baseUrl: origin })
    })

    for (const [what, redirect, to] of [
      ['null', () => null, `${origin}/`],
      ['undefined', () => undefined, `${origin}/`],
      ['an object', () => ({ href: 'https://evil.test' }), `${origin}/`],
      ['a relative path', () => 'foo', `${origin}/foo`],
      ['a path', async () => '/home?x=1', `${origin}/home?x=1`],
      ['another site, which is its decision', () => 'https://other.test/x', 'https://other.test/x'],
      ['javascript:', () => 'javascript:alert(1)', `${origin}/`],
      ['an URL with a password', () => 'https://a:b@other.test/', `${origin}/`],
      ['CR and LF (CR-03)', () => '/a\r\nSet-Cookie: x=1', `${origin}/aSet-Cookie:%20x=1`],
      ['too long an URL', () => `/${'x'.repeat(2000)}`, `${origin}/`],
    ] as const) {
      it(`RD-19 may return ${what}`, async () => {
        const { response } = await end(redirect)
        expect(response.status).to.equal(303)
        expect(target(response)).to.equal(to)
      })
    }

    for (const [how, redirect] of [
      ['throws', () => raise(new Error('no such tenant'))],
      ['rejects', () => Promise.reject(new Error('no such tenant'))],
      ['throws nothing', () => raise(undefined)],
    ] as const) {
      it(`RD-19 that ${how} is logged, and the default counts`, async () => {
        const { app, response } = await end(redirect)
        expect(response.status).to.equal(303)
        expect(target(response)).to.equal(`${origin}/`)
        expect(app.log.errors.map(({ name }) => name)).to.include('CallbackRouteError')
      })
    }

    it('is not called for values that are no URL', async () => {
      const asked: string[] = []
      const keep = ({ url }: { url: string }) => {
        asked.push(url)
        return url
      }
      for (const url of ['http://[', 'javascript:alert(1)', 'https://a:b@app.test/']) {
        expect(target((await end(keep, url)).response)).to.equal(`${origin}/`)
      }
      expect(asked).to.deep.equal([])
    })

    it('is not called for our own endpoints', async () => {
      const asked: string[] = []
      const { response } = await end(({ url }: { url: string }) => {
        asked.push(url)
        return url
      }, '/auth/signout')
      expect(target(response)).to.equal(`${origin}/`)
      expect(asked).to.deep.equal([])
    })
  })
}

for (const [door, start] of doors) {
  describe(`callbackUrl of an OpenID Connect sign-in (${door})`, () => {
    let provider: OpenIdProvider
    let app: DoorApp
    const cookies = new Map<string, string>()

    before(async () => {
      provider = await startOpenIdProvider()
      const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() }
      app = await start({ providers: [test, credentials()] })
    })
    after(async () => {
      await app.close()
      await provider.close()
    })

    // The value comes back out of the attempt, and by no message: one door is enough.
    for (const id of door === 'Express' ? hostileIds : []) {
      it(`${id} comes out of the sealed attempt on our own origin`, async () => {
        for (const { value, to } of selected(hostileUrls(app.origin), id)) {
          const browser = app.browser()
          const start = await browser.submit('/auth/signin/test', { callbackUrl: value })
          expect(new URL(target(start)).origin, JSON.stringify(value)).to.equal(provider.issuer)
          const end = await browser.get(await provider.signInAs(target(start), 'alice', cookies))
          expect(end.status).to.equal(302)
          expect(target(end), JSON.stringify(value)).to.equal(to)
        }
      })
    }

    it('RD-16 is the sealed one, whatever cookie and query say on the way back', async () => {
      const browser = app.browser()
      const start = await browser.submit('/auth/signin/test', { callbackUrl: '/wanted' })
      const back = await provider.signInAs(target(start), 'alice', cookies)
      browser.cookies.set('auth.callback-url', encodeURIComponent('https://evil.test/'))
      const end = await browser.get(`${back}&callbackUrl=https%3A%2F%2Fevil.test%2F`)
      expect(target(end)).to.equal(`${app.origin}/wanted`)
    })

    it('RD-18 is our own after a refusal at the provider, with an evil cookie', async () => {
      const browser = app.browser()
      const start = await browser.submit('/auth/signin/test')
      browser.cookies.set('auth.callback-url', encodeURIComponent('https://evil.test/'))
      const end = await browser.get(await provider.refuse(target(start)))
      expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
      const page = await browser.get(target(end))
      expect(inputs(page, 'callbackUrl')).to.deep.equal([`${app.origin}/`, `${app.origin}/`])
    })

    it('RD-18 is not on the page about an unknown provider', async () => {
      const page = await app.browser().get('/auth/callback/nobody?callbackUrl=https%3A%2F%2Fevil.test%2F')
      expect(page.status).to.equal(404)
      expect(page.text).to.not.include('evil.test')
      expect(page.headers).to.not.have.property('location')
    })
  })
}

describe('callbackUrl (Express)', () => {
  it('of the protected page is remembered over a guard of the application', async () => {
    const guarded = await startApp(
      {},
      {
        trustProxy: true,
        after: (express) =>
          express.use((req, res) => res.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(req.originalUrl)}`)),
      },
    )
    try {
      const browser = browse(guarded)
      const location = await rawLocation(guarded.origin, '//evil.test/%2e%2e')
      expect(location).to.equal('/auth/signin?callbackUrl=%2F%2Fevil.test%2F%252e%252e')
      await browser.get(location ?? '')
      expect(target(await browser.signIn())).to.equal(`${origin}/`)
    } finally {
      await guarded.close()
    }
  })
})

function raise(error: unknown): never {
  throw error
}
