/** `signIn` in a browser, with and without redirect. */
import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { SignInResponse } from '../../lib/client/index.js'
import { CredentialsSignin } from '../../lib/index.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { expectHello, logIn, useSite } from '../browser/site.js'
import { testDatabase } from '../support/adapter.js'
import { credentials } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { addViews } from './views.js'

class Locked extends CredentialsSignin {
  override code = 'locked'
}

const mails: string[] = []
const email: EmailConfig = {
  id: 'email',
  name: 'E-mail',
  type: 'email',
  from: 'site@example.com',
  sendVerificationRequest: ({ identifier }) => void mails.push(identifier),
}
const more = [
  credentials(),
  credentials({
    id: 'odd',
    authorize({ username }) {
      if (username === 'locked') throw new Locked()
      throw new Error('the database is down')
    },
  }),
  email,
]

describeInBrowser('server-auth/client: signIn', (open) => {
  const site = useSite({
    app: { after: addViews },
    config: { adapter: testDatabase().adapter, session: { strategy: 'jwt' } },
    more,
  })
  const openPlain = async (path = '/view/plain', options?: BrowserContextOptions) => {
    const opened = await open(options)
    await opened.page.goto(site.url(path))
    return opened
  }
  afterEach(() => void site.faults())

  /** Returns the user whom the server sees. */
  const whoIs = (page: Page) => page.evaluate(async () => (await window.auth.getSession())?.user?.name ?? null)

  describe('with redirect: false', () => {
    const attempt = (page: Page, id: string, fields: Record<string, unknown>): Promise<SignInResponse> =>
      page.evaluate(([provider, options]) => window.auth.signIn(provider, { ...options, redirect: false }), [
        id,
        fields,
      ] as const)

    it('reports that the credentials were right, and the URL of the redirect', async () => {
      const { page, problems } = await openPlain()
      const result = await attempt(page, 'credentials', { username: 'ann', password: 'right', redirectTo: '/page/1' })
      expect(result).to.deep.equal({
        ok: true,
        status: 200,
        error: undefined,
        code: undefined,
        url: site.url('/page/1'),
      })
      expect(page.url()).to.equal(site.url('/view/plain'))
      expect(await whoIs(page)).to.equal('ann')
      expect(problems).to.deep.equal([])
    })

    for (const [what, id, username, error, code] of [
      ['wrong details', 'credentials', 'ann', 'CredentialsSignin', 'credentials'],
      ['a reason of `authorize`', 'odd', 'locked', 'CredentialsSignin', 'locked'],
      ['an `authorize` that throws', 'odd', 'ann', 'Configuration', undefined],
    ] as const) {
      it(`reports ${what}, and is not ok`, async () => {
        const { page } = await openPlain()
        const result = await attempt(page, id, { username, password: 'wrong' })
        expect(result).to.deep.equal({ ok: false, status: 200, error, code, url: null })
        expect(page.url()).to.equal(site.url('/view/plain'))
        expect(await whoIs(page)).to.equal(null)
      })
    }

    it('is not misled by the error of an earlier attempt in the page’s address', async () => {
      const path = '/view/plain?error=CredentialsSignin&code=credentials&tab=2'
      const { page } = await openPlain(path)
      expect(await attempt(page, 'credentials', { username: 'ann', password: 'wrong' })).to.include({ ok: false })
      const result = await attempt(page, 'credentials', { username: 'ann', password: 'right' })
      expect(result).to.include({ ok: true, url: site.url('/view/plain?tab=2') })
    })

    it('is not misled by an error in the address to go to', async () => {
      const { page } = await openPlain()
      const redirectTo = '/reports?error=timeout&code=7'
      const result = await attempt(page, 'credentials', { username: 'ann', password: 'right', redirectTo })
      expect(result).to.include({ ok: true, url: site.url(redirectTo) })
    })

    it('understands callbackUrl', async () => {
      const { page } = await openPlain()
      const fields = { username: 'ann', password: 'right', callbackUrl: '/page/2' }
      expect(await attempt(page, 'credentials', fields)).to.include({ ok: true, url: site.url('/page/2') })
    })

    it('sends the fields that have a value, as text', async () => {
      const { page } = await openPlain()
      const posted = page.waitForRequest('**/auth/callback/credentials')
      await page.evaluate(() =>
        window.auth.signIn('credentials', { username: 'ann', age: 7, note: undefined, hint: null, redirect: false }),
      )
      const { csrfToken, ...fields } = Object.fromEntries(new URLSearchParams((await posted).postData() ?? ''))
      expect(csrfToken).to.match(/^\S{20,}$/)
      expect(fields).to.deep.equal({ username: 'ann', age: '7', callbackUrl: site.url('/view/plain') })
    })

    it('requests a mail, and stays', async () => {
      const { page } = await openPlain()
      const result = await attempt(page, 'email', { email: 'eve@example.com' })
      expect(result).to.include({ ok: true, status: 200 })
      expect(result.url).to.match(new RegExp(`^${site.url('/auth/verify-request')}`))
      expect(mails).to.deep.equal(['eve@example.com'])
      expect(await attempt(page, 'email', { email: 'nobody' })).to.include({ ok: false, error: 'EmailSignInError' })
      expect(mails).to.deep.equal(['eve@example.com'])
    })

    it('returns the URL of a provider', async () => {
      const { page } = await openPlain()
      const { ok, url } = await attempt(page, 'test', {})
      expect(ok).to.equal(true)
      expect(new URL(url ?? '').origin).to.equal(site.provider.issuer)
    })

    it('returns the URL of the sign-in page if no provider is named', async () => {
      const { page } = await openPlain()
      const url = await page.evaluate(() => window.auth.signIn(undefined, { redirect: false, redirectTo: '/page/1' }))
      expect(url).to.include({ ok: true, url: site.url('/auth/signin?callbackUrl=%2Fpage%2F1') })
    })

    for (const id of ['nobody', 'constructor', '__proto__']) {
      it(`rejects the unknown provider ${id}`, async () => {
        const { page } = await openPlain()
        const result = await attempt(page, id, {})
        expect(result).to.deep.equal({ ok: false, status: 404, error: 'InvalidProvider', code: undefined, url: null })
      })
    }

    it('reports that the browser is offline', async () => {
      const { page, context } = await openPlain()
      await context.setOffline(true)
      const result = await attempt(page, 'credentials', { username: 'ann', password: 'right' })
      expect(result).to.deep.equal({ ok: false, status: 0, error: 'NetworkError', code: undefined, url: null })
    })

    for (const [what, answer, error] of [
      ['JSON with a status', { status: 429, json: { error: 'TooManyRequests', message: 'Wait.' } }, 'TooManyRequests'],
      ['a page with a status', { status: 502, body: '<h1>Bad gateway</h1>' }, 'UnexpectedAnswer'],
      ['no URL', { status: 200, json: {} }, 'UnexpectedAnswer'],
      [
        'an URL that runs a script',
        { status: 200, json: { url: 'javascript:void(window.ran = 1)' } },
        'UnexpectedAnswer',
      ],
      ['an URL that is none', { status: 200, json: { url: 'http://[' } }, 'UnexpectedAnswer'],
    ] as const) {
      it(`reports an answer with ${what}`, async () => {
        const { page } = await openPlain()
        await page.route('**/auth/callback/credentials', (route) => route.fulfill(answer))
        const result = await attempt(page, 'credentials', { username: 'ann', password: 'right' })
        expect(result).to.deep.equal({ ok: false, status: answer.status, error, code: undefined, url: null })
      })
    }

    it('names the module for passkeys', async () => {
      const { page } = await openPlain()
      for (const type of ['passkey', 'webauthn']) {
        await page.route('**/auth/providers', (route) => route.fulfill({ json: { key: { id: 'key', type } } }))
        const failure = await page.evaluate(() => window.failure(window.auth.signIn('key', { redirect: false })))
        expect(failure).to.include({ name: 'TypeError' })
        expect(failure?.message).to.contain('signInWithPasskey of server-auth/client/webauthn')
      }
    })
  })

  describe('with redirect', () => {
    /** Calls without waiting, because the page is left during the call. */
    const leave = (page: Page, id?: string, options: Record<string, unknown> = {}) =>
      page.evaluate(
        ([provider, given]) => {
          void window.auth.signIn(provider, given as Record<string, unknown>)
        },
        [id, options] as const,
      )

    it('returns to its page, signed in', async () => {
      const { page, problems } = await openPlain('/view/plain?tab=2')
      await Promise.all([page.waitForEvent('load'), leave(page, 'credentials', { username: 'ann', password: 'right' })])
      expect(page.url()).to.equal(site.url('/view/plain?tab=2'))
      expect(await whoIs(page)).to.equal('ann')
      expect(problems).to.deep.equal([])
    })

    it('loads the page again if only the part behind # would change', async () => {
      const { page } = await openPlain('/view/plain#part')
      await Promise.all([page.waitForEvent('load'), leave(page, 'credentials', { username: 'ann', password: 'right' })])
      expect(page.url()).to.equal(site.url('/view/plain#part'))
    })

    it('goes to the given URL', async () => {
      const { page } = await openPlain()
      await leave(page, 'credentials', { username: 'ann', password: 'right', redirectTo: '/page/1#part' })
      await page.waitForURL(site.url('/page/1#part'))
      await expectHello(page, 'ann')
    })

    it('does not leave the site, nor run a script, by redirectTo', async () => {
      for (const redirectTo of ['https://evil.test/', '//evil.test/', 'javascript:void(window.ran = 1)', 'http://[']) {
        const { page } = await openPlain()
        await leave(page, 'credentials', { username: 'ann', password: 'right', redirectTo })
        await page.waitForURL(site.url('/'))
        await expectHello(page, 'ann')
      }
    })

    it('leaves for the page that explains a rejection', async () => {
      const { page } = await openPlain()
      await leave(page, 'credentials', { username: 'ann', password: 'wrong' })
      await page.waitForURL(site.url('/auth/signin?error=CredentialsSignin&code=credentials'))
      await page.getByRole('alert').waitFor()
    })

    it('leaves for the error page if the server returns a reason and no URL', async () => {
      const { page } = await openPlain()
      const answer = { status: 429, json: { error: 'TooManyRequests', message: 'Wait.' } }
      await page.route('**/auth/callback/credentials', (route) => route.fulfill(answer))
      await leave(page, 'credentials', { username: 'ann', password: 'right' })
      await page.waitForURL(site.url('/auth/error?error=TooManyRequests'))
      await page.getByRole('heading', { name: 'Too many tries' }).waitFor()
    })

    it('stays and throws if there is no page to go to', async () => {
      const { page, context } = await openPlain()
      await context.setOffline(true)
      const failure = await page.evaluate(() => window.failure(window.auth.signIn('test')))
      expect(failure).to.include({ name: 'ClientError', type: 'NetworkError', status: 0 })
      expect(page.url()).to.equal(site.url('/view/plain'))
    })

    it('signs in at a provider, with parameters for it', async () => {
      const { page, problems } = await openPlain()
      const asked = page.waitForRequest((request) => request.url().startsWith(site.provider.issuer))
      await page.evaluate(() => {
        void window.auth.signIn('test', { redirectTo: '/page/3' }, { login_hint: 'alice', client_id: 'evil' })
      })
      const { searchParams } = new URL((await asked).url())
      expect(searchParams.get('login_hint')).to.equal('alice')
      expect(searchParams.get('client_id')).to.equal(site.provider.settings().clientId)
      await page.waitForURL(`${site.provider.issuer}/interaction/**`)
      await logIn(page)
      await page.waitForURL(site.url('/page/3'))
      await expectHello(page, 'Alice Example')
      expect(problems).to.deep.equal([])
      expect(site.faults()).to.deep.equal([])
    })

    for (const id of [undefined, 'nobody']) {
      it(`goes to the sign-in page for ${id === undefined ? 'no provider' : 'one that it does not know'}, and returns`, async () => {
        const { page } = await openPlain('/view/plain?tab=2')
        await leave(page, id)
        await page.waitForURL(
          site.url(`/auth/signin?${new URLSearchParams({ callbackUrl: site.url('/view/plain?tab=2') })}`),
        )
        await page.locator('form[action$="/callback/credentials"]').getByLabel('User name').fill('ann')
        await page
          .locator('form[action$="/callback/credentials"]')
          .getByLabel('Password', { exact: true })
          .fill('right')
        await page.locator('form[action$="/callback/credentials"]').locator('button[type=submit]').click()
        await page.waitForURL(site.url('/view/plain?tab=2'))
        await page.waitForFunction(() => 'auth' in window)
        expect(await whoIs(page)).to.equal('ann')
      })
    }
  })
})
