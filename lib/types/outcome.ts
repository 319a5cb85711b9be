/** The result of a call that a user's mistake can prevent. */

/**
 * The result of a call: `ok` with the returned values, or the reason why nothing was changed. Failures, such as a
 * database that is down, are thrown.
 * @example
 * ```ts
 * const outcome = await auth.account.unlink(req, account)
 * if (!outcome.ok) return res.render('account', { error: outcome.reason })
 * ```
 */
export type Outcome<Reason extends string, Result = unknown> =
  | ({
      /** The call succeeded. */
      readonly ok: true
    } & Result)
  | {
      /** Nothing was changed. */
      readonly ok: false
      /** The reason, as a word for your code. */
      readonly reason: Reason
    }
