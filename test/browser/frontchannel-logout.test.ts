/** Front-channel logout as a browser does it: the provider's own page, with ours in a frame of another site. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { getSession } from '../../lib/index.js'
import { startApp, type TestApp } from '../support/app.js'
import { describeInBrowser, type OpenPage } from '../support/browser.js'
import { inTurn } from '../support/extent.js'
import { type GlewlwydProvider, missingGlewlwyd, person, startGlewlwyd } from '../support/glewlwyd.js'
import { startLoopbackServer } from '../support/loopback-server.js'
import { skip } from '../support/skip.js'

const strategies = {
  jwt: () => ({ session: { revocation: memoryStore() } }),
  database: () => ({ adapter: memoryAdapter() }),
}

/** The request for our page in the frame, as our server received it. */
interface Framed {
  readonly cookie: string | undefined
  readonly site: unknown
  readonly dest: unknown
  readonly query: string
}

describeInBrowser('front-channel logout', (open) => {
  let provider: GlewlwydProvider
  let app: TestApp
  let idToken = ''
  let clients = 0
  const framed: Framed[] = []
  before(async function () {
    const missing = missingGlewlwyd()
    if (missing !== undefined) skip(this, missing)
    provider = await startGlewlwyd()
  })
  after(() => provider?.close())
  afterEach(() => app.close())

  async function start(strategy: keyof typeof strategies): Promise<void> {
    framed.length = 0
    const client = { clientId: `web-${++clients}`, clientSecret: 'a-client-secret-of-more-than-32-characters' }
    const logout = { frontchannel: true }
    const { issuer } = provider
    app = await startApp(
      {
        ...strategies[strategy](),
        providers: [{ id: 'test', name: 'Test', type: 'oidc', issuer, ...client, logout }],
        events: {
          signIn: ({ account }) => {
            idToken = account?.id_token ?? ''
          },
        },
      },
      {
        before: (express) =>
          express.use('/auth/frontchannel-logout', (req, _res, next) => {
            const { cookie, 'sec-fetch-site': site, 'sec-fetch-dest': dest } = req.headers
            framed.push({ cookie, site, dest, query: req.originalUrl.split('?')[1] ?? '' })
            next()
          }),
        after: (express, config) =>
          express.get('/', (req, res, next) => {
            getSession(req, config).then(
              (session) => res.send(`<h1>Hello ${session?.user?.name ?? 'nobody'}</h1>`),
              next,
            )
          }),
      },
    )
    const at = `${app.origin}/auth`
    await provider.register({
      ...client,
      redirectUri: `${at}/callback/test`,
      postLogoutUri: `${at}/signout/test`,
      frontchannelUri: `${at}/frontchannel-logout/test`,
    })
  }

  async function signIn({ page }: OpenPage): Promise<void> {
    await page.goto(`${app.origin}/auth/signin?callbackUrl=/`)
    await page.getByRole('button', { name: 'Sign in with Test' }).click()
    await page.getByLabel('Login').fill(person.username)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'OK' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${app.origin}/`)
  }
  const hello = async ({ page }: OpenPage) => {
    await page.goto(`${app.origin}/`)
    return page.locator('h1').textContent()
  }

  for (const strategy of inTurn(['jwt', 'database'] as const, 0)) {
    it(`the provider’s page ends the session here, with none of our cookies: ${strategy}`, async () => {
      await start(strategy)
      const opened = await open()
      await signIn(opened)
      expect(await hello(opened)).to.equal(`Hello ${person.name}`)
      const { page, context, problems } = opened
      expect((await context.cookies(app.origin)).map(({ name }) => name)).to.include('auth.session-token')
      problems.length = 0
      const back = `${app.origin}/auth/signout/test`
      const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: back, state: '' })
      await page.goto(`${provider.issuer}/end_session?${query}`)
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.waitForURL(`${back}**`)
      expect(framed).to.have.length(1)
      expect(framed[0]).to.deep.include({ cookie: undefined, site: 'cross-site', dest: 'iframe' })
      expect([...new URLSearchParams(framed[0]?.query).keys()]).to.deep.equal(['iss', 'sid'])
      expect(problems.filter((each) => each.includes('frame'))).to.deep.equal([])
      expect(await hello(opened)).to.equal('Hello nobody')
    })
  }

  it('a page of the provider may load it in a frame, and no other page', async () => {
    await start('database')
    const query = new URLSearchParams({ iss: provider.issuer, sid: 'nobody’s' })
    const url = `${app.origin}/auth/frontchannel-logout/test?${query}`
    const stranger = await startLoopbackServer(
      (_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>'),
      { host: 'localhost' },
    )
    try {
      const { page, problems } = await open()
      const shown: string[] = []
      for (const origin of [`${provider.origin}/login.html`, stranger.origin]) {
        await page.goto(origin)
        const loaded = page.waitForEvent('framenavigated')
        await page.evaluate((src) => {
          document.body.append(Object.assign(document.createElement('iframe'), { src }))
        }, url)
        shown.push((await loaded).url())
      }
      expect(shown).to.deep.equal([new URL(url).href, 'chrome-error://chromewebdata/'])
      expect(framed).to.have.length(2)
      expect(problems.filter((each) => each.includes('frame-ancestors'))).to.have.length(1)
    } finally {
      await stranger.close()
    }
  })
})
