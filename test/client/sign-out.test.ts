/** `signOut` in a browser, with and without redirect. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { expectHello, useSite } from '../browser/site.js'
import { describeInBrowser } from '../support/browser.js'
import { addViews } from './views.js'

describeInBrowser('server-auth/client: signOut', (open) => {
  const site = useSite({ app: { after: addViews } })
  afterEach(() => void site.faults())

  /** Opens a page of a signed-in user. */
  const openSignedIn = async () => {
    const opened = await open()
    await opened.page.goto(site.url('/view/plain'))
    await opened.page.evaluate(() =>
      window.auth.signIn('credentials', { username: 'ann', password: 'right', redirect: false }),
    )
    expect(await whoIs(opened.page)).to.equal('ann')
    return opened
  }
  const whoIs = (page: Page) => page.evaluate(async () => (await window.auth.getSession())?.user?.name ?? null)

  it('returns to its page, signed out', async () => {
    const { page, problems } = await openSignedIn()
    await Promise.all([page.waitForEvent('load'), page.evaluate(() => void window.auth.signOut())])
    expect(page.url()).to.equal(site.url('/view/plain'))
    expect(await whoIs(page)).to.equal(null)
    expect(problems).to.deep.equal([])
  })

  for (const option of ['redirectTo', 'callbackUrl']) {
    it(`goes to the URL of ${option}`, async () => {
      const { page } = await openSignedIn()
      await page.evaluate((name) => void window.auth.signOut({ [name]: '/page/1' }), option)
      await page.waitForURL(site.url('/page/1'))
      await expectHello(page, 'nobody')
    })
  }

  it('stays with redirect: false, and returns the URL of the redirect', async () => {
    const { page } = await openSignedIn()
    const result = await page.evaluate(() => window.auth.signOut({ redirect: false, redirectTo: '/page/1' }))
    expect(result).to.deep.equal({ url: site.url('/page/1') })
    expect(page.url()).to.equal(site.url('/view/plain'))
    expect(await whoIs(page)).to.equal(null)
  })

  it('asks for a sign-out at the provider with federated, and only then', async () => {
    const { page } = await openSignedIn()
    const bodies: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/signout')) bodies.push(request.postData() ?? '')
    })
    await page.evaluate(async () => {
      await window.auth.signOut({ redirect: false })
      await window.auth.signOut({ redirect: false, federated: true })
    })
    expect(bodies.map((body) => new URLSearchParams(body).get('federated'))).to.deep.equal([null, 'true'])
  })

  it('that the server rejects is no sign-out: it throws, or goes to the page that says so', async () => {
    const { page } = await openSignedIn()
    await page.route('**/auth/csrf', (route) => route.fulfill({ json: { csrfToken: 'stale' } }))
    const failure = await page.evaluate(() => window.failure(window.auth.signOut({ redirect: false })))
    expect(failure).to.include({ name: 'ClientError', type: 'MissingCSRF', status: 200 })
    expect(await whoIs(page)).to.equal('ann')
    await page.evaluate(() => void window.auth.signOut())
    await page.waitForURL(site.url('/auth/signin?error=MissingCSRF'))
  })

  it('that does not reach the server is no sign-out: it throws', async () => {
    const { page, context } = await openSignedIn()
    await context.setOffline(true)
    for (const redirect of [true, false]) {
      const failure = await page.evaluate(
        (value) => window.failure(value ? window.auth.signOut() : window.auth.signOut({ redirect: false })),
        redirect,
      )
      expect(failure).to.include({ name: 'ClientError', type: 'NetworkError', status: 0 })
    }
    await context.setOffline(false)
    expect(page.url()).to.equal(site.url('/view/plain'))
    expect(await whoIs(page)).to.equal('ann')
  })
})
