/**
 * Signing up. The hash waits in a row of its own until the address is proved: on a user it would be a stranger's, until its owner comes
 * by a mailed link and gets the account with the stranger's password. Several who sign up with one address do not touch each other.
 *
 * Known addresses get the same answer after the same work: the mail tells which it is, and only its owner reads that.
 */
import { askSignIn } from '../../callbacks/ask-sign-in.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import type { SafeRedirect } from '../../http/message.js'
import { bindBrowser } from '../../session/browser.js'
import { storeOf } from '../../store/store-of.js'
import { findByAddress } from '../../users/address-owner.js'
import { counted } from '../limits/attempts.js'
import { passCaptcha } from '../limits/captcha.js'
import { hashNew } from './hashes.js'
import { mailHaveAccount } from './mails.js'
import { createSignUp } from './sign-up-link.js'
import { typedAddress, typedSecret } from './typed.js'

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
