/** The page of an app, in a browser: it is read and pressed on a small screen without scripts, and the code reaches the app. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { AppClient, openStage, type Stage } from '../apps/stage.js'
import { overflow, violations } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'

describeInBrowser('the page of an app', (open) => {
  let stage: Stage
  let listener: Server
  let received: URL[] = []
  before(async () => {
    stage = await openStage('Express', 'database')
    listener = createServer((req, res) => {
      received.push(new URL(req.url ?? '/', 'http://127.0.0.1'))
      res.setHeader('content-type', 'text/html').end('<!doctype html><title>Done</title><p>You can close this window.')
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
  })
  after(async () => {
    listener.close()
    listener.closeAllConnections()
    await stage.close()
  })
  beforeEach(() => {
    received = []
  })

  const clientOf = () =>
    new AppClient(stage.origin, 'cli', `http://127.0.0.1:${(listener.address() as AddressInfo).port}/done`)

  for (const javaScriptEnabled of [true, false]) {
    it(`continues to the app, ${javaScriptEnabled ? 'with' : 'without'} scripts, at 320 pixels`, async () => {
      const { page, problems } = await open({
        javaScriptEnabled,
        viewport: { width: 320, height: 640 },
        colorScheme: 'light',
      })
      const app = clientOf()
      await page.goto(`${stage.origin}/start?email=ann@example.com`)
      await page.goto(stage.origin + app.path)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Continue to Notes <terminal>?')
      if (javaScriptEnabled) {
        expect(await violations(page)).to.deep.equal([])
        expect(await overflow(page)).to.deep.equal([])
      }
      const { SCREENSHOTS } = process.env
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/app.png`, fullPage: true })
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL(`${app.redirectUri}**`)
      const [answer] = received.filter(({ pathname }) => pathname === '/done')
      expect(answer?.searchParams.get('state')).to.equal(app.state)
      const { status, body } = await app.redeem(answer?.searchParams.get('code') ?? '')
      expect(status).to.equal(200)
      expect((await app.get(body.token)).body.user.email).to.equal('ann@example.com')
      expect(problems.filter((problem) => !problem.includes('favicon'))).to.deep.equal([])
    })
  }

  it('is cancelled, and offers another account', async () => {
    const { page } = await open()
    const app = clientOf()
    await page.goto(`${stage.origin}/start?email=ann@example.com`)
    await page.goto(stage.origin + app.path)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(`${app.redirectUri}**`)
    expect(received[0]?.searchParams.get('error')).to.equal('access_denied')
    await page.goto(stage.origin + app.path)
    await page.getByRole('link', { name: 'Use another account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/signin?**')
    expect(received.some(({ searchParams }) => searchParams.has('code'))).to.equal(false)
  })
})
