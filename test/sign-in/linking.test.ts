/** The table of account linking, row by row, with whole sign-ins at a real OpenID provider. */
import { expect } from 'chai'
import { type Browser, type Door, target } from '../support/app.js'
import { inTurn } from '../support/extent.js'
import type { Answer } from '../support/http-browser.js'
import { type OpenIdProvider, startOpenIdProvider, type TestAccount } from '../support/openid-provider.js'
import { heldToken } from '../support/session.js'
import { adapterKinds, type OpenAdapter, openAdapter } from './linking-databases.js'
import { present, strategies, useLinking } from './linking-stage.js'

const accounts: TestAccount[] = []

/** Adds a new user at the provider. */
function person(claims: Partial<TestAccount> = {}): TestAccount {
  const login = `person-${accounts.length}`
  const made = { login, sub: `${login}-sub`, name: login, email: `${login}@example.com`, ...claims }
  accounts.push(made)
  return made
}

for (const [turn, kind] of adapterKinds.entries()) {
  for (const strategy of inTurn(strategies, turn)) {
    describe(`account linking with ${strategy} sessions and the adapter ${kind}`, () => {
      const stage = useLinking()
      let provider: OpenIdProvider
      let opened: OpenAdapter
      let app: Door
      before(async function () {
        opened = await openAdapter(this, kind)
        provider = await startOpenIdProvider({ accounts })
      })
      beforeEach(async () => {
        const one = provider.settings()
        const options = { one, two: { ...one, allowDangerousEmailAccountLinking: true }, more: [] }
        app = await stage.start({ strategy, adapter: opened.adapter, ...options, pages: { newUser: '/new' } })
      })
      after(async () => {
        await provider?.close()
        await opened?.close()
      })

      async function signIn(browser: Browser, id: string, { login }: TestAccount): Promise<Answer> {
        const start = await browser.submit(`/auth/signin/${id}`, { callbackUrl: '/welcome' })
        return browser.get(await provider.signInAs(target(start), login))
      }

      /** Signs in a new user, and returns the user's id. */
      async function join(browser: Browser, who: TestAccount): Promise<string> {
        const response = await signIn(browser, 'one', who)
        stage.expectNoFault()
        expect(target(response)).to.match(/^http:\/\/127\.0\.0\.1:\d+\/new\?callbackUrl=/)
        const id = present(await stage.who(browser))
        stage.recorder.clear()
        return id
      }

      const told = () => stage.recorder.names(/^events/)
      const userOf = (who: TestAccount) =>
        stage.recorder.inner.getUserByAccount?.({ provider: 'one', providerAccountId: who.sub })

      it('creates a user for an unknown account', async () => {
        const ann = person({ email_verified: true })
        const id = await join(app.browser(), ann)
        const user = await stage.userByEmail(String(ann.email))
        expect(user).to.include({ id, name: ann.name, email: ann.email })
        expect(user?.emailVerified).to.be.a('date')
        expect(await stage.recorder.accountsOf(user)).to.deep.equal([`one:${ann.sub}`])
        if (strategy === 'database') expect(await stage.recorder.sessionsOf(user)).to.equal(1)
      })

      it('makes a user without an address, and each such person another one', async () => {
        const [mute, silent] = [person({ email: undefined }), person({ email: undefined })]
        const id = await join(app.browser(), mute)
        expect(await join(app.browser(), silent)).to.not.equal(id)
        expect((await userOf(mute))?.email ?? '').to.equal('')
        const again = await signIn(app.browser(), 'one', mute)
        expect(target(again)).to.equal(`${app.origin}/welcome`)
      })

      it('signs in who has the account, and writes nothing but the session', async () => {
        const ann = person()
        const id = await join(app.browser(), ann)
        const browser = app.browser()
        expect(target(await signIn(browser, 'one', ann))).to.equal(`${app.origin}/welcome`)
        expect(await stage.who(browser)).to.equal(id)
        expect(told()).to.deep.equal(['events.signIn'])
        expect(stage.recorder.writes()).to.deep.equal(strategy === 'database' ? ['db.createSession'] : [])
      })

      it('changes nothing for who is signed in and has the account, but the session token', async () => {
        const ann = person()
        const browser = app.browser()
        const id = await join(browser, ann)
        const held = heldToken(browser)
        expect(target(await signIn(browser, 'one', ann))).to.equal(`${app.origin}/welcome`)
        expect(await stage.who(browser)).to.equal(id)
        expect(heldToken(browser)).to.not.equal(held)
        expect(told()).to.deep.equal(['events.signIn'])
        const user = await userOf(ann)
        expect(await stage.recorder.accountsOf(user)).to.have.length(1)
        if (strategy === 'database') expect(await stage.recorder.sessionsOf(user), 'the old row is gone').to.equal(1)
      })

      it('links a new account to who is signed in, whatever its address', async () => {
        const ann = person()
        const other = person()
        const browser = app.browser()
        const id = await join(browser, ann)
        const held = heldToken(browser)
        expect(target(await signIn(browser, 'two', other))).to.equal(`${app.origin}/welcome`)
        stage.expectNoFault()
        expect(await stage.who(browser)).to.equal(id)
        expect(heldToken(browser)).to.not.equal(held)
        expect(told()).to.deep.equal(['events.linkAccount', 'events.signIn'])
        const user = await userOf(ann)
        expect(await stage.recorder.accountsOf(user)).to.deep.equal([`one:${ann.sub}`, `two:${other.sub}`])
        if (strategy === 'database') expect(await stage.recorder.sessionsOf(user), 'the old row is gone').to.equal(1)
        const later = app.browser()
        await signIn(later, 'two', other)
        expect(await stage.who(later), 'by the linked account').to.equal(id)
      })

      it('LK-06 refuses to link the account of another user, and moves nothing', async () => {
        const [ann, bob] = [person(), person()]
        const browser = app.browser()
        const id = await join(browser, ann)
        await join(app.browser(), bob)
        const held = heldToken(browser)
        const response = await signIn(browser, 'one', bob)
        await stage.expectRefused(response, 'OAuthAccountNotLinked', browser, id)
        expect(heldToken(browser), 'the session stays').to.equal(held)
        expect(stage.recorder.writes()).to.deep.equal([])
        expect(await stage.recorder.accountsOf(await userOf(bob))).to.deep.equal([`one:${bob.sub}`])
      })

      it('refuses a stranger’s account with the address of a user', async () => {
        const ann = person({ email_verified: true })
        const twin = person({ email: String(ann.email), email_verified: true })
        await join(app.browser(), ann)
        const browser = app.browser()
        await stage.expectRefused(await signIn(browser, 'one', twin), 'OAuthAccountNotLinked', browser)
        expect(stage.recorder.writes()).to.deep.equal([])
      })

      it('links it where the provider is allowed to, and tells no `createUser`', async () => {
        const ann = person({ email_verified: true })
        const twin = person({ email: String(ann.email).toUpperCase(), email_verified: true })
        const id = await join(app.browser(), ann)
        const browser = app.browser()
        expect(target(await signIn(browser, 'two', twin))).to.equal(`${app.origin}/welcome`)
        stage.expectNoFault()
        expect(await stage.who(browser)).to.equal(id)
        expect(told()).to.deep.equal(['events.linkAccount', 'events.signIn'])
        expect(await stage.recorder.accountsOf(await userOf(ann))).to.deep.equal([`one:${ann.sub}`, `two:${twin.sub}`])
      })
    })
  }
}
