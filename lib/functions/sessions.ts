/** `auth.sessions`: the sessions of a user, and the data in them. */
import type { SessionDataChange } from '../types/calls.js'
import type { Outcome } from '../types/outcome.js'
import type { Session } from '../types/session.js'
import type { Rules } from './rule.js'

/** The functions of `auth.sessions`. */
export interface SessionFunctions<S = Session> {
  /**
   * Ends a session of the signed-in user; of nobody else. JWT sessions need `session.revocation` with `list`.
   *
   * @param id Of `auth.account.get`.
   * @returns `unknown` when the user has no such session, or nobody is signed in.
   */
  end(id: string): Promise<Outcome<'unknown'>>
  /**
   * Ends all sessions of the signed-in user except the one of the request: after a device was lost.
   *
   * @returns The number of sessions. With JWT sessions and no `list` 1, because nobody counts them. 0 when nobody is signed in, and where
   * sessions cannot be ended: without `session.revocation`, or without `listSessionsByUserId`.
   */
  endOthers(): Promise<number>
  /**
   * Ends all sessions of any user: after a changed password, a lost device, or with the user's deletion. Sessions that begin later are
   * not concerned, even in the same second. The function checks no permission: call it where your code knows that it is allowed.
   *
   * @param userId The id of the stored user; without an adapter, and with credentials and JWT sessions, `sub` of the token at the sign-in.
   * @throws `InvalidConfiguration` with JWT sessions and no `session.revocation`, `MissingAdapterMethods` with database sessions and an
   * adapter without `listSessionsByUserId`.
   */
  endAll(userId: string): Promise<void>
  /**
   * Changes the data that your code keeps in the session (`session.data`), such as an active organisation. Values replace those of the same
   * names, and `undefined` removes one. A function gets the data and returns the new data. Values are those of JSON. Check what clients send.
   * With database sessions, changes at the same time are all kept. With JWT sessions the last cookie that reaches the browser wins.
   *
   * @returns The session with its new data; `null` when nobody is signed in.
   * @throws `InvalidConfiguration` without `session.data`, and for a value that JSON cannot hold; `SessionTooLarge` for more than fits
   * (16 KiB in a database).
   *
   * @example
   * ```ts
   * await auth.sessions.setData(req, res, { organisation: membership.organisationId })
   * await auth.sessions.setData(req, res, ({ visits = 0 }) => ({ visits: visits + 1 }))
   * ```
   */
  setData(change: SessionDataChange<S>): Promise<S | null>
}

/** The rules of `auth.sessions`. */
export const sessionRules = {
  end: { needs: 'request', effect: 'changes' },
  endOthers: { needs: 'request', effect: 'changes' },
  endAll: { needs: 'nothing', effect: 'administers' },
  setData: { needs: 'response', effect: 'changes' },
} as const satisfies Rules<SessionFunctions>
