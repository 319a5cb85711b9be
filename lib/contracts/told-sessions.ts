/** Sessions, as far as events tell of them. */

/** A session that ended otherwise than by a sign-out of its own. `sid`: what it is called outside, `userId`: whose it was, where that is known. */
export interface LostSession {
  readonly sid?: string
  readonly userId?: string
}

/** A session that began. */
export interface IssuedSession {
  /** What it is called outside (`session/session-id`). */
  readonly sid: string
  /** What the browser held before. */
  readonly replaced: readonly LostSession[]
}
