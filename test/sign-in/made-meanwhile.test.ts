/** The same user signs in for the first time at another process, between two of our reads. */

import { expect } from 'chai'
import { testDatabase } from '../support/adapter.js'
import { startApp, target } from '../support/app.js'
import { opened } from '../support/opened.js'
import { startOpenIdProvider } from '../support/openid-provider.js'

describe('a user who is made by another process meanwhile', () => {
  const provider = opened(() => startOpenIdProvider())

  /** Signs alice in. Just before the method is called, the other process completes her sign-in of `account`. */
  async function signIn(method: 'getUserByEmail', account: string) {
    const db = testDatabase()
    const app = await startApp({
      adapter: db.adapter,
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }],
    })
    const made = { id: '' }
    // The first look is for the `signIn` callback, the next one decides.
    db.replace(method, async (real, ...args) => {
      if (made.id === '') {
        const user = { id: 'of-the-other', email: 'alice@example.com', emailVerified: new Date() }
        made.id = (await db.real.createUser(user)).id
        const [provider = '', providerAccountId = ''] = account.split(':')
        await db.real.linkAccount({ provider, providerAccountId, type: 'oidc', userId: made.id })
      }
      return real(...args)
    })
    const browser = app.browser()
    const start = await browser.submit('/auth/signin/test')
    const end = await browser.get(await provider.signInAs(target(start), 'alice'))
    const [session] = await db.sessions()
    await app.close()
    return { to: target(end), session, userId: made.id, origin: app.origin }
  }

  it('is who they are signed in as, when the account appears before the address is looked up', async () => {
    const { to, session, userId, origin } = await signIn('getUserByEmail', 'test:alice-sub')
    expect(to).to.equal(`${origin}/`)
    expect(session?.userId).to.equal(userId)
  })

  it('is another user, if only the address is the same', async () => {
    const { to, session, origin } = await signIn('getUserByEmail', 'another:alice-sub')
    expect(to).to.equal(`${origin}/auth/signin?error=OAuthAccountNotLinked`)
    expect(session).to.equal(undefined)
  })
})
