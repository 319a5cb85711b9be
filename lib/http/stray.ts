/** Requests that a browser sends because a page of another site has them in it, and no person goes anywhere. */
import { header, type MessageHeaders } from './message.js'

/**
 * Whether a sign-in cannot come of a request: another site's page loads it as an image or the like, or in a frame, or ahead of a
 * click, without any cookie of this site (W3C Fetch Metadata, RFC 6265bis §5.2). Whoever opens such a page would use up what a
 * client may try, for a whole network.
 */
export function isStray(headers: MessageHeaders): boolean {
  if (header(headers, 'sec-fetch-site') !== 'cross-site') return false
  const mode = header(headers, 'sec-fetch-mode')
  if (mode !== undefined && mode !== 'navigate') return true
  if (header(headers, 'cookie') !== undefined) return false
  const target = header(headers, 'sec-fetch-dest')
  return (target !== undefined && target !== 'document') || header(headers, 'sec-purpose') !== undefined
}
