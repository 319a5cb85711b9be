/** How much of a request all cookies together may take: Node refuses requests with more than 16 KiB of headers. */
import type { CookieOption } from '../types/cookies.js'
import type { CookieJar } from './cookies.js'

/** Bytes of the `Cookie` header. 3 KiB are left for the URL, with a provider's code in it, and for all other headers. */
export const cookieBudget = 13 * 1024

/** Drops cookies, the first ones first, until the next request fits. */
export function makeRoom(jar: CookieJar, giveWay: readonly CookieOption[]): void {
  for (const cookie of giveWay) {
    if (jar.size() <= cookieBudget) return
    jar.clear(cookie)
  }
}
