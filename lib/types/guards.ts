/** The options that guards of routes share, on Express and on Fetch servers. */

/** The requirements of a guarded route. */
export interface GuardRequirements {
  /**
   * The sign-in page, which gets `callbackUrl` in its query. Default: `pages.signIn`, or `<basePath>/signin`. On Express,
   * set `basePath` if the Router is not mounted on `/auth`.
   */
  signInUrl?: string
  /**
   * Queries the store at each request whether another process has just ended the session or disabled its user: one more
   * query. With JWT sessions and `session.userFields`, another query reads the fields of the user, such as a role, so
   * that `allow` gets the stored ones. With `session.cacheFor`, the user is read again. For sensitive actions, such as a
   * payment. JWT sessions require `session.revocation`. Default `false`.
   */
  live?: boolean
  /**
   * 2 requires two factors in this session, or one that counts as two. Users with one are redirected to their second
   * factor, or to its setup. Requires `factors`, a passkey provider, or `trustAcr` of a provider.
   */
  aal?: 2
  /**
   * The maximum seconds since the sign-in or the second factor; at least 1. Other users are redirected to confirm their
   * identity, and return.
   */
  maxAge?: number
  /** `false` rejects a session that support uses in place of its user (`impersonation`), with 403. Default: it is allowed. */
  impersonated?: false
  /** The accepted methods (RFC 8176 §2), such as `['hwk', 'swk']` for a passkey. One of them is required. */
  amr?: readonly string[]
}
