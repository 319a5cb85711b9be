/** The company example, in a browser behind nginx. Needs `npm run build`. */
import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { picture } from '../browser/example-page.js'
import { overflow, violations } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { missingNginx } from '../support/nginx.js'
import { skip } from '../support/skip.js'
import { type CompanySite, startCompany } from './company-site.js'

const password = 'correct horse battery staple'

type State = Exclude<BrowserContextOptions['storageState'], string | undefined>

describeInBrowser('examples/company', (open) => {
  let site: CompanySite
  before(async function () {
    const missing = missingNginx()
    if (missing !== undefined) return skip(this, missing)
    site = await startCompany()
  })
  after(() => site?.close())

  const at = (path: string) => `${site.origin}${path}`
  const text = (page: Page) => page.locator('main').textContent()

  /** Types an address on the sign-in page. */
  async function identify(page: Page, email: string): Promise<void> {
    await page.goto(at('/auth/signin?callbackUrl=%2F'))
    await page.fill('input[name=identifier]', email)
    await page.press('input[name=identifier]', 'Enter')
  }

  async function typePassword(page: Page): Promise<void> {
    const form = page.locator('form[action$="/callback/password"]')
    await form.locator('input[name=password]').fill(password)
    await form.locator('input[name=password]').press('Enter')
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await identify(page, email)
    await typePassword(page)
    await page.waitForURL(at('/'))
  }

  /** Returns the page of an organization, from the start page. */
  async function organizationOf(page: Page, name: string): Promise<string> {
    await page.goto(at('/'))
    const path = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    return path ?? ''
  }

  /** Returns the browser of Ann, who signs in once with her password and a second factor: a code works once. */
  let ann: State | undefined
  async function signedInAnn() {
    const opened = await open({ bypassCSP: true, ...(ann && { storageState: ann }) })
    const { page, context } = opened
    if (ann) return opened
    await page.goto(at('/auth/signin/password?callbackUrl=%2F'))
    await page.fill('input[name=email]', 'ann@acme.example')
    await typePassword(page)
    await page.waitForURL('**/auth/two-factor?*')
    const phone = await context.newPage()
    await phone.goto(at('/demo'))
    await page.fill('input[name=code]', (await phone.locator('main code').first().textContent()) ?? '')
    await page.press('input[name=code]', 'Enter')
    await page.waitForURL(at('/'))
    ann = await context.storageState()
    return opened
  }

  it('Beta invites a user by email, and a removed member gets 404 at the next request', async () => {
    const [owner, guest] = [await open(), await open()]
    await signIn(owner.page, 'bea@beta.example')
    const beta = await organizationOf(owner.page, 'Beta')
    await owner.page.goto(at(`${beta}/members`))
    await owner.page.getByLabel('Email address').fill('carol@beta.example')
    await owner.page.getByRole('button', { name: 'Send the invitation' }).click()
    await owner.page.getByText('The invitation is on its way.').waitFor()
    const mail = guest.page.locator('details', { hasText: 'carol@beta.example' })
    await expectSoon(async () => {
      await guest.page.goto(at('/demo'))
      return (await mail.count()) > 0
    })
    await mail.locator('summary').first().click()
    await mail.getByRole('link').first().click()
    await guest.page.locator('#submitButton').click()
    await guest.page.waitForURL(at('/'))
    expect((await guest.page.goto(at(`${beta}/members`)))?.status()).to.equal(200)
    expect(await text(guest.page))
      .to.include('carol@beta.example')
      .and.not.include('Send the invitation')
    await owner.page.reload()
    const row = owner.page.locator('.rows li', { hasText: 'carol@beta.example' })
    await row.getByText('Manage').click()
    await row.getByRole('button', { name: 'Remove from Beta' }).click()
    await owner.page.getByText('The member was removed.').waitFor()
    expect((await guest.page.goto(at(`${beta}/members`)))?.status()).to.equal(404)
    expect(owner.problems).to.deep.equal([])
  })

  it('the last owner cannot leave', async () => {
    const { page, problems } = await open()
    await signIn(page, 'bea@beta.example')
    const beta = await organizationOf(page, 'Beta')
    await page.goto(at(`${beta}/members`))
    await page.getByRole('button', { name: 'Leave Beta' }).click()
    expect(await page.getByRole('alert').textContent()).to.include('An organization needs an owner.')
    expect((await page.goto(at(`${beta}/members`)))?.status()).to.equal(200)
    expect(problems).to.deep.equal([])
  })

  it('an owner gives the ownership to another member, and gets it back', async () => {
    const [bea, ben] = [await open(), await open()]
    await signIn(bea.page, 'bea@beta.example')
    await signIn(ben.page, 'ben@beta.example')
    const beta = await organizationOf(bea.page, 'Beta')
    const transfer = async (page: Page, email: string) => {
      await page.goto(at(`${beta}/members`))
      const row = page.locator('.rows li', { hasText: email })
      await row.getByText('Manage').click()
      await row.getByRole('button', { name: 'Make the owner in your place' }).click()
      await page.getByText('You are an admin now.').waitFor()
    }
    await transfer(bea.page, 'ben@beta.example')
    expect(await bea.page.getByRole('button', { name: 'Make the owner in your place' }).count()).to.equal(0)
    await transfer(ben.page, 'bea@beta.example')
    expect([...bea.problems, ...ben.problems]).to.deep.equal([])
  })

  it('an organization cannot have a web address as its name', async () => {
    const { page, problems } = await open()
    await signIn(page, 'ben@beta.example')
    await page.getByText('Create an organization').click()
    await page.getByLabel('Name').fill('gamma.example')
    await page.getByRole('button', { name: 'Create' }).click()
    expect(await page.getByRole('alert').textContent()).to.include('without a web address')
    expect(problems).to.deep.equal([])
  })

  it('an address of Acme leads to its identity provider, which makes a new user a member', async () => {
    const { page, problems } = await open()
    await identify(page, 'alice@acme.example')
    await page.waitForURL(`${site.issuer}/**`)
    await page.getByRole('button', { name: /Alice/ }).click()
    await page.waitForURL(at('/'))
    const acme = await organizationOf(page, 'Acme')
    expect((await page.goto(at(`${acme}/members`)))?.status()).to.equal(200)
    expect(await text(page)).to.include('member, you, by single sign-on')
    expect(problems).to.deep.equal([])
    expect((await page.goto(at(`${acme}/single-sign-on`)))?.status()).to.equal(403)
  })

  it('the password of a member of Acme begins no session, and leads to the identity provider', async () => {
    const { page, problems } = await open()
    await page.goto(at('/auth/signin/password?callbackUrl=%2F'))
    await page.fill('input[name=email]', 'carl@acme.example')
    await typePassword(page)
    await page.waitForURL('**/auth/signin/connection-*')
    const other = await page.context().newPage()
    await other.goto(at('/'))
    expect(await text(other)).to.include('Create an account')
    await page.locator('form button').first().click()
    await page.getByRole('button', { name: /Carl/ }).click()
    await page.waitForURL(at('/'))
    const acme = await organizationOf(page, 'Acme')
    expect((await page.goto(at(acme)))?.status()).to.equal(200)
    expect(problems).to.deep.equal([])
  })

  it('the exempt owner signs in with a password and a second factor, and opens single sign-on', async () => {
    const { page, problems } = await signedInAnn()
    const acme = await organizationOf(page, 'Acme')
    expect((await page.goto(at(`${acme}/single-sign-on`)))?.status()).to.equal(200)
    expect(await page.getByLabel('Required for all members').isChecked()).to.equal(true)
    await page.getByLabel('ann@acme.example').uncheck()
    await page.getByRole('button', { name: 'Save the policy' }).click()
    expect(await page.getByRole('alert').textContent()).to.include('Select an owner')
    expect(problems).to.deep.equal([])
  })

  it('a user of Beta gets 404 for the pages of Acme', async () => {
    const [owner, stranger] = [await signedInAnn(), await open()]
    const acme = await organizationOf(owner.page, 'Acme')
    await signIn(stranger.page, 'bea@beta.example')
    for (const path of [acme, `${acme}/members`, `${acme}/single-sign-on`]) {
      expect((await owner.page.goto(at(path)))?.status(), path).to.equal(200)
      expect((await stranger.page.goto(at(path)))?.status(), path).to.equal(404)
    }
  })

  it('an owner of Beta verifies a domain, connects an identity provider, and removes the domain', async () => {
    const { page, problems } = await open()
    await signIn(page, 'bea@beta.example')
    const settings = `${await organizationOf(page, 'Beta')}/single-sign-on`
    await page.goto(at(settings))
    await page.getByLabel('Add a domain').fill('beta.example')
    await page.getByRole('button', { name: 'Show the record' }).click()
    const [, name = '', value = ''] = await page.locator('dd').allTextContents()
    await page.getByRole('button', { name: 'Check the record' }).click()
    expect(await page.getByRole('alert').textContent()).to.include('The record was not found.')
    await page.goto(at('/demo'))
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Text', { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Publish a TXT record' }).click()
    await page.goto(at(`${settings}?domain=beta.example`))
    await page.getByRole('button', { name: 'Check the record' }).click()
    await page.getByText('The domain was verified.').waitFor()
    await page.getByLabel('Issuer').fill('http://169.254.169.254/')
    await page.getByLabel('Client ID').fill('any')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    expect(await page.getByRole('alert').textContent()).to.include('This issuer cannot be used.')
    expect(await page.getByLabel('Client ID').inputValue()).to.equal('any')
    await page.getByLabel('Issuer').fill(site.issuer)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The identity provider was connected.').waitFor()
    expect(await text(page)).to.include(at('/auth/callback/connection-'))
    await page.getByLabel('Required for all members').first().check()
    await page.getByRole('button', { name: 'Save the policy' }).first().click()
    expect(await page.getByRole('alert').textContent()).to.include('Turn it on and sign in by it first.')
    await page.getByRole('button', { name: 'Remove beta.example' }).click()
    await page.getByText('The domain is not verified any more.').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('has accessible pages, on a narrow phone and a desktop, light and dark', async () => {
    const visitor = await open({ bypassCSP: true })
    const { page } = await signedInAnn()
    const acme = await organizationOf(page, 'Acme')
    const settings = `${acme}/single-sign-on`
    const found: Record<string, string[]> = {
      ...(await faultsOf(visitor.page, '/', 'visitor')),
      ...(await faultsOf(page, '/', 'home')),
      ...(await faultsOf(page, acme, 'organization')),
      ...(await faultsOf(page, `${acme}/members?notice=lastOwner`, 'members')),
      ...(await faultsOf(page, `${settings}?domain=other.example&notice=missing`, 'single-sign-on')),
      ...(await faultsOf(page, '/demo', 'demo')),
    }
    expect(found).to.deep.equal({})
  })

  /** Returns the faults of a page in each look, with all details open. */
  async function faultsOf(page: Page, path: string, name: string): Promise<Record<string, string[]>> {
    await page.goto(at(path))
    await page.locator('details').evaluateAll((all) => all.map((each) => each.setAttribute('open', '')))
    const found: Record<string, string[]> = {}
    for (const width of [320, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const faults = [...(await violations(page)), ...(await overflow(page))]
        if (faults.length > 0) found[`${name}-${width}-${colorScheme}`] = faults
        await picture(page, `company-${name}-${width}-${colorScheme}`)
      }
    return found
  }
})

/** Repeats a check until it is true, because emails are sent after the response. */
async function expectSoon(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) if (await check()) return
  throw new Error('It did not become true.')
}
