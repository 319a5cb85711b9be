/** The offer of a passkey after a password, with a virtual authenticator: accepted, cancelled and skipped. */
import { expect } from 'chai'
import { usePasskeys } from '../flows/webauthn/stage.js'
import { describeInBrowser } from '../support/browser.js'
import {
  enter,
  expectHello,
  expectNoProblems,
  goToSignIn,
  hears,
  pages,
  press,
  signIn,
  signOut,
  type Visitor,
} from './passkey-site.js'

const email = 'ann@example.com'

/** Signs in with the password, from the sign-in page. */
async function signInWithPassword(visitor: Visitor): Promise<void> {
  await goToSignIn(visitor)
  await visitor.page.getByLabel('User name').fill('ann')
  await visitor.page.getByLabel('Password', { exact: true }).fill('right')
  await press(visitor.page, 'Sign in')
}

async function expectOffer({ page }: Visitor): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in without a password' }).waitFor()
  expect(new URL(page.url()).pathname).to.equal('/auth/signin/passkey')
}

describeInBrowser('the offer of a passkey after a password', (open) => {
  const stage = usePasskeys()

  it('makes a passkey of the account, which signs in the next time', async () => {
    await stage.start({}, pages)
    const ann = await enter(open, stage)
    await signInWithPassword(ann)
    await expectOffer(ann)
    await press(ann.page, 'Create a passkey')
    await expectHello(ann, email)

    const [made, ...others] = await ann.device.passkeys()
    expect(others).to.deep.equal([])
    expect(made).to.include({ isResidentCredential: true, rpId: 'localhost' })
    expect(await stage.passkeysOf(email)).to.have.length(1)
    await signOut(ann)
    await signIn(ann, email)
    stage.expectNoFault()
    expectNoProblems(ann)
  })

  it('can be cancelled, tried again and skipped, and is not made again', async () => {
    await stage.start({}, pages)
    const ann = await enter(open, stage, { device: { hasUserVerification: false, isUserVerified: false } })
    await signInWithPassword(ann)
    await expectOffer(ann)
    for (let times = 0; times < 2; times += 1) {
      await press(ann.page, 'Create a passkey')
      await hears(ann, /No passkey was made|cannot make the kind of passkey/)
    }
    expect(await stage.passkeysOf(email)).to.deep.equal([])
    await ann.page.getByRole('link', { name: 'Not now' }).click()
    await expectHello(ann, email)

    await signOut(ann)
    await signInWithPassword(ann)
    await expectHello(ann, email)
    expectNoProblems(ann)
  })
})
