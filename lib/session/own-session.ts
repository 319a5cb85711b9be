/** The check that the user of a session uses it themselves: an impersonated session may do little. */
import type { AuthContext } from '../contracts/index.js'
import { ImpersonatedSession } from '../errors.js'
import type { Actor } from '../principal/index.js'

/**
 * Rejects an impersonated session.
 *
 * @throws {@link ImpersonatedSession}, and {@link AdapterError} if it cannot be checked.
 */
export async function assertOwnSession(
  context: Pick<AuthContext, 'config' | 'sessions' | 'cookies' | 'cookiePolicy'>,
): Promise<void> {
  if (context.config.impersonation) assertNoActor(await context.sessions.holder(context, undefined))
}

/** Rejects the holder of an impersonated session. @throws {@link ImpersonatedSession} */
export function assertNoActor(holder: { readonly actor?: Actor } | null): void {
  if (holder?.actor) throw new ImpersonatedSession(holder.actor.userId)
}

/** Returns the facts of an impersonated session for events; `undefined` for a user's own session. */
export function impersonationOf(userId: string | undefined, sid: string, actor: Actor | undefined) {
  return actor && userId !== undefined ? { userId, sid, by: actor.userId, reason: actor.reason } : undefined
}
