/** Which failures of a request to a provider say that its endpoint is not there any more, and which that nobody has got the request. */

/** There is no such endpoint (RFC 9110 §15.5.5, §15.5.6, §15.5.11): what has this address now did not take the request. */
const absent: ReadonlySet<number> = new Set([404, 405, 410])

/** Codes of Node and OpenSSL for a connection that never came about: no address, nobody listens, or not who we asked for. */
const unconnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

/** Whether there is nothing at the address that takes such requests. One that was answered so can be sent elsewhere once more. */
export function isAbsent({ status }: Response): boolean {
  return absent.has(status)
}

/** Whether a request certainly reached nobody. A connection that broke later, or took too long, may have been heard. */
export function isUnconnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  if ('code' in error && typeof error.code === 'string' && unconnected.test(error.code)) return true
  return isUnconnected(error.cause, depth + 1)
}
