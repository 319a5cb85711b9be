/**
 * Signing up. The hash waits in a row of its own until the address is proved: on a user it would be a stranger's, until its owner comes
 * by a mailed link and gets the account with the stranger's password. Several who sign up with one address do not touch each other.
 *
 * Known addresses get the same answer after the same work: the mail tells which it is, and only its owner reads that.
 */
import { askSignIn } from '../../callbacks/index.js'
import type { AuthContext, Identity, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import type { SafeRedirect } from '../../http/message.js'
import { spendLink } from '../../links/index.js'
import { bindBrowser, isBoundHere } from '../../session/browser.js'
import { storeOf } from '../../store/guard.js'
import { findByAddress } from '../../users/records.js'
import { counted } from '../limits/attempts.js'
import { passCaptcha } from '../limits/captcha.js'
import { hashNew } from './hashes.js'
import { forgetLink, showLink, submitLink } from './opened-link.js'
import { mailHaveAccount, setPassword, typedAddress, typedSecret } from './set.js'
import { createSignUp, openSignUp } from './sign-up-link.js'

/** Seconds that the link lives at the most. */
const maxLifetime = 24 * 60 * 60

/** @throws {@link InvalidRequest} with 404 where strangers cannot sign up. */
export function assertOpen({ password }: PasswordProvider): void {
  if (!password.signUp) throw new InvalidRequest('Nobody can sign up here.', 404)
}

/**
 * `POST signup/<id>`.
 *
 * @returns `sent`; or where the `signIn` callback sends the person instead.
 * @throws {@link PasswordRejected} {@link EmailSignInError} {@link TooManyRequests} {@link CaptchaRequired} {@link AccessDenied}
 */
export async function signUp(
  context: AuthContext,
  provider: PasswordProvider,
  callbackUrl: SafeRedirect,
): Promise<'sent' | SafeRedirect> {
  assertOpen(provider)
  const { config, urls } = context
  const { mailer } = provider.password
  const email = typedAddress(context, provider)
  const password = typedSecret(context.request.body)
  await passCaptcha(context, { rule: 'signUp' })
  await counted(context, { rule: 'signUp', scope: 'form' })
  await countMail(context, mailer, email)
  const hash = await hashNew(context, provider, { password, email })
  const verdict = await askSignIn(context, {
    user: { email },
    account: { provider: provider.id, type: 'credentials', providerAccountId: email },
    email: { verificationRequest: true },
  })
  if (verdict !== true) return verdict
  const { user, standing } = await findByAddress(config, storeOf(config), email)
  const lifetime = Math.min(mailer.maxAge, maxLifetime)
  const pending = { hash, browser: bindBrowser(context), callbackUrl }
  // For a known address, too, whose link nobody gets.
  const mailed = await createSignUp(context, provider, { email, lifetime, pending })
  if (standing === 'owner') mailHaveAccount(context, provider, user)
  else {
    const url = urls.endpoint('password', 'verify', { token: mailed.token })
    sendMail(context, mailer, { purpose: 'sign-up', address: email, url, ...mailed })
  }
  return 'sent'
}

/* ---- verify ------------------------------------------------------------------------------------------------------ */

// Behind the link of a sign-up. In the browser that signed up a button makes the account, with the password that was typed there.
// Anywhere else a password is chosen anew: a stranger may have typed the one that waits, and it never becomes valid.

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
