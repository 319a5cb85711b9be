/** Tabs, the Back button, reloads, double clicks: actions of users besides signing in once. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { credentials } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { begin, expectHello, logIn, signIn, useSite } from './site.js'

describeInBrowser('several tabs', (open) => {
  const site = useSite()

  for (const count of [2, 5]) {
    it(`sign in at once: all ${count} succeed, each at its own callback URL`, async () => {
      const { page, context, problems } = await open()
      const pages: Page[] = [page, ...(await Promise.all(Array.from({ length: count - 1 }, () => context.newPage())))]
      // The first has been there before: the others find the CSRF cookie.
      await page.goto(site.url('/auth/signin'))
      await Promise.all(pages.map((each, n) => each.goto(site.url(`/auth/signin?callbackUrl=/page/${n}`))))
      // All start at the same time, so that no request has the cookies of the others.
      await Promise.all(pages.map((each) => begin(each, site)))
      const held = await context.cookies(site.url('/auth/callback/test'))
      expect(held.filter(({ name }) => name.startsWith('auth.transaction.'))).to.have.length(count)
      for (const [n, each] of [...pages.entries()].reverse()) {
        await logIn(each)
        await each.waitForURL(site.url(`/page/${n}`))
        await expectHello(each, 'Alice Example')
      }
      expect(problems).to.deep.equal([])
      expect(site.faults()).to.deep.equal([])
    })
  }

  it('one of which signs in: the other’s form is out of date, says so, and works the second time', async () => {
    const { page, context } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/5'))
    await signIn(await context.newPage(), site)
    await page.getByRole('button', { name: 'Sign in with Test' }).click()
    await page.getByRole('alert').getByText('signed in or out in another tab').waitFor()
    expect(site.faults()).to.deep.equal(['MissingCSRF'])
    await page.goto(site.url('/page/1'))
    await expectHello(page, 'Alice Example')
    await page.goBack()
    await page.getByRole('button', { name: 'Sign in with Test' }).click()
    // The user has a session at the provider.
    await page.waitForURL(site.url('/page/1'))
    expect(site.faults()).to.deep.equal([])
  })

  it('one of which signs out: the other’s sign-in form says so, and works the second time', async () => {
    const { page, context } = await open()
    const other = await context.newPage()
    await signIn(other, site)
    await page.goto(site.url('/auth/signin?callbackUrl=/page/6'))
    await other.goto(site.url('/auth/signout'))
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expectHello(other, 'nobody')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('out of date').waitFor()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(site.url('/page/6'))
    await expectHello(page, 'ann')
    expect(site.faults()).to.deep.equal(['MissingCSRF'])
  })

  it('one of which signs in again: the other’s sign-out form says that it did not sign out, and works the second time', async () => {
    const { page, context } = await open()
    await signIn(page, site)
    await page.goto(site.url('/auth/signout'))
    const other = await context.newPage()
    await other.goto(site.url('/auth/signin?callbackUrl=/page/2'))
    await other.getByRole('button', { name: 'Sign in with Test' }).click()
    await other.waitForURL(site.url('/page/2'))
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('alert').getByText('You are not signed out yet').waitFor()
    expect(site.faults()).to.deep.equal(['MissingCSRF'])
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
    await expectHello(page, 'nobody')
    expect(site.faults()).to.deep.equal([])
  })
})

describeInBrowser('after a sign-in', (open) => {
  const site = useSite()

  it('Back leads over the provider’s page to the sign-in page, which works; the session stays', async () => {
    const { page } = await open()
    await page.goto(site.url('/page/0'))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await begin(page, site)
    await logIn(page)
    await page.waitForURL((url) => url.origin === site.app.origin && !url.pathname.startsWith('/auth'))
    await page.goBack()
    expect(page.url()).to.match(/\/interaction\//)
    await page.goBack()
    expect(page.url()).to.equal(site.url('/auth/signin'))
    expect(await page.getByRole('alert').count()).to.equal(0)
    await page.getByRole('button', { name: 'Sign in with Test' }).click()
    await page.waitForURL((url) => url.origin === site.app.origin && !url.pathname.startsWith('/auth'))
    await expectHello(page, 'Alice Example')
    expect(site.faults()).to.deep.equal([])
  })

  it('the callback URL again redirects without a message; in another browser it says to start again', async () => {
    const { page, context } = await open()
    const callbacks: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().includes('/callback/')) callbacks.push(request.url())
    })
    await signIn(page, site, '/page/7')
    const [callback = ''] = callbacks
    const token = async () => (await context.cookies()).find(({ name }) => name === 'auth.session-token')?.value
    const before = await token()
    for (const _time of [1, 2]) {
      await page.goto(callback)
      expect(page.url()).to.equal(site.url('/page/7'))
      await expectHello(page, 'Alice Example')
    }
    expect(await token()).to.equal(before)
    expect(site.faults()).to.deep.equal([])

    const stranger = await open()
    await stranger.page.goto(callback)
    expect(await stranger.page.locator('h1').textContent()).to.equal('Please start again')
    expect(site.faults()).to.deep.equal(['InvalidCheck'])
    await stranger.page.getByRole('link', { name: 'Sign in' }).click()
    await begin(stranger.page, site)
    await logIn(stranger.page, 'bob')
    await stranger.page.waitForURL(site.url('/'))
    await expectHello(stranger.page, 'Bob Example')
  })

  it('and a sign-out, the callback URL opens nothing', async () => {
    const { page } = await open()
    const callbacks: string[] = []
    page.on('request', (request) => void (request.url().includes('/callback/') && callbacks.push(request.url())))
    await signIn(page, site)
    await page.goto(site.url('/auth/signout'))
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expectHello(page, 'nobody')
    await page.goto(callbacks[0] ?? '')
    expect(await page.locator('h1').textContent()).to.equal('Please start again')
    expect(site.faults()).to.deep.equal(['InvalidCheck'])
  })
})

describeInBrowser('a double click', (open) => {
  const person = { id: '1', name: 'ann' }
  // As long as hashing a password takes.
  const slow = credentials({ authorize: () => new Promise((resolve) => void setTimeout(resolve, 300, person)) })
  const site = useSite({ more: [slow] })

  it('on the provider’s button signs in as usual', async () => {
    const { page } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/8'))
    await page.getByRole('button', { name: 'Sign in with Test' }).dblclick()
    await arrive(page, `${site.provider.issuer}/interaction/`)
    await logIn(page)
    await page.waitForURL(site.url('/page/8'))
    await expectHello(page, 'Alice Example')
    expect(site.faults()).to.deep.equal([])
  })

  it('on the button of the password form signs in as usual', async () => {
    const { page } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/9'))
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.getByRole('button', { name: 'Sign in', exact: true }).dblclick({ delay: 20 })
    await page.getByRole('heading', { name: 'Hello ann' }).waitFor()
    expect(page.url()).to.equal(site.url('/page/9'))
    expect(site.faults()).to.deep.equal([])
  })
})

/** Waits for a URL. The second click interrupts the first navigation, which `waitForURL` would report as a failure. */
async function arrive(page: Page, url: string): Promise<void> {
  for (let tries = 0; tries < 400 && !page.url().startsWith(url); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(page.url().startsWith(url), page.url()).to.equal(true)
  await page.waitForLoadState()
}
