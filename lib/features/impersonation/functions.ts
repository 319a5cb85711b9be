/** The functions of `auth.impersonation`: support uses the application in the session of a user. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { BeginImpersonation } from './types.js'

/**
 * The functions of `auth.impersonation`. They throw `InvalidConfiguration` without `impersonation`.
 *
 * In an impersonated session, all other functions and routes that change something or read tokens throw
 * `ImpersonatedSession`. Only signing out, `auth.account.get` and `auth.impersonation.end` are allowed.
 */
export interface ImpersonationFunctions {
  /**
   * Begins a session of another user in this browser. The own session is kept, sealed, and resumed by `end`.
   *
   * The session has the user's rights and no proofs, so that guards with `aal` or `maxAge` reject it. It ends after
   * `maxAge` seconds, and when the own session ends. No sign-in of the user is recorded.
   *
   * @returns `unknown` if no stored user has the id; `refused` if no user is signed in, `allow` does not return `true`,
   *   the user is disabled, or it is the own user.
   * @throws `ReauthenticationRequired` if the sign-in is older than ten minutes, with `factors` also without two
   *   factors, or in a session with its own `maxAge` or of another browser; `InvalidRequest` (400) for an invalid id or
   *   reason; `TooManyCookies` if the own session does not fit beside the new one.
   *
   * @example
   * ```ts
   * const begun = await auth.impersonation.begin(req, res, { userId: req.body.userId, reason: req.body.reason })
   * ```
   */
  begin(options: BeginImpersonation): Promise<Outcome<'unknown' | 'refused'>>
  /**
   * Ends the impersonated session, and resumes the own one if it is still valid and `allow` still returns `true`.
   * Otherwise the browser is signed out.
   *
   * @returns `resumed`: whether the own session continues; `none` if the session is not impersonated, or has ended.
   */
  end(): Promise<
    Outcome<
      'none',
      {
        /** `true` if the own session continues. `false`: the browser is signed out. */
        readonly resumed: boolean
      }
    >
  >
}

/** The rules of `auth.impersonation`. */
export const impersonationRules = {
  begin: { needs: 'response', effect: 'changes' },
  end: { needs: 'response', effect: 'changes', impersonated: true },
} as const satisfies Rules<ImpersonationFunctions>
