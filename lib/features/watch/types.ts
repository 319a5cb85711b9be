/** The public types of watched sessions. */

/**
 * The reason why a watched session is over. `ended`: it was ended, for example by a sign-out or in another session, it was
 * replaced by another one, or there was none. `expired`: its time is over. `user-disabled`: the user is disabled or being
 * deleted. `left-organization`: the user is no longer a member of the organization. `outage`: the database or a store failed.
 */
export type WatchEndReason = 'ended' | 'expired' | 'user-disabled' | 'left-organization' | 'outage'

/** The options of `auth.sessions.watch`. */
export interface WatchOptions {
  /** Seconds within which an end is noticed: a whole number from 1 to 300. Default 15. */
  every?: number
  /**
   * The behaviour while the database or the store of ended sessions fails. `keep`: the watch tries again, and ends only if
   * the session is over as far as this process knows, such as at its latest end. `end`: it ends with the reason `outage`. Default `keep`.
   */
  onOutage?: 'keep' | 'end'
  /**
   * The organization of which the user must remain a member: its id, or `true` for the one that is active now. It is
   * looked up with `organizations.membership`. Default: none.
   */
  organization?: string | true
}
