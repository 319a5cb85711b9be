/** Ends all sessions that a user has. */
import type { ExceptSession, LostSession, ResolvedConfig, Store } from '../../contracts/index.js'
import type { AdapterSession } from '../../types/adapter.js'
import { noteEnded } from '../ended-sessions.js'
import { lostOf } from './lost.js'
import { storedSessionKey } from './row.js'

/**
 * Deletes the rows of a user, where the adapter lists them, and changes the security stamp of the user. Rejects where one cannot be deleted,
 * and can be called again.
 *
 * The rows are deleted before and after the change. A request that reads the stamp after the change finds the session deleted in which it
 * was sent, and a session that begins with the stamp from before is refused, or is among the rows of the second time.
 */
export async function endAllOf(
  config: ResolvedConfig,
  store: Store,
  { userId, except = {} }: { userId: string; except?: ExceptSession | undefined },
): Promise<LostSession[]> {
  const ended = await deleteRows(config, store, { userId, except })
  if (!config.session.stamps) return ended
  await config.session.stamps.change(userId, except.mark)
  return [...ended, ...(await deleteRows(config, store, { userId, except }))]
}

async function deleteRows(
  config: ResolvedConfig,
  store: Store,
  { userId, except }: { userId: string; except: ExceptSession },
): Promise<LostSession[]> {
  if (!store.can.listSessions) return []
  const isMeant = ({ sessionToken }: AdapterSession) => storedSessionKey(sessionToken) !== except.key
  const rows = (await store.listSessions(userId)).filter(isMeant)
  for (const { sessionToken } of rows) {
    await store.deleteSession(sessionToken)
    // An answer that is under way brings no cookie of it.
    noteEnded(config, new Map([[sessionToken, true]]))
  }
  return lostOf(rows)
}
