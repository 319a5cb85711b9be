/** The functions that deletions add to `auth.users`. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { DeletionReport, DeletionRequest, UnfinishedDeletion, UserExport } from './types.js'

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
   * @returns `unknown` if no stored user has the id; `refused` if `events.beforeDeleteUser` returned `false`. For a user
   *   who was deleted before, the report of that deletion.
   * @throws `AdapterError` if the database or a store fails, or another process does not finish the same deletion in
   *   time; `EventError` if `events.beforeDeleteUser` or `events.userDeleted` throws.
   *
   * @example
   * ```ts
   * const deleted = await auth.users.delete(userId, { reason: 'ticket 4711' }, req)
   * ```
   */
  delete(
    userId: string,
    request: DeletionRequest,
  ): Promise<
    Outcome<
      'unknown' | 'refused',
      {
        /** The report of the deletion. */
        readonly report: DeletionReport
      }
    >
  >
  /**
   * Returns the deletions that have begun and are not complete, for example because a process was killed. Call
   * `auth.users.delete` for each.
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
