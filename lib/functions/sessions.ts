/** `auth.sessions`: the sessions of a user, and the data in them. */

import type { SessionWatchFunctions } from '../features/watch/functions.js'
import type { Rules } from '../types/call-rules.js'
import type { SessionDataChange } from '../types/calls.js'
import type { Outcome } from '../types/outcome.js'
import type { Session } from '../types/session.js'

/** The functions of `auth.sessions`. */
export interface SessionFunctions<S = Session> extends SessionWatchFunctions {
  /**
   * Ends a session of the signed-in user. JWT sessions need `session.revocation` with `list`.
   *
   * @param id An id from `auth.account.get`.
   * @returns `unknown` if the user has no such session, or no user is signed in.
   */
  end(id: string): Promise<Outcome<'unknown'>>
  /**
   * Ends all sessions of the signed-in user except the one of the request, for example after a device was lost.
   *
   * @returns The number of sessions; 1 with JWT sessions and no `list`; 0 if no user is signed in, or sessions cannot
   *   be ended: without `session.revocation`, or without `listSessionsByUserId`.
   */
  endOthers(): Promise<number>
  /**
   * Ends all sessions of any user, for example after a password change, a lost device, or with the user's deletion.
   *
   * Later sessions are not concerned, even in the same second. The function checks no permission.
   *
   * @param userId The id of the stored user; without an adapter, and with credentials and JWT sessions, `sub` of the
   *   token at the sign-in.
   * @throws `InvalidConfiguration` with JWT sessions and no `session.revocation`, `MissingAdapterMethods` with database
   *   sessions and an adapter without `listSessionsByUserId`.
   */
  endAll(userId: string): Promise<void>
  /**
   * Changes the data that your code keeps in the session (`session.data`), such as an active organisation.
   *
   * New values replace those of the same names, and `undefined` removes one. A function gets the data and returns the
   * new data. Values must be valid JSON. Validate the input of clients. With database sessions, concurrent changes are
   * all kept. With JWT sessions the last cookie that reaches the browser wins.
   *
   * @returns The session with its new data; `null` if no user is signed in.
   * @throws `InvalidConfiguration` without `session.data`, and for a value that JSON cannot represent;
   *   `SessionTooLarge` for too much data (16 KiB in a database).
   *
   * @example
   * ```ts
   * await auth.sessions.setData(req, res, { organisation: membership.organisationId })
   * await auth.sessions.setData(req, res, ({ visits = 0 }) => ({ visits: visits + 1 }))
   * ```
   */
  setData(change: SessionDataChange<S>): Promise<S | null>
}

/** The rules of `auth.sessions`, except that of the function which a capability adds. */
export const sessionRules = {
  end: { needs: 'request', effect: 'changes' },
  endOthers: { needs: 'request', effect: 'changes' },
  endAll: { needs: 'nothing', effect: 'administers' },
  setData: { needs: 'response', effect: 'changes' },
} as const satisfies Rules<Omit<SessionFunctions, keyof SessionWatchFunctions>>
