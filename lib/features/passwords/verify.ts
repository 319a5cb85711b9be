/**
 * Behind the link of a sign-up. In the browser that signed up a button makes the account, with the password that was typed there.
 * Anywhere else a password is chosen anew: a stranger may have typed the one that waits, and it never becomes valid.
 */
import type { AuthContext, Identity, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { spendLink } from '../../links/index.js'
import { isBoundHere } from '../../session/browser.js'
import { hashNew } from './hashes.js'
import { forgetLink, showLink, submitLink } from './opened-link.js'
import { setPassword } from './set.js'
import { openSignUp } from './sign-up-link.js'
import { typedSecret } from './typed.js'

/** `GET password/verify`. `moved`: to the same page without the token. @throws {@link Verification} */
export function showVerify(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<Extract<PasswordFacts, { step: 'verify' }> | 'moved'> {
  return showLink(context, 'verify', async (token) => {
    const { email, pending } = await openSignUp(context, provider, token)
    return { step: 'verify', email, isElsewhere: !isBoundHere(context, pending.browser) } as const
  })
}

/** `POST password/verify`. @throws {@link Verification} {@link PasswordRejected} {@link TooManyRequests} */
export function verify(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<{ identity: Identity; callbackUrl: string }> {
  return submitLink(context, 'verify', (token) => finish(context, provider, token))
}

async function finish(context: AuthContext, provider: PasswordProvider, token: string) {
  const { email, pending, link } = await openSignUp(context, provider, token)
  const isHere = isBoundHere(context, pending.browser)
  const { body } = context.request
  const hash = isHere ? pending.hash : await hashNew(context, provider, { password: typedSecret(body), email })
  await spendLink(link)
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
  return { identity, callbackUrl: pending.callbackUrl }
}
