/**
 * Tests of the Back button after a sign-out: pages that the browser has kept are not shown to the next person at the
 * device.
 */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { getSession } from '../../lib/index.js'
import { describeInBrowser } from '../support/browser.js'
import { useSite } from './site.js'

/** The page that the browser shows, and whether it is the kept page, for which no request was sent. */
interface Seen {
  readonly who: string
  readonly isKept: boolean
}

describeInBrowser(
  'CA-07 Back after a sign-out',
  (open) => {
    const site = useSite({
      app: {
        after: (app, config) =>
          void app.get('/private', async (req, res) => {
            const session = await getSession(req, config)
            res.send(`<!doctype html><title>Private</title><h1>${session?.user?.name ?? 'nobody'}</h1>
<script>addEventListener('pageshow', (event) => { document.documentElement.dataset.kept = event.persisted })</script>`)
          }),
      },
    })

    /** Opens a browser whose user has seen their private page and left it for another one. */
    async function begin(): Promise<Page> {
      const { page } = await open()
      await page.goto(site.url('/auth/signin?callbackUrl=/private'))
      await page.getByLabel('User name').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill('right')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(site.url('/private'))
      await page.goto(site.url('/page/1'))
      return page
    }

    /** Goes back by a script, because `page.goBack()` waits for a load event, which a kept page does not have. */
    async function goBack(page: Page, steps: number): Promise<Seen> {
      await page.evaluate((by) => void setTimeout(() => history.go(-by)), steps)
      await page.waitForURL(site.url('/private'), { waitUntil: 'commit' })
      await page.waitForSelector('[data-kept]', { state: 'attached' })
      return {
        who: (await page.locator('h1').textContent()) ?? '',
        isKept: (await page.locator('html').getAttribute('data-kept')) === 'true',
      }
    }

    it('(control) a page that was left is kept: Back shows it without a request', async () => {
      const page = await begin()
      expect(await goBack(page, 1)).to.deep.equal({ who: 'ann', isKept: true })
    })

    it('by the form of our page shows no private page', async () => {
      const page = await begin()
      await page.goto(site.url('/auth/signout?callbackUrl=/page/2'))
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.waitForURL(site.url('/page/2'))
      expect(await goBack(page, 3)).to.deep.equal({ who: 'nobody', isKept: false })
    })

    it('by a script shows no private page', async () => {
      const page = await begin()
      const status = await page.evaluate(async () => {
        const { csrfToken } = await (await fetch('/auth/csrf')).json()
        const headers = { 'x-auth-return-redirect': '1' }
        const answer = await fetch('/auth/signout', {
          method: 'POST',
          headers,
          body: new URLSearchParams({ csrfToken }),
        })
        return answer.status
      })
      expect(status).to.equal(200)
      expect(await goBack(page, 1)).to.deep.equal({ who: 'nobody', isKept: false })
    })

    it('shows none of our pages that name the user', async () => {
      const page = await begin()
      await page.goto(site.url('/auth/signout?callbackUrl=/page/2'))
      await page.getByText('ann@example.com').first().waitFor()
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.waitForURL(site.url('/page/2'))
      await page.evaluate(() => void setTimeout(() => history.back()))
      await page.waitForURL(/\/auth\/signout/)
      await page.locator('h1').waitFor()
      expect(await page.locator('body').textContent()).to.not.include('ann')
    })
  },
  { backForwardCache: true },
)
