/** The functions that deletions add to `auth.users` and `auth.account`. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { DeletionOutcome, DeletionRequest, UnfinishedDeletion, UserExport } from './types.js'

/** The functions of `auth.users` that delete and export users. They throw `InvalidConfiguration` without `deletion`. */
export interface UserDeletionFunctions {
  /**
   * Deletes a user, and everything that the library stores about them. Call it again if it throws: it continues where it
   * stopped. The user is disabled in the meantime, so no session begins.
   *
   * The steps: the user is disabled, sessions end, the tokens of providers are revoked there, the records in all stores
   * and the user are removed, `events.userDeleted` is called, and a tombstone without personal data is kept.
   *
   * @param userId The id of the stored user.
   * @returns `unknown` if no stored user has the id; `refused` if `events.beforeDeleteUser` returned `false`;
   *   `lastOwner` with the ids of `organizations` if stored organizations would have no owner. For a user who was deleted
   *   before, the report of that deletion.
   * @throws `AdapterError` if the database or a store fails, or another process does not finish the same deletion in
   *   time; `EventError` if `events.beforeDeleteUser` or `events.userDeleted` throws.
   *
   * @example
   * ```ts
   * const deleted = await auth.users.delete(userId, { reason: 'ticket 4711' }, req)
   * ```
   */
  delete(userId: string, request: DeletionRequest): Promise<DeletionOutcome>
  /**
   * Returns the deletions that have begun and are not complete, for example because a process was killed, and scheduled
   * ones whose time has come (`graceDays`). Call `auth.users.delete` with `resume: true` for each.
   */
  unfinishedDeletions(): Promise<readonly UnfinishedDeletion[]>
  /**
   * Returns the data that the library stores about a user, as JSON values, for the user to take away. Tokens, hashes and
   * secrets are withheld, and listed with the reason.
   *
   * @param userId The id of the stored user.
   * @returns `null` if no stored user has the id.
   */
  export(userId: string): Promise<UserExport | null>
}

/** The rules of these functions. */
export const userDeletionRules = {
  delete: { needs: 'nothing', effect: 'administers' },
  unfinishedDeletions: { needs: 'nothing', effect: 'administers' },
  export: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<UserDeletionFunctions>

/** The functions of `auth.account` that delete the signed-in user. They throw `InvalidConfiguration` without `deletion`. */
export interface AccountDeletionFunctions {
  /**
   * Deletes the signed-in user, and signs them out. With `graceDays` the user is disabled now, and listed by
   * `auth.users.unfinishedDeletions` when the time is over. Until then `auth.users.enable` brings them back.
   *
   * @returns `due`: the time of the deletion, `null` if it is done. `unknown` if no stored user is signed in; `stale` if
   *   the sign-in is older than five minutes, or did not prove all factors; `refused` by `events.beforeDeleteUser`; `lastOwner` if
   *   stored organizations would have no owner.
   * @throws as `auth.users.delete`.
   */
  requestDeletion(): Promise<
    Outcome<
      'unknown' | 'stale' | 'refused' | 'lastOwner',
      {
        /** The time at which the user is deleted. `null` if the user is deleted already. */
        readonly due: Date | null
      }
    >
  >
}

/** The rules of these functions. */
export const accountDeletionRules = {
  requestDeletion: { needs: 'response', effect: 'changes' },
} as const satisfies Rules<AccountDeletionFunctions>
