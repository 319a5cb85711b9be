/** The resolved names and attributes of the cookies. */
import type { CookieOption } from '../types/cookies.js'

/** The names and attributes of the cookies, for one kind of origin. */
export interface CookiePolicy {
  readonly sessionToken: CookieOption
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  /**
   * The pending sign-ins. `name` is the prefix of five names; `path` is set to the mount's when the cookie is written.
   */
  readonly transaction: CookieOption
  /** The values that a sign-out sends to the provider. `path` is set to the mount's when the cookie is written. */
  readonly logout: CookieOption
  /** The form values for the next page. `path` is set to the sign-in page's when the cookie is written. */
  readonly typedFields: CookieOption
  /** The sign-in method that was used last. `path` is set to the sign-in page's when the cookie is written. */
  readonly lastMethod: CookieOption
  /** The users to whom a passkey was offered. `path` is set to the mount's when the cookie is written. */
  readonly passkeyOffer: CookieOption
  /** The id of the browser. */
  readonly browser: CookieOption
  /** The accounts to which the browser has signed in. Its attempts at them are counted separately. */
  readonly device: CookieOption
  /** The id of a browser that needs no second factor. */
  readonly trustedDevice: CookieOption
  /** The provider tokens, if they are stored in the browser. */
  readonly tokens: CookieOption
  /** The choice to stay signed in, while the user is at a provider or opens an email link. */
  readonly remember: CookieOption
  /** The own session of a user who uses the session of another user. */
  readonly impersonator: CookieOption
}
