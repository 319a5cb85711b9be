/** What a session shows, and for how long it lasts. Open to module augmentation. */
import type { User } from './identity.js'

/** A date as ISO 8601 text, for example `2030-01-31T12:00:00.000Z`. */
export type ISODateString = string

/** What a session always has. */
export interface DefaultSession {
  /** The signed-in person: `name`, `email` and `image` unless the `session` callback adds more. */
  user?: User
  /** When the session ends if it is not used before, ISO 8601. */
  expires: ISODateString
}

/** What `getSession` and `GET /auth/session` return. Open to augmentation. */
export interface Session extends DefaultSession {}

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
  /** Seconds between two extensions of a session in use; 0 extends it at every read. Default 86400 (1 day). */
  updateAge?: number
  /**
   * Seconds for which a database session that was read is remembered in the process, 0 to 300: it is not asked of the database
   * again meanwhile. What this process changes by its routes and functions is forgotten at once. A session that was ended
   * elsewhere goes on here for so long, with its user as they were. Default 0: each request asks.
   */
  cacheFor?: number
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
  /** Accept the session token as `Authorization: Bearer` in `getSession` too. JWT sessions only. Default `false`. */
  bearer?: boolean
}
