/** The part of impersonation in a sign-out, which signs both users out of the browser. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { AuthContext } from '../../contracts/index.js'

const loadKeptSessions = createLazyLoader('Impersonation', () => import('./entry.js'))

/**
 * Takes the own sessions of actors out of the browser. Queries no store, because one that fails must not prevent the sign-out. The
 * impersonated session may have ended before.
 *
 * @returns The contexts in which they can be ended.
 */
export async function takeOwnSessions(context: AuthContext): Promise<AuthContext[]> {
  if (!context.config.impersonation) return []
  const { clearKeptSession, contextWith, keptSessions } = await loadKeptSessions()
  clearKeptSession(context)
  return (await keptSessions(context)).map(({ token }) => contextWith(context, token))
}
