/** `auth.account`: the sign-in methods of the signed-in user, for an account page. */
import type { AccountOverview, ChangeEmailOptions } from '../types/account.js'
import type { AccountKey } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import type { Rules } from './rule.js'

/**
 * The functions of `auth.account`. All of them throw `MissingAdapter` without an adapter, and those that remove or rename a sign-in method
 * throw `ReauthenticationRequired` in a session with an end of its own, or that did not begin in this browser.
 */
export interface AccountFunctions {
  /**
   * Returns the sessions and sign-in methods of the signed-in user, by the adapter's `listSessionsByUserId`, `listAccountsByUserId` and
   * `listAuthenticatorsByUserId`. A list is empty where the adapter has no such method.
   *
   * @returns `null` when nobody is signed in, or the user is not stored (credentials with JWT sessions).
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
   * @returns `unknown` when the user has no such account, or nobody is signed in; `last` when no sign-in method would be left.
   */
  unlink(account: AccountKey): Promise<Outcome<'unknown' | 'last'>>
  /**
   * Mails a link to the email address that the signed-in user wants to have. The link leads to a page that asks, in a session of the same
   * user, and then the address is theirs and verified. It works once, within 30 minutes or the provider's `maxAge` where that is shorter, as
   * long as no newer one was requested and the user has the same address as before.
   *
   * The result does not tell whether somebody else has the address. A user who has verified it keeps it, and the page behind the link says
   * so; a user who has not verified it loses it (`events.updateUser` with `lostAddress`). `events.updateUser` reports the change
   * with `previousEmail`, and a verified old address gets a notice (`sendNotice` of the provider).
   *
   * Ask for the password again if you keep one: whoever finds an unlocked screen could take the account over.
   *
   * @returns `unchanged` for the verified address that the user has; `refused` for text that is no single address, and where the `signIn`
   * callback rejects it (`email.verificationRequest`); `limited` after too many mails; `unknown` when nobody is signed in whom the adapter
   * knows.
   * @throws `ReauthenticationRequired` for users with a second factor that was not proved within five minutes; `InvalidProvider` without an
   * email provider.
   */
  changeEmail(options: ChangeEmailOptions): Promise<Outcome<'unchanged' | 'refused' | 'limited' | 'unknown'>>
  /**
   * Names a passkey of the signed-in user.
   *
   * @param id Of `auth.account.get`.
   * @param name 1 to 64 characters on one line, without spaces at both ends.
   * @returns `unknown` when the user has no such passkey, or nobody is signed in; `name` for a name that is too long or empty.
   * @throws `MissingAdapterMethods` where the adapter stores no names.
   */
  renamePasskey(id: string, name: string): Promise<Outcome<'unknown' | 'name'>>
  /**
   * Removes a passkey of the signed-in user; never the last sign-in method. Sessions that began with it continue: see
   * `auth.sessions.endOthers`.
   *
   * @param id Of `auth.account.get`.
   * @returns `unknown` when the user has no such passkey, or nobody is signed in; `last` when no sign-in method would be left, or no passkey
   * to prove a second factor of the user.
   * @throws `MissingAdapterMethods` where the adapter cannot delete passkeys.
   */
  removePasskey(id: string): Promise<Outcome<'unknown' | 'last'>>
}

/** The rules of `auth.account`. */
export const accountRules = {
  get: { needs: 'request', effect: 'reads' },
  unlink: { needs: 'request', effect: 'changes' },
  changeEmail: { needs: 'request', effect: 'changes' },
  renamePasskey: { needs: 'request', effect: 'changes' },
  removePasskey: { needs: 'request', effect: 'changes' },
} as const satisfies Rules<AccountFunctions>
