/** Passkeys on a page whose endpoints are on another origin of the same site. */
import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Passkey from '../../lib/providers/passkey.js'
import { bundle } from '../client/bundle.js'
import { createExpressSite } from '../origins/site.js'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { plugIn } from '../support/passkey-device.js'

describeInBrowser('passkeys on a page of another origin', (open) => {
  let api: LoopbackServer
  let pages: LoopbackServer
  before(async () => {
    const { code } = await bundle('test/origins/passkey-page.ts')
    let listener: RequestListener = () => undefined
    api = await startLoopbackServer((req, res) => listener(req, res), { host: 'localhost' })
    pages = await startLoopbackServer(
      (req, res) => {
        const isScript = req.url === '/script.js'
        res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        res.end(isScript ? code : '<!doctype html><title>Page</title><script type="module" src="/script.js"></script>')
      },
      { host: 'localhost' },
    )
    const relyingParty = { id: 'localhost', name: 'Site', origin: [api.origin, pages.origin] }
    listener = createExpressSite('database', {
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      providers: [Passkey({ relyingParty })],
      trustedOrigins: [pages.origin],
    }).app
  })
  after(() => Promise.all([api?.close(), pages?.close()]))

  it('creates an account with one, signs out, and signs in with it', async () => {
    const { page } = await open()
    await plugIn(page)
    await page.goto(pages.origin)
    await page.waitForFunction(() => 'remote' in window)
    const results = await page.evaluate(async (baseUrl) => {
      const { configureClient, getSession, registerPasskey, signInWithPasskey, signOut } = window.remote
      configureClient({ baseUrl })
      const made = await registerPasskey({ email: 'ann@example.com', redirect: false })
      const first = await getSession()
      await signOut({ redirect: false })
      const none = await getSession()
      const used = await signInWithPasskey({ redirect: false })
      return [made, first?.user?.email, none, used, (await getSession())?.user?.email]
    }, api.origin)
    const ok = { ok: true, url: `${pages.origin}/` }
    expect(results).to.deep.equal([ok, 'ann@example.com', null, ok, 'ann@example.com'])
  })
})
