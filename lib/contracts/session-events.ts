/** The sessions that events report. */

/** A session that ended other than by its own sign-out. `sid` is its public id. `userId` is absent if not known. */
export interface EndedSession {
  readonly sid?: string
  readonly userId?: string
}

/** A new session. */
export interface IssuedSession {
  /** The public id of the session (`session/session-id`). */
  readonly sid: string
  /** The name under which the session is stored or ended (`Principal.name`). */
  readonly name: string
  /** The token, as it is in the cookie. */
  readonly token: string
  readonly expires: Date
  /** The browser's previous sessions. */
  readonly replaced: readonly EndedSession[]
}
