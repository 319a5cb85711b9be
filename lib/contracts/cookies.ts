/** Our cookies, resolved. */
import type { CookieOption } from '../types/cookies.js'

/** Names and attributes of our cookies on one kind of origin. */
export interface CookiePolicy {
  readonly sessionToken: CookieOption
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  /** `name` is the beginning of five names; `path` is set to the mount's when the cookie is written. */
  readonly transaction: CookieOption
  /** What a sign-out tells the provider; `path` is set to the mount's when the cookie is written. */
  readonly logout: CookieOption
  /** `path` is set to the sign-in page's when the cookie is written. */
  readonly typedFields: CookieOption
  /** By which a browser is known. */
  readonly browser: CookieOption
  /** Of the accounts that a browser has signed in to: its attempts at them are counted apart. */
  readonly device: CookieOption
  /** By which a browser is known that is not asked for a second factor. */
  readonly trustedDevice: CookieOption
  /** Provider tokens, where they are kept in the browser. */
  readonly tokens: CookieOption
  /** That a person wants to be kept signed in, while they are at a provider's or look into their mail. */
  readonly remember: CookieOption
}
