/** A form submitted twice: the second comes with the CSRF token that the first one's sign-in has replaced. */
import { expect } from 'chai'
import { type Browser, startApp, type TestApp, target } from '../support/app.js'

describe('a password form that is submitted twice', () => {
  const { now } = Date
  let app: TestApp
  let browser: Browser
  let fields: { csrfToken: string; username: string; password: string; callbackUrl: string }
  beforeEach(async () => {
    app = await startApp()
    browser = app.browser()
    fields = { csrfToken: await browser.csrf(), username: 'ann', password: 'right', callbackUrl: '/page' }
  })
  afterEach(async () => {
    Date.now = now
    await app.close()
  })
  const submit = (changes: object = {}) => browser.post('/auth/callback/credentials', { ...fields, ...changes })

  it('redirects to the page that the user asked for, without a second sign-in', async () => {
    await submit()
    const session = browser.cookies.get('auth.session-token')
    expect(target(await submit())).to.equal(`${app.origin}/page`)
    expect(browser.cookies.get('auth.session-token')).to.equal(session)
    expect(app.log.errors).to.deep.equal([])
  })

  it('does not sign in another user by the replaced token', async () => {
    await submit()
    await submit({ username: 'bob' })
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
  })

  it('is rejected once the user is signed out', async () => {
    await submit()
    browser.cookies.delete('auth.session-token')
    expect(target(await submit())).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
    expect(await browser.session()).to.equal(null)
  })

  it('is refused after ten seconds', async () => {
    await submit()
    Date.now = () => now() + 10_001
    expect(target(await submit())).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
  })

  it('is rejected with an unknown token', async () => {
    await submit()
    expect(target(await submit({ csrfToken: 'a'.repeat(64) }))).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
  })

  it('is refused at other routes', async () => {
    await submit()
    const response = await browser.post('/auth/signout', { csrfToken: fields.csrfToken })
    expect(target(response)).to.equal(`${app.origin}/auth/signin?error=MissingCSRF`)
    expect(await browser.session()).to.have.property('user')
  })
})
