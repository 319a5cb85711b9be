/** The encrypted session token: its claims, and the options of making and reading it. Open to module augmentation. */
import type { Awaitable } from './identity.js'

/** Claims of a session token that have a meaning here. */
export interface DefaultJWT extends Record<string, unknown> {
  /** The person's name, as it was at the sign-in. */
  name?: string | null
  /** The person's address, as it was at the sign-in. */
  email?: string | null
  /** URL of the person's picture, as it was at the sign-in. */
  picture?: string | null
  /** Yours to change. The engine writes the user's id at sign-in, and believes nothing of it. */
  sub?: string
  /** Names the session, from sign-in to its end. Written by the engine: what a callback makes of it counts for nothing. */
  sid?: string
  /** The sign-in, in seconds since the epoch. A step-up does not change it. Written by the engine. */
  auth_began?: number
  /** The proofs of the session as text: `auth_time`, `amr` and `auth_aal` are derived from it. Written by the engine. */
  auth_proofs?: string
  /**
   * The latest time at which the user was authenticated, in seconds since the epoch (OpenID Connect Core §2). Absent where it is not known.
   * Written by the engine.
   */
  auth_time?: number
  /** The methods that authenticated the user (RFC 8176). Absent where they are not known. Written by the engine. */
  amr?: readonly string[]
  /** 2 where two factors were proved, or one that counts for two; absent otherwise. Written by the engine. */
  auth_aal?: 2
  /** The stored user, and the type of the provider that signed them in. Absent where none is stored. Written by the engine. */
  auth_owner?: {
    /** The id of the stored user. */
    id: string
    /** The type of the provider that signed them in. */
    type: string
  }
  /** Hashes of the person and the session at the provider, where it may end this one. Written by the engine. */
  auth_op?: {
    /** Hash of the subject identifier (`sub`) at the provider. */
    subject: string
    /** Hash of the session id there (`sid`). Absent where the provider does not name its sessions. */
    session?: string
    /** Whether the provider may end it by a frame in the browser (`logout.frontchannel`). */
    byFrame?: boolean
  }
  /**
   * With `session.revocation`, by what an end of all sessions finds this one: whose it is where no user is stored (what `sub` said at
   * the sign-in), and from which second on. Written by the engine.
   */
  auth_epoch?: {
    /** Who it belongs to, where no user is stored. */
    user?: string
    /** Seconds since the epoch from which on the session counts. */
    from?: number
  }
  /** What your code put into the session (`session.data`). Written by the engine, for `auth.sessions.setData`. */
  auth_data?: Readonly<Record<string, unknown>>
  /** Seconds since the epoch. */
  iat?: number
  /** Seconds since the epoch. */
  exp?: number
  /** The token's own id (RFC 7519 §4.1.7). A new one with each token. */
  jti?: string
}

/** The payload of a session token: what the `jwt` callback returns. Open to augmentation. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** Input of {@link encode}. */
export interface JWTEncodeParams<Payload = JWT> {
  /** The claims. `iat`, `exp` and `jti` of it are replaced. Default: no claims. */
  token?: Payload
  /** With an array the first entry encrypts. */
  secret: string | string[]
  /** The name of the cookie that will carry the token. */
  salt: string
  /** Seconds the token lives. Default 2592000 (30 days). */
  maxAge?: number
}

/** Input of {@link decode}. */
export interface JWTDecodeParams {
  /** The token's text. Without one there is nothing to read: `null`. */
  token?: string
  /** With an array all entries are tried. */
  secret: string | string[]
  /** The name of the cookie that carried the token. */
  salt: string
}

/** Sessions of Auth.js that are accepted while an application moves over. */
export interface LegacySessions {
  /** The name of its session cookie, for example `__Secure-authjs.session-token`. */
  cookieName: string
  /** When they stop being accepted: a `Date`, or ISO 8601 text. At most `session.maxAge` after the move makes sense. */
  until: Date | string
}

/** Options of session tokens. */
export interface JWTOptions {
  /** Seconds a token lives. Default: `session.maxAge`. */
  maxAge: number
  /** Makes the token in place of ours. `salt` is the cookie's name. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Reads the token in place of ours: `null` where it is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
  /**
   * Reads sessions that Auth.js issued under the same secret, re-issues them as ours and clears the old cookie. Sessions
   * only: sign-ins under way start again.
   */
  legacy?: LegacySessions
}
