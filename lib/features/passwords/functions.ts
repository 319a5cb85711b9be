/** The functions of `auth.passwords`, for the provider `Password`. */
import type { PasswordRejectionReason } from '../../errors.js'
import type { LinkRecipient, PasswordChange, UserHash, UserPassword } from '../../types/account.js'
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'

/** The functions of `auth.passwords`. They throw `InvalidProvider` without the provider `Password`. */
export interface PasswordFunctions {
  /** Checks whether the signed-in user has a password. */
  has(): Promise<boolean>
  /**
   * Changes the password of the signed-in user, or sets a first one. Their other sessions end (`changeRevokes`), and an
   * email reports it.
   *
   * @returns `wrong`: the current password is wrong; `limited`: too many tries; `unknown`: not signed in; `stale`: a
   *   first password needs a sign-in within the last five minutes; `unverified`: a first password needs a verified
   *   email address. Other reasons say why the new password is rejected.
   */
  change(
    change: PasswordChange,
  ): Promise<Outcome<'wrong' | 'limited' | 'unknown' | 'stale' | 'unverified' | PasswordRejectionReason>>
  /**
   * Sets the password of any user: for support desks, and for code that creates users. It checks no permission. All
   * sessions of the user end, and an email reports it.
   *
   * @returns The reason why the password is rejected.
   * @throws `AccountNotLinked` if no stored user has the id; `InvalidRequest` if neither a request nor AUTH_URL gives
   *   the URL of the site.
   */
  set(password: UserPassword): Promise<Outcome<PasswordRejectionReason>>
  /**
   * Stores the hash of a password from another system, for a user without a password. It is verified by `imported` of
   * the provider, and replaced by a new hash when the user signs in. No event is emitted, and no session ends.
   *
   * Nothing is stored for a user with an unverified email address and other sign-in methods, because a stranger may
   * have signed up with the address. A warning is logged. The owner of the address can sign up, or open a link of
   * `auth.passwords.sendLink`, and gets a new user.
   *
   * @returns `exists` if the user has a password; `unverified` if the user may be a stranger's.
   * @throws `AccountNotLinked` if no stored user has the id; TypeError for a text that is no hash, a hash that neither
   *   `imported` nor the default hasher can verify, and one that takes more work than they allow.
   */
  import(hash: UserHash): Promise<Outcome<'exists' | 'unverified'>>
  /**
   * Emails any user a link to set a password, whether they have one or not: for users that your own code creates. It
   * works once, for half an hour, and verifies their email address.
   *
   * If a stranger may have signed up with the address, as in `auth.passwords.import`, it leads to a new user with the
   * address (`events.updateUser` with `lostAddress`).
   *
   * @throws `AccountNotLinked` if no stored user has the id, or they have no email address; `InvalidRequest` if neither
   *   a request nor AUTH_URL gives the URL of the site.
   */
  sendLink(user: LinkRecipient): Promise<void>
}

/** The rules of `auth.passwords`. */
export const passwordRules = {
  has: { needs: 'request', effect: 'reads' },
  change: { needs: 'request', effect: 'changes' },
  set: { needs: 'nothing', effect: 'administers' },
  import: { needs: 'nothing', effect: 'administers' },
  sendLink: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<PasswordFunctions>
