/** `SessionProvider`: when it sends requests again, and what an outage changes. */
import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { useSite } from '../browser/site.js'
import { testDatabase } from '../support/adapter.js'
import { describeInBrowser } from '../support/browser.js'
import { comeBack, openStage, openTab, type StageOptions, seen, settle, shows } from './stage.js'
import { addViews } from './views.js'

describeInBrowser('server-auth/react: asking again', (open) => {
  const db = testDatabase()
  const site = useSite({ app: { after: addViews }, config: { adapter: db.adapter } })
  const openApp = (options?: StageOptions) => openStage(open, site, options)
  /** Opens a page with a clock that only the test moves. */
  const openTimed = async (options: StageOptions) => {
    const opened = await open()
    await opened.page.clock.install()
    return openStage(async () => opened, site, options)
  }
  afterEach(() => {
    db.repair()
    site.faults()
  })

  /** Ends all sessions in the store, without the knowledge of any page. */
  async function endSessions(): Promise<void> {
    for (const { sessionToken } of await db.sessions()) await db.real.deleteSession(sessionToken)
  }
  const breakDown = () => db.replaceAll(() => Promise.reject(new Error('down')))
  const errorOf = (page: Page) => page.evaluate(() => globalThis.sessionError ?? null)

  describe('on focus', () => {
    for (const event of ['visibilitychange', 'focus']) {
      it(`finds a session that has ended: ${event}`, async () => {
        const { page } = await openApp({ signedIn: true })
        await shows(page, 'authenticated: ann')
        await endSessions()
        await page.evaluate((type) => document.dispatchEvent(new Event(type, { bubbles: true })), event)
        await shows(page, 'unauthenticated: nobody')
      })
    }

    it('finds one that has started', async () => {
      const { page, context } = await openApp()
      await shows(page, 'unauthenticated: nobody')
      const other = await context.newPage()
      await other.goto(site.url('/auth/signin?callbackUrl=/page/1'))
      await other.getByLabel('User name').fill('ann')
      await other.getByLabel('Password', { exact: true }).fill('right')
      await other.getByRole('button', { name: 'Sign in', exact: true }).click()
      await other.waitForURL(site.url('/page/1'))
      await comeBack(page)
      await shows(page, 'authenticated: ann')
    })

    it('sends one request for events that come together, and does not render the same state again', async () => {
      const { page, asked } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      const rendered = await page.evaluate(() => globalThis.renderings)
      await page.evaluate(() => {
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
        window.dispatchEvent(new Event('focus'))
      })
      await settle(page)
      expect(asked).to.deep.equal(['GET', 'GET'])
      expect(await page.evaluate(() => globalThis.renderings)).to.equal(rendered)
    })

    it('does not, with refetchOnWindowFocus={false}', async () => {
      const { page, asked } = await openApp({ props: { provider: { refetchOnWindowFocus: false } } })
      await shows(page, 'unauthenticated: nobody')
      await comeBack(page)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
      await page.evaluate(() => window.render({ provider: {} }))
      await settle(page)
      await comeBack(page)
      await settle(page)
      expect(asked).to.deep.equal(['GET', 'GET'])
    })
  })

  describe('by refetchInterval', () => {
    it('sends a request at each interval while a user is signed in', async () => {
      const { page, asked } = await openTimed({ props: { provider: { refetchInterval: 60 } }, signedIn: true })
      await shows(page, 'authenticated: ann')
      await page.clock.runFor(59_000)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
      await endSessions()
      await page.clock.runFor(2_000)
      await shows(page, 'unauthenticated: nobody')
      expect(asked).to.deep.equal(['GET', 'GET'])
      await page.clock.runFor(200_000)
      await settle(page)
      expect(asked).to.deep.equal(['GET', 'GET'])
    })

    it('does not send requests continuously if the interval exceeds the maximum of a timer', async () => {
      const month = { refetchInterval: 30 * 24 * 60 * 60 }
      const { page, asked } = await openTimed({ props: { provider: month }, signedIn: true })
      await shows(page, 'authenticated: ann')
      await page.clock.runFor(60_000)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
    })

    it('never sends a request without it', async () => {
      const { page, asked } = await openTimed({ signedIn: true })
      await shows(page, 'authenticated: ann')
      await page.clock.runFor(24 * 60 * 60 * 1000)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
    })

    for (const [refetchWhenOffline, count] of [
      [false, 1],
      [true, 2],
    ] as const) {
      it(`${refetchWhenOffline ? 'continues' : 'pauses'} offline with refetchWhenOffline={${refetchWhenOffline}}`, async () => {
        const provider = { refetchInterval: 60, refetchWhenOffline }
        const { page, asked, context } = await openTimed({ props: { provider }, signedIn: true })
        await shows(page, 'authenticated: ann')
        await context.setOffline(true)
        await page.clock.runFor(61_000)
        expect(await page.locator('h1').textContent()).to.equal('authenticated: ann')
        expect(asked).to.have.length(count)
      })
    }
  })

  describe('an outage', () => {
    it('keeps the user signed in, and is reported by `error`', async () => {
      const { page } = await openApp({ props: { required: true }, signedIn: true })
      await shows(page, 'authenticated: ann')
      expect(await errorOf(page)).to.equal(null)
      breakDown()
      await comeBack(page)
      await page.waitForFunction(() => globalThis.sessionError !== undefined)
      expect(await errorOf(page)).to.deep.equal({ type: 'Configuration', status: 503 })
      expect(await page.locator('h1').textContent()).to.equal('authenticated: ann')
      db.repair()
      await comeBack(page)
      await page.waitForFunction(() => globalThis.sessionError === undefined)
      expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann'])
    })

    it('at the beginning leaves the state unknown, and does not redirect to the sign-in page', async () => {
      const before = await openApp({ signedIn: true })
      breakDown()
      const { page } = await openTab(before, site, { props: { required: true } })
      await page.waitForFunction(() => globalThis.sessionError !== undefined)
      await settle(page)
      expect(await seen(page)).to.deep.equal(['loading: nobody'])
      db.repair()
      await comeBack(page)
      await shows(page, 'authenticated: ann')
    })

    it('at the beginning: the page sends requests again, until one is answered', async () => {
      const { page, asked } = await openTimed({ signedIn: true })
      await shows(page, 'authenticated: ann')
      breakDown()
      await page.reload()
      await page.waitForFunction(() => globalThis.sessionError !== undefined)
      expect(await page.locator('h1').textContent()).to.equal('loading: nobody')
      asked.length = 0
      await page.clock.runFor(11_000)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
      db.repair()
      await page.clock.runFor(10_000)
      await shows(page, 'authenticated: ann')
      await page.clock.runFor(60_000)
      await settle(page)
      expect(asked).to.deep.equal(['GET', 'GET'])
    })

    it('of the network ends when the browser is online again', async () => {
      const { page, context, asked } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      await context.setOffline(true)
      await comeBack(page)
      await page.waitForFunction(() => globalThis.sessionError !== undefined)
      expect(await errorOf(page)).to.deep.equal({ type: 'NetworkError', status: 0 })
      expect(await page.locator('h1').textContent()).to.equal('authenticated: ann')
      await context.setOffline(false)
      await page.waitForFunction(() => globalThis.sessionError === undefined)
      expect(asked).to.have.length(3)
    })
  })

  it('does not let a late answer replace a later one', async () => {
    const { page } = await openApp({ signedIn: true })
    await shows(page, 'authenticated: ann')
    const reached = new Promise<Route>((resolve) => void page.route('**/auth/session', resolve, { times: 1 }))
    await comeBack(page)
    const route = await reached
    const response = await route.fetch()
    expect(await response.json()).to.have.nested.property('user.name', 'ann')
    await page.evaluate(() => window.client.signOut({ redirect: false }))
    await shows(page, 'unauthenticated: nobody')
    const answered = page.waitForResponse('**/auth/session')
    await route.fulfill({ response })
    await answered
    await settle(page)
    expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann', 'unauthenticated: nobody'])
  })
})
