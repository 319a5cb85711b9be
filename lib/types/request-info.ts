/** The origin of a request, for audit logs. The client and the trusted proxies report it. */
export interface RequestInfo {
  /** The value of Express' `req.ip`. */
  ip?: string
  /** The user agent, at most 512 characters. */
  userAgent?: string
}
