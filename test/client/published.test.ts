/**
 * The published client (`next-auth/react` 5), unmodified, in the application of `pages/app.ts`: a site moves its server
 * first, its pages later, and changes nothing but the import.
 */
import { expect } from 'chai'
import { logIn, useSite } from '../browser/site.js'
import { describeInBrowser } from '../support/browser.js'
import { bundle, publishedClient } from './bundle.js'
import { comeBack, openStage, openTab, type StageOptions, seen, shows } from './stage.js'
import { addViews, takesName } from './views.js'

const provider = { basePath: '/auth' }

describeInBrowser('next-auth/react in a browser', (open) => {
  const site = useSite({
    app: { after: addViews },
    config: {
      callbacks: takesName,
    },
  })
  const view = 'published'
  const openApp = (options: StageOptions = {}) =>
    openStage(open, site, { view, ...options, props: { provider, ...options.props } })
  afterEach(() => void site.faults())

  it('is tested here, and none of our files', async () => {
    const { files } = await bundle('test/client/pages/react.ts', publishedClient)
    expect(files).to.include('node_modules/next-auth/react.js')
    expect(files.filter((file) => file.startsWith('lib/'))).to.deep.equal([])
  })

  it('says who is signed in', async () => {
    const { page, problems } = await openApp({ signedIn: true, props: { strict: true } })
    await shows(page, 'authenticated: ann')
    expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann'])
    expect(problems).to.deep.equal([])
  })

  it('signs in with credentials, wrong and right, and signs out, without redirect', async () => {
    const { page } = await openApp()
    await shows(page, 'unauthenticated: nobody')
    const attempt = (password: string) =>
      page.evaluate(
        (given) => window.client.signIn('credentials', { username: 'ann', password: given, redirect: false }),
        password,
      )
    expect(await attempt('wrong')).to.deep.equal({
      error: 'CredentialsSignin',
      code: 'credentials',
      status: 200,
      ok: true,
      url: null,
    })
    expect(await attempt('right')).to.include({ error: undefined, status: 200, ok: true })
    await shows(page, 'authenticated: ann')
    const result = await page.evaluate(() => window.client.signOut({ redirect: false, redirectTo: '/page/1' }))
    expect(result).to.deep.equal({ url: site.url('/page/1') })
    await shows(page, 'unauthenticated: nobody')
  })

  it('signs in at a provider, comes back, and signs out with a redirect', async () => {
    const { page } = await openApp()
    const home = page.url()
    await page.evaluate(() => void window.client.signIn('test'))
    await page.waitForURL(`${site.provider.issuer}/interaction/**`)
    await logIn(page)
    await page.waitForURL(home)
    await shows(page, 'authenticated: Alice Example')
    await page.evaluate(() => void window.client.signOut({ redirectTo: '/page/2' }))
    await page.waitForURL(site.url('/page/2'))
    expect(await page.locator('h1').textContent()).to.equal('Hello nobody')
    expect(site.faults()).to.deep.equal([])
  })

  it('leaves for the page that explains a rejection', async () => {
    const { page } = await openApp()
    await page.evaluate(() => void window.client.signIn('credentials', { username: 'ann', password: 'wrong' }))
    await page.waitForURL(site.url('/auth/signin?error=CredentialsSignin&code=credentials'))
    await page.getByRole('alert').waitFor()
  })

  it('updates the session', async () => {
    const { page } = await openApp({ signedIn: true })
    await shows(page, 'authenticated: ann')
    await page.evaluate(() => globalThis.updateSession?.({ name: 'Ann of the hill' }))
    await shows(page, 'authenticated: Ann of the hill')
    await comeBack(page)
    await shows(page, 'authenticated: Ann of the hill')
  })

  it('redirects visitors to the sign-in page if a session is required', async () => {
    const { page } = await openApp({ props: { provider, required: true } })
    await page.waitForURL(/\/auth\/signin\?error=SessionRequired/)
    await page.getByRole('status').getByText('Please sign in to see this page.').waitFor()
  })

  it('shows in one tab who signs in and out in another', async () => {
    const one = await openApp()
    await shows(one.page, 'unauthenticated: nobody')
    const two = await openTab(one, site, { view, props: { provider } })
    await shows(two.page, 'unauthenticated: nobody')
    await one.page.evaluate(() => {
      void window.client.signIn('credentials', { username: 'ann', password: 'right' })
    })
    await shows(two.page, 'authenticated: ann')
    await shows(one.page, 'authenticated: ann')
    await two.page.evaluate(() => window.client.signOut({ redirect: false }))
    await shows(one.page, 'unauthenticated: nobody')
  })
})
