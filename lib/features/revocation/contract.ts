/** The interfaces for sessions that were ended before their expiry, as the engine uses them. */

import type { TokenMetadata } from '../../crypto/session-token.js'
import type { Awaitable } from '../../types/identity.js'
import type { ProviderLink, ProviderLogout } from '../logout/contract.js'
import type { SecurityStamps } from './stamp-contract.js'

/** The identifiers of a session for {@link Revocations}. */
export interface KnownSession {
  /** The `sid` of a JWT session. Database sessions are deleted instead. */
  readonly sid?: string | undefined
  /** The `sid` that earlier versions gave to the session. It ends by both. */
  readonly formerSid?: string | undefined
  /** The owner, if known. */
  readonly userId?: string | undefined
  /** Seconds since the epoch. If absent, the session ends by user only while the user is disabled. */
  readonly startedAt?: number
  /** The session at a provider by which it began, if the provider may end it. */
  readonly provider?: Pick<ProviderLink, 'subject' | 'session' | 'byFrame'> | undefined
  /** The own session of the user who uses this one in place of its user. This one ends with it. */
  readonly actor?: KnownSession | undefined
}

/** The time at which a session begins, by the store's clock, in seconds since the epoch. */
export interface Admission {
  readonly now: number
  /**
   * A second after all earlier ends, which is compared with ends. It may be later than `now` if a session ended in this
   * second.
   */
  readonly from: number
}

/** Lists of the JWT sessions of users. */
export interface SessionLists {
  /**
   * Stores a session that begins or is extended, once a minute. Errors are logged: the session then stays unlisted.
   *
   * @param session `expires`: milliseconds since the epoch. `metadata`: the session's facts when it begins.
   */
  storeSession(
    session: KnownSession & { readonly expires: number; readonly metadata?: ListedSessionMetadata | undefined },
  ): Awaitable<unknown>
  /**
   * Returns the active sessions of a user, by the store's current state. Times are in milliseconds since the epoch.
   *
   * @throws {@link AdapterError} if the store fails.
   */
  listSessions(userId: string): Promise<readonly ListedJwtSession[]>
  /**
   * Returns the provider, the device and the network with which a session began, for the session that replaces it. Errors are logged:
   * the new session is then listed without them.
   */
  beginningOf(userId: string, sid: string): Promise<Pick<TokenMetadata, 'provider' | 'device' | 'network'>>
}

/** The facts of a session that a list stores. `signedInAt`: the time shown to the user, in seconds since the epoch. */
export interface ListedSessionMetadata extends Omit<TokenMetadata, 'startedAt' | 'proofs'> {
  readonly signedInAt: number
}

/** A session of a list. Times are in milliseconds since the epoch. */
export interface ListedJwtSession {
  readonly sid: string
  readonly usedAt: number
  readonly expires: number
  /** The time of the sign-in, in seconds since the epoch; 0 if unknown. */
  readonly signedInAt: number
  /** The facts of the session when it began. Absent if they were not stored. */
  readonly metadata?: Partial<TokenMetadata>
}

/** Sessions that were ended early, in any process, and disabled users. */
export interface Revocations {
  readonly stamps: SecurityStamps
  /** The lists, if they are enabled. */
  readonly lists?: SessionLists
  /** True if logouts by frames can be restricted to stored sessions, because the store has the methods. */
  readonly canRestrictFrames: boolean
  /**
   * Updates what is known of these sessions, to within `maxStale`. Synchronous if it is recent enough.
   *
   * @throws {@link AdapterError} if the store fails, unless the application chose to continue without it.
   */
  refreshSessions(sessions: readonly KnownSession[]): Awaitable<unknown>
  /** Checks whether a session has ended, by what is known now. */
  hasEnded(session: KnownSession): boolean
  /** Checks whether the known state is recent enough to write a cookie. */
  isRecent(): boolean
  /** Checks whether a session has ended, by querying the store. Rejects as {@link refreshSessions} does. */
  querySession(session: KnownSession): Promise<boolean>
  /**
   * Returns the beginning of a new session of this user.
   *
   * @throws {@link AccessDenied} if the user is disabled.
   */
  admit(userId: string): Promise<Admission>
  /**
   * Returns the beginning of a new session that is linked to one at a provider.
   *
   * @throws {@link AccessDenied} if that one has ended.
   */
  admitLinked(link: ProviderLink): Promise<Admission>
  /** Ends sessions that were replaced by others. Rejects as {@link refreshSessions} does. */
  endReplaced(sids: readonly string[]): Promise<void>
  /** Ends these sessions, in this process at once. @throws {@link AdapterError} if the store fails. */
  end(sids: readonly string[]): Promise<void>
  /** Ends all sessions that the user has now, except one. Rejects as {@link end} does. */
  endAllOf(userId: string, exceptSid?: string): Promise<void>
  /**
   * Returns a function that does the same, and can be called again after it rejected. It then ends the sessions that
   * the first call would have ended.
   * @returns `asOf`: the time of the first call in milliseconds since the epoch, for a call whose predecessors could not
   *   read the store's clock. Sessions that began in a later second continue, except those of the seconds that the store
   *   takes to respond.
   */
  prepareEndOfAll(userId: string, exceptSid?: string): (asOf?: number) => Promise<void>
  /**
   * Stores the link of a session that begins or is extended to one at a provider, if frames may end it. Rejects as
   * {@link refreshSessions} does.
   */
  storeLinked(session: KnownSession, expires: number): Awaitable<unknown>
  /**
   * Ends the sessions that are linked to an ended one at a provider. A frame ends stored sessions only: returns `false`
   * if there are none. Rejects as {@link end} does.
   */
  endLinked(logout: ProviderLogout): Promise<boolean>
  /** Disables the user, who has no sessions until {@link enable}. Rejects as {@link end} does. */
  disable(userId: string): Promise<void>
  /** Returns those of the users who are disabled, by querying the store. Rejects as {@link end} does. */
  listDisabled(userIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Lets the user sign in again. Earlier sessions stay ended. */
  enable(userId: string): Promise<void>
}
