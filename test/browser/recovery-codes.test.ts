/** Keeping recovery codes in a real browser: copying, downloading, printing, and the checkbox that they are kept. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../support/browser.js'
import type { LoopbackServer } from '../support/loopback-server.js'
import { showStates } from './states.js'

describeInBrowser('the page with recovery codes', (open) => {
  let server: LoopbackServer
  before(async () => {
    server = await showStates()
  })
  after(() => server?.close())

  const codesOn = (page: Page) => page.locator('.codes code').allTextContents()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function downloaded(page: Page): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).to.equal('recovery-codes.txt')
    return readFileSync(await download.path(), 'utf8')
  }

  it('copies, downloads and prints them, by a script with the nonce of the policy', async () => {
    const { page, context, problems } = await open()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
    await page.addInitScript(`window.print = () => document.body.setAttribute('data-printed', '')`)
    await page.goto(`${server.origin}/two-factor-codes`)
    const codes = await codesOn(page)
    expect(codes).to.have.length(10)
    await button(page, 'Copy').click()
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(codes.join('\n'))
    const file = await downloaded(page)
    expect(file).to.equal(`Recovery codes for app.example.com\r\n\r\n${codes.join('\r\n')}\r\n`)
    await button(page, 'Print').click()
    expect(await page.locator('body[data-printed]').count()).to.equal(1)
    expect(problems).to.deep.equal([])
  })

  it('selects them if the browser refuses the clipboard', async () => {
    const { page } = await open()
    await page.addInitScript(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } })`,
    )
    await page.goto(`${server.origin}/two-factor-codes`)
    await button(page, 'Copy').click()
    await page.waitForFunction(() => String(getSelection()).length > 0)
    const selected = await page.evaluate(() => String(getSelection()))
    for (const code of await codesOn(page)) expect(selected).to.include(code)
    expect(await page.getByRole('status').textContent()).to.equal('')
  })

  it('prints the codes and the name of the site, and nothing else', async () => {
    const { page } = await open()
    await page.goto(`${server.origin}/two-factor-codes`)
    await page.emulateMedia({ media: 'print' })
    for (const code of await page.locator('.codes code').all()) expect(await code.isVisible()).to.equal(true)
    expect(await page.getByText('app.example.com', { exact: true }).isVisible()).to.equal(true)
    for (const hidden of ['Download', 'Continue']) expect(await page.getByText(hidden).isVisible()).to.equal(false)
  })

  it('needs the checkbox, and works without scripts', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(`${server.origin}/two-factor-codes`)
    expect(await button(page, 'Copy').count()).to.equal(0)
    expect(await button(page, 'Print').count()).to.equal(0)
    expect(await downloaded(page)).to.include((await codesOn(page))[9] ?? '')
    await button(page, 'Continue').click()
    expect(page.url()).to.equal(`${server.origin}/two-factor-codes`)
    await page.getByLabel('I keep these codes in a safe place.').check()
    await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      button(page, 'Continue').click(),
    ]).catch(() => expect.fail('The form was not sent.'))
  })
})
