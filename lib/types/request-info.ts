/** Where a request came from, for audit logs. Told by the client and the proxies that the app trusts. */
export interface RequestInfo {
  /** Express' `req.ip`. */
  ip?: string
  /** At most 512 characters. */
  userAgent?: string
}
