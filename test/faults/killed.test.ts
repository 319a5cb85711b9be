/**
 * `kill -9` of the application between a callback and its reply: no partial changes are left, and the next try
 * succeeds.
 */
import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { AppProcess } from './app-process.js'

/**
 * The moments of the kill. One process that writes, and a server: the moments are the same everywhere, and each costs
 * two processes.
 */
const moments = {
  postgres: ['createUser', 'linkAccount', 'transaction', 'createSession'],
  sqlite: ['linkAccount'],
} as const

for (const kind of ['postgres', 'sqlite'] as const) {
  describe(`an application that is killed during a sign-in, on ${kind}`, () => {
    let database: TestDatabase
    let provider: OpenIdProvider

    before(async function () {
      provider = await startOpenIdProvider()
      database = await requireDatabase(this, kind)
    })
    after(async () => {
      await provider?.close()
      await database?.close()
    })

    const start = () => AppProcess.start({ databaseUrl: database.url, provider: provider.settings() })
    const rows = async (table: string) => database.db.selectFrom(table).selectAll().execute()

    async function callback(browser: Browser): Promise<string> {
      return provider.signInAs(target(await browser.submit('/auth/signin/test')), 'alice')
    }

    for (const method of moments[kind]) {
      it(`RC-10 after \`${method}\` leaves no user without an account and no session, and can be tried again`, async () => {
        const first = await start()
        const browser = first.browser()
        const back = await callback(browser)
        await first.dieAfter(method)
        expect(await browser.get(back).catch((error: unknown) => error)).to.be.an('error')
        await first.died()

        const users = await rows('auth_users')
        const accounts = await rows('auth_accounts')
        expect(accounts.map(({ userId }) => userId)).to.have.members(users.map(({ id }) => id))
        for (const { userId } of await rows('auth_sessions')) expect(users.map(({ id }) => id)).to.include(userId)

        const second = await start()
        const retry = second.browser()
        const end = await retry.get(await callback(retry))
        expect(target(end), second.errors.join('\n')).to.equal(`${second.origin}/`)
        expect((await retry.get('/me')).body.user.email).to.equal('alice@example.com')
        expect(await rows('auth_users')).to.have.length(1)
        expect(await rows('auth_accounts')).to.have.length(1)
        await second.stop()
        for (const table of ['auth_sessions', 'auth_accounts', 'auth_users']) {
          await database.db.deleteFrom(table).execute()
        }
      })
    }

    it('after it used an email link leaves a link that cannot be used again', async () => {
      const first = await start()
      const browser = first.browser()
      await browser.submit('/auth/signin/email', { email: 'carol@example.com' })
      const { url } = await first.mailTo('carol@example.com')
      await first.dieAfter('useVerificationToken')
      expect(await browser.get(url).catch((error: unknown) => error)).to.be.an('error')
      await first.died()
      const second = await start()
      const again = second.browser()
      const confirm = new URL(url)
      const fields = Object.fromEntries(confirm.searchParams)
      const end = await again.submit('/auth/callback/email', fields)
      expect(target(end)).to.contain('error=Verification')
      expect(await again.session()).to.equal(null)
      expect(await rows('auth_users')).to.have.length(0)
      await second.stop()
    })
  })
}
