/** Keys of all kinds: algorithms, attestations, with and without a PIN, with and without a memory for passkeys. */
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import { Authenticator, type Traits } from '../../support/authenticator.js'
import { usePasskeys } from './stage.js'

const email = 'ann@example.com'
const type = 'WebAuthnVerificationError'

describe('a passkey', () => {
  const stage = usePasskeys()

  for (const alg of [-7, -257, -8] as const) {
    for (const attestation of ['none', 'packed'] as const) {
      it(`of the algorithm ${alg} with the attestation "${attestation}" is created, and signs in`, async () => {
        await stage.start()
        const ann = await stage.member(email, { alg, attestation, counter: 1 })
        await ann.signOut()
        await stage.expectSignedIn(await ann.signIn(), ann, email)
      })
    }
  }

  it('of an algorithm that is left out is rejected', async () => {
    await stage.start({ passkey: { registrationOptions: { supportedAlgorithmIDs: [-7] } } })
    const ann = stage.person({ alg: -257 })
    await stage.expectRefused(await stage.expectNoWrite(() => ann.register({ email })), type, ann)
    stage.forgive()
    await stage.member(email, { alg: -7 })
  })

  it('with an id of the maximum length is created, and signs in; with a longer one it is rejected', async () => {
    await stage.start()
    const ann = await stage.member(email, { idLength: 1023 })
    await ann.signOut()
    await stage.expectSignedIn(await ann.signIn(), ann, email)
    const bob = stage.person({ idLength: 1024 })
    await stage.expectRefused(await bob.register({ email: 'bob@example.com' }), type, bob)
  })

  it('that is requested by an older browser, without transports, is created', async () => {
    await stage.start()
    for (const [at, transports] of [undefined, null, [], 'usb', { usb: true }].entries()) {
      const address = `ann${at}@example.com`
      await stage.member(address, { transports })
      expect((await stage.passkeysOf(address))[0]?.transports).to.equal(null)
    }
  })

  describe('of an owner who was not verified', () => {
    const unverified: Partial<Traits> = { uv: false }

    it('is rejected, to create and to use', async () => {
      await stage.start()
      const bob = stage.person(unverified)
      await stage.expectRefused(await bob.register({ email: 'bob@example.com' }), type, bob)
      stage.forgive()
      const ann = await stage.member(email)
      await ann.signOut()
      ann.key.traits = { ...ann.key.traits, uv: false }
      await stage.expectRefused(await stage.expectNoWrite(() => ann.signIn()), type, ann)
    })

    for (const userVerification of ['preferred', 'discouraged'] as const) {
      it(`is accepted with "${userVerification}", each ceremony by its own option`, async () => {
        await stage.start({ passkey: { registrationOptions: { authenticatorSelection: { userVerification } } } })
        const ann = await stage.member(email, unverified)
        await ann.signOut()
        await stage.expectRefused(await ann.signIn(), type, ann)
        stage.forgive()
        await stage.serve({ passkey: { authenticationOptions: { userVerification } } })
        const there = ann.with({ browser: stage.app.browser() })
        await stage.expectSignedIn(await there.signIn(), there, email)
        const bob = stage.person(unverified)
        await stage.expectRefused(await bob.register({ email: 'bob@example.com' }), type, bob)
      })
    }

    it('is rejected if no user was present, whatever is preferred', async () => {
      await stage.start({ passkey: { authenticationOptions: { userVerification: 'discouraged' } } })
      const ann = await stage.member(email)
      await ann.signOut()
      ann.key.traits = { ...ann.key.traits, up: false }
      await stage.expectRefused(await ann.signIn(), type, ann)
    })
  })

  describe('of a key that does not store them', () => {
    const provider = 'webauthn'
    const key: Partial<Traits> = { resident: false, be: false, bs: false, transports: ['usb'], alg: -7 }
    beforeEach(() => stage.start({ more: [WebAuthn({ enableConditionalUI: false })] }))

    it('is named to a user who types the address, and signs in', async () => {
      const ann = await stage.member(email, { ...key, provider })
      const second = ann.with({ key: new Authenticator(key) })
      await second.register()
      await ann.signOut()
      const { allowCredentials } = await ann.options('authenticate', { email })
      const ids = [ann, second].map((each) => each.key.passkeys[0]?.id.toString('base64url'))
      expect(allowCredentials?.map(({ id }) => id)).to.have.members(ids)
      for (const each of [ann, second]) {
        await stage.expectSignedIn(await each.signIn({ email }), each, email)
        await each.signOut()
      }
    })

    it('is verified again in the session without a name', async () => {
      const ann = await stage.member(email, { ...key, provider })
      await stage.expectSignedIn(await ann.signIn(), ann, email)
    })

    it('signs in only a user who was named', async () => {
      const ann = await stage.member(email, { ...key, provider })
      await ann.signOut()
      const [passkey] = ann.key.passkeys
      if (!passkey) throw new Error('no passkey')
      const answer = ann.key.assert(passkey, await ann.options('authenticate'))
      await stage.expectRefused(await ann.send('authenticate', answer), type, ann)
      const another = ann.key.assert(passkey, await ann.options('authenticate', { email: 'bob@example.com' }))
      await stage.expectRefused(await ann.send('authenticate', another), type, ann)
    })

    it('is not required to be stored on the key, and a stored one works as well', async () => {
      const ann = stage.person({ provider })
      const { authenticatorSelection } = await ann.options('register', { email })
      expect(authenticatorSelection).to.include({ residentKey: 'preferred' })
      await stage.expectSignedIn(await ann.register({ email }), ann, email)
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn(), ann, email)
    })
  })
})
