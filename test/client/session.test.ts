/** `getSession`, `update`, `getProviders`, `getCsrfToken` and `configureClient` in a browser. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { skipCSRFCheck } from '../../lib/index.js'
import { begin, logIn, useSite } from '../browser/site.js'
import { testDatabase } from '../support/adapter.js'
import { startApp } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { addViews, takesName } from './views.js'

async function signIn(page: Page, username = 'ann'): Promise<void> {
  const { ok } = await page.evaluate(
    (name) => window.auth.signIn('credentials', { username: name, password: 'right', redirect: false }),
    username,
  )
  expect(ok).to.equal(true)
}

describeInBrowser('server-auth/client: the session', (open) => {
  const site = useSite({
    app: { after: addViews },
    config: {
      callbacks: takesName,
    },
  })
  const openPlain = async () => {
    const opened = await open()
    await opened.page.goto(site.url('/view/plain'))
    return opened
  }

  it('is null for a visitor, and the session of a signed-in user', async () => {
    const { page, problems } = await openPlain()
    expect(await page.evaluate(() => window.auth.getSession())).to.equal(null)
    await signIn(page)
    const session = await page.evaluate(() => window.auth.getSession())
    expect(session).to.have.all.keys('user', 'expires')
    expect(session).to.have.nested.property('user.name', 'ann')
    expect(problems).to.deep.equal([])
  })

  it('is changed by update, and read again by update without data', async () => {
    const { page } = await openPlain()
    await signIn(page)
    expect(await page.evaluate(() => window.auth.update({ name: 'Ann of the hill' }))).to.have.nested.property(
      'user.name',
      'Ann of the hill',
    )
    expect(await page.evaluate(() => window.auth.update())).to.have.nested.property('user.name', 'Ann of the hill')
  })

  it('is null for an update by a visitor', async () => {
    const { page } = await openPlain()
    expect(await page.evaluate(() => window.auth.update({ name: 'Eve' }))).to.equal(null)
  })

  it('is not changed by an update without the right CSRF token: update throws', async () => {
    const { page } = await openPlain()
    await signIn(page)
    await page.route('**/auth/csrf', (route) => route.fulfill({ json: { csrfToken: 'stale' } }))
    const failure = await page.evaluate(() => window.failure(window.auth.update({ name: 'Eve' })))
    expect(failure).to.include({ name: 'ClientError', type: 'MissingCSRF', status: 403 })
    expect(await page.evaluate(() => window.auth.getSession())).to.have.nested.property('user.name', 'ann')
  })

  it('throws if the browser is offline, which does not sign the user out', async () => {
    const { page, context } = await openPlain()
    await signIn(page)
    await context.setOffline(true)
    const failure = await page.evaluate(() => window.failure(window.auth.getSession()))
    expect(failure).to.deep.equal({
      name: 'ClientError',
      type: 'NetworkError',
      status: 0,
      message: 'No answer from /auth/session',
    })
    await context.setOffline(false)
    expect(await page.evaluate(() => window.auth.getSession())).to.have.nested.property('user.name', 'ann')
  })

  it('throws if another server answers, or none does in time', async () => {
    const { page } = await openPlain()
    await page.route('**/auth/session', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Hello</h1>' }))
    expect(await page.evaluate(() => window.failure(window.auth.getSession()))).to.include({
      type: 'UnexpectedAnswer',
      status: 200,
    })
    await page.route('**/auth/session', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    expect(await page.evaluate(() => window.failure(window.auth.getSession()))).to.include({
      type: 'UnexpectedAnswer',
      status: 502,
    })
    await page.route('**/auth/session', () => {})
    const asked = await page.evaluate(async () => {
      const given: number[] = []
      AbortSignal.timeout = (milliseconds) => {
        given.push(milliseconds)
        return AbortSignal.abort(new DOMException('too late', 'TimeoutError'))
      }
      return { given, failure: await window.failure(window.auth.getSession()) }
    })
    expect(asked.given).to.deep.equal([30_000])
    expect(asked.failure).to.include({ type: 'NetworkError', status: 0 })
  })

  it('lists the providers', async () => {
    const { page } = await openPlain()
    const providers = await page.evaluate(() => window.auth.getProviders())
    expect(Object.keys(providers)).to.deep.equal(['test', 'credentials'])
    expect(providers.test).to.deep.equal({
      id: 'test',
      name: 'Test',
      type: 'oidc',
      signinUrl: site.url('/auth/signin/test'),
      callbackUrl: site.url('/auth/callback/test'),
    })
  })

  it('gets the CSRF token of the browser: the same each time', async () => {
    const { page } = await openPlain()
    const tokens = await page.evaluate(async () => [await window.auth.getCsrfToken(), await window.auth.getCsrfToken()])
    expect(tokens[0]).to.match(/^\S{20,}$/)
    expect(tokens[1]).to.equal(tokens[0])
  })

  it('sees a user who signed in at a provider', async () => {
    const { page } = await openPlain()
    await page.goto(site.url('/auth/signin?callbackUrl=/view/plain'))
    await begin(page, site)
    await logIn(page)
    await page.waitForURL(site.url('/view/plain'))
    await page.waitForFunction(() => 'auth' in window)
    expect(await page.evaluate(() => window.auth.getSession())).to.have.nested.property('user.name', 'Alice Example')
  })
})

