/** Ends all sessions that a user has. */
import type { LostSession, ResolvedConfig, Store } from '../../contracts/index.js'
import { noteEnded } from '../ended-sessions.js'
import { lostOf } from './lost.js'

/** Deletes the rows of a user, where the adapter lists them. Rejects where one cannot be deleted, and can be called again. */
export async function endAllOf(config: ResolvedConfig, store: Store, userId: string): Promise<LostSession[]> {
  if (!store.can.listSessions) return []
  const rows = await store.listSessions(userId)
  for (const { sessionToken } of rows) {
    await store.deleteSession(sessionToken)
    // An answer that is under way brings no cookie of it.
    noteEnded(config, new Map([[sessionToken, true]]))
  }
  return lostOf(rows)
}
