/** `auth.users`: what a support desk does with any user. */
import type { Rules } from './rule.js'

/**
 * The functions of `auth.users`. They check no permission: call them where your code knows that it is allowed. They throw
 * `InvalidConfiguration` without `session.revocation`, which database sessions need for it as well.
 */
export interface UserFunctions {
  /**
   * Disables a user: they have no session from now on, in other processes within `maxStale` of `session.revocation`, and every sign-in is
   * rejected (`AccessDenied`). Nothing of theirs is deleted.
   *
   * @param userId As for `auth.sessions.endAll`.
   * @throws `AdapterError` when the store fails; in this process the user is disabled all the same.
   */
  disable(userId: string): Promise<void>
  /** Lets a disabled user sign in again. Their earlier sessions do not come back. */
  enable(userId: string): Promise<void>
}

/** The rules of `auth.users`. */
export const userRules = {
  disable: { needs: 'nothing', effect: 'administers' },
  enable: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<UserFunctions>
