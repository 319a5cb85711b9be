/** The product example: its size, its own tests, and its pages in a browser. Needs `npm run build`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { picture } from '../browser/example-page.js'
import { keyIn } from '../factors/stage.js'
import { overflow, violations } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { plugIn } from '../support/passkey-device.js'
import { type ProductSite, productFolder, runInProduct, startProduct } from './product-site.js'

const password = 'a long password of ours'

describe('examples/product', () => {
  const code = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(productFolder, folder))
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => readFileSync(join(productFolder, folder, name), 'utf8').split('\n')),
  )

  it('has at most 110 lines of code, and no cast', () => {
    const lines = code.filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line))
    expect(lines.length).to.be.within(50, 110)
    expect(lines.filter((line) => /\bas\b|<any>|\bany\b/.test(line))).to.deep.equal([])
    expect(code.filter((line) => /@ts-|biome-ignore/.test(line))).to.deep.equal([])
  })

  it('passes its own tests', () => {
    const { status, output } = runInProduct([
      '--env-file=test/test.env',
      '--import=tsx',
      '--test',
      'test/product.test.ts',
    ])
    expect(status, output).to.equal(0)
    expect(output).to.match(/^# pass 3$/m)
  })
})

describeInBrowser('examples/product', (open) => {
  let site: ProductSite
  before(async () => {
    site = await startProduct()
  })
  after(() => site?.close())

  let users = 0
  /** Returns an email address that no test has used. */
  function newEmail(): string {
    users += 1
    return `user-${users}@example.com`
  }

  async function signUp(page: Page): Promise<string> {
    const email = newEmail()
    await page.goto(`${site.origin}/auth/signup/password?callbackUrl=%2F`)
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', password)
    await page.click('#submitButton')
    await page.waitForURL('**/auth/verify-request?*')
    await page.goto(await site.linkFor(email))
    await page.click('#submitButton')
    await page.waitForURL(`${site.origin}/`)
    return email
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${site.origin}/auth/signin?callbackUrl=%2F`)
    const form = page.locator('form[action$="/callback/password"]')
    await form.locator('input[name=email]').fill(email)
    await form.locator('input[name=password]').fill(password)
    await form.locator('input[name=password]').press('Enter')
    await page.getByRole('heading', { name: 'Sign in without a password' }).waitFor()
  }

  /** Signs up an administrator with an authenticator app, and opens the administration. */
  async function signUpAdmin(page: Page): Promise<void> {
    const email = await signUp(page)
    expect(site.promote(email)).to.deep.equal({ status: 0, output: '' })
    await page.goto(`${site.origin}/admin`)
    await page.getByRole('link', { name: 'Add an authenticator app' }).click()
    const key = keyIn(await page.content())
    await page.fill('input[name=code]', totpCodeAt(key, totpStepAt(Date.now())))
    await page.click('#submitButton')
    await page.check('#kept')
    await page
      .locator('form', { has: page.locator('#kept') })
      .locator('button[type=submit]')
      .click()
    await page.waitForURL(`${site.origin}/admin`)
  }

  it('signs up, signs in, and ends sessions', async () => {
    const [one, two] = [await open(), await open()]
    const email = await signUp(one.page)
    await signIn(two.page, email)
    await two.page.getByRole('link', { name: 'Not now' }).click()
    await two.page.waitForURL(`${site.origin}/`)
    await one.page.goto(`${site.origin}/devices`)
    expect(await one.page.locator('.rows li').count()).to.equal(2)
    await one.page.click('.rows button')
    expect(await one.page.locator('.rows li').count()).to.equal(1)
    await two.page.goto(`${site.origin}/devices`)
    expect(new URL(two.page.url()).pathname).to.equal('/auth/signin')
    await one.page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await one.page.waitForURL(`${site.origin}/`)
    await one.page.goto(`${site.origin}/devices`)
    expect(new URL(one.page.url()).pathname).to.equal('/auth/signin')
    expect([...one.problems, ...two.problems]).to.deep.equal([])
  })

  it('opens the administration after a sign-in with a passkey, which is two factors', async () => {
    const { page, problems } = await open()
    const email = await signUp(page)
    expect(site.promote(email).status).to.equal(0)
    await page.context().clearCookies()
    await plugIn(page)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.waitForURL(`${site.origin}/`)
    await page.context().clearCookies()
    await page.goto(`${site.origin}/auth/signin?callbackUrl=%2Fadmin`)
    // The device answers the autofill by itself, which leaves the page.
    await page.waitForURL(`${site.origin}/admin`)
    expect(await page.locator('h1').textContent()).to.equal('Administration')
    expect(problems).to.deep.equal([])
  })

  it('opens the administration after a second factor, and changes the role of a user of the provider', async () => {
    const [member, admin] = [await open(), await open()]
    await member.page.goto(`${site.origin}/auth/signin?callbackUrl=%2F`)
    await member.page.getByRole('button', { name: 'Company' }).click()
    await member.page.getByRole('button', { name: 'Alice' }).click()
    await member.page.waitForURL(`${site.origin}/`)
    expect((await member.page.goto(`${site.origin}/admin`))?.status()).to.equal(403)
    await signUpAdmin(admin.page)
    await admin.page.getByLabel('Role: alice@example.com').selectOption('admin')
    await admin.page.getByRole('button', { name: 'Save: alice@example.com' }).click()
    await member.page.goto(`${site.origin}/`)
    await member.page.getByRole('link', { name: 'Administration' }).click()
    expect(new URL(member.page.url()).pathname).to.equal('/auth/two-factor')
    expect(admin.problems).to.deep.equal([])
  })

  it('has accessible pages in three languages, on a narrow phone and a desktop, light and dark', async () => {
    const admin = await open()
    await signUpAdmin(admin.page)
    const storageState = await admin.context.storageState()
    const found: Record<string, string[]> = {}
    for (const locale of ['en', 'de', 'ar'])
      for (const [state, paths] of [
        [undefined, ['/']],
        [storageState, ['/', '/devices', '/admin']],
      ] as const) {
        const { page } = await open({ locale, bypassCSP: true, ...(state && { storageState: state }) })
        for (const path of paths) Object.assign(found, await faultsOf(page, path, locale + (state ? '' : '-visitor')))
      }
    expect(found).to.deep.equal({})
  })

  /** Returns the faults of a page in each look, by name. */
  async function faultsOf(page: Page, path: string, name: string): Promise<Record<string, string[]>> {
    await page.goto(`${site.origin}${path}`)
    expect(new URL(page.url()).pathname).to.equal(path)
    expect(await page.getAttribute('html', 'lang')).to.equal(name.slice(0, 2))
    const found: Record<string, string[]> = {}
    for (const width of [320, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const faults = [...(await violations(page)), ...(await overflow(page))]
        const look = `${name}-${path.slice(1) || 'home'}-${width}-${colorScheme}`
        if (faults.length > 0) found[look] = faults
        await picture(page, look)
      }
    return found
  }
})
