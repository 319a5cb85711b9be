/** The passkey form of the built-in sign-in page: real browser, virtual authenticator, a server that is a stub. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { overflow, violations } from '../support/axe.js'
import { describeInBrowser, type OpenPage } from '../support/browser.js'
import {
  type Authenticator,
  addAuthenticator,
  emailInput,
  optionsFor,
  passkeyEntry,
  useSite,
} from './webauthn-stage.js'

const signIn = 'Sign in with a passkey'
const register = 'Create an account with a passkey'
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const email = (page: Page) => page.locator('#input-email-for-passkey-provider')

/** Waits for the text of the live region of the form. */
async function hears(page: Page, text: RegExp): Promise<void> {
  await page.locator('#passkey-message').getByText(text).waitFor()
}

/** Counts the requests that the browser received. */
const count = (page: Page) =>
  page.addInitScript(() => {
    Reflect.set(window, 'waiting', [])
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options = {}) => {
      Reflect.get(window, 'waiting').push(options.mediation ?? 'dialog')
      return get(options)
    }
  })
const requests = async (page: Page, expected: readonly string[]) => {
  await page.waitForFunction((length) => Reflect.get(window, 'waiting').length >= length, expected.length)
  expect(await page.evaluate('waiting')).to.deep.equal(expected)
}

