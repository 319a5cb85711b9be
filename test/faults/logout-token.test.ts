/** A logout token works once, even if it is sent to another process of the application the second time. */
import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { AppProcess } from './app-process.js'

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a logout token at two processes on one PostgreSQL, ${strategy} sessions`, () => {
    let database: TestDatabase
    let provider: HostileProvider
    let apps: [AppProcess, AppProcess]

    before(async function () {
      this.timeout(60_000)
      provider = await startHostileProvider()
      database = await requireDatabase(this, 'postgres')
      const settings = {
        databaseUrl: database.url,
        provider: { ...provider.settings, logout: { backchannel: true } },
        ...(strategy === 'jwt' && { revocation: { maxStale: 1 } }),
      }
      apps = await Promise.all([AppProcess.start(settings), AppProcess.start(settings)])
    })
    after(async () => {
      await Promise.all(apps?.map((app) => app.stop()) ?? [])
      await provider?.close()
      await database?.close()
    })

    async function signIn(app: AppProcess): Promise<Browser> {
      const browser = app.browser()
      provider.onToken = (body) => provider.tokens(body, { sid: undefined })
      const url = provider.authorize(target(await browser.submit('/auth/signin/test')))
      await browser.get(url)
      expect((await browser.get('/me')).body, app.errors.join()).to.be.an('object')
      return browser
    }

    it('ends earlier sessions, and not later ones', async () => {
      const now = Math.floor(Date.now() / 1000)
      const token = await provider.signIdToken(
        {
          iss: provider.issuer,
          aud: provider.settings.clientId,
          iat: now,
          exp: now + 120,
          jti: `one-${strategy}`,
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          sub: 'person-1',
        },
        { header: { typ: 'logout+jwt' } },
      )
      const send = async (app: AppProcess) => {
        const body = new URLSearchParams({ logout_token: token })
        return (await fetch(`${app.origin}/auth/backchannel-logout/test`, { method: 'POST', body })).status
      }
      const [first, second] = apps
      const before = await signIn(first)
      expect(await send(first)).to.equal(200)
      expect((await before.get('/me')).body).to.equal(null)
      // The provider's times are whole seconds: a sign-in in the second of the logout is not treated as a later one.
      await new Promise((resolve) => setTimeout(resolve, (now + 1) * 1000 - Date.now()))
      const later = await signIn(second)
      expect(await send(second), 'the other process').to.equal(400)
      expect(await send(first), 'the same').to.equal(400)
      // As long as it takes until each process knows what ended.
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect((await later.get('/me')).body).to.be.an('object')
      expect([...first.errors, ...second.errors]).to.deep.equal([])
    })
  })
}
