/** The result of a call that a user's mistake can stop. */

/**
 * The result of a call: `ok`, with what the call returns; or the reason why nothing was changed. Faults, such as a database that is away,
 * are thrown.
 *
 * @example
 * ```ts
 * const outcome = await auth.account.unlink(req, account)
 * if (!outcome.ok) return res.render('account', { error: outcome.reason })
 * ```
 */
export type Outcome<Reason extends string, Result = unknown> =
  | ({
      /** The call did what it says. */
      readonly ok: true
    } & Result)
  | {
      /** Nothing was changed. */
      readonly ok: false
      /** Why, as a word for your code. */
      readonly reason: Reason
    }
