/**
 * Cross-site requests that a browser sends for a subresource, a frame or a prefetch, without a navigation by the user.
 */
import { header, type MessageHeaders } from './message.js'

/**
 * Checks whether a request cannot lead to a sign-in: a page of another site loads it as a subresource, in a frame or as
 * a prefetch, without cookies of this site (W3C Fetch Metadata, RFC 6265bis §5.2).
 *
 * Counting such requests would let that page use up the rate limits of a visitor's whole network.
 */
export function isCrossSiteLoad(headers: MessageHeaders): boolean {
  if (header(headers, 'sec-fetch-site') !== 'cross-site') return false
  const mode = header(headers, 'sec-fetch-mode')
  if (mode !== undefined && mode !== 'navigate') return true
  if (header(headers, 'cookie') !== undefined) return false
  const target = header(headers, 'sec-fetch-dest')
  return (target !== undefined && target !== 'document') || header(headers, 'sec-purpose') !== undefined
}
