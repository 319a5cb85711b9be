/** The mark of the sign-in method that was used last in this browser, and the order of methods for an address. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import Email from '../../lib/providers/email.js'
import GitHub from '../../lib/providers/github.js'
import Password from '../../lib/providers/password.js'
import WebAuthn from '../../lib/providers/webauthn.js'
import { type Browser, credentials, setCookies } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { formPaths } from './page.js'

const cookieName = 'auth.last-method'
const mails = () => Email({ from: 'a@app.test', sendVerificationRequest: () => undefined })
const github = GitHub({ clientId: 'id', clientSecret: 'secret' })

function config(more: Partial<ServerAuthConfig> = {}): Partial<ServerAuthConfig> {
  return { adapter: memoryAdapter(), providers: [github, mails(), credentials()], ...more }
}

const hint = (answer: Parameters<typeof setCookies>[0]) =>
  setCookies(answer).find((line) => line.startsWith(`${cookieName}=`))

for (const strategy of ['jwt', 'database'] as const) {
  for (const [door, start] of doors) {
    describe(`the sign-in method used last (${door}, ${strategy})`, () => {
      const app = opened(() => start(config({ session: { strategy } })), 'each')

      it('is in a cookie that only the sign-in page receives, without a word about the user', async () => {
        const browser = app.browser()
        const line = hint(await browser.signIn()) ?? ''
        expect(line).to.match(/^auth\.last-method=credentials; /)
        expect(line).to.include('Path=/auth/signin').and.include('HttpOnly').and.include('SameSite=Lax')
        expect(line).to.include('Max-Age=15552000')
      })

      it('is marked on the page, also after the sign-out', async () => {
        const browser = app.browser()
        expect((await browser.get('/auth/signin')).text).to.not.include('Last used')
        await browser.signIn()
        for (const signsOut of [false, true]) {
          if (signsOut) await browser.post('/auth/signout', { csrfToken: await browser.csrf() })
          const { text } = await browser.get('/auth/signin')
          expect(text.match(/Last used/g)).to.have.length(1)
          expect(text).to.match(/aria-describedby="last-used">Sign in<\/button><span class="mark" id="last-used">/)
        }
        // The order of the configuration stays.
        expect(formPaths((await browser.get('/auth/signin')).text)).to.deep.equal([
          '/auth/signin/github',
          '/auth/signin/email',
          '/auth/callback/credentials',
        ])
        expect((await app.browser().get('/auth/signin')).text).to.not.include('Last used')
      })

      it('is not changed by a sign-in that failed', async () => {
        expect(hint(await app.browser().signIn({ password: 'wrong' }))).to.equal(undefined)
      })

      it('marks nothing for a planted value', async () => {
        for (const value of ['nobody', '__proto__', 'constructor', '"><script>', 'credentials;x', 'x'.repeat(3000)]) {
          const cookie = `${cookieName}=${encodeURIComponent(value)}`
          const { text } = await app.browser().get('/auth/signin', { cookie })
          expect(text, value).to.not.include('Last used').and.not.include('x'.repeat(3000))
        }
        const { text } = await app.browser().get('/auth/signin', { cookie: `${cookieName}=github` })
        expect(text.match(/Last used/g)).to.have.length(1)
      })
    })
  }
}

describe('the sign-in method used last', () => {
  const cases: Array<[what: string, config: Partial<ServerAuthConfig>]> = [
    ['with one method', { providers: [credentials()] }],
    ['with a custom page', { pages: { signIn: '/login' } }],
    ['if it is turned off', { theme: { lastUsed: false } }],
  ]
  for (const [what, more] of cases) {
    it(`is not stored ${what}`, async () => {
      for (const [, start] of doors) {
        const app = await start(config({ session: { strategy: 'jwt' }, ...more }))
        try {
          expect(hint(await app.browser().signIn())).to.equal(undefined)
        } finally {
          await app.close()
        }
      }
    })
  }

  it('is in view in a long list', async () => {
    const many = Array.from({ length: 12 }, (_each, at) => ({ ...github, id: `op-${at}`, name: `Provider ${at}` }))
    const [, start] = doors[0] ?? []
    const app = await start?.(config({ providers: many }))
    const { text = '' } = (await app?.browser().get('/auth/signin', { cookie: `${cookieName}=op-9` })) ?? {}
    expect(text.indexOf('Sign in with Provider 9')).to.be.within(1, text.indexOf('<details'))
    expect(text.indexOf('Sign in with Provider 8')).to.be.above(text.indexOf('<details'))
    await app?.close()
  })
})

for (const [door, start] of doors) {
  describe(`the methods for an address (${door})`, () => {
    const app = opened(
      () =>
        start({
          adapter: memoryAdapter(),
          session: { strategy: 'jwt' },
          experimental: { enableWebAuthn: true },
          providers: [
            mails(),
            Password(),
            credentials(),
            WebAuthn({ registrationOptions: { authenticatorSelection: { residentKey: 'discouraged' } } }),
          ],
          theme: { identifierFirst: true },
          rateLimit: {},
        }),
      'each',
    )

    async function pageFor(browser: Browser, identifier: string, headers: Record<string, string> = {}) {
      await browser.post('/auth/signin', { csrfToken: await browser.csrf(), identifier, navigation: 'form' })
      return (await browser.get('/auth/signin', headers)).text
    }

    it('are passkeys, passwords and email links, in this order', async () => {
      const page = await pageFor(app.browser(), 'ann@example.com')
      expect(formPaths(page)).to.deep.equal([
        '/auth/callback/webauthn',
        '/auth/callback/password',
        '/auth/callback/credentials',
        '/auth/signin/email',
      ])
      expect(page).to.include('>Create an account</a>')
    })

    it('begin with the one that was used last', async () => {
      const browser = app.browser()
      expect(hint(await browser.signIn())).to.include('credentials')
      const [first] = formPaths(await pageFor(browser, 'ann@example.com'))
      expect(first).to.equal('/auth/callback/credentials')
    })
  })
}
