/** `auth.passwords`: the passwords that the provider `Password` keeps. */
import type { PasswordFault } from '../../errors.js'
import type { Rules } from '../../functions/rule.js'
import type { LinkReceiver, PasswordChange, UserHash, UserPassword } from '../../types/account.js'
import type { Outcome } from '../../types/outcome.js'

/** The functions of `auth.passwords`. They throw `InvalidProvider` without the provider `Password`. */
export interface PasswordFunctions {
  /** Checks whether the signed-in user has a password. */
  has(): Promise<boolean>
  /**
   * Gives the signed-in user another password, or a first one. Their other sessions end (`changeRevokes`), and a mail reports it.
   *
   * @returns `wrong`: the current password is another one; `limited`: too many tries; `unknown`: nobody is signed in; `stale`: a first
   * password needs a sign-in within the last five minutes; `unverified`: a first password needs a verified email address. Other reasons say
   * why the new password is rejected.
   */
  change(
    change: PasswordChange,
  ): Promise<Outcome<'wrong' | 'limited' | 'unknown' | 'stale' | 'unverified' | PasswordFault>>
  /**
   * Sets the password of any user: for a support desk, and for code that creates users. It checks no permission. All sessions of the user
   * end, and a mail reports it.
   *
   * @returns The reason why the password is rejected.
   * @throws `AccountNotLinked` when no stored user has the id; `InvalidRequest` where neither a request nor AUTH_URL tells the URL of the site.
   */
  set(password: UserPassword): Promise<Outcome<PasswordFault>>
  /**
   * Stores the hash of a password that another system made, for a user without a password. It is checked by `imported` of the provider, and
   * replaced by a hash of ours when the user signs in. No event is emitted, and no session ends.
   *
   * Nothing is stored for a user whose email address is unverified and who has sign-in methods of their own: a stranger may have signed up
   * with the address. The log says so. The owner of the address signs up, or opens a link of `auth.passwords.sendLink`, and gets a user of
   * their own.
   *
   * @returns `exists` for a user who has a password; `unverified` where the user may be a stranger's.
   * @throws `AccountNotLinked` when no stored user has the id; TypeError for text that is no hash, for a hash that neither `imported` nor
   * the default hasher can check, and for one that takes more work than they allow.
   */
  import(hash: UserHash): Promise<Outcome<'exists' | 'unverified'>>
  /**
   * Mails any user a link to set a password, whether they have one or not: for users that your own code creates. It works once, for half an
   * hour, and verifies their email address. Where a stranger may have signed up with the address before, as in `auth.passwords.import`, it
   * leads to a new user, who gets the address (`events.updateUser` with `lostAddress`).
   *
   * @throws `AccountNotLinked` when no stored user has the id, or they have no address; `InvalidRequest` where neither a request nor
   * AUTH_URL tells the URL of the site.
   */
  sendLink(user: LinkReceiver): Promise<void>
}

/** The rules of `auth.passwords`. */
export const passwordRules = {
  has: { needs: 'request', effect: 'reads' },
  change: { needs: 'request', effect: 'changes' },
  set: { needs: 'nothing', effect: 'administers' },
  import: { needs: 'nothing', effect: 'administers' },
  sendLink: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<PasswordFunctions>
