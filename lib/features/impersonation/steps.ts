/** The part of impersonation in a sign-out, which signs both users out of the browser. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { AuthContext } from '../../contracts/index.js'
import type { Actor } from '../../principal/index.js'

const loadKeptSessions = createLazyLoader('Impersonation', () => import('./entry.js'))

/**
 * Takes the own session of an actor out of the browser. Queries no store, because one that fails must not prevent the
 * sign-out.
 *
 * @returns The function that returns the context in which the own session can be ended, if the actor's one was kept.
 */
export async function takeOwnSessions(
  context: AuthContext,
): Promise<((actor: Actor) => Promise<AuthContext | undefined>) | undefined> {
  if (!context.config.impersonation) return undefined
  const { clearKeptSession, contextWith, keptToken } = await loadKeptSessions()
  clearKeptSession(context)
  return async (actor) => {
    const token = await keptToken(context, actor)
    return token === undefined ? undefined : contextWith(context, token)
  }
}
