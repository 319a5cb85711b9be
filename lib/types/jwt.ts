/**
 * The encrypted session token: its claims, and the options of encoding and decoding it. Open to module augmentation.
 */
import type { Awaitable } from './identity.js'

/** The claims of a session token that the engine uses. */
export interface DefaultJWT extends Record<string, unknown> {
  /** The user's name at the sign-in. */
  name?: string | null
  /** The user's email address at the sign-in. */
  email?: string | null
  /** The URL of the user's picture at the sign-in. */
  picture?: string | null
  /** The user's id. The engine writes it at sign-in and does not rely on it, so a callback may change it. */
  sub?: string
  /** The id of the session from the sign-in to its end. Written by the engine: changes by a callback are ignored. */
  sid?: string
  /** The time of the sign-in, in seconds since the epoch. A step-up does not change it. Written by the engine. */
  auth_began?: number
  /** The proofs of the session as text: `auth_time`, `amr` and `auth_aal` are derived from it. Written by the engine. */
  auth_proofs?: string
  /**
   * The latest time at which the user was authenticated, in seconds since the epoch (OpenID Connect Core §2). Absent if
   * not known. Written by the engine.
   */
  auth_time?: number
  /** The methods that authenticated the user (RFC 8176). Absent if not known. Written by the engine. */
  amr?: readonly string[]
  /** 2 if two factors were verified, or one that counts as two; absent otherwise. Written by the engine. */
  auth_aal?: 2
  /**
   * The stored user, and the type of the provider of the sign-in. Absent if no user is stored. Written by the engine.
   */
  auth_owner?: {
    /** The id of the stored user. */
    id: string
    /** The type of the provider of the sign-in. */
    type: string
  }
  /**
   * The hashes of the user and the session at the provider, if the provider may end this session. Written by the
   * engine.
   */
  auth_op?: {
    /** The hash of the subject identifier (`sub`) at the provider. */
    subject: string
    /** The hash of the session id at the provider (`sid`). Absent if the provider does not name its sessions. */
    session?: string
    /** `true` if the provider may end the session through a frame in the browser (`logout.frontchannel`). */
    byFrame?: boolean
  }
  /**
   * The values by which an end of all of a user's sessions finds this one, with `session.revocation`. Written by the
   * engine.
   */
  auth_epoch?: {
    /** The user if none is stored: the value of `sub` at the sign-in. */
    user?: string
    /** The earliest second since the epoch at which the session is valid. */
    from?: number
  }
  /** The user who uses the session in place of its user, as text (`impersonation`). Written by the engine. */
  auth_act?: string
  /** The application's data in the session (`session.data`). Written by the engine, for `auth.sessions.setData`. */
  auth_data?: Readonly<Record<string, unknown>>
  /** The time of issue, in seconds since the epoch. */
  iat?: number
  /** The time of expiry, in seconds since the epoch. */
  exp?: number
  /** The token's own id (RFC 7519 §4.1.7), new in each token. */
  jti?: string
}

/** The payload of a session token, as returned by the `jwt` callback. Open to augmentation. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** The input of {@link encode}. */
export interface JWTEncodeParams<Payload = JWT> {
  /** The claims. Their `iat`, `exp` and `jti` are replaced. Default: no claims. */
  token?: Payload
  /** The secret. The first entry of an array encrypts. */
  secret: string | string[]
  /** The name of the cookie that will carry the token. */
  salt: string
  /** The lifetime of the token in seconds. Default 2592000 (30 days). */
  maxAge?: number
}

/** The input of {@link decode}. */
export interface JWTDecodeParams {
  /** The token. Without one the result is `null`. */
  token?: string
  /** The secret. All entries of an array are tried. */
  secret: string | string[]
  /** The name of the cookie that carried the token. */
  salt: string
}

/** The Auth.js sessions that are accepted while an application migrates. */
export interface LegacySessions {
  /** The name of the Auth.js session cookie, for example `__Secure-authjs.session-token`. */
  cookieName: string
  /**
   * The time from which they are rejected: a `Date`, or ISO 8601 text. Use at most `session.maxAge` after the
   * migration.
   */
  until: Date | string
}

/** The options of session tokens. */
export interface JWTOptions {
  /** The lifetime of a token in seconds. Default: `session.maxAge`. */
  maxAge: number
  /** Creates the token in place of the built-in function. `salt` is the cookie's name. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Reads the token in place of the built-in function. Returns `null` if the token is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
  /**
   * Accepts sessions that Auth.js issued with the same secret, re-issues them and clears the old cookie. Pending
   * sign-ins must start again.
   */
  legacy?: LegacySessions
}
