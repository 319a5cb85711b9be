/** The option `impersonation`, and the values of its functions and events. */
import type { AdapterUser } from '../../types/adapter.js'
import type { Awaitable } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { Session } from '../../types/session.js'

/** The option of the configuration. */
export interface ImpersonationOption {
  /**
   * Lets support use the application in the session of a user: `auth.impersonation`. Needs an `adapter`, and with JWT sessions
   * `session.revocation`. Default: off.
   */
  impersonation?: ImpersonationOptions
}

/** The options of impersonation. */
export interface ImpersonationOptions {
  /**
   * Decides whether a signed-in user may use the session of another user. Return `false` if that user has rights of an
   * administrator. It is called again before the own session is resumed. Any result but `true` rejects.
   */
  allow(admin: Session, user: AdapterUser): Awaitable<boolean>
  /** Seconds until such a session ends, 60 to 900. Use does not extend it. Default 900. */
  maxAge?: number
}

/** The user whose session begins, and the reason. */
export interface BeginImpersonation {
  /** The id of the stored user. */
  readonly userId: string
  /** The reason, such as the number of a ticket: 1 to 100 characters on one line. The user can see it. */
  readonly reason: string
}

/** The argument of the `impersonationBegan` and `impersonationEnded` events. */
export interface ImpersonationMessage {
  /** The id of the user of the session. */
  userId: string
  /** The id of the user who uses it. */
  by: string
  /** The reason that was given. */
  reason: string
  /** The id of the impersonated session. */
  sid: string
  /** The IP address and browser of the request. */
  request: RequestInfo
}

/** The user who signed out in place of the user of a session. */
export interface SignOutActor {
  /** The id of the user who used the session. Absent in a user's own session. */
  by?: string
}

/** The events of impersonation. */
export interface ImpersonationEvents {
  /** Called after a session of another user began with `auth.impersonation.begin`. */
  impersonationBegan(message: ImpersonationMessage): Awaitable<void>
  /**
   * Called after such a session was ended in its browser, by `auth.impersonation.end` or a sign-out. Not called if it ends after
   * `maxAge`, or with the sessions of one of both users.
   */
  impersonationEnded(message: ImpersonationMessage): Awaitable<void>
}
