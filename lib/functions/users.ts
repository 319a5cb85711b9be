/** `auth.users`: the functions of an admin page, for any user. */
import type { UserDeletionFunctions } from '../features/deletion/functions.js'
import type { AccountKey, AdapterUser } from '../types/adapter.js'
import type { Rules } from '../types/call-rules.js'
import type { Outcome } from '../types/outcome.js'
import type { NewUser, UserChange, UserDetails, UserPage, UserQuery } from '../types/users.js'

/**
 * The functions of `auth.users`. They check no permission: guard the routes that call them. They need an `adapter`,
 * except `disable`, `enable` and `endSessions`.
 *
 * Pass the request as the last argument on Express. Events and the audit log then contain the signed-in user as `by`.
 */
export interface UserFunctions<U extends AdapterUser = AdapterUser> extends UserDeletionFunctions {
  /**
   * Returns a page of users, found by the beginning of their email address or name. Later pages take no longer, and new
   * users move no user to another page.
   *
   * @returns `next`: the `cursor` of the next page; `null` on the last one.
   * @throws `InvalidRequest` (400) for an invalid `search`, `limit` or `cursor`; `MissingAdapterMethods` if the adapter
   *   has no `listUsers`.
   *
   * @example
   * ```ts
   * const { users, next } = await auth.users.list({ search: 'ann', cursor: req.query.cursor })
   * ```
   */
  list(query?: UserQuery): Promise<UserPage<U>>
  /**
   * Returns everything that the library knows about a user: accounts, passkeys, second factors and sessions. It contains
   * no token, key or hash, but every column that the adapter reads.
   *
   * @param userId The id of the stored user.
   * @returns `null` if no stored user has the id.
   */
  get(userId: string): Promise<UserDetails<U> | null>
  /**
   * Stores a new user. No session begins, and no email is sent: see `auth.users.sendPasswordLink`.
   *
   * @returns `email` for text that is no single email address; `taken` if another user has the address, verified or not.
   * @throws `InvalidConfiguration` for a column that the adapter does not store; TypeError for a value of the wrong type.
   */
  create(user: NewUser<U>): Promise<
    Outcome<
      'email' | 'taken',
      {
        /** The stored user. */
        readonly user: U
      }
    >
  >
  /**
   * Changes a user: name, picture, email address and your own columns.
   *
   * A new email address is unverified, unless `emailVerified` is `true`. The old address gets a notice if it was
   * verified (`sendNotice` of the provider). Links that were sent to it stop working, and sessions continue.
   *
   * @returns `unknown` if no stored user has the id; `email` for text that is no single email address, and for
   *   `emailVerified` without an address; `taken` if another user has the address, verified or not; `methods` for
   *   `emailVerified: true` if the address was unverified and the user has an account, a passkey or a second factor,
   *   which may belong to an attacker. `keepSignInMethods: true` accepts them.
   * @throws `InvalidConfiguration` for a column that the adapter does not store; `InvalidRequest` if a notice must be
   *   sent, and neither a request nor AUTH_URL gives the URL of the site; TypeError for a value of the wrong type.
   */
  update(change: UserChange<U>): Promise<
    Outcome<
      'unknown' | 'email' | 'taken' | 'methods',
      {
        /** The user after the change. */
        readonly user: U
      }
    >
  >
  /**
   * Disables a user: all their sessions end, and every sign-in is rejected (`AccessDenied`). Other processes follow
   * within `maxStale` of `session.revocation`. No data is deleted.
   *
   * @param userId As for `auth.sessions.endAll`.
   * @throws `InvalidConfiguration` without `session.revocation`, also with database sessions; `AdapterError` if the store
   *   fails; in this process the user is disabled nevertheless.
   */
  disable(userId: string): Promise<void>
  /**
   * Lets a disabled user sign in again. Earlier sessions stay ended.
   *
   * @throws `InvalidConfiguration` without `session.revocation`.
   */
  enable(userId: string): Promise<void>
  /** Ends all sessions of a user: the same function as `auth.sessions.endAll`. */
  endSessions(userId: string): Promise<void>
  /**
   * Removes all second factors of a user, with recovery codes and remembered browsers, and ends their sessions: the same
   * function as `auth.factors.reset`.
   */
  resetFactors(user: string | AccountKey): Promise<void>
  /**
   * Emails a user the link of the page "forgot password", whether they have a password or not. Neither the result nor
   * an event contains the link. It is counted by the limits of emails, and works once, for half an hour.
   *
   * @returns `unknown` if no stored user has the id; `email` if the user has no email address; `limited` after too many
   *   emails.
   * @throws `InvalidProvider` without the provider `Password`; `InvalidRequest` if neither a request nor AUTH_URL gives
   *   the URL of the site.
   */
  sendPasswordLink(userId: string): Promise<Outcome<'unknown' | 'email' | 'limited'>>
}

/** The rules of `auth.users`, except those of functions that capabilities add. */
export const userRules = {
  list: { needs: 'nothing', effect: 'administers' },
  get: { needs: 'nothing', effect: 'administers' },
  create: { needs: 'nothing', effect: 'administers' },
  update: { needs: 'nothing', effect: 'administers' },
  disable: { needs: 'nothing', effect: 'administers' },
  enable: { needs: 'nothing', effect: 'administers' },
  endSessions: { needs: 'nothing', effect: 'administers' },
  resetFactors: { needs: 'nothing', effect: 'administers' },
  sendPasswordLink: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<Omit<UserFunctions, keyof UserDeletionFunctions>>
