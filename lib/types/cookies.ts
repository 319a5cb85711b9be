/** The options of cookies. */

/** The attributes of a cookie (RFC 6265bis §4.1). */
export interface CookieAttributes {
  /** The domain whose hosts receive the cookie, subdomains included. Default: only the host that sets it. */
  domain?: string
  /** The time at which the browser deletes the cookie. */
  expires?: Date
  /** Hides the cookie from scripts. Default `true`. */
  httpOnly?: boolean
  /** The lifetime in seconds. */
  maxAge?: number
  /** Keeps one cookie for each site that embeds yours (CHIPS). Default `false`. */
  partitioned?: boolean
  /** The path. Default: `/`, or the mount path for cookies of a pending sign-in. */
  path?: string
  /** The order in which Chromium deletes cookies if there are too many. */
  priority?: 'low' | 'medium' | 'high'
  /** Controls whether requests from other sites send the cookie. Default `lax`. */
  sameSite?: boolean | 'lax' | 'strict' | 'none'
  /** Sends the cookie over https only. Default: set by `useSecureCookies`. */
  secure?: boolean
}

/** The name and attributes of a cookie. */
export interface CookieOption {
  /** The cookie's name. Browsers enforce the rules of the prefixes `__Secure-` and `__Host-`. */
  name: string
  /** The attributes that differ from the defaults. */
  options: CookieAttributes
}

/** The cookies whose names and attributes can be overridden. Options that you leave out keep their defaults. */
export interface CookiesOptions {
  /** The session. Its name is part of the key: if you change the name, all JWT sessions end. */
  sessionToken?: Partial<CookieOption>
  /** The page to which the user returns after the sign-in. */
  callbackUrl?: Partial<CookieOption>
  /** The CSRF token, which distinguishes the site's own forms from those of other sites. */
  csrfToken?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  state?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  nonce?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  pkceCodeVerifier?: Partial<CookieOption>
  /** The browser in which a sign-in or session began. A sibling subdomain cannot set it. */
  browser?: Partial<CookieOption>
}
