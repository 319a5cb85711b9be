/** What a session shows, and for how long it lasts. Open to module augmentation. */
import type { User } from './identity.js'
import type { Store } from './store.js'

/** A date as ISO 8601 text, for example `2030-01-31T12:00:00.000Z`. */
export type ISODateString = string

/**
 * What your code puts into sessions, where `session.data` is on. Say it once, and it is known wherever a session is read or
 * changed:
 *
 * ```ts
 * declare module 'server-auth' {
 *   interface SessionData { organisation?: string }
 * }
 * ```
 */
export interface SessionData {}

/** What a session always has. */
export interface DefaultSession {
  /** The signed-in person: `name`, `email` and `image` unless the `session` callback adds more. */
  user?: User
  /** When the session ends if it is not used before, ISO 8601. */
  expires: ISODateString
}

/** What a session has where `session.data` is on. */
export interface WithSessionData {
  /** What your code put there (`auth.sessions.setData`), `{}` at first. */
  data?: SessionData
}

/** How sure it is that it is this person, as `session.assurance` says it where `factors` are set. */
export interface Assurance {
  /** 2 where two factors were proved in this session, or one that counts for two (NIST SP 800-63B). */
  aal: 1 | 2
  /** By which methods (RFC 8176 §2), such as `['pwd', 'otp', 'mfa']`. Empty where that is not known. */
  amr: readonly string[]
  /** The methods that a provider reports, and that the configuration does not trust (`trustAcr`, `trustAmr`). Absent where there are none. */
  reportedAmr?: readonly string[]
  /** The latest time at which the user was authenticated, in seconds since the epoch. Absent where it is not known. */
  authTime?: number
}

/** What a session has where `factors` are set. */
export interface WithAssurance {
  /** How sure it is that it is this person. */
  assurance?: Assurance
}

/** What `getSession` and `GET /auth/session` return. Open to augmentation. */
export interface Session extends DefaultSession, WithSessionData, WithAssurance {}

/** How the store of ended sessions is used. */
export interface RevocationOptions {
  /** The store of the ends: `sqlStore(db)`, `redisStore(client)`, `memoryStore()` or one of your own. Default `true`: the adapter's. */
  store?: true | Pick<Store, 'log'>
  /** Seconds after which a session that was ended in another process is over in this one, too. At least 1. Default 10. */
  maxStale?: number
  /**
   * What happens while the store is away: `deny` lets reading a session throw, as it does when a database is away; `allow`
   * goes on with what the process knows. Default `deny`.
   */
  onOutage?: 'deny' | 'allow'
  /**
   * Keeps a list of the JWT sessions of each stored user in the store, for `auth.account.get` and `auth.sessions.end`: one write at each
   * sign-in, and one when a session is extended. Default `false`.
   */
  list?: boolean
}

/** How sessions are kept. */
export interface SessionOptions {
  /** `jwt`: an encrypted token in the cookie. `database`: a row found by the cookie's token. */
  strategy?: 'jwt' | 'database'
  /** Seconds after which an idle session ends. Default 2592000 (30 days). */
  maxAge?: number
  /**
   * Seconds after the sign-in at which a session ends, however active it is. Default: none. A session in use is otherwise
   * extended without end.
   */
  absoluteMaxAge?: number
  /**
   * Seconds after which an idle session ends of who ticked "Keep me signed in", which the built-in page then asks; forms of yours
   * send the field `remember`. At least `maxAge`. All others' cookies are dropped when the browser is closed, and their sessions end
   * after `maxAge`. Default: none, and nobody is asked.
   */
  rememberMaxAge?: number
  /** Seconds between two extensions of a session in use; 0 extends it at every read. Default 86400 (1 day). */
  updateAge?: number
  /**
   * Seconds for which a database session that was read is remembered in the process, 0 to 300: it is not asked of the database
   * again meanwhile. What this process changes by its routes and functions is forgotten at once. A session that was ended
   * elsewhere goes on here for so long, with its user as they were. Default 0: each request asks.
   */
  cacheFor?: number
  /**
   * Whether sessions carry data of yours: what `auth.sessions.setData` and `startSession` put there, as `session.data`. Nobody but your
   * code on the server writes it; what the `session` callback leaves there is shown to the person's browser. Default `false`.
   */
  data?: boolean
  /** Makes the token of a database session. Default: 32 random bytes. */
  generateSessionToken?: () => string
  /**
   * Database sessions that another library stored with their token in the clear: their cookie's name, and the date until
   * which they are accepted. Each is replaced by one of ours at its first use.
   */
  legacy?: {
    /** For example `__Secure-authjs.session-token`. */
    cookieName: string
    /** A date, or its text in ISO 8601. */
    until: Date | string
  }
  /**
   * Where it is noted which JWT sessions have ended before their time, and which users are disabled: a store, or `true` for
   * that of an adapter of ours. Default: nowhere. A copy of a token is then valid until it expires.
   */
  revocation?: boolean | Pick<Store, 'log'> | RevocationOptions
  /**
   * Keeps with each session from which network it began (the /24 of an IPv4 address, the /48 of an IPv6 one), for
   * `auth.account.get().sessions`. Only where the client's address is known: behind a proxy the application must trust it. Default `false`.
   */
  network?: boolean
  /** Accept the session token as `Authorization: Bearer` in `getSession` too. JWT sessions only. Default `false`. */
  bearer?: boolean
}
