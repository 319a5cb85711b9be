/**
 * Second factors in a browser: an app is added by the values that the page shows, checked by axe-core; and the app is
 * asked for in a browser without scripts.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { encode } from 'uqr'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { base, doors, keyIn, openFactorStage } from '../factors/stage.js'
import { describeInBrowser } from '../support/browser.js'
import { opened } from '../support/opened.js'
import { factorsIn } from '../support/stores.js'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Returns the findings of axe. It needs scripts; the browser without scripts is not checked. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const looks = {
  'light, a desktop': { colorScheme: 'light', viewport: { width: 1280, height: 900 }, locale: 'en' },
  'dark, 320 px': { colorScheme: 'dark', viewport: { width: 320, height: 640 }, locale: 'en' },
  'light, 320 px': { colorScheme: 'light', viewport: { width: 320, height: 640 }, locale: 'en' },
} as const

describeInBrowser('second factors', (open) => {
  const stage = opened(() => openFactorStage(doors.express, { factors: { remember: { days: 30 } } }), 'each')

  for (const [look, options] of Object.entries(looks)) {
    it(`an app is added, asked for, and removed: ${look}`, async () => {
      const { page, problems } = await open(options)
      const seen = async (state: string) => {
        expect(await violationsOf(page), state).to.deep.equal([])
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(wide, `${state}: wider than the window`).to.be.at.most(0)
        const { SCREENSHOTS: folder } = process.env
        if (folder)
          await page.screenshot({ path: `${folder}/${look}-${state}.png`.replaceAll(' ', '-'), fullPage: true })
      }
      const { origin } = stage.door
      const user = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
      await page.goto(`${origin}/own-sign-in?user=${user.id}`)
      await page.goto(`${origin}${base}/two-factor?setup`)
      await seen('list-empty')
      await page.goto(`${origin}${base}/two-factor/email?setup`)
      await seen('add-email')
      await page.goto(`${origin}${base}/two-factor/totp?setup`)
      await seen('add-totp')
      const key = keyIn(await page.content())
      expect(key).to.have.length(20)
      // The drawing is the one of the link beside it.
      const uri = (await page.getAttribute('a[href^="otpauth:"]', 'href')) ?? ''
      const rows = encode(uri, { ecc: 'M', border: 0 }).data
      expect(rows.length).to.be.above(20)
      expect(await page.locator('.qr svg').getAttribute('viewBox')).to.include(String(rows.length + 8))
      const code = (steps = 0) => totpCodeAt(key, totpStepAt(Date.now()) + steps)
      await page.fill('input[name=code]', '000000')
      await page.click('#submitButton')
      await seen('add-totp-wrong')
      expect(keyIn(await page.content()).equals(key), 'the same key').to.equal(true)
      await page.fill('input[name=code]', code())
      await page.click('#submitButton')
      const codes = await page.locator('.codes code').allTextContents()
      expect(codes).to.have.length(10)
      await seen('codes')
      await page.goto(`${origin}${base}/two-factor?setup`)
      await seen('list')
      // Elsewhere: the app, remembered.
      const other = await open({ ...options, javaScriptEnabled: false })
      await other.page.goto(`${origin}/own-sign-in?user=${user.id}`)
      await other.page.goto(`${origin}${base}/two-factor`)
      await other.page.goto(`${origin}${base}/two-factor/recovery`)
      expect(await other.page.locator('input[name=code]').count()).to.equal(1)
      await other.page.goto(`${origin}${base}/two-factor/totp`)
      await other.page.fill('input[name=code]', code(1))
      await other.page.check('#rememberDevice')
      await other.page.click('#submitButton')
      const told = async (from: Page) => {
        await from.goto(`${origin}/by-session`)
        return JSON.parse((await from.textContent('body')) ?? '')
      }
      expect(await told(other.page)).to.have.nested.property('assurance.aal', 2)
      const kept = (await other.context.cookies()).filter(({ name }) => /device/.test(name))
      expect(kept).to.have.length(1)
      // Removal, in the first browser.
      await page.goto(`${origin}${base}/two-factor?setup`)
      await page.click('.factors button')
      expect(await factorsIn(stage.adapter.store()).list(user.id)).to.deep.equal([])
      // A wrong code was typed.
      expect(problems.filter((problem) => !problem.includes('status of 401'))).to.deep.equal([])
    })
  }
})
