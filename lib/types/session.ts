/** The fields and the lifetime of sessions. Open to module augmentation. */
import type { WithOrganization } from '../features/organizations/types.js'
import type { User } from './identity.js'
import type { Store } from './store.js'
import type { SessionUserFields } from './user-fields.js'

/** A date as ISO 8601 text, such as `2030-01-31T12:00:00.000Z`. */
export type ISODateString = string

/**
 * The application's data in sessions, if `session.data` is on. Declare it once for all functions that read or change a
 * session:
 * ```ts
 * declare module 'server-auth' {
 *  interface SessionData { organisation?: string }
 * }
 * ```
 */
export interface SessionData {}

/** The signed-in user of a session. */
export interface SessionUser extends User {
  /**
   * The id of the stored user. Without an adapter, the user's id at the provider: `sub` of the token. It is the
   * `userId` of the functions `auth.*`.
   */
  id: string
}

/** The fields of every session. */
export interface DefaultSession {
  /** The signed-in user: `id`, `name`, `email` and `image` unless the `session` callback changes them. */
  user?: SessionUser
  /** The time at which the session ends if it is not used before, in ISO 8601. */
  expires: ISODateString
}

/** The fields of a session if `session.data` is on. */
export interface WithSessionData {
  /** The application's data (`auth.sessions.setData`), initially `{}`. */
  data?: SessionData
}

/** The assurance of the authentication, as `session.assurance` if `factors` is set. */
export interface Assurance {
  /** 2 if two factors were verified in this session, or one that counts as two (NIST SP 800-63B). */
  aal: 1 | 2
  /** The methods (RFC 8176 §2), such as `['pwd', 'otp', 'mfa']`. Empty if not known. */
  amr: readonly string[]
  /**
   * The methods that a provider reports, and that the configuration does not trust (`trustAcr`, `trustAmr`). Absent if
   * there are none.
   */
  reportedAmr?: readonly string[]
  /** The latest time at which the user was authenticated, in seconds since the epoch. Absent if not known. */
  authTime?: number
}

/** The fields of a session if `factors` is set. */
export interface WithAssurance {
  /** The assurance of the authentication. */
  assurance?: Assurance
}

/** The user who uses the session of another user, as `session.act`. */
export interface SessionActor {
  /** The id of the user who uses the session. */
  userId: string
  /** The reason that was given to `auth.impersonation.begin`. */
  reason: string
  /** The start, in seconds since the epoch. */
  since: number
}

/** The fields of a session if `impersonation` is set. */
export interface WithActor {
  /** The user who uses the session in place of its user. Absent in the user's own sessions. Callbacks cannot change it. */
  act?: SessionActor
}

/** A session whose user, or the id of the user, the `session` callback may have removed. */
export interface ReturnedSession extends Omit<DefaultSession, 'user'> {
  /** The fields of the user that the client may see. */
  user?: User
}

/** The session that `getSession` and `GET /auth/session` return. Open to augmentation. */
export interface Session extends DefaultSession, WithSessionData, WithAssurance, WithActor, WithOrganization {}

/**
 * The session as the engine makes it, before the `session` callback. It always has the user, with the fields that
 * `session.userFields` names.
 */
export type SignedInSession<Fields = unknown, Shown extends string = never> = Session & {
  /** The signed-in user. */
  user: SessionUser & SessionUserFields<Fields, Shown>
}

/** The options of the store of ended sessions. */
export interface RevocationOptions {
  /** The store: `sqlStore(db)`, `redisStore(client)`, `memoryStore()` or your own. Default `true`: the adapter's. */
  store?: true | Pick<Store, 'log'>
  /** Seconds after which an end of a session takes effect in other processes. At least 1. Default 10. */
  maxStale?: number
  /**
   * The behaviour while the store is not available. With `deny`, reading a session throws, as it does without a
   * database; with `allow`, the process uses its copy. Default `deny`.
   */
  onOutage?: 'deny' | 'allow'
  /**
   * Keeps a list of the JWT sessions of each stored user in the store, for `auth.account.get` and `auth.sessions.end`.
   * This costs one write at each sign-in and each extension of a session. Default `false`.
   */
  list?: boolean
}

/** The options of sessions. */
export interface SessionOptions<Shown extends string = string> {
  /** `jwt`: an encrypted token in the cookie. `database`: a record that is found by the cookie's token. */
  strategy?: 'jwt' | 'database'
  /** Seconds after which an idle session ends. Default 2592000 (30 days). */
  maxAge?: number
  /**
   * Seconds after the sign-in at which a session ends, regardless of activity. Default: none, so that a session in use
   * is extended without limit.
   */
  absoluteMaxAge?: number
  /**
   * Seconds after which an idle session ends if the user checked "Keep me signed in". The built-in page shows the
   * checkbox; your own forms send the field `remember`. At least `maxAge`. Other cookies are deleted when the browser
   * is closed, and their sessions end after `maxAge`. Default: none, without a checkbox.
   */
  rememberMaxAge?: number
  /** Seconds between two extensions of a session in use; 0 extends it at every read. Default 86400 (1 day). */
  updateAge?: number
  /**
   * Seconds for which the process caches a database session that was read, 0 to 300. Changes by the routes and
   * functions of this process take effect at once. A session that another process ended stays valid here for this time,
   * with its old user. Default 0: each request queries the database.
   */
  cacheFor?: number
  /**
   * Enables the application's data in sessions: the values of `auth.sessions.setData` and `startSession`, as
   * `session.data`. Only your code on the server can write it. The browser can read the part that the `session`
   * callback keeps. Default `false`.
   */
  data?: boolean
  /**
   * Shows these fields of the stored user in `session.user`, with both strategies. The adapter must declare them: `user`
   * of `sqlAdapter`. Database sessions have the current values. JWT sessions have values that are at most `updateAge` old;
   * an update of the session reads them again. Default: none.
   */
  userFields?: readonly Shown[]
  /** Returns a new token of a database session. Default: 32 random bytes. */
  generateSessionToken?: () => string
  /**
   * The database sessions that another library stored with a plain token: the name of their cookie, and the date until
   * which they are accepted. Each is replaced at its first use.
   */
  legacy?: {
    /** The name of the cookie, such as `__Secure-authjs.session-token`. */
    cookieName: string
    /** The date, or its text in ISO 8601. */
    until: Date | string
  }
  /**
   * The store of JWT sessions that ended early and of disabled users: a store, or `true` for that of an adapter of this
   * package. Default: none. A copied token then stays valid until it expires.
   */
  revocation?: boolean | Pick<Store, 'log'> | RevocationOptions
  /**
   * Stores the network in which each session began (the /24 of an IPv4 address, the /48 of an IPv6 one), for
   * `auth.account.get().sessions`. Requires the client's address: the application must trust its proxy. Default
   * `false`.
   */
  network?: boolean
  /** Also accepts the session token as `Authorization: Bearer` in `getSession`. Default `false`. */
  bearer?: boolean
}
