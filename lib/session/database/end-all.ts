/** Ends all sessions that a user has. */
import type { ResolvedConfig, Store } from '../../contracts/index.js'
import { noteEnded } from '../ended-sessions.js'

/** Deletes the rows of a user, where the adapter lists them. Rejects where one cannot be deleted, and can be called again. */
export async function endAllOf(config: ResolvedConfig, store: Store, userId: string): Promise<void> {
  if (!store.can.listSessions) return
  for (const { sessionToken } of await store.listSessions(userId)) {
    await store.deleteSession(sessionToken)
    // An answer that is under way brings no cookie of it.
    noteEnded(config, new Map([[sessionToken, true]]))
  }
}
