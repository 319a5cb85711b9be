/** The offer of a passkey after a sign-in with a password: once, for users without a passkey, and never in the way. */
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import type { WebAuthnUserConfig } from '../../lib/types/passkey.js'
import { type Browser, credentials, setCookies, target } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { type DoorApp, doors } from '../support/doors.js'
import { PasskeyPerson } from '../support/passkey-person.js'

for (const [door, start] of doors) {
  describe(`the offer of a passkey (${door})`, () => {
    let app: DoorApp
    let adapter: MemoryAdapter
    afterEach(() => app?.close())

    async function begin(passkey: WebAuthnUserConfig = {}, more: Partial<ServerAuthConfig> = {}): Promise<void> {
      adapter = memoryAdapter()
      // Passkeys belong to `localhost`, not to the address under which the test reaches the application.
      const authorize = async ({ username, password }: Partial<Record<string, unknown>>) =>
        password === 'right' ? adapter.getUserByEmail(`${username}@example.com`) : null
      app = await start({
        adapter,
        session: { strategy: 'database' },
        experimental: { enableWebAuthn: true },
        providers: [Passkey(passkey), credentials({ authorize })],
        ...more,
      })
      for (const name of ['ann', 'ben']) {
        await adapter.createUser({ id: '', email: `${name}@example.com`, emailVerified: new Date() })
      }
    }

    const local = () => new URL(app.origin).port
    function browser(): Browser {
      const made = app.browser()
      Object.assign(made.headers, { host: `localhost:${local()}` })
      return made
    }

    function enter(who: Browser, username: string, fields: object = {}, headers: Record<string, string> = {}) {
      const form = { username, password: 'right', callbackUrl: '/wanted', navigation: 'form', ...fields }
      return who.submit('/auth/callback/credentials', form, headers)
    }

    const path = (answer: Parameters<typeof target>[0]) => target(answer).replace(/^https?:\/\/[^/]+/, '')

    it('is made once for each user, with the requested page behind it', async () => {
      await begin()
      const who = browser()
      const offered = await enter(who, 'ann')
      expect(path(offered)).to.match(/^\/auth\/signin\/passkey\?offer=1&callbackUrl=http.*wanted$/)
      expect(await who.session()).to.have.nested.property('user.email', 'ann@example.com')
      const page = await who.get(path(offered))
      expect(page.text).to.include('<h1>Sign in without a password</h1>').and.include('data-passkey-action="register"')
      expect(page.text).to.match(/<a href="http:\/\/localhost:\d+\/wanted">Not now<\/a>/)
      expect(page.text).to.not.include('data-passkey-action="authenticate"')
      expect(path(await enter(who, 'ann')), 'the second time').to.equal('/wanted')
      expect(path(await enter(who, 'ben')), 'another user').to.include('offer=1')
      expect(path(await enter(who, 'ann')), 'after the other user').to.equal('/wanted')
      expect(path(await enter(browser(), 'ann')), 'another browser').to.include('offer=1')
    })

    it('adds the passkey to the account, and is not made to a user who has one', async () => {
      await begin()
      const who = browser()
      await enter(who, 'ann')
      const person = new PasskeyPerson(who, new Authenticator())
      const added = await person.register({}, { fields: { callbackUrl: '/wanted' } })
      expect(path(added)).to.equal('/wanted')
      const user = await adapter.getUserByEmail('ann@example.com')
      expect(await adapter.listAuthenticatorsByUserId(user?.id ?? '')).to.have.length(1)
      const elsewhere = browser()
      expect(path(await enter(elsewhere, 'ann'))).to.equal('/wanted')
      const other = person.with({ browser: browser() })
      await other.signIn()
      expect(await other.browser.session()).to.have.nested.property('user.email', 'ann@example.com')
    })

    it('names no user in its cookie, which only the mount receives', async () => {
      await begin()
      const line = setCookies(await enter(browser(), 'ann')).find((each) => each.startsWith('auth.passkey-offer='))
      expect(line)
        .to.match(/^auth\.passkey-offer=[\w-]{22}; /)
        .and.include('Path=/auth;')
        .and.include('HttpOnly')
    })

    it('is not made to scripts, other clients, after a wrong password, or if it is off', async () => {
      await begin()
      expect(path(await enter(browser(), 'ann', { navigation: '' }))).to.equal('/wanted')
      const json = await enter(browser(), 'ann', {}, { accept: 'application/json' })
      expect((json.body as { url: string }).url).to.match(/\/wanted$/)
      const client = await enter(browser(), 'ann', {}, { 'x-auth-return-redirect': '1' })
      expect((client.body as { url: string }).url).to.match(/\/wanted$/)
      const wrong = await enter(browser(), 'ann', { password: 'wrong' })
      expect(path(wrong)).to.include('error=CredentialsSignin')
      await app.close()
      await begin({ offerAfterPassword: false })
      expect(path(await enter(browser(), 'ann'))).to.equal('/wanted')
      await app.close()
      await begin({}, { pages: { signIn: '/login' } })
      expect(path(await enter(browser(), 'ann'))).to.equal('/wanted')
    })

    it('is not made where passkeys do not work, and a broken store stops no sign-in', async () => {
      await begin()
      expect(path(await enter(app.browser(), 'ann'))).to.equal('/wanted')
      adapter.listAuthenticatorsByUserId = () => Promise.reject(new Error('down'))
      expect(path(await enter(browser(), 'ben'))).to.equal('/wanted')
    })

    it('is the sign-in page without a session', async () => {
      await begin()
      const { text } = await browser().get('/auth/signin/passkey?offer=1&callbackUrl=/wanted')
      expect(text).to.include('data-passkey-action="authenticate"').and.not.include('Not now')
    })

    it('RD-01 leads to no other site', async () => {
      await begin()
      const who = browser()
      await enter(who, 'ann')
      for (const callbackUrl of ['https://evil.test/', '//evil.test', 'javascript:alert(1)']) {
        const { text } = await who.get(`/auth/signin/passkey?${new URLSearchParams({ offer: '1', callbackUrl })}`)
        expect(text).to.include('Not now').and.not.include('evil.test').and.not.include('javascript:')
      }
    })

    it('is not made to a user whom the adapter does not store', async () => {
      await begin({}, { session: { strategy: 'jwt' } })
      expect(path(await enter(browser(), 'ann'))).to.equal('/wanted')
    })
  })
}
