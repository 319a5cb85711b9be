/** Four processes of an application on one PostgreSQL, with JWT sessions: what ends in one is over in all. */
import { expect } from 'chai'
import type { Browser } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { AppProcess } from './app-process.js'

/** Seconds. */
const maxStale = 1

describe('four processes on one PostgreSQL, with JWT sessions', () => {
  let database: TestDatabase
  let provider: OpenIdProvider
  let apps: AppProcess[]

  before(async function () {
    this.timeout(60_000)
    provider = await startOpenIdProvider()
    database = await requireDatabase(this, 'postgres')
    const settings = { databaseUrl: database.url, provider: provider.settings(), revocation: { maxStale } }
    apps = await Promise.all(Array.from({ length: 4 }, () => AppProcess.start(settings)))
  })
  after(async () => {
    await Promise.all(apps?.map((app) => app.stop()) ?? [])
    await provider?.close()
    await database?.close()
  })

  /** The same browser at each process: the cookies go along. */
  function everywhere(browser: Browser): Browser[] {
    return apps.map((app) => {
      const other = app.browser()
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      return other
    })
  }

  const signedIn = (browsers: readonly Browser[]) =>
    Promise.all(browsers.map(async (browser) => (await browser.get('/me')).body !== null))

  it('a session that one of them ends is over in all, a second later', async () => {
    const [first] = apps
    const browser = first?.browser()
    if (!browser) throw new Error('no process')
    await browser.submit('/auth/callback/credentials', { username: 'ann' })
    const copies = everywhere(browser)
    expect(await signedIn(copies)).to.deep.equal([true, true, true, true])
    const [, , third] = everywhere(browser)
    await third?.submit('/auth/signout')
    expect((await signedIn(copies))[2], 'at once where it was ended').to.equal(false)
    await new Promise((next) => setTimeout(next, maxStale * 1000 + 200))
    // Each with the cookie once more: a late answer must not have brought it back.
    expect(await signedIn(everywhere(browser))).to.deep.equal([false, false, false, false])
  })

  it('sessions that begin in all of them while others end are not mixed up', async () => {
    const begin = async (app: AppProcess) => {
      const browser = app.browser()
      await browser.submit('/auth/callback/credentials', { username: 'bob' })
      return browser
    }
    const [ended, kept] = [await Promise.all(apps.map(begin)), await Promise.all(apps.map(begin))]
    await Promise.all(ended.map((browser) => everywhere(browser)[0]?.submit('/auth/signout')))
    await new Promise((next) => setTimeout(next, maxStale * 1000 + 200))
    for (const browser of kept) expect(await signedIn(everywhere(browser))).to.not.include(false)
    const late = await Promise.all(ended.map((browser) => signedIn(everywhere(browser))))
    expect(late.flat()).to.not.include(true)
  })
})
