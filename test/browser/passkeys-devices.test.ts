/** Devices that differ: keys that keep no passkeys, keys that are only touched, copies, and users who cancel. */
import { expect } from 'chai'
import WebAuthn from '../../lib/providers/webauthn.js'
import { usePasskeys } from '../flows/webauthn/stage.js'
import { describeInBrowser } from '../support/browser.js'
import { inTurn } from '../support/extent.js'
import type { DeviceOptions } from '../support/passkey-device.js'
import {
  enter,
  expectHello,
  expectNoProblems,
  expectNotAccepted,
  goToSignIn,
  hears,
  pages,
  press,
  register,
  signIn,
  signOut,
  signUp,
  type Visitor,
} from './passkey-site.js'

const email = 'ann@example.com'
const cancelled = /^You are not signed in: this was cancelled, took too long, or found no passkey for this site\./
const notMade = /^No passkey was made: this was cancelled, took too long, or this device cannot keep one\./

describeInBrowser('passkeys of all kinds of devices', (open) => {
  const stage = usePasskeys()

  describe('a key that keeps no passkeys', () => {
    const discouraged = { registrationOptions: { authenticatorSelection: { residentKey: 'discouraged' } } } as const
    // For an unknown address, a USB key is named: a browser waits for it to be plugged in, while no other device
    // answers.
    const keys: ReadonlyArray<readonly [title: string, device: DeviceOptions, wrong: string[]]> = [
      ['cannot keep any', { transport: 'usb', hasResidentKey: false }, ['', 'bob@example.com']],
      ['could, and is asked not to', {}, ['']],
    ]

    for (const [title, device, wrong] of keys) {
      it(`${title}: it is found by the address`, async () => {
        await stage.start({ more: [WebAuthn({ ...discouraged, enableConditionalUI: false })] }, pages)
        const ann = await enter(open, stage, { device })
        await registerKey(ann, email)
        await expectHello(ann, email)
        const [key] = await ann.device.passkeys()
        expect(key).to.include({ isResidentCredential: false })
        await signOut(ann)
        for (const each of wrong) {
          await signInByKey(ann, each)
          await hears(ann, cancelled)
        }
        await signInByKey(ann, ' ANN@Example.com')
        await expectHello(ann, email)
        stage.expectNoFault()
        expectNoProblems(ann)
      })
    }

    it('is rejected by the browser where passkeys must be kept', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage, { device: { transport: 'usb', hasResidentKey: false } })
      await goToSignIn(ann)
      await register(ann, email)
      await hears(ann, notMade)
      expect(stage.events).to.deep.equal([])
      expectNoProblems(ann)
    })
  })

  describe('a user whom the device does not recognise', () => {
    it('is rejected with an explanation, and may try again', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage)
      await ann.device.recognise(false)
      await goToSignIn(ann)
      await register(ann, email)
      await hears(ann, notMade)
      await ann.device.recognise(true)
      await press(ann.page, 'Create an account with a passkey')
      await expectHello(ann, email)
      await signOut(ann)

      await ann.device.recognise(false)
      await goToSignIn(ann)
      await press(ann.page, 'Sign in with a passkey')
      await hears(ann, cancelled)
      await ann.device.recognise(true)
      await press(ann.page, 'Sign in with a passkey')
      await expectHello(ann, email)
      stage.expectNoFault()
      expectNoProblems(ann)
    })

    it('is rejected by the server, if the browser was asked to accept a touch', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage, { device: { hasUserVerification: false } })
      await lie(ann)
      await goToSignIn(ann)
      await register(ann, email)
      await expectNotAccepted(ann)
      expect(stage.events).to.deep.equal([])
      expect(stage.faults()).to.deep.equal(['WebAuthnVerificationError'])
      expectNoProblems(ann)
    })

    it('signs in by a touch, if the developer allows it', async () => {
      const key = { transport: 'usb', hasResidentKey: false, hasUserVerification: false } as const
      await stage.start(
        {
          more: [
            WebAuthn({
              enableConditionalUI: false,
              authenticationOptions: { userVerification: 'preferred' },
              registrationOptions: { authenticatorSelection: { userVerification: 'preferred' } },
            }),
          ],
        },
        pages,
      )
      const ann = await enter(open, stage, { device: key })
      await registerKey(ann, email)
      await expectHello(ann, email)
      await signOut(ann)
      await signInByKey(ann, email)
      await expectHello(ann, email)
      stage.expectNoFault()
      expectNoProblems(ann)
    })

    /** Changes the options in transit, so that the browser is asked for less than the server requires. */
    async function lie({ page }: Visitor): Promise<void> {
      await page.route('**/webauthn-options/**', async (route) => {
        const response = await route.fetch()
        const json = await response.text()
        await route.fulfill({
          response,
          body: json.replaceAll('"userVerification":"required"', '"userVerification":"discouraged"'),
        })
      })
    }
  })

  for (const strategy of inTurn(['jwt', 'database'] as const, 1)) {
    it(`a copy of a passkey is detected by its counter: it is rejected, and the site is notified (${strategy})`, async () => {
      await stage.start({ strategy }, pages)
      const [ann, thief] = [await enter(open, stage), await enter(open, stage)]
      await signUp(ann, email)
      const [stolen] = await ann.device.passkeys()
      if (!stolen) throw new Error('there is no passkey')
      await signOut(ann)
      await signIn(ann, email)
      const { signCount } = stolen
      await thief.device.keep(stolen)
      await goToSignIn(thief)
      await press(thief.page, 'Sign in with a passkey')
      await expectNotAccepted(thief)

      const [error, ...others] = stage.app.log.errors
      expect(others).to.deep.equal([])
      const [row] = await stage.passkeysOf(email)
      expect(error?.cause).to.deep.equal({
        reason: 'counter',
        userId: (await stage.userOf(email)).id,
        credentialID: row?.credentialID,
        storedCounter: signCount + 1,
        receivedCounter: signCount + 1,
      })
      expect(stage.failures.map(({ type, provider, error }) => ({ type, provider, error }))).to.deep.equal([
        { type: 'WebAuthnVerificationError', provider: 'passkey', error },
      ])

      // The user of the other passkey is not disturbed.
      await ann.page.reload()
      await expectHello(ann, email)
      await signOut(ann)
      await signIn(ann, email)
      expectNoProblems(ann, thief)
    })
  }

  it('a user who cancels reads that nothing has happened, and the button works again', async () => {
    await stage.start({}, pages)
    const ann = await enter(open, stage)
    await signUp(ann, email)
    await signOut(ann)
    const passkeys = await ann.device.passkeys()
    for (const each of passkeys) await ann.device.forget(each)

    // What a browser reports is the same for a cancel and for a device without a passkey.
    await goToSignIn(ann)
    await press(ann.page, 'Sign in with a passkey')
    await hears(ann, cancelled)
    expect(await ann.page.evaluate(() => document.activeElement?.id)).to.equal('submitButton-passkey')
    for (const each of passkeys) await ann.device.keep(each)
    await press(ann.page, 'Sign in with a passkey')
    await expectHello(ann, email)
    stage.expectNoFault()
    expectNoProblems(ann)
  })

  it('a passkey that the site no longer knows is rejected with an explanation, also on reload', async () => {
    await stage.start({}, pages)
    const ann = await enter(open, stage)
    await signUp(ann, email)
    await signOut(ann)
    const [row] = await stage.passkeysOf(email)
    await stage.stored.deleteAuthenticator?.(row?.credentialID ?? '')
    await goToSignIn(ann)
    await press(ann.page, 'Sign in with a passkey')
    await expectNotAccepted(ann)
    await ann.page.reload()
    await expectNotAccepted(ann)
    expect(stage.faults(), 'asked once').to.deep.equal(['WebAuthnVerificationError'])
    // Or it would be picked there at once.
    for (const unknown of await ann.device.passkeys()) await ann.device.forget(unknown)
    await ann.page.getByRole('link', { name: 'Sign in' }).click()
    await ann.page.locator('#passkey-form').waitFor()
    expectNoProblems(ann)
  })

  it('a passkey that moves to another browser signs in there; sessions do not touch one another', async () => {
    await stage.start({}, pages)
    const [ann, bob] = [await enter(open, stage), await enter(open, stage)]
    await signUp(ann, email)
    await signUp(bob, 'bob@example.com')
    await ann.page.reload()
    await expectHello(ann, email)
    await signOut(bob)
    for (const own of await bob.device.passkeys()) await bob.device.forget(own)
    for (const moved of await ann.device.passkeys()) await bob.device.keep(moved)
    await signIn(bob, email)
    stage.expectNoFault()
    expectNoProblems(ann, bob)
  })
})

/** Returns the field of the provider `webauthn`. */
const keyField = ({ page }: Visitor) => page.locator('#input-email-for-webauthn-provider')

async function registerKey(visitor: Visitor, address: string): Promise<void> {
  await goToSignIn(visitor)
  await keyField(visitor).fill(address)
  await press(visitor.page, 'Create an account with a passkey (WebAuthn)')
}

/** Enter does what the first button does. */
async function signInByKey(visitor: Visitor, address: string): Promise<void> {
  await goToSignIn(visitor)
  await keyField(visitor).fill(address)
  await keyField(visitor).press('Enter')
}
