/** The functions of `auth.factors`: second factors on custom pages. */

import type { AccountKey } from '../../types/adapter.js'
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { FactorConfirmation, TotpSetup } from './types.js'

/**
 * The functions of `auth.factors`. They throw `InvalidConfiguration` without `factors`.
 *
 * Functions that change the signed-in user's factors throw `ReauthenticationRequired` unless the user has signed in
 * with all their factors within five minutes. Send the user to `<basePath>/two-factor?setup&callbackUrl=…`.
 */
export interface FactorFunctions {
  /**
   * Begins to add an authenticator app, and returns its key. Nothing is stored until `auth.factors.confirm`.
   *
   * @throws `InvalidRequest` if the kind is not configured. Passkeys are added by the built-in page
   *   `two-factor/passkey?setup`.
   */
  enrolTotp(): Promise<TotpSetup>
  /**
   * Begins to add email codes, and sends the first one. @throws `InvalidRequest` if the kind is not configured, or the
   * user has no verified email.
   */
  enrolEmail(): Promise<void>
  /**
   * Adds a second factor by its first code, and raises the session to level 2. The first factor comes with recovery
   * codes, if they are configured.
   *
   * @returns `recoveryCodes`, to be shown once; `wrong` for a wrong code, which is counted as at a sign-in.
   * @throws `TooManyRequests` after too many wrong codes.
   *
   * @example
   * ```ts
   * const confirmed = await auth.factors.confirm(req, res, { type: 'totp', setup, code: req.body.code })
   * if (confirmed.ok) res.render('codes', { codes: confirmed.recoveryCodes })
   * ```
   */
  confirm(confirmation: FactorConfirmation): Promise<
    Outcome<
      'wrong',
      {
        /** The codes that come with the first factor. Show them once. */
        readonly recoveryCodes?: readonly string[]
      }
    >
  >
  /**
   * Removes a second factor of the signed-in user. The recovery codes are removed with the last factor.
   *
   * @param id An id from `factors` in `auth.account.get`.
   * @returns `unknown` if the user has no such factor.
   */
  remove(id: string): Promise<Outcome<'unknown'>>
  /** Creates new recovery codes for the signed-in user, to be shown once. The earlier codes stop working. */
  newRecoveryCodes(): Promise<readonly string[]>
  /**
   * Removes all second factors of any user, with recovery codes and remembered browsers, and ends their sessions.
   *
   * It is for support desks, and checks no permission. Sessions end as far as they can be ended. The user can then sign
   * in with one factor and add new ones.
   *
   * @param user The id of the stored user. Users from `authorize` that are not stored are named by provider and
   *   account: `{ provider: 'credentials', providerAccountId: id }`. An id that no stored user has means all users with
   *   that id.
   * @throws `AdapterError` if a store fails. Call it again then.
   */
  reset(user: string | AccountKey): Promise<void>
}

/** The rules of `auth.factors`. */
export const factorRules = {
  enrolTotp: { needs: 'response', effect: 'changes' },
  enrolEmail: { needs: 'response', effect: 'changes' },
  confirm: { needs: 'response', effect: 'changes' },
  remove: { needs: 'response', effect: 'changes' },
  newRecoveryCodes: { needs: 'response', effect: 'changes' },
  reset: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<FactorFunctions>