describeInBrowser('server-auth/client: a session in a database', (open) => {
  const db = testDatabase()
  const site = useSite({ app: { after: addViews }, config: { adapter: db.adapter } })
  afterEach(() => db.repair())

  it('is neither a session nor null while the database is down', async () => {
    const { page } = await open()
    await page.goto(site.url('/view/plain'))
    await signIn(page)
    db.replaceAll(() => Promise.reject(new Error('down')))
    const failure = await page.evaluate(() => window.failure(window.auth.getSession()))
    expect(failure).to.include({ name: 'ClientError', type: 'Configuration', status: 503 })
    expect(failure?.message).to.match(/^\/auth\/session sent 503: .*This site has a problem.* Reference: [0-9a-f]{8}/)
    db.repair()
    expect(await page.evaluate(() => window.auth.getSession())).to.have.nested.property('user.name', 'ann')
    expect(site.faults()).to.deep.equal(['AdapterError'])
  })
})

describeInBrowser('server-auth/client: where the endpoints are', (open) => {
  for (const [mount, basePath] of [
    ['/auth', undefined],
    ['/api/session', '/api/session'],
    ['/api/session', '/api/session/'],
  ] as const) {
    it(`finds ${mount} with ${basePath === undefined ? 'no basePath' : `the basePath ${basePath}`}`, async () => {
      const app = await startApp({}, { mount, after: addViews })
      const { page, problems } = await open()
      await page.goto(`${app.origin}/view/plain`)
      if (basePath) await page.evaluate((path) => window.auth.configureClient({ basePath: path }), basePath)
      await signIn(page)
      expect(await page.evaluate(() => window.auth.getSession())).to.have.nested.property('user.name', 'ann')
      const url = await page.evaluate(() => window.auth.signIn(undefined, { redirect: false, redirectTo: '/x' }))
      expect(url).to.include({ ok: true, url: `${app.origin}${mount}/signin?callbackUrl=%2Fx` })
      expect(problems).to.deep.equal([])
      await app.close()
    })
  }

  for (const sign of ['__next_f', '__NEXT_DATA__']) {
    it(`looks below /api/auth in a page of Next.js, which has ${sign}`, async () => {
      const app = await startApp({}, { mount: '/api/auth', after: addViews })
      const { page } = await open()
      await page.goto(`${app.origin}/view/plain`)
      const before = await page.evaluate(() => window.failure(window.auth.getSession()))
      expect(before).to.include({ type: 'UnexpectedAnswer', status: 404 })
      await page.evaluate((name) => Object.assign(window, { [name]: [] }), sign)
      expect(await page.evaluate(() => window.failure(window.auth.getSession()))).to.equal(null)
      await app.close()
    })
  }

  it('works if the CSRF check is switched off: the token is empty', async () => {
    const app = await startApp({ skipCSRFCheck }, { after: addViews })
    const { page } = await open()
    await page.goto(`${app.origin}/view/plain`)
    expect(await page.evaluate(() => window.auth.getCsrfToken())).to.equal('')
    await signIn(page)
    await page.evaluate(() => window.auth.signOut({ redirect: false }))
    expect(await page.evaluate(() => window.auth.getSession())).to.equal(null)
    await app.close()
  })
})

describe('server-auth/client on a server', () => {
  it('loads, and reports that it cannot send requests', async () => {
    const { ClientError, getSession } = await import('../../lib/client/index.js')
    const error = await getSession().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(ClientError)
    expect(error).to.include({ type: 'NetworkError', status: 0, message: 'No answer from /auth/session' })
    expect((error as Error).cause).to.be.instanceOf(TypeError)
  })
})
