/** Forgotten passwords: requests a link, and sets a new password with it. */
import { foldAddress } from '../../base/address.js'
import type { AuthContext, Identity, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { Verification } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { spendLink } from '../../links/index.js'
import { storeOf } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { findByAddress, isClaim } from '../../users/records.js'
import { counted, foldName, mailboxOf } from '../limits/attempts.js'
import { passCaptcha } from '../limits/captcha.js'
import { hashNew } from './hashes.js'
import { forgetLink, showLink, submitLink } from './opened-link.js'
import { mailReset, openReset } from './reset-link.js'
import { inBackground, mailHaveAccount, setPassword, typedAddress, typedSecret } from './set.js'
import { identityOf } from './sign-in.js'

/**
 * Answers `POST password/forgot`, in the same way for known and unknown addresses. @throws {@link EmailSignInError}
 * {@link TooManyRequests}
 */
export async function forgot(context: AuthContext, provider: PasswordProvider): Promise<void> {
  const address = typedAddress(context, provider)
  await passCaptcha(context, { rule: 'mail' })
  await counted(context, { rule: 'reset', accounts: [foldName(address)], typed: mailboxOf(address) })
  await countMail(context, provider.password.mailer, address)
  const { user } = await findByAddress(context.config, storeOf(context.config), address)
  if (user) inBackground(context, provider, () => mailWhatIsThere(context, provider, user))
}

/**
 * Emails a link. A user without a password gets an email that says so, unless a stranger may have created the account.
 */
async function mailWhatIsThere(context: AuthContext, provider: PasswordProvider, user: AdapterUser): Promise<void> {
  if (!user.email) return
  if (await hasPassword(context, provider, user)) return mailReset(context, provider, { user, isCounted: false })
  if (!isClaim(context.config, user)) mailHaveAccount(context, provider, user)
}

/**
 * Checks whether the user has, or is about to get, a password. The account is stored first and the password a moment
 * later, so an account without a password is included.
 */
async function hasPassword({ config }: AuthContext, { id, password }: PasswordProvider, user: AdapterUser) {
  if (await password.store.find(user.id)) return true
  const owner = await storeOf(config).getUserByAccount({ provider: id, providerAccountId: user.id })
  return owner?.id === user.id
}

/**
 * Returns the content of `GET password/reset`. `moved`: the same page without the token. @throws {@link Verification}
 */
export function showReset(
  context: AuthContext,
  provider: PasswordProvider,
): Promise<Extract<PasswordFacts, { step: 'reset' }> | 'moved'> {
  return showLink(context, 'reset', async (token) => {
    const { user } = await openReset(context, provider, token)
    return { step: 'reset', email: user.email } as const
  })
}

/** Answers `POST password/reset`. @throws {@link Verification} {@link PasswordRejected} {@link TooManyRequests} */
export function reset(context: AuthContext, provider: PasswordProvider): Promise<Identity> {
  return submitLink(context, 'reset', (token) => finish(context, provider, token))
}

async function finish(context: AuthContext, provider: PasswordProvider, token: string): Promise<Identity> {
  const { user, replaces, stamp, link } = await openReset(context, provider, token)
  const hash = await hashNew(context, provider, { password: typedSecret(context.request.body), email: user.email })
  await spendLink(link)
  forgetLink(context, 'reset')
  const { id, emailVerified } = user
  return {
    // Without name and picture: the address may lead to a new user, who gets no data of the unverified one.
    ...identityOf(provider, { id, email: foldAddress(user.email), emailVerified }),
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
