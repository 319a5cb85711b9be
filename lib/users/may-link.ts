/** Whether what begins now may add to the user who is signed in. */
import type { AuthContext } from '../contracts/index.js'
import { header } from '../http/message.js'

/**
 * Only what came from a page of the own site links: another site can send a browser to a route that calls `signIn()`, and
 * its own account would be a way into the signed-in user's. A sign-in that proves nothing begins as if nobody were signed in.
 *
 * A form has proved it by its CSRF token, before its action began. For the application's own calls, and where nobody checks
 * tokens, the browser has to say it: `Sec-Fetch-Site` (W3C Fetch Metadata §2.3), or where it is not sent, `Origin`.
 */
export function mayLink({
  config,
  ownCall,
  request,
  urls,
}: Pick<AuthContext, 'config' | 'ownCall' | 'request' | 'urls'>): boolean {
  if (config.checkCsrf && !ownCall) return true
  const site = header(request.headers, 'sec-fetch-site')
  // `none` is a typed address or a bookmark, and also what a link in a mail or in another program looks like.
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request.headers, 'origin')
  return origin !== undefined && (origin === urls.origin || origin === request.receivedOrigin)
}
