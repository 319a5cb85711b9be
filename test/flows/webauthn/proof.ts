/** The owner of an address that a stranger has signed up with. */
import { expect } from 'chai'
import { type Door, target } from '../../support/app.js'
import type { PasskeyPerson } from '../../support/passkey-person.js'
import { emailOf, type PasskeyStage } from './stage.js'

/** The owner's address. */
export const email = 'victim@example.com'

/** Opens an email link in a browser of its own, as the owner of the address. */
export async function comes(stage: PasskeyStage, app: Door = stage.app): Promise<PasskeyPerson> {
  const victim = stage.person({ app })
  const response = await stage.enterByMail(victim.browser, email)
  expect(target(response)).to.not.include('error')
  return victim
}

/**
 * Checks that the owner has the address and nothing of the stranger's, and that the stranger's user, if any, does not
 * have the address.
 */
export async function expectOwned(stage: PasskeyStage, victim: PasskeyPerson, stranger: PasskeyPerson): Promise<void> {
  expect((await stage.userOf(email)).emailVerified).to.be.a('date')
  expect(await stage.passkeysOf(email), 'passkeys').to.deep.equal([])
  expect(await stage.accountsOf(email), 'accounts').to.deep.equal([])
  expect(emailOf(await victim.browser.session())).to.equal(email)
  const strangers = stranger.with({ browser: stage.app.browser() })
  await strangers.signIn()
  expect(emailOf(await strangers.browser.session()) ?? null, 'the stranger, by the passkey').to.equal(null)
}
