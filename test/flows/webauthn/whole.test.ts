/** Whole sign-ins with passkeys over HTTP, on each of our adapters and with both strategies. */
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import { adapterKinds, type OpenAdapter, openAdapter } from '../../sign-in/linking-databases.js'
import { Authenticator } from '../../support/authenticator.js'
import { inTurn } from '../../support/extent.js'
import { heldToken } from '../../support/session.js'
import { strategies, usePasskeys } from './stage.js'

const email = 'ann@example.com'

for (const [turn, kind] of adapterKinds.entries()) {
  describe(`passkeys on the adapter ${kind}`, () => {
    const stage = usePasskeys()
    let opened: OpenAdapter
    beforeEach(async function () {
      opened = await openAdapter(this, kind)
    })
    afterEach(() => opened?.close())

    for (const strategy of inTurn(strategies, turn)) {
      const start = (adapter: Adapter = opened.adapter) =>
        stage.start({ adapter, strategy, more: [WebAuthn({ enableConditionalUI: false })] })

      it(`a new user signs up, out, and in again without a name (${strategy})`, async () => {
        await start()
        const ann = stage.person()
        await stage.expectSignedIn(await ann.register({ email, name: 'Ann' }), ann, email)
        const user = await stage.userOf(email)
        expect(user).to.include({ name: 'Ann', email, emailVerified: null })
        expect(await ann.browser.session()).to.have.nested.property('user.name', 'Ann')
        await ann.signOut()
        expect(await ann.browser.session()).to.equal(null)
        await stage.expectSignedIn(await ann.signIn(), ann, email)
        expect((await stage.userOf(email)).id).to.equal(user.id)
        expect(await stage.passkeysOf(email)).to.have.length(1)
        expect(await stage.accountsOf(email)).to.have.length(1)
      })

      it(`a second passkey, on the existing account (${strategy})`, async () => {
        await start()
        const ann = await stage.member(email)
        const laptop = ann.with({ key: new Authenticator({ alg: -257, be: false, bs: false, counter: 1 }) })
        const held = heldToken(ann.browser)
        await stage.expectSignedIn(await laptop.register(), laptop, email)
        expect(heldToken(ann.browser), 'a new session').to.not.equal(held)
        const rows = await stage.passkeysOf(email)
        expect(rows.map(({ credentialDeviceType }) => credentialDeviceType).sort()).to.deep.equal([
          'multiDevice',
          'singleDevice',
        ])
        expect(new Set(rows.map(({ providerAccountId }) => providerAccountId)).size, 'one user handle').to.equal(1)
        expect(await stage.accountsOf(email)).to.have.length(1)
        for (const each of [ann, laptop]) {
          await each.signOut()
          await stage.expectSignedIn(await each.signIn(), each, email)
        }
      })

      it(`a key that does not store passkeys is found by the address (${strategy})`, async () => {
        await start()
        const ann = stage.person({ provider: 'webauthn', resident: false, be: false, bs: false, counter: 5, alg: -8 })
        await stage.expectSignedIn(await ann.register({ email }), ann, email)
        await ann.signOut()
        await stage.expectSignedIn(await ann.signIn({ email: 'ANN@Example.com ' }), ann, email)
        const [row] = await stage.passkeysOf(email)
        expect(row?.counter).to.equal(6)
      })
    }

    it('facts about a passkey are stored, and stay correct', async () => {
      await stage.start({ adapter: opened.adapter })
      const before = Date.now()
      const ann = await stage.member(email, {
        aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d',
        transports: ['usb', 'internal', 'usb', 'x'.repeat(40), 7, 'Smart Card'],
        bs: false,
        counter: 3,
      })
      const [made] = await stage.passkeysOf(email)
      expect(made).to.deep.include({
        credentialID: ann.key.passkeys[0]?.id.toString('base64'),
        counter: 3,
        credentialBackedUp: false,
        credentialDeviceType: 'multiDevice',
        transports: 'usb,internal',
        name: '1Password',
        lastUsedAt: null,
      })
      expect(made?.createdAt?.getTime()).to.be.within(before - 1000, Date.now() + 1000)
      ann.key.traits = { ...ann.key.traits, bs: true, counter: 9 }
      await stage.expectSignedIn(await ann.signIn(), ann, email)
      const [used] = await stage.passkeysOf(email)
      expect(used).to.deep.include({
        counter: 10,
        credentialBackedUp: true,
        name: '1Password',
        createdAt: made?.createdAt,
      })
      expect(used?.lastUsedAt?.getTime()).to.be.within(before - 1000, Date.now() + 1000)
    })
  })
}
