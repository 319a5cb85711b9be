/** Tests of the facts that the built-in pages show about their visitor, through both doors. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'

const acme = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth' as const,
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: 'https://op.example/authorize',
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}
const login = credentials({
  credentials: { username: {}, note: { type: 'text' }, pin: {}, password: { type: 'password' } },
})

/** Returns a provider of email links, and the first link that it sends. */
function mailbox() {
  let keep = (_url: string) => {}
  const link = new Promise<string>((resolve) => {
    keep = resolve
  })
  const mail = {
    id: 'email',
    name: 'E-mail',
    type: 'email' as const,
    from: 'a@example.com',
    sendVerificationRequest: ({ url }: { url: string }) => keep(url),
  }
  return { mail, link }
}
const form = { csrfToken: true, navigation: 'form', username: 'typed-name', password: 'typed-secret' } as const
const refused = '/api/auth/signin?error=CredentialsSignin&code=credentials'

const shownIn = (page: Answer, field: string) =>
  new RegExp(`<input[^>]* name="${field}"[^>]*? value="([^"]*)"`).exec(page.text)?.[1]

for (const [door, open] of Object.entries({ Express: openExpress, 'the shim': openShim })) {
  describe(`the built-in pages through ${door}`, () => {
    let site: Door

    async function withSite<T>(
      config: Partial<FullStackAuthConfig>,
      work: (visitor: Browser) => Promise<T>,
    ): Promise<T> {
      site = await open(config)
      try {
        return await work(site.browser())
      } finally {
        await site.close()
      }
    }

    describe('the text typed before a rejection', () => {
      const providers = [login]

      it('is shown again once, without the password, and is in no URL, log or readable cookie', () =>
        withSite({ providers, debug: true }, async (visitor) => {
          const failed = await visitor.ask('/api/auth/callback/credentials', { form: { ...form, pin: 'typed-pin' } })
          expect(failed.status).to.equal(303)
          expect(failed.headers.location).to.equal(site.origin + refused)
          const line = failed.cookies.find((each) => each.startsWith('auth.typed='))
          expect(line).to.match(/; Max-Age=60; Path=\/api\/auth\/signin; HttpOnly; SameSite=Lax$/)
          expect(line).to.not.include('typed-')
          const page = await visitor.ask(refused)
          expect(shownIn(page, 'username')).to.equal('typed-name')
          expect(page.text).to.not.include('typed-secret').and.not.include('typed-pin')
          expect(visitor.cookies.has('auth.typed')).to.equal(false)
          expect(shownIn(await visitor.ask(refused), 'username')).to.equal(undefined)
          expect(JSON.stringify([site.log.debugs, site.log.warnings, site.log.errors.map(String)])).to.not.include(
            'typed-',
          )
        }))

      it('is shown in the form of its provider only', () =>
        withSite({ providers: [login, { ...login, id: 'other' }] }, async (visitor) => {
          await visitor.ask('/api/auth/callback/other', { form })
          const page = await visitor.ask(refused)
          expect(page.text.match(/typed-name/g)).to.have.length(1)
          expect(page.text).to.match(/for-other-provider" name="username"[^>]* value="typed-name"/)
        }))

      it('belongs to this browser: the cookie of another one shows nothing', () =>
        withSite({ providers }, async (visitor) => {
          await visitor.ask('/api/auth/callback/credentials', { form })
          const other = site.browser()
          await other.csrf()
          for (const value of [visitor.cookies.get('auth.typed') ?? '', 'garbage']) {
            other.cookies.set('auth.typed', value)
            const page = await other.ask(refused)
            expect(page.status).to.equal(200)
            expect(page.text).to.not.include('typed-name')
            expect(other.cookies.has('auth.typed')).to.equal(false)
          }
        }))

      it('is not kept if it is too long or no text, nor after a successful sign-in', () =>
        withSite({ providers }, async (visitor) => {
          const callback = '/api/auth/callback/credentials'
          for (const username of ['x'.repeat(255), ['one', 'two']] as const) {
            await visitor.ask(callback, { form: { ...form, username } })
            expect(visitor.cookies.has('auth.typed'), String(username)).to.equal(false)
          }
          await visitor.ask(callback, { form: { ...form, password: 'right' } })
          expect(visitor.cookies.has('auth.typed')).to.equal(false)
        }))

      it('is kept for no custom page, and for no script', async () => {
        const names = async (config: Partial<FullStackAuthConfig>, headers: Record<string, string> = {}) =>
          withSite({ providers, ...config }, async (visitor) => {
            await visitor.ask('/api/auth/callback/credentials', { form, headers })
            return [...visitor.cookies.keys()]
          })
        expect(await names({})).to.include('auth.typed')
        expect(await names({ pages: { signIn: '/own' } })).to.not.include('auth.typed')
        expect(await names({}, { accept: 'application/json' })).to.not.include('auth.typed')
      })
    })

    describe('GET signout', () => {
      it('shows the signed-in user as the session callback returns them', () =>
        withSite(
          { callbacks: { session: ({ session }) => ({ ...session, user: { name: 'Shown <i>', email: 'a@b.test' } }) } },
          async (visitor) => {
            await visitor.signIn()
            const page = await visitor.ask('/api/auth/signout')
            expect(page.text).to.include('<bdi>Shown &#60;i&#62;</bdi>').and.include('<bdi>a@b.test</bdi>')
            expect(page.text).to.include('action="').and.include('/api/auth/signout"')
          },
        ))

      it('says that no user is signed in', () =>
        withSite({}, async (visitor) => {
          for (const cookie of [undefined, 'garbage']) {
            if (cookie) visitor.cookies.set('auth.session-token', cookie)
            const page = await visitor.ask('/api/auth/signout')
            expect(page.status).to.equal(200)
            expect(page.text)
              .to.include('You are not signed in')
              .and.include('/api/auth/signin"')
              .and.not.include('<form')
          }
        }))

      it('asks without a name where the session cannot be read', () =>
        withSite(
          {
            callbacks: {
              session: () => {
                throw new Error('the callback is broken')
              },
            },
          },
          async (visitor) => {
            await visitor.signIn()
            for (const [path, words] of [
              ['signout', 'Do you want to sign out'],
              ['signin', 'name="username"'],
            ] as const) {
              const page = await visitor.ask(`/api/auth/${path}`)
              expect(page.status).to.equal(200)
              expect(page.text).to.include(words).and.not.include('class="user"')
            }
          },
        ))
    })

    describe('GET signin of a signed-in user', () => {
      it('names the user, and says that without an adapter the session is replaced', () =>
        withSite({ providers: [acme, credentials()] }, async (visitor) => {
          expect((await visitor.ask('/api/auth/signin')).text).to.not.include('already signed in')
          await visitor.signIn()
          const session = visitor.cookies.get('auth.session-token')
          const page = await visitor.ask('/api/auth/signin')
          expect(page.text).to.include('already signed in').and.include('<bdi>ann</bdi>')
          expect(page.text).to.include('begins a new session').and.not.include('added to your account')
          expect(visitor.cookies.get('auth.session-token')).to.equal(session)
          expect((await visitor.ask('/api/auth/session')).text).to.include('ann')
        }))

      it('says that a provider is added to the account of a stored user', async () => {
        const { mail, link } = mailbox()
        const config = { adapter: memoryAdapter(), session: { strategy: 'jwt' as const } }
        await withSite({ providers: [acme, mail], ...config }, async (visitor) => {
          await visitor.ask('/api/auth/signin/email', { form: { csrfToken: true, email: 'ann@example.com' } })
          const { pathname, search } = new URL(await link)
          expect((await visitor.ask(pathname + search)).status).to.equal(302)
          const page = await visitor.ask('/api/auth/signin')
          expect(page.text).to.include('<bdi>ann@example.com</bdi>')
          expect(page.text).to.include('a service such as Acme, it is added to your account')
          expect((await visitor.ask('/api/auth/signin/email')).text).to.not.include('added to your account')
          // To a session that did not begin in this browser nothing is linked.
          visitor.cookies.delete('auth.browser')
          expect((await visitor.ask('/api/auth/signin')).text).to.not.include('added to your account')
        })
      })
    })
  })
}
