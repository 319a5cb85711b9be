/** Tests of faults of which the outside learns only a reference: the page of the user and the log have the same one. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, createLog, credentials, startApp, type TestApp } from '../support/app.js'

const broken = () =>
  credentials({
    authorize: () => {
      throw new Error('the users database is gone')
    },
  })

describe('a fault of the application', () => {
  let app: TestApp
  afterEach(async () => {
    delete process.env.AUTH_URL
    process.env.NODE_ENV = 'test'
    await app.close()
  })

  /** A logger that also keeps the details that come with an error. */
  async function start(config: Partial<ServerAuthConfig> = {}) {
    const details: unknown[] = []
    const { logger } = createLog()
    app = await startApp({
      providers: [broken()],
      logger: { ...logger, error: (_error, ...rest) => void details.push(...rest) },
      ...config,
    })
    return { browser: app.browser(), details }
  }
  async function fail(browser: Browser) {
    const { location = '' } = (await browser.signIn()).headers
    const url = new URL(location)
    return { location, reference: url.searchParams.get('reference') ?? '' }
  }

  it('has a reference in the URL, on the page and in the log', async () => {
    const { browser, details } = await start()
    const { location, reference } = await fail(browser)
    expect(reference).to.match(/^[0-9a-f]{8}$/)
    expect(details).to.deep.equal([{ reference }])
    expect((await browser.get(location)).text).to.contain(`Reference: <code>${reference}</code>`)
  })

  it('has another reference each time', async () => {
    const { browser } = await start()
    expect((await fail(browser)).reference).to.not.equal((await fail(browser)).reference)
  })

  it('shows cause and remedy in development', async () => {
    const { browser } = await start()
    const { text } = await browser.get((await fail(browser)).location)
    expect(text).to.contain('For developers')
    expect(text).to.contain('CallbackRouteError')
    expect(text).to.contain('the users database is gone')
  })

  it('LG-03 shows nothing but the reference in production', async () => {
    process.env.NODE_ENV = 'production'
    process.env.AUTH_URL = 'http://127.0.0.1'
    const { browser } = await start({ useSecureCookies: false })
    const { location, reference } = await fail(browser)
    const { text } = await browser.get(location)
    expect(text).to.contain(reference)
    expect(text).to.not.contain('database')
    expect(text).to.not.contain('For developers')
  })

  it('has the reference in JSON too', async () => {
    const { browser, details } = await start()
    const json = { csrfToken: await browser.csrf(), username: 'ann', password: 'right' }
    const { body, status } = await browser.send('post', '/auth/callback/credentials', {
      json,
      headers: { accept: 'application/json' },
    })
    expect(status).to.equal(500)
    expect(body.error).to.equal('Configuration')
    const [, reference] = /Reference: ([0-9a-f]{8})$/.exec(body.message) ?? []
    expect(details).to.deep.equal([{ reference }])
  })

  it('has no reference if the type is shown, because the developer need not look it up', async () => {
    const { browser, details } = await start({ providers: [credentials()] })
    const response = await browser.signIn({ password: 'wrong' })
    expect(response.headers.location).to.equal(`${app.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
    expect(details).to.deep.equal([])
  })

  it('passes the reference to a custom error page', async () => {
    const { browser } = await start({ pages: { error: '/oops' } })
    const { location, reference } = await fail(browser)
    expect(location).to.equal(`${app.origin}/oops?error=Configuration&reference=${reference}`)
  })

  for (const planted of ['<script>', 'ABCDEF12', '0123456', '012345678', 'zzzzzzzz']) {
    it(`shows no planted reference: ${planted}`, async () => {
      const { browser } = await start()
      const query = new URLSearchParams({ error: 'Configuration', reference: planted })
      expect((await browser.get(`/auth/error?${query}`)).text).to.not.contain('Reference')
    })
  }

  it('shows a visitor no detail for an unknown reference', async () => {
    const { browser } = await start()
    await fail(browser)
    const { text } = await browser.get('/auth/error?error=Configuration&reference=00000000')
    expect(text).to.not.contain('For developers')
  })

  it('keeps a bounded number of details', async () => {
    const { browser } = await start()
    const first = await fail(browser)
    const csrfToken = await browser.csrf()
    for (let count = 0; count < 100; count += 1) await browser.post('/auth/callback/credentials', { csrfToken })
    expect((await browser.get(first.location)).text, inspect(first)).to.not.contain('For developers')
  })
})
