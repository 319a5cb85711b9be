/** The public types of apps: native apps and command lines in which users sign in with the browser. */
import type { Store } from '../../types/store.js'

/** An app that may ask a signed-in user for a session. It needs `links`, `loopback`, or both. */
export interface AppOptions {
  /** The name that the page shows to the user, such as `Notes for iOS`. */
  name: string
  /**
   * The redirect URLs that belong to the app: https URLs that the operating system opens in the app (claimed links, RFC 8252 §7.2). A
   * request must have exactly one of them.
   */
  links?: readonly string[]
  /**
   * `true` if the app listens on this machine: `http://127.0.0.1:<port>/…` or `http://[::1]:<port>/…`, with any port (RFC 8252 §7.3).
   * `localhost` is not accepted. Default `false`.
   */
  loopback?: boolean
}

/** The option `apps`. */
export interface AppsOptions {
  /** The apps by id: 1 to 32 lower-case letters, digits and `-`. */
  clients: Readonly<Record<string, AppOptions>>
  /** The store of codes: `sqlStore(db)`, `redisStore(client)`, or `true` for the adapter's. Default `true`. */
  store?: true | Pick<Store, 'records'>
}

/** The option of the configuration. */
export interface AppsOption {
  /** The native apps and command lines in which users sign in with the browser. Default: none. */
  apps?: AppsOptions
}

/** The app in which a session is used, in lists of sessions. */
export interface SessionApp {
  /** The id in `apps.clients`. */
  readonly id: string
  /** The name, or the id if the configuration no longer has the app. */
  readonly name: string
}
