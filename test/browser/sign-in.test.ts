/** Signing in with a real browser: cookies, scripts off, answers by POST from another site, custom pages. */
import { expect } from 'chai'
import helmet from 'helmet'
import type { Cookie } from 'playwright-core'
import { describeInBrowser } from '../support/browser.js'
import { begin, expectHello, logIn, signIn, useSite } from './site.js'

const day = 24 * 60 * 60

/** Returns the attributes of cookies. `lives` is seconds from now, -1 for the end of the browser's session. */
function attributes(cookies: readonly Cookie[]): Record<string, object> {
  const now = Date.now() / 1000
  return Object.fromEntries(
    cookies.map(({ name, path, httpOnly, secure, sameSite, expires }) => [
      name,
      { path, httpOnly, secure, sameSite, lives: expires === -1 ? -1 : Math.round((expires - now) / 60) * 60 },
    ]),
  )
}

describeInBrowser('a sign-in', (open) => {
  const site = useSite()

  it('ends at the page that the user asked for; the cookies are as few, as restricted and as short-lived as documented', async () => {
    const { page, context, problems } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/1'))
    const common = { httpOnly: true, secure: false, sameSite: 'Lax', lives: -1 }
    const own = async () => attributes(await context.cookies(site.url('/auth/callback/test')))
    const always = { 'auth.csrf-token': { ...common, path: '/' }, 'auth.callback-url': { ...common, path: '/' } }
    expect(await own()).to.deep.equal(always)

    await begin(page, site)
    const transaction = { ...common, path: '/auth', lives: 15 * 60 }
    const known = { ...always, 'auth.browser': { ...common, path: '/', lives: 400 * day } }
    expect(await own()).to.deep.equal({ ...known, 'auth.transaction.0': transaction })
    expect(attributes(await context.cookies(site.url('/page/1')))).to.deep.equal(known)

    await logIn(page)
    await page.waitForURL(site.url('/page/1'))
    await expectHello(page, 'Alice Example')
    const session = { ...common, path: '/', lives: 30 * day }
    // This cookie has the values that a sign-out sends to the provider. It is for our routes only.
    const logout = { ...common, path: '/auth', lives: 400 * day }
    expect(await own()).to.deep.equal({ ...known, 'auth.session-token': session, 'auth.logout': logout })
    const elsewhere = { ...known, 'auth.session-token': session }
    expect(attributes(await context.cookies(site.url('/page/1')))).to.deep.equal(elsewhere)
    expect(await page.evaluate(() => document.cookie)).to.equal('')

    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
    expect(Object.keys(await own())).to.have.members(Object.keys(known))
    expect(problems).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })

  it('works without scripts', async () => {
    const { page, problems } = await open({ javaScriptEnabled: false })
    await signIn(page, site)
    await expectHello(page, 'Alice Example')
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
    await expectHello(page, 'nobody')

    await page.goto(site.url('/auth/signin?callbackUrl=/page/2'))
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(site.url('/page/2'))
    await expectHello(page, 'ann')
    expect(problems).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })

  it('a user who cancels at the provider sees a message, and can sign in the next time', async () => {
    const { page } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/3'))
    await begin(page, site)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('was not completed').waitFor()
    expect(site.faults()).to.deep.equal([])
    await begin(page, site)
    await logIn(page)
    await page.waitForURL(site.url('/page/3'))
    expect(site.faults()).to.deep.equal([])
  })
})

describeInBrowser('a sign-in with Secure cookies', (open) => {
  const site = useSite({ config: { useSecureCookies: true } })

  it('the browser keeps cookies with prefixes', async () => {
    const { page, context } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/1'))
    await begin(page, site)
    const names = async () => (await context.cookies(site.url('/auth/callback/test'))).map(({ name }) => name).sort()
    expect(await names()).to.deep.equal([
      '__Host-auth.browser',
      '__Host-auth.csrf-token',
      '__Secure-auth.callback-url',
      '__Secure-auth.transaction.0',
    ])
    await logIn(page)
    await page.waitForURL(site.url('/page/1'))
    const held = await context.cookies(site.url('/'))
    for (const { name, secure, httpOnly, sameSite } of held) {
      expect({ name, secure, httpOnly, sameSite }).to.deep.equal({
        name,
        secure: true,
        httpOnly: true,
        sameSite: 'Lax',
      })
    }
    expect(held.map(({ name }) => name)).to.include('__Secure-auth.session-token')
  })
})

describeInBrowser('response_mode=form_post from another site', (open) => {
  const params = { scope: 'openid profile email', response_mode: 'form_post' }
  const site = useSite({ provider: { authorization: { params } } })

  it('signs in, although the POST carries none of our cookies; all of them are Lax', async () => {
    const { page, context, problems } = await open()
    const posts: Array<Promise<Record<string, string>>> = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/callback/')) posts.push(request.allHeaders())
    })
    await signIn(page, site)
    await expectHello(page, 'Alice Example')
    const [post, ...others] = await Promise.all(posts)
    expect(others).to.deep.equal([])
    expect(post).to.include({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
    expect(post).not.to.have.property('cookie')
    const own = await context.cookies(site.url('/auth/x'))
    expect(own.map(({ sameSite }) => sameSite)).to.deep.equal(own.map(() => 'Lax'))
    expect(new URL(page.url()).search).to.equal('')
    expect(problems).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })

  it('signs in two tabs at once', async () => {
    const { page, context } = await open()
    const other = await context.newPage()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/1'))
    await other.goto(site.url('/auth/signin?callbackUrl=/page/2'))
    await begin(page, site)
    await begin(other, site)
    await logIn(other, 'bob')
    await other.waitForURL(site.url('/page/2'))
    await logIn(page)
    await page.waitForURL(site.url('/page/1'))
    expect(site.faults()).to.deep.equal([])
  })
})

describeInBrowser('a sign-in page of the site’s own', (open) => {
  const site = useSite({
    config: { pages: { signIn: '/login' } },
    app: {
      before(app) {
        app.use(['/login', '/login.js'], helmet())
        app.get('/login', (_req, res) => {
          res.send(`<!doctype html><html lang="en"><title>Log in</title><link rel="icon" href="data:,">
<h1>Welcome back</h1><form method="post" action="/auth/signin/test"><input type="hidden" name="csrfToken">
<input type="hidden" name="callbackUrl" value="/page/4"><button disabled>Log in</button></form>
<script src="/login.js"></script></html>`)
        })
        app.get('/login.js', (_req, res) => {
          res.type('js').send(`fetch('/auth/csrf').then((answer) => answer.json()).then(({ csrfToken }) => {
  document.querySelector('[name=csrfToken]').value = csrfToken
  document.querySelector('button').disabled = false
})`)
        })
      },
    },
  })

  it('leads to the provider under helmet’s default Content-Security-Policy', async () => {
    const { page, problems } = await open()
    const response = await page.goto(site.url('/auth/signin'))
    expect(page.url().startsWith(site.url('/login'))).to.equal(true)
    expect(response?.headers()['content-security-policy']).to.include("form-action 'self'")
    expect(response?.headers()['referrer-policy']).to.equal('no-referrer')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${site.provider.issuer}/interaction/**`)
    await logIn(page)
    await page.waitForURL(site.url('/page/4'))
    await expectHello(page, 'Alice Example')
    expect(problems).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })
})
