/** Linking is bound to the session that started it: what a session changes under way, links nothing. */
import { expect } from 'chai'
import { seal, unseal } from '../../lib/crypto/seal.js'
import { startSession } from '../../lib/index.js'
import { type Browser, secret, target } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { heldSession, heldToken, sessionName } from '../support/session.js'
import { present, strategies, useLinking } from './linking-stage.js'

const ann = { sub: 'ann', email: 'ann@example.com' }
const bob = { sub: 'bob', email: 'bob@example.com' }
/** The account to be linked. */
const fresh = { sub: 'fresh', email: 'fresh@example.com' }

for (const strategy of strategies) {
  describe(`linking with ${strategy} sessions`, () => {
    const stage = useLinking()
    let browser: Browser
    let id: string
    beforeEach(async () => {
      await stage.start({ strategy })
      browser = stage.app.browser()
      id = await stage.enter(browser, 'one', ann)
    })
    afterEach(restoreClock)

    const fateOf = (sub: string) => stage.recorder.inner.getUserByAccount?.({ provider: 'two', providerAccountId: sub })

    async function expectUnlinked(): Promise<void> {
      expect(await fateOf('fresh')).to.equal(null)
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
    }

    it('LK-04 is rejected in the session of another user', async () => {
      const other = stage.app.browser()
      const bobsId = await stage.enter(other, 'one', bob)
      const url = await stage.begin(browser, 'two')
      browser.cookies.set(sessionName, heldToken(other))
      await stage.expectRefused(await stage.finish(browser, url, fresh), 'InvalidCheck', browser, bobsId)
      await expectUnlinked()
      expect(await stage.recorder.accountsOf({ id: bobsId })).to.deep.equal(['one:bob'])
    })

    it('LK-04 is rejected if the user signed out in the meantime', async () => {
      const url = await stage.begin(browser, 'two')
      await browser.submit('/auth/signout')
      await stage.expectRefused(await stage.finish(browser, url, fresh), 'InvalidCheck', browser)
      await expectUnlinked()
    })

    it('is rejected in a session that ended in the meantime', async () => {
      await stage.start({ strategy, session: { maxAge: 60 } })
      browser = stage.app.browser()
      id = await stage.enter(browser, 'one', ann)
      const url = await stage.begin(browser, 'two')
      advanceClock(61)
      await stage.expectRefused(await stage.finish(browser, url, fresh), 'InvalidCheck')
      await expectUnlinked()
    })

    it('links nothing in a session that was to last a certain time: who looks into an account is themselves', async () => {
      await stage.start(
        { strategy },
        {
          after: (app, config) => {
            app.post('/look', (req, res, next) => {
              startSession(req, res, config, { user: { id }, amr: [], maxAge: 900 }).then(() => res.end(), next)
            })
          },
        },
      )
      id = await stage.enter(stage.app.browser(), 'one', ann)
      const support = stage.app.browser()
      await support.post('/look')
      expect(await stage.who(support)).to.equal(id)
      const ownId = await stage.enter(support, 'two', fresh)
      expect(ownId).to.not.equal(id)
      expect(await fateOf('fresh')).to.include({ id: ownId })
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
    })

    it('is rejected if the attempt is brought to another browser, signed in or not', async () => {
      const url = await stage.begin(browser, 'two')
      const other = stage.app.browser()
      await stage.expectRefused(await stage.finish(other, url, fresh), 'InvalidCheck', other)
      await expectUnlinked()
    })

    it('does not happen if the attempt began signed out, in any session on return', async () => {
      const signedOut = stage.app.browser()
      const url = await stage.begin(signedOut, 'two')
      signedOut.cookies.set(sessionName, heldToken(browser))
      await stage.finish(signedOut, url, fresh)
      stage.expectNoFault()
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
      expect(await stage.who(signedOut), 'a user of its own').to.equal(present(await fateOf('fresh')).id)
      expect(heldToken(signedOut)).to.not.equal(heldToken(browser))
    })

    it('does not happen by an attempt of a version that did not know who started it', async () => {
      const url = await stage.begin(browser, 'two')
      const [name = '', value = ''] = [...browser.cookies].find(([each]) => each.startsWith('auth.transaction')) ?? []
      const { startedBy, ...old } = present(await unseal('transaction', value, [secret]))
      expect(startedBy).to.be.a('string')
      browser.cookies.set(name, await seal('transaction', old, { secrets: [secret], maxAge: 900 }))
      await stage.finish(browser, url, fresh)
      stage.expectNoFault()
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
      expect(await stage.who(browser)).to.equal(present(await fateOf('fresh')).id)
    })

    it('says nothing of the session in the attempt that a reader could use', async () => {
      await stage.begin(browser, 'two')
      const [, value = ''] = [...browser.cookies].find(([each]) => each.startsWith('auth.transaction')) ?? []
      const { startedBy } = present(await unseal('transaction', value, [secret]))
      expect(startedBy).to.match(/^[\w-]{43}$/)
      expect([heldToken(browser), id]).to.not.include(startedBy)
    })

    it('does not happen with the answer of another provider', async () => {
      const url = await stage.begin(browser, 'two')
      const callback = stage.provider.authorize(url).replace('/callback/two', '/callback/one')
      await stage.expectRefused(await browser.get(callback), 'InvalidCheck', browser, id)
      expect(stage.recorder.details('db.linkAccount')).to.have.length(1)
    })

    it('SX-03 gives a new session token, and the old one is worth nothing', async () => {
      const thief = stage.app.browser()
      thief.cookies.set(sessionName, heldToken(browser))
      await stage.enter(browser, 'two', fresh)
      expect(heldToken(browser)).to.not.equal(heldToken(thief))
      // An encrypted token stays valid, because no record is stored that could be deleted.
      if (strategy === 'database') expect(await stage.who(thief)).to.equal(undefined)
    })

    it('replaces the session of a browser that signs in as another user without signing out, and keeps nothing of it', async () => {
      const bobsId = await stage.enter(stage.app.browser(), 'one', bob)
      const jar = stage.app.browser()
      const url = await stage.begin(jar, 'one')
      jar.cookies.set(sessionName, heldToken(browser))
      await stage.finish(jar, url, bob)
      stage.expectNoFault()
      expect(await stage.who(jar)).to.equal(bobsId)
      expect(JSON.stringify(await jar.session())).to.not.include('ann')
      if (strategy === 'jwt') expect(JSON.stringify(await heldSession(jar))).to.not.include('ann')
      if (strategy === 'database') expect(await stage.recorder.sessionsOf({ id }), 'the row is gone').to.equal(0)
    })

    it('is not asked for by two tabs that began signed out: the second signs in', async () => {
      const tabs = stage.app.browser()
      const [first, second] = [await stage.begin(tabs, 'two'), await stage.begin(tabs, 'two')]
      await stage.finish(tabs, first, fresh)
      const who = await stage.who(tabs)
      await stage.finish(tabs, second, fresh)
      stage.expectNoFault()
      expect(await stage.who(tabs)).to.equal(who)
      expect(stage.recorder.details('events.createUser')).to.have.length(2)
    })

    it('links the accounts of two tabs; the second has to start again', async () => {
      const [first, second] = [await stage.begin(browser, 'one'), await stage.begin(browser, 'two')]
      await stage.finish(browser, first, { sub: 'first' })
      stage.expectNoFault()
      await stage.finish(browser, second, fresh)
      // The first tab has replaced the session in which the second began.
      expect(stage.faults()).to.deep.equal(['InvalidCheck'])
      expect(await stage.who(browser)).to.equal(id)
      stage.forgive()
      await stage.enter(browser, 'two', fresh)
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann', 'one:first', 'two:fresh'])
    })

    it('is reported to the log and to the failure event, without data of the user', async () => {
      const failures: unknown[] = []
      await stage.start({ strategy, events: { failure: ({ type }) => void failures.push(type) } })
      browser = stage.app.browser()
      id = await stage.enter(browser, 'one', ann)
      const url = await stage.begin(browser, 'two')
      await browser.submit('/auth/signout')
      await stage.finish(browser, url, fresh)
      expect(failures).to.deep.equal(['InvalidCheck'])
      expect(stage.app.log.errors.map(({ message }) => message).join()).to.not.match(/ann|fresh/)
    })
  })
}

