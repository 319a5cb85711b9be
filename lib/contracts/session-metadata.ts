/** The metadata with which a session begins and which it keeps. */

import type { SecurityStamp } from '../features/revocation/stamp-contract.js'
import type { Actor, Proof } from '../principal/index.js'

/** The application's data in a session (`session.data`): JSON values. */
export type SessionValues = Readonly<Record<string, unknown>>

/**
 * A function that returns the new data from the old. It may be called several times. @throws InvalidConfiguration for
 * values that are not JSON
 */
export type SessionDataUpdater = (data: SessionValues) => SessionValues

/** The metadata of a session, with both strategies. Only the engine writes it. */
export interface SessionMetadata {
  /** The proofs of the user's authentication. */
  readonly proofs: readonly Proof[]
  /**
   * The start, in seconds since the epoch, of the first session that this one replaces, if a sign-in method was
   * attached in it. `session.absoluteMaxAge` counts from it. Absent: now.
   */
  readonly startedAt?: number | undefined
  /** The own end of the session that this one replaces, in seconds since the epoch. Absent: none. */
  readonly end?: number | undefined
  /** Seconds after which it ends regardless of activity, if that is sooner than configured. */
  readonly maxAge?: number | undefined
  /** `true` if the user wants to stay signed in. Absent without `session.rememberMaxAge`. */
  readonly remembered?: boolean | undefined
  /** The application's data, validated. Absent: none. */
  readonly data?: SessionValues | undefined
  /** The security stamp that the sign-in has read. If it has changed, no session begins. */
  readonly stamp?: SecurityStamp | undefined
  /** The key of the session in which a sign-in method was attached. If it has ended, no session begins. */
  readonly replaces?: string | undefined
  /** The user who uses the session in place of its user. */
  readonly actor?: Actor | undefined
  /** The id of the provider. Absent if the application's own code began the session. */
  readonly provider?: string | undefined
  /** The id of the app that uses the session (`apps`). Absent: a browser, or a client of the application's own. */
  readonly app?: string | undefined
  /** The kind of device, as returned by `http/device`. Absent if not known. */
  readonly device?: string | undefined
  /** The id of the active organization (`organizations`). Absent: none. */
  readonly organization?: string | undefined
  /** The id of the user for `organizations.membership`, if no user is stored. Absent without `organizations`. */
  readonly member?: string | undefined
  /** The network, as returned by `http/ip-addresses`. Absent if not known, or if it is not stored (`session.network`). */
  readonly network?: string | undefined
}

/** A change of an existing session, which is replaced by another one. */
export interface StepUp {
  /** The id, for events and tables, of the session in which it was proved or chosen. No other session is changed. */
  readonly sid: string
  /** An additional proof. */
  readonly proof?: Proof
  /** The active organization; `null` for none. Absent: unchanged. */
  readonly organization?: string | null
}

/** The metadata that limits a session's lifetime. */
export interface SessionLifetime {
  /** The time of the sign-in in seconds since the epoch. A step-up does not change it. */
  readonly startedAt: number
  /** The latest end in seconds since the epoch. */
  readonly end?: number | undefined
  readonly remembered?: boolean | undefined
}
