/** Two processes of an application on one PostgreSQL, and on one Redis: they behave as one. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createClient } from 'redis'
import { type Browser, target } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { skip } from '../support/skip.js'
import { AppProcess } from './app-process.js'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

for (const sessions of ['PostgreSQL', 'Redis'] as const) {
  describe(`two processes on one PostgreSQL, with sessions in ${sessions}`, () => {
    let database: TestDatabase
    let provider: OpenIdProvider
    let apps: [AppProcess, AppProcess]

    before(async function () {
      provider = await startOpenIdProvider()
      database = await requireDatabase(this, 'postgres')
      if (sessions === 'Redis') await requireRedis(this)
      const redis =
        sessions === 'Redis' ? { redis: { url: redisUrl, prefix: `t${randomBytes(6).toString('hex')}:` } } : {}
      const settings = { databaseUrl: database.url, provider: provider.settings(), ...redis }
      // Both migrate the empty database at once.
      apps = await Promise.all([AppProcess.start(settings), AppProcess.start(settings)])
    })
    after(async () => {
      await Promise.all(apps?.map((app) => app.stop()) ?? [])
      await provider?.close()
      await database?.close()
    })

    /** Returns the same browser at the other process, with its cookies. */
    function elsewhere(browser: Browser): Browser {
      const other = apps[1].browser()
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      return other
    }

    it('read and end the same session', async () => {
      const browser = apps[0].browser()
      await browser.submit('/auth/callback/credentials', { username: 'ann' })
      const there = elsewhere(browser)
      expect((await there.get('/me')).body.user.email).to.equal('ann@example.com')
      await there.submit('/auth/signout')
      expect((await browser.get('/me')).body).to.equal(null)
    })

    it('accept one email link once, though both receive it at the same moment', async () => {
      const browser = apps[0].browser()
      await browser.submit('/auth/signin/email', { email: 'carol@example.com' })
      const { url } = await apps[0].mailTo('carol@example.com')
      const fields = Object.fromEntries(new URL(url).searchParams)
      const browsers = Array.from({ length: 20 }, (_, at) => apps[at % 2 === 0 ? 0 : 1].browser())
      await Promise.all(browsers.map((each) => each.submit('/auth/callback/email', fields)))
      const signedIn = await Promise.all(browsers.map((each) => each.session()))
      expect(signedIn.filter((session) => session !== null)).to.have.length(1)
    })

    it('accept only the newest link, though each sent one', async () => {
      for (const app of apps) await app.browser().submit('/auth/signin/email', { email: 'dora@example.com' })
      const old = await apps[0].mailTo('dora@example.com')
      const current = await apps[1].mailTo('dora@example.com')
      const late = apps[0].browser()
      const fieldsOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
      expect(target(await late.submit('/auth/callback/email', fieldsOf(old.url)))).to.contain('error=Verification')
      await late.submit('/auth/callback/email', fieldsOf(current.url))
      expect(await late.session()).to.have.nested.property('user.email', 'dora@example.com')
    })

    it('create one user for a first sign-in at both', async () => {
      const browsers = apps.map((app) => app.browser())
      const callbacks = await Promise.all(
        browsers.map(async (browser) => provider.signInAs(target(await browser.submit('/auth/signin/test')), 'alice')),
      )
      await Promise.all(browsers.map((browser, at) => browser.get(callbacks[at] ?? '')))
      for (const browser of browsers) {
        expect(await browser.session()).to.have.nested.property('user.email', 'alice@example.com')
      }
      const users = await database.db
        .selectFrom('auth_users')
        .where('email', '=', 'alice@example.com')
        .selectAll()
        .execute()
      expect(users).to.have.length(1)
    })

    it('create one user for two providers with one address at the same moment, and reject the other', async () => {
      const browsers = [apps[0].browser(), apps[1].browser()] as const
      const ids = ['test', 'other'] as const
      const callbacks = await Promise.all(
        browsers.map(async (browser, at) =>
          provider.signInAs(target(await browser.submit(`/auth/signin/${ids[at]}`)), 'bob'),
        ),
      )
      const ends = await Promise.all(browsers.map((browser, at) => browser.get(callbacks[at] ?? '')))
      const read = await Promise.all(browsers.map((browser) => browser.session()))
      expect(read.filter((session) => session !== null)).to.have.length(1)
      expect(ends.filter((end) => target(end).includes('error=OAuthAccountNotLinked'))).to.have.length(1)
      const users = await database.db
        .selectFrom('auth_users')
        .where('email', '=', 'bob@example.com')
        .selectAll()
        .execute()
      expect(users).to.have.length(1)
    })
  })
}

async function requireRedis(context: Mocha.Context): Promise<void> {
  try {
    const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    await client.connect()
    await client.close()
  } catch {
    skip(context, 'no Redis server')
  }
}
