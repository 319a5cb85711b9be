/** The account to which a passkey is added: a typed address opens no account, a session opens its own. */
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { heldToken } from '../../support/session.js'
import { present, strategies, usePasskeys } from './stage.js'

const email = 'ann@example.com'

for (const strategy of strategies) {
  describe(`a passkey with ${strategy} sessions`, () => {
    const stage = usePasskeys()
    beforeEach(() => stage.start({ strategy }))

    it('WA-10 is not created for a taken address, however it is spelt', async () => {
      await stage.member(email)
      for (const typed of [
        email,
        'ANN@EXAMPLE.COM',
        ' ann@example.com ',
        'ａnn@example.com',
        'ann@ＥＸＡＭＰＬＥ.com',
      ]) {
        const mallory = stage.person()
        const response = await stage.expectNoWrite(() => mallory.register({ email: typed }))
        await stage.expectRefused(response, 'AccountNotLinked', mallory)
      }
      expect(await stage.passkeysOf(email)).to.have.length(1)
    })

    it('is not created for an address of another sign-in method, verified or not', async () => {
      await stage.db.addUser({ id: 'old', email, emailVerified: null })
      await stage.db.addUser({ id: 'proved', email: 'proved@example.com', emailVerified: new Date() })
      for (const address of [email, 'proved@example.com']) {
        const mallory = stage.person()
        const response = await stage.expectNoWrite(() => mallory.register({ email: address }))
        await stage.expectRefused(response, 'AccountNotLinked', mallory)
        expect(target(response)).to.include('/auth/signin?')
      }
    })

    it('is added to the user of the session, whatever the form and the query name', async () => {
      await stage.member('victim@example.com')
      const ann = await stage.member(email)
      const victim = await stage.userOf('victim@example.com')
      const forged = { userId: victim.id, id: victim.id, email: victim.email, user: victim.id }
      const fields = { ...forged, handle: (await stage.passkeysOf(victim.email))[0]?.providerAccountId }
      const other = ann.with({ key: new Authenticator() })
      await stage.expectSignedIn(await other.register(forged, { fields }), ann, email)
      expect(await stage.passkeysOf(email)).to.have.length(2)
      expect(await stage.passkeysOf(victim.email)).to.have.length(1)
    })

    it('of another user ends nothing when it is used in a session', async () => {
      const bob = await stage.member('bob@example.com')
      const ann = await stage.member(email)
      const held = heldToken(ann.browser)
      const options = await ann.options('authenticate')
      const answer = bob.key.get({ ...options, allowCredentials: [] })
      await stage.expectRefused(await ann.send('authenticate', answer), 'AccountNotLinked', ann, email)
      if (strategy === 'database') expect(heldToken(ann.browser)).to.equal(held)
    })

    it('of another user is not added', async () => {
      const bob = await stage.member('bob@example.com')
      const ann = await stage.member(email)
      const options = await ann.options('register')
      const [passkey] = bob.key.passkeys
      if (!passkey) throw new Error('no passkey')
      const answer = bob.key.attest(passkey, { challenge: options.challenge })
      const response = await stage.expectNoWrite(() => ann.send('register', answer))
      await stage.expectRefused(response, 'WebAuthnVerificationError', ann, email)
      expect(await stage.passkeysOf('bob@example.com')).to.have.length(1)
    })

    it('used by its owner in their session redirects, with a new session', async () => {
      const ann = await stage.member(email)
      const held = heldToken(ann.browser)
      await stage.expectSignedIn(await ann.signIn(), ann, email)
      expect(heldToken(ann.browser)).to.not.equal(held)
    })

    it('signs in over the session of another user, if the ceremony began signed out', async () => {
      const ann = await stage.member(email)
      await ann.signOut()
      const options = await ann.options('authenticate')
      const cookie = ann.browser.cookies.get('auth.browser') ?? ''
      const bob = await stage.member('bob@example.com', { browser: ann.browser })
      const held = heldToken(bob.browser)
      ann.browser.cookies.set('auth.browser', cookie)
      await stage.expectSignedIn(await ann.send('authenticate', ann.key.get(options)), ann, email)
      if (strategy === 'jwt') return
      const old = stage.person()
      old.browser.cookies.set('auth.session-token', held)
      expect(await old.browser.session(), 'the session of before has ended').to.equal(null)
    })

    it('is added to a user who signed in another way, with an account of its own', async () => {
      const ann = stage.person()
      await stage.db.addUser({ id: 'id-of-ann', email })
      await stage.db.real.linkAccount({
        userId: 'id-of-ann',
        provider: 'credentials',
        providerAccountId: 'id-of-ann',
        type: 'credentials',
      })
      await ann.browser.signIn()
      if (strategy === 'jwt') {
        // The user was not looked up: `authorize` returned an id, which any client may have sent to `authorize`.
        expect((await ann.ask({ action: 'register' })).status).to.equal(400)
        return
      }
      await stage.expectSignedIn(await ann.register(), ann, email)
      const [row] = await stage.passkeysOf(email)
      expect(await stage.accountsOf(email)).to.have.members([
        'credentials credentials id-of-ann',
        `passkey webauthn ${row?.providerAccountId}`,
      ])
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn(), ann, email)
    })

    it('of one provider does not sign in at another one', async () => {
      await stage.start({ strategy, more: [WebAuthn({ enableConditionalUI: false })] })
      const ann = await stage.member(email)
      await ann.signOut()
      const elsewhere = ann.with({ provider: 'webauthn' })
      const response = await stage.expectNoWrite(() => elsewhere.signIn())
      await stage.expectRefused(response, 'WebAuthnVerificationError', ann)
    })

    it('of another provider is another one, with a user handle and an account of its own', async () => {
      await stage.start({ strategy, more: [WebAuthn({ enableConditionalUI: false })] })
      const ann = await stage.member(email)
      const other = ann.with({ provider: 'webauthn', key: new Authenticator() })
      await stage.expectSignedIn(await other.register(), other, email)
      const [first, second] = await stage.passkeysOf(email)
      expect(first?.providerAccountId).to.not.equal(second?.providerAccountId)
      expect((await stage.accountsOf(email)).map((each) => each.split(' ')[0]).sort()).to.deep.equal([
        'passkey',
        'webauthn',
      ])
      for (const each of [ann, other]) {
        await each.signOut()
        await stage.expectSignedIn(await each.signIn(), each, email)
      }
    })

    it('belongs to no user if the database contradicts itself about its user', async () => {
      const ann = await stage.member(email)
      const bob = await stage.member('bob@example.com')
      const [[mine], [his]] = [await stage.passkeysOf(email), await stage.passkeysOf('bob@example.com')]
      await Promise.all([ann.signOut(), bob.signOut()])
      const row = present(mine)
      const upper = { ...present(await stage.db.real.getAccount(row.providerAccountId, 'passkey')) }
      upper.providerAccountId = upper.providerAccountId.toUpperCase()
      // The answers of a database that treats upper and lower case as equal, or lost a write.
      const answers = {
        getAuthenticator: { ...row, userId: present(his).userId },
        getAccount: upper,
        getUserByAccount: await stage.userOf('bob@example.com'),
      }
      for (const [method, answer] of Object.entries(answers)) {
        stage.db.replace(method as keyof typeof answers, () => answer)
        await stage.expectRefused(await ann.signIn(), 'WebAuthnVerificationError', ann)
        stage.db.repair()
      }
      stage.forgive()
      await stage.expectSignedIn(await ann.signIn(), ann, email)
    })

    it('belongs to no user when the account or the user is deleted', async () => {
      const ann = await stage.member(email)
      const { id } = await stage.userOf(email)
      await ann.signOut()
      const [row] = await stage.passkeysOf(email)
      await stage.db.real.unlinkAccount({ provider: 'passkey', providerAccountId: row?.providerAccountId ?? '' })
      await stage.expectRefused(await stage.expectNoWrite(() => ann.signIn()), 'WebAuthnVerificationError', ann)
      await stage.db.real.deleteUser(id)
      await stage.expectRefused(await stage.expectNoWrite(() => ann.signIn()), 'WebAuthnVerificationError', ann)
    })
  })
}
