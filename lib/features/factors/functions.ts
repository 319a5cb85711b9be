/** `auth.factors`: second factors on pages of the application's own. */

import type { Rules } from '../../functions/rule.js'
import type { AccountKey } from '../../types/adapter.js'
import type { Outcome } from '../../types/outcome.js'
import type { FactorConfirmation, TotpSetup } from './types.js'

/**
 * The functions of `auth.factors`. They throw `InvalidConfiguration` without `factors`. Those that change the signed-in user's factors throw
 * `ReauthenticationRequired` unless the user has signed in, with everything that they have, within five minutes: send them to
 * `<basePath>/two-factor?setup&callbackUrl=…`.
 */
export interface FactorFunctions {
  /**
   * Begins to add an authenticator app: returns its key. Nothing is stored until `auth.factors.confirm`.
   *
   * @throws `InvalidRequest` where the kind is not configured. Passkeys are added by the built-in page `two-factor/passkey?setup`.
   */
  enrolTotp(): Promise<TotpSetup>
  /** Begins to add codes by email: mails the first one. @throws `InvalidRequest` where the kind is not configured, or the user has no verified address. */
  enrolEmail(): Promise<void>
  /**
   * Adds a second factor, by its first code, and raises the session to level 2. With the first factor come recovery codes, where those are
   * configured.
   *
   * @returns `recoveryCodes` to be shown once; `wrong` for a wrong code, which is counted as at a sign-in.
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
        /** The codes that come with the first factor: show them once. */
        readonly recoveryCodes?: readonly string[]
      }
    >
  >
  /**
   * Removes a second factor of the signed-in user. With the last one the recovery codes are removed.
   *
   * @param id Of `factors` in `auth.account.get`.
   * @returns `unknown` where the user has no such factor.
   */
  remove(id: string): Promise<Outcome<'unknown'>>
  /** Makes new recovery codes for the signed-in user, to be shown once. The earlier ones stop working. */
  newRecoveryCodes(): Promise<readonly string[]>
  /**
   * Removes all second factors of any user, with their recovery codes and remembered browsers, and ends their sessions as far as they can be
   * ended: for a support desk. It checks no permission. The user signs in with one factor then, and adds others.
   *
   * @param user The id of the stored user. Users whom an `authorize` returned, and who are not stored, are named by provider and account:
   * `{ provider: 'credentials', providerAccountId: id }`. An id that no stored user has means all users with that id.
   * @throws `AdapterError` when a store fails: call it again then.
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
