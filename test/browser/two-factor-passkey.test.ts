/**
 * Passkeys as second factors, with Chromium's virtual authenticator: after each other sign-in method, and not after a
 * passkey.
 */

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { PasskeyFactor, RecoveryCodes } from '../../lib/features/factors/index-kinds.js'
import { startSession } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { mailProvider } from '../factors/stage.js'
import { good, quickHasher } from '../password/stage.js'
import { credentials, startApp, type TestApp } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { plugIn } from '../support/passkey-device.js'
import { factorsIn } from '../support/stores.js'
import { pages, press } from './passkey-site.js'

describeInBrowser('a passkey as second factor', (open) => {
  const adapter = memoryAdapter()
  const mails: VerificationRequest[] = []
  let provider: OpenIdProvider
  let app: TestApp
  let people = 0

  /** Starts an application. Two of them share their users. */
  const start = (passkeyIsEnough: boolean) =>
    startApp(
      {
        adapter,
        experimental: { enableWebAuthn: true },
        factors: { methods: [PasskeyFactor(), RecoveryCodes()], passkeyIsEnough },
        providers: [
          // The offer of a passkey after a password is tested elsewhere.
          Passkey({ offerAfterPassword: false }),
          credentials({ authorize: ({ username }) => adapter.getUserByEmail(`${username}@example.com`) }),
          mailProvider(mails),
          { id: 'openid', name: 'OpenID', type: 'oidc', ...provider.settings() },
          Password({ hash: quickHasher() }),
        ],
      },
      {
        after(express, config) {
          pages.after?.(express, config)
          express.get('/own-sign-in', (req, res, next) => {
            const user = { id: String(req.query.user) }
            void startSession(req, res, config, { user, amr: ['pwd'], redirectTo: '/page/1' }).then(
              (begun) => res.redirect(begun.started ? '/page/1' : begun.url),
              next,
            )
          })
        },
      },
    )

  before(async () => {
    provider = await startOpenIdProvider()
    app = await start(true)
  })
  after(async () => {
    await app?.close()
    await provider?.close()
  })

  const at = (path: string, of = app) => of.origin.replace('127.0.0.1', 'localhost') + path
  const userOf = async (email: string) =>
    (await adapter.getUserByEmail(email)) ?? adapter.createUser({ id: '', email, emailVerified: new Date() })
  const goToSignIn = (page: Page) => page.goto(at('/auth/signin?callbackUrl=/page/1'))

  async function mailFor(address: string, before: number): Promise<string> {
    for (let tries = 0; tries < 400; tries += 1) {
      const mail = mails.slice(before).find(({ identifier }) => identifier === address)
      if (mail) return mail.url
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`No mail to ${address}.`)
  }

  async function follow(page: Page, address: string, send: () => Promise<void>): Promise<void> {
    const before = mails.length
    await send()
    await page.goto((await mailFor(address, before)).replace('127.0.0.1', 'localhost'))
  }

  async function typePassword(page: Page, address: string): Promise<void> {
    await goToSignIn(page)
    const form = page.locator('form[action$="/callback/password"]')
    await form.locator('input[name=email]').fill(address)
    await form.locator('input[name=password]').fill(good)
    await form.locator('button[type=submit]').click()
  }

  /** The sign-in methods. Each leads to the page of the site, or to the question for the second factor. */
  const ways: Readonly<Record<string, { email: string; enter(page: Page, isFirst: boolean): Promise<unknown> }>> = {
    credentials: {
      email: 'cred@example.com',
      async enter(page) {
        await userOf('cred@example.com')
        await goToSignIn(page)
        const form = page.locator('form[action$="/callback/credentials"]')
        await form.locator('input[name=username]').fill('cred')
        await form.locator('input[name=password]').fill('right')
        await form.locator('button[type=submit]').click()
      },
    },
    'a mailed link': {
      email: 'link@example.com',
      async enter(page) {
        await goToSignIn(page)
        const form = page.locator('form[action$="/signin/email"]')
        await form.locator('input[name=email]').fill('link@example.com')
        await follow(page, 'link@example.com', () => form.locator('button[type=submit]').click())
      },
    },
    'OpenID Connect': {
      email: 'alice@example.com',
      async enter(page, isFirst) {
        await goToSignIn(page)
        await press(page, 'Sign in with OpenID')
        if (!isFirst) return
        await page.locator('input[name=login]').fill('alice')
        await press(page, 'Continue')
      },
    },
    'a password': {
      email: 'pass@example.com',
      async enter(page, isFirst) {
        if (!isFirst) return typePassword(page, 'pass@example.com')
        await page.goto(at('/auth/signup/password?callbackUrl=/page/1'))
        await page.getByLabel('Email address').fill('pass@example.com')
        await page.getByLabel('New password').fill(good)
        await follow(page, 'pass@example.com', () => press(page, 'Create the account'))
        return press(page, 'Create the account')
      },
    },
    'a session of the application’s own code': {
      email: 'own@example.com',
      async enter(page) {
        const { id } = await userOf('own@example.com')
        await page.goto(at(`/own-sign-in?user=${id}`))
      },
    },
  }

  /**
   * Opens a browser with a device and without suggestions, which the virtual authenticator would answer immediately.
   */
  async function arrive() {
    const opened = await open()
    opened.context.setDefaultTimeout(10_000)
    await opened.page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
    return { ...opened, device: await plugIn(opened.page) }
  }

  const told = async (page: Page, of = app) => (await page.request.get(at('/auth/session', of))).json()

  async function signOut(page: Page): Promise<void> {
    await page.goto(at('/auth/signout?callbackUrl=/'))
    await press(page, 'Sign out')
    await page.waitForURL(at('/'))
  }

  async function hello(page: Page, email: string, path = '/page/1'): Promise<void> {
    await page.waitForURL(at(path))
    expect(await page.locator('h1').textContent()).to.equal(`Hello ${email}`)
  }

  for (const [name, { email, enter }] of Object.entries(ways)) {
    it(`is asked for after ${name}`, async () => {
      const { page, problems, device } = await arrive()
      await enter(page, true)
      await hello(page, email)
      expect(await told(page)).to.have.nested.property('assurance.aal', 1)
      // The page offers no passkey to a user who has none.
      await page.goto(at('/auth/two-factor?setup'))
      expect(await page.getByRole('link', { name: 'Use my passkeys as a second step' }).count()).to.equal(0)
      await page.goto(at('/own'))
      await press(page, 'Add a passkey')
      await hello(page, email, '/page/2')
      await page.goto(at('/auth/two-factor?setup&callbackUrl=/page/1'))
      await page.getByRole('link', { name: 'Use my passkeys as a second step' }).click()
      await press(page, 'Sign in with a passkey')
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      await page.getByLabel('I keep these codes in a safe place.').check()
      await press(page, 'Continue')
      await hello(page, email)
      expect(await told(page)).to.have.nested.property('assurance.aal', 2)
      await signOut(page)

      await enter(page, false)
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      expect(await told(page)).to.equal(null)
      // A device that does not know them is no proof; the form says so, and they try again.
      await device.recognise(false)
      await press(page, 'Sign in with a passkey')
      await page.getByRole('alert').getByText(/./).waitFor()
      expect(await told(page)).to.equal(null)
      await device.recognise(true)
      // Nor is an answer that the site refuses: no code was typed, and none is spoken of.
      await page.evaluate(() => {
        const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
        form?.querySelector('[name=action]')?.setAttribute('value', 'authenticate')
        form?.querySelector('[name=data]')?.setAttribute('value', '{}')
        if (form) HTMLFormElement.prototype.submit.call(form)
      })
      await page.getByText('The site did not accept the answer of your passkey.').waitFor()
      expect(await told(page)).to.equal(null)
      await press(page, 'Sign in with a passkey')
      await hello(page, email)
      const { assurance } = await told(page)
      expect(assurance).to.have.property('aal', 2)
      expect(assurance.amr)
        .to.include('mfa')
        .and.to.satisfy((amr: string[]) => /\b[hs]wk\b/.test(amr.join(' ')))
      expect(problems).to.deep.equal([])
    })
  }

  /** Creates a user with a passkey as second factor. */
  async function member(email: string) {
    const opened = await arrive()
    const { page } = opened
    const { id } = await userOf(email)
    await page.goto(at(`/own-sign-in?user=${id}`))
    await page.goto(at('/own'))
    await press(page, 'Add a passkey')
    await page.waitForURL(at('/page/2'))
    await page.goto(at('/auth/two-factor/passkey?setup'))
    await press(page, 'Sign in with a passkey')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const codes = await page.locator('.codes code').allTextContents()
    await signOut(page)
    return { ...opened, id, codes }
  }

  it('is not asked for after a passkey that verifies the user, because that is two factors', async () => {
    const email = `two${++people}@example.com`
    const { page, problems } = await member(email)
    await goToSignIn(page)
    await press(page, 'Sign in with a passkey')
    await hello(page, email)
    expect(await told(page)).to.have.nested.property('assurance.aal', 2)
    expect(problems).to.deep.equal([])
  })

  it('is no second factor after a passkey if a passkey is one factor: only a recovery code is', async () => {
    const strict = await start(false)
    try {
      const { page, codes, id } = await member(`strict${++people}@example.com`)
      await page.goto(at('/auth/signin?callbackUrl=/page/1', strict))
      await press(page, 'Sign in with a passkey')
      await page.getByLabel('Recovery code').waitFor()
      expect(await page.locator('form[data-passkey]').count()).to.equal(0)
      await page.goto(at('/auth/two-factor/passkey', strict))
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor({ state: 'detached' })
      expect(await told(page, strict)).to.equal(null)
      await page.goto(at('/auth/two-factor', strict))
      await page.getByLabel('Recovery code').fill(codes[0] ?? '')
      await press(page, 'Continue')
      await page.waitForURL(at('/page/1', strict))
      await page.goto(at('/auth/signout?callbackUrl=/', strict))
      await press(page, 'Sign out')
      await page.waitForURL(at('/', strict))
      // Without codes no factor is left, and the sign-in is rejected.
      for (const row of await factorsIn(adapter.store()).list(id))
        if (row.type === 'recovery') await factorsIn(adapter.store()).remove(id, row.id)
      await page.goto(at('/auth/signin?callbackUrl=/page/1', strict))
      await press(page, 'Sign in with a passkey')
      await page.waitForURL(/two-factor/)
      expect(await page.locator('form').count(), await page.content()).to.equal(0)
      expect(await told(page, strict)).to.equal(null)
    } finally {
      await strict.close()
    }
  })
})
