/**
 * Behind the link of a sign-up. In the browser that signed up a button makes the account, with the password that was typed there.
 * Anywhere else a password is chosen anew: a stranger may have typed the one that waits, and it never becomes valid.
 */
import type { AuthContext, Identity, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { Verification } from '../../errors.js'
import { isBoundHere } from '../../session/browser.js'
import { limited } from '../limits/attempts.js'
import { findAttempt } from './attempts.js'
import { hashNew } from './hashes.js'
import { forgetLink, showLink, takeLink, tokenOf } from './opened-link.js'
import { setPassword } from './set.js'
import { typedSecret } from './typed.js'

/** `GET password/verify`. `moved`: to the same page without the token. @throws {@link Verification} */
export async function showVerify(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<Extract<PasswordFacts, { step: 'verify' }> | 'moved'> {
  if (await takeLink(context, 'verify')) return 'moved'
  return showLink(context, 'verify', async (token) => {
    const { email, browser } = await findAttempt(context, provider, token)
    return { step: 'verify', email, isElsewhere: !isBoundHere(context, browser) } as const
  })
}

/** `POST password/verify`. @throws {@link Verification} {@link PasswordRejected} {@link TooManyRequests} */
export function verify(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<{ identity: Identity; callbackUrl: string }> {
  return limited(context, { rule: 'mailToken' }, () => finish(context, provider), isBadLink)
}

const isBadLink = (error: unknown) => error instanceof Verification

async function finish(context: AuthContext, provider: PasswordProvider) {
  const { tokenHash, email, browser, callbackUrl, ...waiting } = await findAttempt(
    context,
    provider,
    await tokenOf(context, 'verify'),
  )
  const isHere = isBoundHere(context, browser)
  const { body } = context.request
  const hash = isHere ? waiting.hash : await hashNew(context, provider, { password: typedSecret(body), email })
  if (!(await provider.password.store.takeAttempt(tokenHash))) throw new Verification('The link was used a moment ago.')
  forgetLink(context, 'verify')
  const identity: Identity = {
    user: { email },
    account: { provider: provider.id, type: 'credentials', providerAccountId: email },
    // The mailbox is what was proved by now.
    amr: ['otp'],
    addressProved: true,
    byMail: true,
    stored: true,
    settle: async (user) => {
      await setPassword(context, provider, { user, hash, reason: 'signUp' })
    },
  }
  return { identity, callbackUrl }
}
