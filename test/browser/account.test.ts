/**
 * The demo of the example, as `npm start` starts it: email links over its mailbox, the account page, two browsers of
 * one user. Needs `npm run build`. `SCREENSHOTS=<folder>` keeps pictures for review.
 */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type RunningDemo, startDemo } from '../examples/start-demo.js'
import { describeInBrowser } from '../support/browser.js'
import { phone, picture, violationsInEachForm, withoutConsole } from './example-page.js'

describeInBrowser('examples/express-app: your account', (open) => {
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

  /** Requests a link on the sign-in page, and opens the mailbox on the mail. */
  async function askForLink(page: Page, address: string): Promise<void> {
    const before = await countMails(page)
    await page.goto(`${origin}/account`)
    await page.waitForURL(/\/auth\/signin/)
    await page.getByLabel('Email address or username').fill(address)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.waitForURL(`${origin}/dev/mail-sent**`)
    await picture(page, 'mail-sent')
    await page.getByRole('link', { name: 'Open the mailbox' }).click()
    for (let tries = 0; tries < 200 && (await mails(page).count()) <= before; tries += 1) {
      await page.getByRole('link', { name: 'Look again' }).click()
      await page.waitForLoadState()
    }
    expect(await mails(page).first().textContent()).to.contain(address)
  }

  const mails = (page: Page) => page.getByRole('list', { name: 'Mails, newest first' }).getByRole('listitem')
  async function countMails(page: Page): Promise<number> {
    await page.goto(`${origin}/dev/mailbox`)
    return mails(page).count()
  }

  /** Returns the link in the mail that is shown. */
  const linkInMail = (page: Page) => page.frameLocator('iframe').getByRole('link', { name: 'Sign in', exact: true })

  async function signInByMail(page: Page, address: string): Promise<void> {
    await askForLink(page, address)
    await linkInMail(page).click()
    await page.waitForURL(`${origin}/account`)
  }

  const section = (page: Page, name: string) => page.getByRole('region', { name })
  const places = (page: Page) => section(page, 'Where you are signed in').getByRole('listitem')

  it('signs in by the link in the mail; a session that is ended elsewhere is over', async () => {
    const [one, two] = [await open(), await open({ viewport: phone })]
    await signInByMail(one.page, 'eve@example.com')
    expect(await one.page.locator('main').textContent()).to.contain('eve@example.com')
    expect(await places(one.page).allTextContents()).to.have.length(1)
    await signInByMail(two.page, 'eve@example.com')

    await one.page.reload()
    const others = places(one.page).filter({ hasText: 'Another browser' })
    expect(await others.count()).to.equal(1)
    await picture(one.page, 'account')
    await picture(two.page, 'account-phone')
    expect(await others.textContent())
      .to.match(/Chrome on Linux/)
      .and.match(/with E-?mail/i)
    await others.getByRole('button', { name: 'Sign out Chrome on Linux', exact: true }).click()
    await one.page.getByRole('status').getByText('That device is signed out').waitFor()
    expect(await places(one.page).count()).to.equal(1)

    await two.page.reload()
    expect(new URL(two.page.url()).pathname).to.equal('/auth/signin')
    await one.page.reload()
    expect(new URL(one.page.url()).pathname).to.equal('/account')
    expect([...one.problems, ...two.problems]).to.deep.equal([])
  })

  it('asks before it signs in another browser than the one that requested the link', async () => {
    const [asking, other] = [await open(), await open({ colorScheme: 'dark' })]
    await askForLink(asking.page, 'frank@example.com')
    const link = await linkInMail(asking.page).getAttribute('href')
    await other.page.goto(link ?? '')
    expect(await other.page.locator('main').textContent()).to.contain('frank@example.com')
    await picture(other.page, 'confirm-dark')
    await other.page.getByRole('button', { name: /Sign in/ }).click()
    await other.page.waitForURL(`${origin}/account`)
    expect(await other.page.locator('main').textContent()).to.contain('frank@example.com')
    // Once: the mail is of no more use where it was asked for. The console would tell.
    const told = await withoutConsole(async () => {
      await linkInMail(asking.page).click()
      await asking.page.waitForURL(/\/auth\/error\?error=Verification/)
    })
    expect(told).to.match(/Verification/)
    expect(other.problems).to.deep.equal([])
  })

  it('links the demo provider, and unlinks it', async () => {
    const { page, problems } = await open({ colorScheme: 'dark' })
    await signInByMail(page, 'grace@example.com')
    const ways = section(page, 'How you sign in')
    expect(await ways.getByRole('listitem').allTextContents()).to.have.length(2)
    await ways.getByRole('button', { name: 'Link Demo provider' }).click()
    await page.getByRole('button', { name: /Carol/ }).click()
    await page.waitForURL(`${origin}/account`)
    expect(await ways.getByRole('listitem').allTextContents()).to.have.length(3)
    expect(await page.locator('#name-shown').textContent()).to.equal('Grace Hopper')
    await picture(page, 'account-dark')

    await ways.getByRole('button', { name: 'Unlink Demo provider carol' }).click()
    await page.getByRole('status').getByText('no longer signs you in').waitFor()
    await ways.getByRole('button', { name: 'Link Demo provider' }).waitFor()
    expect(await ways.getByRole('listitem').allTextContents()).to.have.length(2)
    expect(problems).to.deep.equal([])
  })

  it('works without JavaScript, mailbox and all', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await signInByMail(page, 'judy@example.com')
    await page.getByLabel('New name').fill('Judy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The name is changed.').waitFor()
    expect(await page.locator('#name-shown').textContent()).to.equal('Judy')
  })

  it('is accessible, on a phone and in the dark too', async () => {
    // The policy of the pages would forbid the test's own script.
    const { page } = await open({ bypassCSP: true, reducedMotion: 'reduce' })
    await askForLink(page, 'ivan@example.com')
    expect(await violationsInEachForm(page)).to.deep.equal([])
    await linkInMail(page).click()
    await page.waitForURL(`${origin}/account`)
    await page.getByLabel('New name').fill('Ivan')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').waitFor()
    expect(await violationsInEachForm(page)).to.deep.equal([])
  })

  it('shows mails in a frame that can do nothing but lead away', async () => {
    const { page, problems } = await open()
    await askForLink(page, 'heidi@example.com')
    expect(problems).to.deep.equal([])
    const [, frame] = page.frames()
    expect(await frame?.evaluate(() => window.origin)).to.equal('null')
    expect(await frame?.evaluate(() => document.body.scrollWidth > document.body.clientWidth)).to.equal(false)
    await picture(page, 'mailbox')
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'mailbox-dark')
    await page.setViewportSize(phone)
    await picture(page, 'mailbox-phone-dark')
  })
})
