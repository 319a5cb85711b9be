/** Nouns of cookies: what a developer may say of ours. */

/** Attributes of a cookie (RFC 6265bis §4.1). */
export interface CookieAttributes {
  /** Hosts that get the cookie: this one and its subdomains. Default: only the host that sets it. */
  domain?: string
  /** Absolute time at which the browser drops the cookie. */
  expires?: Date
  /** Hide the cookie from scripts. Default `true`. */
  httpOnly?: boolean
  /** Seconds. */
  maxAge?: number
  /** One cookie for each site that embeds yours (CHIPS). Default `false`. */
  partitioned?: boolean
  /** Default: `/`, or the path of the mount for cookies of a sign-in under way. */
  path?: string
  /** Which cookies Chromium drops first where there are too many. */
  priority?: 'low' | 'medium' | 'high'
  /** Whether requests from other sites carry the cookie. Default `lax`. */
  sameSite?: boolean | 'lax' | 'strict' | 'none'
  /** Send the cookie over https only. Default: by `useSecureCookies`. */
  secure?: boolean
}

/** Name and attributes of a cookie. */
export interface CookieOption {
  /** The cookie's name. Browsers hold names that begin with `__Secure-` or `__Host-` to what they promise. */
  name: string
  /** The attributes that differ from the defaults. */
  options: CookieAttributes
}

/** The cookies whose names and attributes can be overridden. Options that you leave out keep their defaults. */
export interface CookiesOptions {
  /** Holds the session. Its name is part of the key: under another one, all JWT sessions end. */
  sessionToken?: Partial<CookieOption>
  /** Remembers where a person wants to be after signing in. */
  callbackUrl?: Partial<CookieOption>
  /** Tells our own forms from other sites'. */
  csrfToken?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  state?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  nonce?: Partial<CookieOption>
  /** Attributes only: state, nonce and PKCE verifier share one sealed transaction cookie. */
  pkceCodeVerifier?: Partial<CookieOption>
  /** Says which browser began a sign-in, and that a session began in it: no sibling subdomain can set it. */
  browser?: Partial<CookieOption>
}
