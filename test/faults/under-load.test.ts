/** The application is ended while twenty users sign in: afterwards each has a session or none, and can sign in. */
import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { inTurn } from '../support/extent.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { AppProcess } from './app-process.js'

const people = Array.from({ length: 20 }, (_, at) => `person-${at}`)

const signals = ['SIGKILL', 'SIGTERM'] as const
const cases = (['postgres', 'sqlite'] as const).flatMap((kind, turn) =>
  inTurn(signals, turn).map((signal) => ({ kind, signal })),
)

for (const { kind, signal } of cases) {
  describe(`an application that gets ${signal} while ${people.length} users sign in, on ${kind}`, () => {
    let database: TestDatabase
    let provider: OpenIdProvider

    before(async function () {
      const accounts = people.map((login) => ({
        login,
        sub: login,
        name: login,
        email: `${login}@example.com`,
        email_verified: true,
      }))
      provider = await startOpenIdProvider({ accounts })
      database = await requireDatabase(this, kind)
    })
    after(async () => {
      await provider?.close()
      await database?.close()
    })

    const start = () => AppProcess.start({ databaseUrl: database.url, provider: provider.settings() })
    const rows = async (table: string) => database.db.selectFrom(table).selectAll().execute()

    async function callback(browser: Browser, login: string): Promise<string> {
      return provider.signInAs(target(await browser.submit('/auth/signin/test')), login)
    }

    /** Sends all callbacks at once, and ends the application when some are answered. @returns The number of answers. */
    async function endAmong(app: AppProcess, browsers: readonly Browser[], backs: readonly string[]) {
      let answered = 0
      let ended: Promise<number | null> | undefined
      const answers = browsers.map(async (browser, at) => {
        await browser.get(backs[at] ?? '')
        answered += 1
        if (answered === 5) ended = app.end(signal)
      })
      await Promise.allSettled(answers)
      return { answered, code: await ended }
    }

    it('RC-10 leaves no user without an account, and every user can sign in', async () => {
      const first = await start()
      const browsers = people.map(() => first.browser())
      const backs = await Promise.all(browsers.map((browser, at) => callback(browser, people[at] ?? '')))
      const { answered, code } = await endAmong(first, browsers, backs)
      expect(code).to.equal(signal === 'SIGTERM' ? 0 : null)
      expect(answered).to.be.at.least(5)

      const users = await rows('auth_users')
      // Requests that had not reached the process are not rejected half-way.
      if (signal === 'SIGTERM') expect(users, 'whom it took in it answered').to.have.length(answered)
      const accounts = await rows('auth_accounts')
      expect(accounts.map(({ userId }) => userId)).to.have.members(users.map(({ id }) => id))
      for (const { userId } of await rows('auth_sessions')) expect(users.map(({ id }) => id)).to.include(userId)

      const second = await start()
      let kept = 0
      await Promise.all(
        browsers.map(async (browser, at) => {
          const login = people[at] ?? ''
          const later = second.browser()
          for (const [name, value] of browser.cookies) later.cookies.set(name, value)
          const { body } = await later.get('/me')
          if (body === null) {
            const end = await later.get(await callback(later, login))
            expect(target(end), second.errors.join('\n')).to.equal(`${second.origin}/`)
          } else kept += 1
          expect((await later.get('/me')).body.user.email).to.equal(`${login}@example.com`)
        }),
      )
      expect(kept, 'who had an answer has a session').to.equal(answered)
      expect(await rows('auth_users')).to.have.length(people.length)
      expect(await rows('auth_accounts')).to.have.length(people.length)
      await second.stop()
    })
  })
}