describe('the owner of a JWT session', () => {
  const stage = useLinking()

  it('is looked up, and missing when the user was deleted', async () => {
    await stage.start({ strategy: 'jwt' })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    await stage.recorder.inner.deleteUser?.(id)
    const other = await stage.enter(browser, 'two', fresh)
    expect(other).to.not.equal(id)
    expect(stage.recorder.details('db.getUser')).to.deep.include(id)
    expect(await stage.recorder.accountsOf({ id: other })).to.deep.equal(['two:fresh'])
  })

  it('is missing if the cookie is not ours', async () => {
    await stage.start({ strategy: 'jwt' })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    browser.cookies.set(sessionName, `${heldToken(browser).slice(0, -4)}AAAA`)
    expect(await stage.enter(browser, 'two', fresh)).to.not.equal(id)
  })

  it('is missing once the `jwt` callback has ended the session', async () => {
    let revoked: unknown
    await stage.start({
      strategy: 'jwt',
      callbacks: { jwt: ({ token, trigger }) => (!trigger && token.sub === revoked ? null : token) },
    })
    const thief = stage.app.browser()
    const id = await stage.enter(thief, 'one', ann)
    const began = await stage.begin(thief, 'two')
    const stolen = heldToken(thief)
    revoked = id
    await stage.expectRefused(await stage.finish(thief, began, fresh), 'InvalidCheck')
    stage.forgive()
    thief.cookies.set(sessionName, stolen)
    await stage.enter(thief, 'two', fresh)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
  })

  it('is missing if the callbacks throw, and the user can sign in again', async () => {
    let broken = false
    await stage.start({
      strategy: 'jwt',
      callbacks: {
        jwt: ({ token, trigger }) => {
          if (broken && !trigger) throw new Error('the refresh token is dead')
          return token
        },
      },
    })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    broken = true
    await stage.signIn(browser, 'one', ann)
    expect(stage.faults()).to.deep.equal(['SessionTokenError'])
    broken = false
    expect(await stage.who(browser)).to.equal(id)
  })

  it('is read without losing the changes of the `jwt` callback', async () => {
    let refreshed = 0
    await stage.start({
      strategy: 'jwt',
      callbacks: { jwt: ({ token, trigger }) => (trigger ? token : { ...token, refreshed: ++refreshed }) },
    })
    const browser = stage.app.browser()
    await stage.enter(browser, 'one', ann)
    await stage.begin(browser, 'two')
    expect(await heldSession(browser)).to.have.property('refreshed', refreshed)
  })
})

describe('without an adapter', () => {
  const stage = useLinking()

  it('an attempt carries nothing of who started it, and links nothing', async () => {
    const { startApp, credentials } = await import('../support/app.js')
    const app = await startApp({ providers: [credentials(), stage.config('one')] })
    const browser = app.browser()
    await browser.signIn()
    const start = await browser.submit('/auth/signin/one')
    const [, value = ''] = [...browser.cookies].find(([each]) => each.startsWith('auth.transaction')) ?? []
    expect(await unseal('transaction', value, [secret])).to.not.have.property('startedBy')
    const end = await browser.get(stage.provider.authorize(target(start)))
    expect(target(end)).to.equal(`${app.origin}/`)
    await app.close()
  })
})
