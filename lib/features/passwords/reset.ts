/** Forgotten passwords: requests a link, and sets a new password with it. */
import { foldAddress } from '../../base/email-address.js'
import type { AuthContext, Identity, PasswordPageFacts, PasswordProvider } from '../../contracts/index.js'
import { Verification } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { storeMailedAddress } from '../../flows/email/mailed-address.js'
import { spendLink } from '../../links/index.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { findByAddress, isUnverifiedAddress } from '../../users/records.js'
import { countAttempt, foldName, mailboxText } from '../limits/attempts.js'
import { passCaptcha } from '../limits/captcha.js'
import { hashNewPassword } from './hashes.js'
import { forgetLink, openLinkPage, submitLink } from './opened-link.js'
import { mailResetLink, openResetLink } from './reset-link.js'
import { mailAccountExists, runAfterResponse, setPassword, typedAddress, typedSecret } from './set-password.js'
import { storedUserIdentity } from './sign-in.js'

/**
 * Answers `POST password/forgot`, in the same way for known and unknown addresses. @throws {@link EmailSignInError}
 * {@link TooManyRequests}
 */
export async function requestPasswordReset(context: AuthContext, provider: PasswordProvider): Promise<void> {
  const address = typedAddress(context, provider)
  await passCaptcha(context, { rule: 'mail' })
  await countAttempt(context, { rule: 'reset', accounts: [foldName(address)], typed: mailboxText(address) })
  await countMail(context, provider.password.mailer, address)
  const { user } = await findByAddress(context.config, requireStore(context.config), address)
  await storeMailedAddress(context, { provider: provider.id, purpose: 'reset-password', address })
  if (user) runAfterResponse(context, provider, () => mailResetOrNotice(context, provider, user))
}

/**
 * Emails a link. A user without a password gets an email that says so, unless a stranger may have created the account.
 */
async function mailResetOrNotice(context: AuthContext, provider: PasswordProvider, user: AdapterUser): Promise<void> {
  if (!user.email) return
  if (await hasOrGetsPassword(context, provider, user))
    return mailResetLink(context, provider, { user, isCounted: false })
  if (!isUnverifiedAddress(context.config, user)) mailAccountExists(context, provider, user)
}

/**
 * Checks whether the user has, or is about to get, a password. The account is stored first and the password a moment
 * later, so an account without a password is included.
 */
async function hasOrGetsPassword({ config }: AuthContext, { id, password }: PasswordProvider, user: AdapterUser) {
  if (await password.store.find(user.id)) return true
  const owner = await requireStore(config).getUserByAccount({ provider: id, providerAccountId: user.id })
  return owner?.id === user.id
}

/**
 * Returns the content of `GET password/reset`. `moved`: the same page without the token. @throws {@link Verification}
 */
export function readResetPage(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<Extract<PasswordPageFacts, { step: 'reset' }> | 'moved'> {
  return openLinkPage(context, 'reset', async (token) => {
    const { user } = await openResetLink(context, provider, token)
    return { step: 'reset', email: user.email } as const
  })
}

/** Answers `POST password/reset`. @throws {@link Verification} {@link PasswordRejected} {@link TooManyRequests} */
export function resetPassword(context: AuthContext, provider: PasswordProvider): Promise<Identity> {
  return submitLink(context, 'reset', (token) => completeReset(context, provider, token))
}

async function completeReset(context: AuthContext, provider: PasswordProvider, token: string): Promise<Identity> {
  const { user, replaces, stamp, link } = await openResetLink(context, provider, token)
  const hash = await hashNewPassword(context, provider, {
    password: typedSecret(context.request.body),
    email: user.email,
  })
  await spendLink(link)
  forgetLink(context, 'reset')
  const { id, emailVerified } = user
  return {
    // Without name and picture: the address may lead to a new user, who gets no data of the unverified one.
    ...storedUserIdentity(provider, { id, email: foldAddress(user.email), emailVerified }),
    amr: ['otp'],
    addressProved: true,
    byMail: true,
    stamp,
    settle: async (owner) => {
      // Verifying the email address has just removed the password of an unverified user.
      const now = owner.emailVerified && !user.emailVerified ? null : replaces
      if (await setPassword(context, provider, { user: owner, hash, reason: 'reset', replaces: now })) return
      throw new Verification('The password was changed in the meantime.')
    },
  }
}
