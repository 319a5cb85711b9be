/** How a session begins, and what it says of that from then on. */

/** Data of the application in a session (`session.data`): values of JSON. */
export type SessionValues = Readonly<Record<string, unknown>>

/** Makes the new data of the old. It may be called several times. @throws InvalidConfiguration for what is no JSON */
export type ChangeData = (data: SessionValues) => SessionValues

/** What a session says of itself, with both strategies. Nobody but the engine writes it. */
export interface Beginning {
  /** By which methods the person was authenticated (RFC 8176 §2). */
  readonly amr: readonly string[]
  /** 2 where two factors were proved, or one that counts for two. */
  readonly aal?: 2 | undefined
  /** Seconds after which it ends however active it is, where it is to be sooner than configured. */
  readonly maxAge?: number | undefined
  /** Whether the person wants to be kept signed in. Absent where nobody is asked (`session.rememberMaxAge`). */
  readonly remembered?: boolean | undefined
  /** The application's own data, checked. Absent: none. */
  readonly data?: SessionValues | undefined
  /** The id of the provider; absent where the application's own code began it. */
  readonly provider?: string | undefined
  /** On what kind of device, as `http/device` says it. Absent where nothing is known of it. */
  readonly device?: string | undefined
  /** From which network, as `http/addresses` says it. Absent where that is not to be stored (`session.network`), or not known. */
  readonly network?: string | undefined
}

/** What is proved in a session beside what it began with. */
export interface Proved {
  /** The session in which it was proved, by its id for events and tables. No other one gets anything by it. */
  readonly of: string
  /** All methods by now. */
  readonly amr: readonly string[]
  readonly aal: 2
}

/** What of its beginning decides how long a session lives. */
export interface Lifespan {
  /** When the person signed in, in seconds since the epoch. */
  readonly startedAt: number
  /** Seconds since the epoch at which it ends at the latest. */
  readonly end?: number | undefined
  readonly remembered?: boolean | undefined
}
