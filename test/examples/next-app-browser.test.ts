/** The Next.js example in Chromium, with the OpenID provider of the tests on localhost: another site. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { logIn } from '../browser/site.js'
import { describeInBrowser } from '../support/browser.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { secret } from './next-app-session.js'
import { useNextApp } from './next-app-stage.js'

describeInBrowser('examples/next-app', (open) => {
  const providers: OpenIdProvider[] = []
  before(async () => void providers.push(await startOpenIdProvider()))
  after(() => Promise.all(providers.map((provider) => provider.close())))
  const site = useNextApp(() => {
    const { issuer = '', clientId = '', clientSecret = '' } = providers[0]?.settings() ?? {}
    return {
      AUTH_SECRET: secret,
      AUTH_URL: '{origin}',
      AUTH_OIDC_ISSUER: issuer,
      AUTH_OIDC_ID: clientId,
      AUTH_OIDC_SECRET: clientSecret,
      AUTH_OIDC_NAME: 'the test provider',
    }
  })
  /**
   * Checks whether a problem is a fault. Without scripts a browser reports that it does not load them; and it requests
   * the icon before it has read its address.
   */
  const isFault = (problem: string) => !/^csp .*\/_next\/.*\.js$|\/favicon\.ico\)$/.test(problem)
  const person = (page: Page) => page.locator('header .person')

  async function submitPassword(page: Page, username: string, password: string): Promise<void> {
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function signIn(page: Page, path = '/'): Promise<void> {
    await page.goto(site.url(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`))
    await submitPassword(page, 'grace', 'grace')
    await page.waitForURL(site.url(path))
    await person(page).getByText('Grace Hopper').waitFor()
  }

  async function signInAtProvider(page: Page, path: string): Promise<void> {
    await page.goto(site.url(path))
    await page.getByRole('button', { name: 'Sign in with the test provider' }).click()
    await page.waitForURL(`${providers[0]?.issuer}/interaction/**`)
    await logIn(page)
    await page.waitForURL(site.url(path))
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'by a server action' : 'without scripts'

    it(`signs in by password, ${how}: rejected, then back to the requested page`, async () => {
      const { page, problems } = await open({ javaScriptEnabled })
      await page.goto(site.url('/account?tab=1'))
      expect(new URL(page.url()).pathname).to.equal('/sign-in')
      await submitPassword(page, 'grace', 'wrong')
      await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor()
      expect(new URL(page.url()).searchParams.get('code')).to.equal('credentials')
      await submitPassword(page, 'grace', 'grace')
      await page.waitForURL(site.url('/account?tab=1'))
      await page.getByRole('definition').getByText('grace@example.com').waitFor()
      expect(problems.filter(isFault)).to.deep.equal([])
    })

    it(`signs in at the provider, ${how}, and signs out`, async () => {
      const { page, context, problems } = await open({ javaScriptEnabled })
      await signInAtProvider(page, '/account')
      await page.getByRole('definition').getByText('alice@example.com').waitFor()
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('heading', { name: 'Hello stranger' }).waitFor()
      expect(new URL(page.url()).pathname).to.equal('/')
      const names = (await context.cookies()).filter(({ domain }) => domain === '127.0.0.1').map(({ name }) => name)
      expect(names.filter((name) => name.includes('session'))).to.deep.equal([])
      await page.goto(site.url('/account'))
      expect(new URL(page.url()).pathname).to.equal('/sign-in')
      expect(problems.filter(isFault)).to.deep.equal([])
    })
  }

  it('redirects a visitor who follows a link to the sign-in page, and back', async () => {
    const { page, problems } = await open()
    await page.goto(site.url('/'))
    await page.getByRole('heading', { name: 'Hello stranger' }).waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).to.equal(site.url(`/sign-in?${new URLSearchParams({ callbackUrl: site.url('/account') })}`))
    await submitPassword(page, 'grace', 'grace')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(page.url()).to.equal(site.url('/account'))
    expect(problems.filter(isFault)).to.deep.equal([])
  })

  it('shows who is signed in, in every kind of page', async () => {
    const { page, problems } = await open()
    await signIn(page)
    await page.getByRole('heading', { name: 'Hello Grace Hopper' }).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('You are one of them, Grace Hopper.').waitFor()
    await page.goto(site.url('/settings'))
    await page.locator('#status').getByText('authenticated: Grace Hopper').waitFor()
    await page.goto(site.url('/server-side'))
    expect(await page.locator('#name').textContent()).to.equal('Grace Hopper')
    for (const path of ['/api/me', '/api/whoami', '/door']) {
      const { user } = await page.evaluate(async (url) => (await fetch(url)).json(), path)
      expect(user).to.include({ name: 'Grace Hopper', email: 'grace@example.com' })
    }
    expect(problems.filter(isFault)).to.deep.equal([])
  })

  it('changes the session, on the server and in the browser', async () => {
    const { page, problems } = await open()
    await signIn(page, '/settings')
    const [onServer, inBrowser] = [page.locator('form.sheet').nth(0), page.locator('form.sheet').nth(1)]
    await onServer.getByLabel('Name').fill('Amazing Grace')
    await onServer.getByRole('button').click()
    await person(page).getByText('Amazing Grace').waitFor()
    await page.locator('#status').getByText('authenticated: Amazing Grace').waitFor()
    await inBrowser.getByLabel('Name').fill('Grace of the Navy')
    await inBrowser.getByRole('button').click()
    await page.locator('#status').getByText('authenticated: Grace of the Navy').waitFor()
    await person(page).getByText('Grace of the Navy').waitFor()
    // The callback rejects this data: nothing has changed.
    await page.evaluate(async () => {
      const { csrfToken } = await (await fetch('/api/auth/csrf')).json()
      const body = JSON.stringify({ csrfToken, data: { user: { name: 7 }, role: 'admin' } })
      await fetch('/api/auth/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    })
    const session = await page.evaluate(async () => (await fetch('/api/auth/session')).json())
    expect(session).to.have.all.keys('user', 'expires')
    expect(session.user.name).to.equal('Grace of the Navy')
    expect(problems.filter(isFault)).to.deep.equal([])
  })

  it('updates by a server action without scripts', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await signIn(page, '/settings')
    const onServer = page.locator('form.sheet').first()
    await onServer.getByLabel('Name').fill('Amazing Grace')
    await onServer.getByRole('button').click()
    await person(page).getByText('Amazing Grace').waitFor()
  })

  it('does not redirect to other sites', async () => {
    const { page } = await open()
    await page.goto(site.url('/sign-in?callbackUrl=https://evil.example/'))
    await submitPassword(page, 'grace', 'grace')
    await page.getByRole('heading', { name: 'Hello Grace Hopper' }).waitFor()
    expect(new URL(page.url()).origin).to.equal(site.origin)
  })

  it('does not sign out for another site', async () => {
    const { page } = await open()
    await signIn(page)
    const form = `<form method="post" action="${site.url('/api/auth/signout')}"><button>Win</button></form>`
    await page.goto(`data:text/html,${encodeURIComponent(form)}`)
    await page.getByRole('button', { name: 'Win' }).click()
    await page.waitForURL(/MissingCSRF/)
    await page.goto(site.url('/'))
    await page.getByRole('heading', { name: 'Hello Grace Hopper' }).waitFor()
  })

  it('works with next-auth/react unchanged', async () => {
    const { page } = await open()
    await page.goto(site.url('/published'))
    const shows = (text: string) => page.getByRole('heading', { name: text, exact: true }).waitFor()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await shows('unauthenticated: nobody')
    await press('Wrong password')
    await page.waitForFunction(() => document.title === 'CredentialsSignin')
    await press('Right password')
    await shows('authenticated: Grace Hopper')
    await press('Rename')
    await shows('authenticated: Amazing Grace')
    await press('Leave')
    await shows('unauthenticated: nobody')
    await press('At the provider')
    await page.waitForURL(`${providers[0]?.issuer}/interaction/**`)
    await logIn(page)
    await shows('authenticated: Alice Example')
    expect(page.url()).to.equal(site.url('/published'))
  })

  it('has logged the missing token, and no wrong password or other error', () => {
    const told = new Set(site.log().match(/\[auth\]\S*|⨯.*/g))
    expect([...told]).to.deep.equal(['[auth][error]'])
    const types = new Set(site.log().match(/(?<=\[auth\]\[error\] )\w+/g))
    expect([...types]).to.have.members(['MissingCSRF'])
  })
})
