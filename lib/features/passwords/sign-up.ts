/**
 * Sign-ups.
 *
 * The hash is stored in a separate record until the email address is verified. On a user, a stranger's password would
 * stay valid after the owner of the address signs in with an email link. Sign-ups with the same address are
 * independent.
 *
 * Known addresses get the same response after the same work. Only the email, which their owner reads, tells the
 * difference.
 */
import { callSignInCallback } from '../../callbacks/index.js'
import type { AuthContext, Identity, PasswordPageFacts, PasswordProvider } from '../../contracts/index.js'
import { InvalidRequest, Verification } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { asksAgain, readMailedAddress, storeMailedAddress } from '../../flows/email/mailed-address.js'
import { sendMail } from '../../flows/email/send.js'
import type { SafeRedirect } from '../../http/message.js'
import { spendLink } from '../../links/index.js'
import { bindBrowser, isBoundToBrowser } from '../../session/browser.js'
import { requireStore } from '../../store/guard.js'
import { findByAddress } from '../../users/records.js'
import { countAttempt } from '../limits/attempts.js'
import { passCaptcha } from '../limits/captcha.js'
import { hashNewPassword } from './hashes.js'
import { forgetLink, openLinkPage, submitLink } from './opened-link.js'
import { mailAccountExists, setPassword, typedAddress, typedSecret } from './set-password.js'
import { createSignUpLink, openSignUpLink, openStoredSignUp, type PendingPassword } from './sign-up-link.js'

/** Seconds: the longest lifetime of the link. */
const maxLifetime = 24 * 60 * 60

/** Throws if strangers cannot sign up. @throws {@link InvalidRequest} with status 404. */
export function assertSignUpEnabled({ password }: PasswordProvider): void {
  if (!password.signUp) throw new InvalidRequest('Sign-up is disabled.', 404)
}

/**
 * Answers `POST signup/<id>`.
 *
 * @returns `sent`, or the URL of the `signIn` callback.
 * @throws {@link PasswordRejected} {@link EmailSignInError} {@link TooManyRequests} {@link CaptchaRequired} {@link
 *   AccessDenied}
 */
export async function requestSignUp(
  context: AuthContext,
  provider: PasswordProvider,
  callbackUrl: SafeRedirect,
): Promise<'sent' | SafeRedirect> {
  assertSignUpEnabled(provider)
  if (asksAgain(context)) return requestSignUpMail(context, provider)
  const { mailer } = provider.password
  const email = typedAddress(context, provider)
  const password = typedSecret(context.request.body)
  await passCaptcha(context, { rule: 'signUp' })
  await countAttempt(context, { rule: 'signUp', scope: 'form' })
  await countMail(context, mailer, email)
  const hash = await hashNewPassword(context, provider, { password, email })
  const verdict = await callSignInCallback(context, {
    user: { email },
    account: { provider: provider.id, type: 'credentials', providerAccountId: email },
    email: { verificationRequest: true },
  })
  if (verdict !== true) return verdict
  await mailSignUp(context, provider, { email, pending: { hash, browser: bindBrowser(context), callbackUrl } })
  return 'sent'
}

/**
 * Sends another email for the sign-up of this browser. The pending password stays the same.
 *
 * @returns The URL of the sign-up page if there is no pending sign-up.
 */
async function requestSignUpMail(context: AuthContext, provider: PasswordProvider): Promise<'sent' | SafeRedirect> {
  const mailed = await readMailedAddress(context, 'sign-up', provider.id)
  const found = mailed?.link === undefined ? undefined : await findPendingSignUp(provider, mailed.link)
  if (!found) return context.urls.endpoint('signup', provider.id)
  const { email, pending, link } = found
  await passCaptcha(context, { rule: 'signUp' })
  await countAttempt(context, { rule: 'signUp', scope: 'form' })
  await countMail(context, provider.password.mailer, email)
  await mailSignUp(context, provider, { email, pending })
  // A second click may have spent the earlier link already.
  await link.place.take(link.hashes)
  return 'sent'
}

async function findPendingSignUp(provider: PasswordProvider, hash: string) {
  try {
    return await openStoredSignUp(provider, [hash])
  } catch (error) {
    if (error instanceof Verification) return undefined
    throw error
  }
}

/** Stores a pending sign-up, and sends its email: a link, or a notice to the owner of an account. */
async function mailSignUp(
  context: AuthContext,
  provider: PasswordProvider,
  { email, pending }: { readonly email: string; readonly pending: PendingPassword },
): Promise<void> {
  const { config, urls } = context
  const { mailer } = provider.password
  const { user, status } = await findByAddress(config, requireStore(config), email)
  const lifetime = Math.min(mailer.maxAge, maxLifetime)
  // Also for a known address, whose link is never sent.
  const { hash: link, ...mailed } = await createSignUpLink(context, provider, { email, lifetime, pending })
  const { callbackUrl } = pending
  await storeMailedAddress(context, { provider: provider.id, purpose: 'sign-up', address: email, callbackUrl, link })
  if (status === 'owner') mailAccountExists(context, provider, user)
  else {
    const url = urls.endpoint('password', 'verify', { token: mailed.token })
    sendMail(context, mailer, { purpose: 'sign-up', address: email, url, ...mailed })
  }
}

/* Verification. */

// The link of a sign-up. In the browser that signed up, a button creates the account with the typed password. In any
// other browser the user chooses a password: a stranger may have typed the pending one, which never becomes valid.

/**
 * Returns the content of `GET password/verify`. `moved`: the same page without the token. @throws {@link Verification}
 */
export function readVerifyPage(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<Extract<PasswordPageFacts, { step: 'verify' }> | 'moved'> {
  return openLinkPage(context, 'verify', async (token) => {
    const { email, pending } = await openSignUpLink(context, provider, token)
    return { step: 'verify', email, isElsewhere: !isBoundToBrowser(context, pending.browser) } as const
  })
}

/** Answers `POST password/verify`. @throws {@link Verification} {@link PasswordRejected} {@link TooManyRequests} */
export function verifySignUp(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<{ identity: Identity; callbackUrl: string }> {
  return submitLink(context, 'verify', (token) => completeSignUp(context, provider, token))
}

async function completeSignUp(context: AuthContext, provider: PasswordProvider, token: string) {
  const { email, pending, link } = await openSignUpLink(context, provider, token)
  const isHere = isBoundToBrowser(context, pending.browser)
  const { body } = context.request
  const hash = isHere ? pending.hash : await hashNewPassword(context, provider, { password: typedSecret(body), email })
  await spendLink(link)
  forgetLink(context, 'verify')
  const identity: Identity = {
    user: { email },
    account: { provider: provider.id, type: 'credentials', providerAccountId: email },
    // Only the mailbox was proved so far.
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
