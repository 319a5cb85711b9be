/**
 * Passkeys in the demo of the example, as `npm start` starts it, with Chromium's virtual authenticator: on the account
 * page and on the sign-in page. Needs `npm run build`. `SCREENSHOTS=<folder>` keeps pictures for review.
 */
import { expect } from 'chai'
import type { CDPSession, Page } from 'playwright-core'
import { type RunningDemo, startDemo } from '../examples/start-demo.js'
import { describeInBrowser } from '../support/browser.js'
import { phone, picture, violationsInEachForm, withoutConsole } from './example-page.js'

describeInBrowser('examples/express-app: passkeys', (open) => {
  const started: RunningDemo[] = []
  let origin = ''
  before(async () => {
    const demo = await startDemo()
    started.push(demo)
    origin = demo.origin
  })
  after(async () => {
    await Promise.all(started.splice(0).map((demo) => demo.close()))
  })

  const passkeys = (page: Page) => page.getByRole('region', { name: 'Your passkeys' })
  const rows = (page: Page) => passkeys(page).getByRole('listitem')
  const notice = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

  /** Types an email address or a user name on the first page of the sign-in. The next page shows the methods for it. */
  async function continueAs(page: Page, who: string): Promise<void> {
    await page.getByLabel('Email address or username').fill(who)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  }

  /** Signs in. The offer of a passkey, made once to users who have none, is declined. */
  async function signInByPassword(page: Page, who: string): Promise<void> {
    await page.goto(`${origin}/account`)
    await continueAs(page, who)
    await page.getByLabel('Password', { exact: true }).fill(who)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(({ pathname }) => pathname === '/account' || pathname === '/auth/signin/passkey')
    if (new URL(page.url()).pathname !== '/account') await page.getByRole('link', { name: 'Not now' }).click()
    await page.waitForURL(`${origin}/account`)
  }

  async function addPasskey(page: Page): Promise<void> {
    await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
    await notice(page, 'The passkey is there')
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /sign out/i }).click()
    await page.waitForURL(`${origin}/`)
  }

  /**
   * Presses the sign-in button. Suggestions are off, because the virtual authenticator would answer the page's autofill
   * before the button is pressed.
   */
  async function pressSignIn(page: Page): Promise<void> {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
    await page.goto(`${origin}/auth/signin?callbackUrl=/account`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }

  async function signUpByPasskey(page: Page, email: string): Promise<void> {
    await page.goto(`${origin}/auth/signin?callbackUrl=/account`)
    await continueAs(page, email)
    await page.getByRole('button', { name: 'Create an account with a passkey' }).click()
    await page.waitForURL(`${origin}/account`)
  }

  it('adds a passkey, names it, signs in with it, and removes it', async () => {
    const { page, problems } = await open()
    await plugIn(page, { backedUp: true })
    await signInByPassword(page, 'demo')
    await passkeys(page).getByText('None yet.').waitFor()
    await picture(page, 'passkeys-none')

    await addPasskey(page)
    expect(await rows(page).count()).to.equal(1)
    expect(await rows(page).textContent())
      .to.contain('On several devices, backed up')
      .and.contain('Made ')
      .and.contain('Not used yet')
    await passkeys(page).getByText('Rename').click()
    await picture(page, 'passkeys-rename')
    await passkeys(page).getByRole('textbox', { name: 'Name' }).fill(' Blue <phone> ')
    await passkeys(page).getByRole('button', { name: 'Save' }).click()
    await notice(page, 'The passkey has its new name.')
    expect(await rows(page).getByText('Blue <phone>', { exact: true }).count()).to.equal(1)

    await signOut(page)
    await pressSignIn(page)
    await page.waitForURL(`${origin}/account`)
    expect(await page.locator('#name-shown').textContent()).to.equal('Demo User')
    expect(await rows(page).textContent()).to.contain('Last used ')
    await picture(page, 'passkeys')

    await passkeys(page).getByRole('button', { name: 'Remove Blue <phone>' }).click()
    await notice(page, 'That passkey no longer signs you in.')
    expect(await rows(page).count()).to.equal(0)
    await signOut(page)

    // The device still has it, and offers it. The console would tell.
    const told = await withoutConsole(async () => {
      await pressSignIn(page)
      await page.waitForURL(/error=WebAuthnVerificationError/)
    })
    expect(told).to.match(/WebAuthnVerificationError/)
    await picture(page, 'passkeys-refused')
    expect(problems.filter((each) => !each.includes('status of 400'))).to.deep.equal([])
  })

  it('keeps the last sign-in method, and says so instead of the button, until there is another one', async () => {
    const { page, problems } = await open({ colorScheme: 'dark', viewport: phone })
    const authenticator = await plugIn(page)
    await signUpByPasskey(page, 'only@example.com')
    expect(await page.locator('main').textContent()).to.contain('only@example.com (not verified yet)')
    expect(await rows(page).textContent())
      .to.contain('On one device only')
      .and.contain('Your only way in')
    expect(await passkeys(page).getByRole('button', { name: 'Remove' }).count()).to.equal(0)
    await picture(page, 'passkeys-only-dark-phone')

    // A form that was sent all the same.
    expect(await removeByForce(page, origin)).to.match(/done=passkey-last$/)
    await page.goto(`${origin}/account?done=passkey-last`)
    await notice(page, 'That passkey stays')

    // One more, of another device.
    await authenticator.unplug()
    await plugIn(page, { transport: 'usb' })
    await addPasskey(page)
    const kinds = await rows(page).locator('p').allTextContents()
    expect(kinds).to.have.length(2)
    expect(kinds[0]).to.contain('On one security key only')
    await passkeys(page).getByRole('button', { name: 'Remove' }).last().click()
    await notice(page, 'That passkey no longer signs you in.')
    expect(await rows(page).textContent())
      .to.contain('On one security key only')
      .and.contain('Your only way in')
    expect(problems).to.deep.equal([])
  })

  it('signs in by a suggestion of the sign-in page, without a click', async () => {
    const { page, problems } = await open()
    await plugIn(page)
    await signUpByPasskey(page, 'suggested@example.com')
    await signOut(page)
    await page.goto(`${origin}/account`)
    // On the way there the page of the sign-in asked, and the authenticator answered.
    await page.waitForURL(`${origin}/account`)
    expect(await rows(page).textContent()).to.contain('Last used ')
    expect(problems).to.deep.equal([])
  })

  it('keeps the passkeys of a user who verifies the email address in this browser, by an email link', async () => {
    const { page, problems } = await open()
    await plugIn(page)
    await signUpByPasskey(page, 'prove@example.com')
    const ways = page.getByRole('region', { name: 'How you sign in' })
    await ways.getByRole('button', { name: 'Send me a link' }).click()
    await page.waitForURL(`${origin}/dev/mail-sent**`)
    const link = page.frameLocator('iframe').getByRole('link', { name: 'Sign in', exact: true })
    for (let tries = 0; tries < 200 && (await page.locator('iframe').count()) === 0; tries += 1) {
      await page.goto(`${origin}/dev/mailbox`)
    }
    await link.click()
    await page.waitForURL(`${origin}/account`)
    expect(await page.locator('main').textContent()).not.to.contain('not verified yet')
    expect(await rows(page).count()).to.equal(1)
    // Now there is the link, too.
    await passkeys(page).getByRole('button', { name: 'Remove' }).waitFor()
    expect(problems).to.deep.equal([])
  })

  it('explains why no passkey was created, and the button works again', async () => {
    const { page, problems } = await open()
    await plugIn(page)
    await signInByPassword(page, 'grace')
    await addPasskey(page)
    const add = passkeys(page).getByRole('button', { name: 'Add a passkey' })
    await add.click()
    await page.getByRole('alert').getByText('This device already has a passkey for this account.').waitFor()
    await picture(page, 'passkeys-twice')
    expect(await add.isEnabled()).to.equal(true)

    await page.context().setOffline(true)
    await add.click()
    await page.getByRole('alert').getByText('The site could not be reached.').waitFor()
    await page.context().setOffline(false)
    expect(await rows(page).count()).to.equal(1)
    expect(problems.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'))).to.deep.equal([])
  })

  it('hides the button if the browser has no passkeys, and says why; the rest works without a script', async () => {
    const without = await open()
    await without.page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
    await signInByPassword(without.page, 'demo')
    await without.page.getByRole('alert').getByText('This browser cannot make passkeys').waitFor()
    expect(await passkeys(without.page).getByRole('button', { name: 'Add a passkey' }).count()).to.equal(0)
    expect(without.problems).to.deep.equal([])

    const { page } = await open({ javaScriptEnabled: false })
    await signInByPassword(page, 'grace')
    expect(await passkeys(page).textContent()).to.contain('allow JavaScript')
    expect(await passkeys(page).getByRole('button', { name: 'Add a passkey' }).count()).to.equal(0)
    const name = (await rows(page).locator('strong').textContent()) ?? ''
    await passkeys(page).getByText('Rename').click()
    await passkeys(page).getByRole('textbox', { name: 'Name' }).fill(`${name} of Grace`)
    await passkeys(page).getByRole('button', { name: 'Save' }).click()
    await notice(page, 'The passkey has its new name.')
    await passkeys(page)
      .getByRole('button', { name: `Remove ${name} of Grace` })
      .click()
    await notice(page, 'That passkey no longer signs you in.')
    expect(await rows(page).count()).to.equal(0)
  })

  it('is accessible, on a phone and in the dark too', async () => {
    // The policy of the pages would forbid the test's own script.
    const { page } = await open({ bypassCSP: true, reducedMotion: 'reduce' })
    await plugIn(page)
    await signInByPassword(page, 'demo')
    await addPasskey(page)
    await passkeys(page).getByText('Rename').first().click()
    await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('alert').getByText('This device already has a passkey').waitFor()
    await picture(page, 'passkeys')
    expect(await violationsInEachForm(page)).to.deep.equal([])
  })
})

interface Device {
  readonly backedUp?: boolean
  readonly transport?: 'internal' | 'usb'
}

/** Gives the browser a virtual authenticator that creates passkeys and agrees to everything. */
async function plugIn(page: Page, { backedUp = false, transport = 'internal' }: Device = {}) {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: backedUp,
      defaultBackupState: backedUp,
    },
  })
  return { unplug: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }) }
}

/** Posts the form that the page does not have, and returns the target of the redirect. */
async function removeByForce(page: Page, origin: string): Promise<string> {
  const read = (name: string) => page.locator(`details input[name=${name}]`).inputValue()
  const form = { csrfToken: await read('csrfToken'), id: await read('id') }
  const response = await page.request.post(`${origin}/account/passkeys/remove`, { form, headers: { origin } })
  return response.url()
}
