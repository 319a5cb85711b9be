/** The functions of `auth.account`: the sign-in methods of the signed-in user, for an account page. */
import type { AccountDeletionFunctions } from '../features/deletion/functions.js'
import type { AccountOverview, ChangeEmailOptions } from '../types/account.js'
import type { AccountKey } from '../types/adapter.js'
import type { Rules } from '../types/call-rules.js'
import type { Outcome } from '../types/outcome.js'

/**
 * The functions of `auth.account`. All of them throw `MissingAdapter` without an adapter. Those that remove or rename a
 * sign-in method throw `ReauthenticationRequired` in a session with its own `maxAge`, or that did not begin in this
 * browser.
 */
export interface AccountFunctions extends AccountDeletionFunctions {
  /**
   * Returns the sessions and sign-in methods of the signed-in user, by the adapter's `listSessionsByUserId`,
   * `listAccountsByUserId` and `listAuthenticatorsByUserId`. A list is empty if the adapter has no such method.
   *
   * @returns `null` if no user is signed in, or the user is not stored (credentials with JWT sessions).
   *
   * @example
   * ```ts
   * app.get('/account', auth.requireSession(), async (req, res) => res.render('account', await auth.account.get(req)))
   * ```
   */
  get(): Promise<AccountOverview | null>
  /**
   * Unlinks an account of the signed-in user; never the last sign-in method. Sessions that began with it continue: see
   * `auth.sessions.endOthers`.
   *
   * @returns `unknown` if the user has no such account, or no user is signed in; `last` if no sign-in method would be
   *   left.
   */
  unlink(account: AccountKey): Promise<Outcome<'unknown' | 'last'>>
  /**
   * Emails a link to the new email address of the signed-in user. The address changes when the user confirms it.
   *
   * The link leads to a page that asks for confirmation, in a session of the same user. It works once, within 30
   * minutes or the provider's `maxAge` if that is shorter, unless a newer one was requested or the user's address has
   * changed.
   *
   * The result does not reveal whether another user has the address. A user who has verified it keeps it, and the page
   * behind the link says so. A user who has not verified it loses it (`events.updateUser` with `lostAddress`).
   * `events.updateUser` reports the change with `previousEmail`, and a verified old address gets a notice (`sendNotice`
   * of the provider).
   *
   * Ask for the password again if you keep one. Otherwise an unlocked screen is enough to take the account over.
   *
   * @returns `unchanged` for the user's verified address; `refused` for text that is no single address, and if the
   *   `signIn` callback rejects it (`email.verificationRequest`); `limited` after too many emails; `unknown` if no
   *   stored user is signed in.
   * @throws `ReauthenticationRequired` for users with a second factor that was not proved within five minutes;
   *   `InvalidProvider` without an email provider.
   */
  changeEmail(options: ChangeEmailOptions): Promise<Outcome<'unchanged' | 'refused' | 'limited' | 'unknown'>>
  /**
   * Names a passkey of the signed-in user.
   *
   * @param id An id from `auth.account.get`.
   * @param name 1 to 64 characters on one line, without spaces at both ends.
   * @returns `unknown` if the user has no such passkey, or no user is signed in; `name` for a name that is too long or
   *   empty.
   * @throws `MissingAdapterMethods` if the adapter stores no names.
   */
  renamePasskey(id: string, name: string): Promise<Outcome<'unknown' | 'name'>>
  /**
   * Removes a passkey of the signed-in user; never the last sign-in method. Sessions that began with it continue: see
   * `auth.sessions.endOthers`.
   *
   * @param id An id from `auth.account.get`.
   * @returns `unknown` if the user has no such passkey, or no user is signed in; `last` if no sign-in method would be
   *   left, or no passkey for a second factor of the user.
   * @throws `MissingAdapterMethods` if the adapter cannot delete passkeys.
   */
  removePasskey(id: string): Promise<Outcome<'unknown' | 'last'>>
}

/** The rules of `auth.account`, except those of functions that capabilities add. */
export const accountRules = {
  get: { needs: 'request', effect: 'reads', impersonated: true },
  unlink: { needs: 'request', effect: 'changes' },
  changeEmail: { needs: 'request', effect: 'changes' },
  renamePasskey: { needs: 'request', effect: 'changes' },
  removePasskey: { needs: 'request', effect: 'changes' },
} as const satisfies Rules<Omit<AccountFunctions, keyof AccountDeletionFunctions>>
