/** How a session begins, and what it says of that from then on. */

import type { SecurityStamp } from '../features/revocation/stamp-contract.js'
import type { Proof } from '../principal/index.js'

/** Data of the application in a session (`session.data`): values of JSON. */
export type SessionValues = Readonly<Record<string, unknown>>

/** Makes the new data of the old. It may be called several times. @throws InvalidConfiguration for what is no JSON */
export type ChangeData = (data: SessionValues) => SessionValues

/** What a session says of itself, with both strategies. Nobody but the engine writes it. */
export interface Beginning {
  /** How the user was authenticated. */
  readonly proofs: readonly Proof[]
  /**
   * Seconds since the epoch at which the first session began whose place this one takes, where a sign-in method was attached in it.
   * `session.absoluteMaxAge` counts from there. Absent: now.
   */
  readonly startedAt?: number | undefined
  /** Seconds after which it ends however active it is, where it is to be sooner than configured. */
  readonly maxAge?: number | undefined
  /** Whether the person wants to be kept signed in. Absent where nobody is asked (`session.rememberMaxAge`). */
  readonly remembered?: boolean | undefined
  /** The application's own data, checked. Absent: none. */
  readonly data?: SessionValues | undefined
  /** The security stamp that the sign-in has read. Where it has changed by now, no session begins. */
  readonly stamp?: SecurityStamp | undefined
  /** The key of the session in which a sign-in method was attached. Where it has ended by now, no session begins. */
  readonly replaces?: string | undefined
  /** The id of the provider; absent where the application's own code began it. */
  readonly provider?: string | undefined
  /** On what kind of device, as `http/device` says it. Absent where nothing is known of it. */
  readonly device?: string | undefined
  /** From which network, as `http/addresses` says it. Absent where that is not to be stored (`session.network`), or not known. */
  readonly network?: string | undefined
}

/** A proof in a session that has begun. */
export interface StepUp {
  /** The session in which it was proved, by its id for events and tables. No other one gets anything by it. */
  readonly of: string
  readonly proof: Proof
}

/** What of its beginning decides how long a session lives. */
export interface Lifespan {
  /** Seconds since the epoch at which the sign-in was, however often more was proved since. */
  readonly startedAt: number
  /** Seconds since the epoch at which it ends at the latest. */
  readonly end?: number | undefined
  readonly remembered?: boolean | undefined
}
