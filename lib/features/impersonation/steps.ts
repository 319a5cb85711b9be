/** The part of impersonation in a sign-out, which signs both users out of the browser. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { AuthContext } from '../../contracts/index.js'

const loadKeptSessions = createLazyLoader('Impersonation', () => import('./entry.js'))

/**
 * Takes the own session of the actor out of the browser. Call it before the impersonated session ends.
 *
 * @returns The context in which the own session can be ended; none if the session of the request is not impersonated.
 */
export async function takeOwnSession(context: AuthContext): Promise<AuthContext[]> {
  if (!context.config.impersonation) return []
  const { clearKeptSession, contextWith, findImpersonation } = await loadKeptSessions()
  const found = await findImpersonation(context)
  clearKeptSession(context)
  return found?.token === undefined ? [] : [contextWith(context, found.token)]
}
