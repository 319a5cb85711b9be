/** `auth.users`: what a support desk does with any user. */
import type { Rules } from '../types/call-rules.js'

/**
 * The functions of `auth.users`. They check no permission. They throw `InvalidConfiguration` without
 * `session.revocation`, also with database sessions.
 */
export interface UserFunctions {
  /**
   * Disables a user: all their sessions end, and every sign-in is rejected (`AccessDenied`). Other processes follow
   * within `maxStale` of `session.revocation`. No data is deleted.
   *
   * @param userId As for `auth.sessions.endAll`.
   * @throws `AdapterError` if the store fails; in this process the user is disabled nevertheless.
   */
  disable(userId: string): Promise<void>
  /** Lets a disabled user sign in again. Earlier sessions stay ended. */
  enable(userId: string): Promise<void>
}

/** The rules of `auth.users`. */
export const userRules = {
  disable: { needs: 'nothing', effect: 'administers' },
  enable: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<UserFunctions>