describeInBrowser('the passkey form of the sign-in page', (open) => {
  const site = useSite()

  async function start(opened?: OpenPage): Promise<OpenPage & { authenticator: Authenticator }> {
    const { page, ...rest } = opened ?? (await open())
    const authenticator = await addAuthenticator(page)
    return { page, authenticator, ...rest }
  }

  const visit = (page: Page, host?: string) => page.goto(site.url('/auth/signin', host))

  describe('a passkey that was created', () => {
    async function made(location: string): Promise<{ page: Page; authenticator: Authenticator }> {
      const { page, authenticator } = await start()
      await visit(page)
      await email(page).fill('ada@example.com')
      site.callback = (_request, response) => void response.redirect(303, location)
      await press(page, register)
      await page.waitForURL(site.url(location))
      return { page, authenticator }
    }
    const pending = (page: Page) => page.evaluate(() => sessionStorage.length)

    it('is dropped by the device if the server redirects back with a rejection', async () => {
      const { page, authenticator } = await made('/auth/signin?error=AccountNotLinked')
      while ((await authenticator.passkeys()) > 0) await page.waitForLoadState()
      expect(await pending(page)).to.equal(0)
    })

    it('is kept if it was accepted, or the server has a problem', async () => {
      for (const location of ['/auth/signin', '/auth/signin?error=Configuration']) {
        const { page, authenticator } = await made(location)
        await page.waitForFunction(() => sessionStorage.length === 0)
        expect(await authenticator.passkeys()).to.equal(1)
      }
    })

    it('is kept if a link of another site names an error', async () => {
      const { page, authenticator } = await made('/done')
      expect(await pending(page)).to.equal(1)
      await page.goto(site.url('/auth/signin?error=AccountNotLinked'), { referer: 'https://evil.test/' })
      await page.waitForFunction(() => sessionStorage.length === 0)
      expect(await authenticator.passkeys()).to.equal(1)
    })
  })

  describe('signing in', () => {
    it('takes one press, and submits the form as a browser does', async () => {
      const { page, authenticator, problems } = await start()
      const id = await authenticator.addPasskey()
      await visit(page)
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
      expect(site.asked).to.deep.equal([{ url: '/auth/webauthn-options/passkey', action: 'authenticate' }])
      const [{ data, ...posted } = {}, ...others] = site.posted
      expect(others).to.deep.equal([])
      expect(posted).to.deep.equal({
        url: '/auth/callback/passkey',
        csrfToken: 'token',
        callbackUrl: '/done',
        navigation: 'form',
        action: 'authenticate',
        email: '',
      })
      expect(JSON.parse(data ?? '')).to.include({ id })
      expect(site.headers[0]).to.include({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })
      expect(problems).to.deep.equal([])
    })

    it('sends no address if passkeys are found without a name', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await visit(page)
      await email(page).fill('ada@example.com')
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
      expect(site.asked[0]).to.not.have.property('email')
    })

    it('sends the address if passkeys may need a name, and an address was typed', async () => {
      const { page, authenticator } = await start()
      site.entries = [passkeyEntry({ sendsEmail: true })]
      site.credentials = [{ id: await authenticator.addPasskey(), type: 'public-key' }]
      for (const address of ['', ' ada@example.com ']) {
        await visit(page)
        await email(page).fill(address)
        await press(page, signIn)
        await page.waitForURL(site.url('/done'))
      }
      const asked = { url: '/auth/webauthn-options/passkey', action: 'authenticate' }
      expect(site.asked).to.deep.equal([asked, { ...asked, email: 'ada@example.com' }])
    })

    it('works without any inputs', async () => {
      const { page, authenticator } = await start()
      site.entries = [passkeyEntry({ inputs: {}, conditional: true })]
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await count(page)
      await visit(page)
      expect(await page.getByRole('button').allTextContents()).to.deep.equal([signIn])
      await requests(page, ['conditional'])
      await authenticator.set({ present: true })
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
    })
  })

  describe('creating an account', () => {
    const inputs = {
      ...emailInput,
      name: { label: 'Your name' },
      password: { label: 'Password', type: 'password' },
      news: { label: 'Newsletter', type: 'checkbox' },
      terms: { label: 'Terms', type: 'checkbox' },
      tenant: { type: 'hidden', value: 'acme' },
    }

    it('sends the filled-in fields, and never puts a password into a URL', async () => {
      const { page, authenticator, problems } = await start()
      site.entries = [passkeyEntry({ inputs })]
      await visit(page)
      await email(page).fill('ada@example.com')
      await page.getByLabel('Your name').fill('Ada & Co')
      await page.getByLabel('Password', { exact: true }).fill('secret')
      await page.getByLabel('Terms').check()
      await press(page, register)
      await page.waitForURL(site.url('/done'))
      const told = { email: 'ada@example.com', name: 'Ada & Co', terms: 'on', tenant: 'acme' }
      const url = '/auth/webauthn-options/passkey'
      expect(site.asked).to.deep.equal([{ url, action: 'register', ...told }])
      expect(site.posted[0]).to.include({ action: 'register', csrfToken: 'token', password: 'secret', ...told })
      expect(await authenticator.passkeys()).to.equal(1)
      expect(problems).to.deep.equal([])
    })

    it('needs a valid address; signing in does not', async () => {
      const { page, authenticator } = await start()
      await visit(page)
      for (const address of ['', 'no address']) {
        await email(page).fill(address)
        await press(page, register)
        expect(await page.evaluate(() => document.activeElement?.id)).to.equal('input-email-for-passkey-provider')
      }
      expect(site.asked).to.deep.equal([])
      await authenticator.addPasskey()
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
    })

    it('is the action of Enter in its field; where the address is for signing in, Enter signs in', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      for (const [sendsEmail, action] of [
        [false, 'register'],
        [true, 'authenticate'],
      ] as const) {
        site.entries = [passkeyEntry({ sendsEmail })]
        await visit(page)
        await email(page).fill('ada@example.com')
        await email(page).press('Enter')
        await page.waitForURL(site.url('/done'))
        expect(site.posted.at(-1)).to.include({ action })
      }
    })
  })

  describe('errors are explained in words', () => {
    it('cancelled, too slow, or no passkey; and then it can be tried again', async () => {
      const { page, authenticator } = await start()
      await visit(page)
      await press(page, signIn)
      await hears(page, /cancelled, took too long, or found no passkey for this site/)
      await authenticator.set({ verified: false })
      await email(page).fill('ada@example.com')
      await press(page, register)
      await hears(page, /^No passkey was made/)
      await authenticator.set({ verified: true })
      await press(page, register)
      await page.waitForURL(site.url('/done'))
      expect(site.posted).to.have.length(1)
    })

    it('the focus stays where it was, and the buttons can be pressed again', async () => {
      const { page } = await start()
      await visit(page)
      await page.getByRole('button', { name: signIn }).focus()
      await page.keyboard.press('Enter')
      await hears(page, /cancelled/)
      expect(await page.evaluate(() => document.activeElement?.id)).to.equal('submitButton-passkey')
      expect(await page.locator('button:disabled').count()).to.equal(0)
      expect(await page.locator('#passkey-form').getAttribute('aria-busy')).to.equal('false')
    })

    it('the passkey is there already', async () => {
      const { page, authenticator } = await start()
      site.credentials = [{ id: await authenticator.addPasskey(), type: 'public-key' }]
      await visit(page)
      await email(page).fill('ada@example.com')
      await press(page, register)
      await hears(page, /already has a passkey for this account/)
    })

    it('the page is at another address', async () => {
      const { page } = await start()
      await visit(page, '127.0.0.1')
      await press(page, signIn)
      await hears(page, /do not work at this address/)
    })

    it('the page may not use passkeys', async () => {
      const { page } = await start()
      site.permissions = 'publickey-credentials-get=()'
      await visit(page)
      await press(page, signIn)
      await hears(page, /not allowed to use passkeys/)
    })

    it('the server rejects: its own sentence, as text', async () => {
      const { page } = await start()
      const message = 'There is an account with <b>this</b> address. Sign in to it first.'
      site.options = (_request, response) => void response.status(403).json({ error: 'AccessDenied', message })
      await visit(page)
      await email(page).fill('ada@example.com')
      await press(page, register)
      await hears(page, /There is an account with/)
      expect(await page.locator('#passkey-message').textContent()).to.equal(message)
    })

    it('the server does not answer', async () => {
      const { page } = await start()
      site.options = (request) => void request.socket.destroy()
      await visit(page)
      await press(page, signIn)
      await hears(page, /could not be reached/)
    })

    it('and the text is removed with the next press', async () => {
      const { page, authenticator } = await start()
      await visit(page)
      await press(page, signIn)
      await hears(page, /cancelled/)
      await authenticator.set({ present: false })
      await authenticator.addPasskey()
      await press(page, signIn)
      expect(await page.locator('#passkey-message').textContent()).to.equal('')
    })
  })

  describe('a sentence is shown where it cannot work', () => {
    const cases = {
      'This browser does not support passkeys.': true,
      'Passkeys work on secure pages only (https), and this page is not one.': false,
    }
    for (const [sentence, isSecureContext] of Object.entries(cases)) {
      it(sentence, async () => {
        const { page, problems } = await open()
        await page.addInitScript((isSecureContext) => {
          Reflect.deleteProperty(window, 'PublicKeyCredential')
          Object.defineProperty(window, 'isSecureContext', { value: isSecureContext })
        }, isSecureContext)
        await visit(page)
        await page.getByText(sentence).waitFor()
        expect(await page.getByRole('button').count()).to.equal(0)
        expect(problems).to.deep.equal([])
      })
    }

    it('without JavaScript', async () => {
      const { page } = await open({ javaScriptEnabled: false })
      await visit(page)
      const note = page.locator('noscript p')
      expect(await note.isVisible()).to.equal(true)
      expect(await note.textContent()).to.equal('Signing in with a passkey needs JavaScript.')
      expect(await page.getByRole('button').count()).to.equal(0)
    })

    it('and nowhere else', async () => {
      const { page } = await start()
      await visit(page)
      expect(await page.getByText(/JavaScript|support|secure/).count()).to.equal(0)
    })
  })

  describe('suggestions of the browser', () => {
    const suggesting = () => {
      site.entries = [passkeyEntry({ conditional: true })]
    }
    it('sign in when one is picked', async () => {
      const { page, authenticator, problems } = await start()
      suggesting()
      await authenticator.addPasskey()
      await visit(page)
      await page.waitForURL(site.url('/done'))
      expect(site.posted[0]).to.include({ action: 'authenticate', csrfToken: 'token' })
      expect(problems).to.deep.equal([])
    })

    it('are not asked for where the page does not want them', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await visit(page)
      await email(page).focus()
      await press(page, register)
      expect(site.asked).to.deep.equal([])
    })

    it('end when a button is pressed', async () => {
      const { page, authenticator } = await start()
      suggesting()
      await count(page)
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await visit(page)
      await requests(page, ['conditional'])
      await authenticator.set({ present: true })
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
      expect(site.posted).to.have.length(1)
    })

    it('return after a press that failed', async () => {
      const { page, authenticator } = await start()
      suggesting()
      await count(page)
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await visit(page)
      await requests(page, ['conditional'])
      await email(page).fill('ada@example.com')
      site.options = (request, response) => {
        const { action } = request.query
        if (action === 'register') return void response.status(403).json({ error: 'AccessDenied', message: 'No, Ada.' })
        response.json({ action, options: optionsFor(String(action), site) })
      }
      await press(page, register)
      await hears(page, /No, Ada/)
      await requests(page, ['conditional', 'conditional'])
    })

    it('show nothing when they fail, and start again with the next focus', async () => {
      const { page, authenticator, problems } = await start()
      suggesting()
      await count(page)
      await visit(page)
      await requests(page, ['conditional'])
      await page.waitForFunction(() => document.querySelector('#passkey-message')?.textContent === '')
      await authenticator.addPasskey()
      await email(page).focus()
      await page.waitForURL(site.url('/done'))
      expect(site.asked).to.have.length(2)
      expect(problems).to.deep.equal([])
    })

    it('are not requested twice', async () => {
      const { page, authenticator } = await start()
      suggesting()
      await count(page)
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await visit(page)
      await requests(page, ['conditional'])
      await email(page).focus()
      await page.getByRole('button', { name: register }).focus()
      expect(site.asked).to.have.length(1)
    })

    it('belong to one form of several', async () => {
      const { page, authenticator } = await start()
      site.entries = [passkeyEntry({ id: 'a' }), passkeyEntry({ id: 'b', conditional: true })]
      await authenticator.addPasskey()
      await visit(page)
      await page.waitForURL(site.url('/done'))
      expect(site.asked).to.deep.equal([{ url: '/auth/webauthn-options/b', action: 'authenticate' }])
      expect(site.posted[0]).to.include({ url: '/auth/callback/b' })
    })
  })

  describe('while it is busy', () => {
    it('a double click is one request', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await visit(page)
      await page.getByRole('button', { name: signIn }).dblclick()
      await page.waitForURL(site.url('/done'))
      expect([site.asked.length, site.posted.length]).to.deep.equal([1, 1])
    })

    it('no button can be pressed, and the form says so', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await visit(page)
      await press(page, signIn)
      expect(await page.locator('#passkey-form').getAttribute('aria-busy')).to.equal('true')
      expect(await page.locator('#passkey-form button:disabled').count()).to.equal(2)
    })

    it('stays busy until the page is left: the answer is sent once', async () => {
      const { page, authenticator } = await start()
      await authenticator.addPasskey()
      // To which a browser stays where it is.
      site.callback = (_request, response) => void response.status(204).end()
      await visit(page)
      await press(page, signIn)
      while (site.posted.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(await page.locator('#passkey-form button:disabled').count()).to.equal(2)
      await page.getByRole('button', { name: signIn }).dispatchEvent('click')
      expect([site.asked.length, site.posted.length]).to.deep.equal([1, 1])
    })

    it('ends when the browser restores the page from its memory', async () => {
      const { page, authenticator } = await start()
      site.entries = [passkeyEntry({ conditional: true })]
      await authenticator.addPasskey()
      await authenticator.set({ present: false })
      await count(page)
      await visit(page)
      await requests(page, ['conditional'])
      await press(page, signIn)
      await requests(page, ['conditional', 'dialog'])
      await page.evaluate(() => {
        for (const name of ['action', 'data']) {
          const input = document.querySelector<HTMLInputElement>(`#passkey-form input[name=${name}]`)
          if (input) input.value = 'of before'
        }
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
      })
      expect(await page.locator('button:disabled').count()).to.equal(2)
      await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      expect(await page.locator('button:disabled').count()).to.equal(0)
      expect(await page.locator('#passkey-form input[name=data]').inputValue()).to.equal('')
      await requests(page, ['conditional', 'dialog', 'conditional'])
      await authenticator.set({ present: true })
      await press(page, signIn)
      await page.waitForURL(site.url('/done'))
      expect(site.posted).to.have.length(1)
    })

    it('a press on a button of another form has priority', async () => {
      const { page, authenticator } = await start()
      site.entries = [passkeyEntry({ name: 'One' }), passkeyEntry({ id: 'b', name: 'Two' })]
      await authenticator.addPasskey()
      site.options = (request, response) => {
        const { action } = request.query
        if (request.params.id === 'b') response.json({ action, options: optionsFor(String(action), site) })
      }
      await visit(page)
      await press(page, `${signIn} (One)`)
      expect(await page.locator('[aria-busy=true]').count()).to.equal(1)
      await press(page, `${signIn} (Two)`)
      await page.waitForURL(site.url('/done'))
      expect(site.posted.map(({ url }) => url)).to.deep.equal(['/auth/callback/b'])
    })
  })

  describe('accessibility', () => {
    const entries = {
      usual: [passkeyEntry()],
      'by address': [passkeyEntry({ sendsEmail: true, conditional: true })],
      'a button': [passkeyEntry({ inputs: {} })],
      two: [passkeyEntry(), passkeyEntry({ id: 'b', name: 'Security key', sendsEmail: true })],
    }
    const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }

    it('axe finds nothing, on a phone and on a desktop, light and dark', async () => {
      // With motion, colours are between two schemes for a while.
      const { page } = await start(await open({ bypassCSP: true, reducedMotion: 'reduce' }))
      const found: Record<string, string[]> = {}
      const look = async (name: string) => {
        for (const [size, viewport] of Object.entries(sizes)) {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(viewport)
            await page.emulateMedia({ colorScheme })
            found[`${name}, ${size}, ${colorScheme}`] = [...(await violations(page)), ...(await overflow(page))]
          }
        }
      }
      for (const [name, shown] of Object.entries(entries)) {
        site.entries = shown
        await visit(page)
        await look(name)
        await page.locator('[id^=submitButton]').first().click()
        await hears(page, /cancelled/)
        await look(`${name}, failed`)
      }
      expect(Object.values(found).flat()).to.deep.equal([])
      expect(Object.keys(found)).to.have.length(32)
    })

    it('by keyboard alone: everything is reached in order, and the focus is visible', async () => {
      const { page } = await start()
      await visit(page)
      const reached: string[] = []
      for (let step = 0; step < 3; step += 1) {
        await page.keyboard.press('Tab')
        const { id, outline } = await page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
          return { id: document.activeElement?.id ?? '', outline: `${outlineStyle} ${outlineWidth}` }
        })
        expect(outline, id).to.equal('solid 2px')
        reached.push(id)
      }
      expect(reached).to.deep.equal([
        'submitButton-passkey',
        'input-email-for-passkey-provider',
        'registerButton-passkey',
      ])
    })
  })
})
