/** Ends all sessions that a user has. */
import type { ExceptSession, LostSession, ResolvedConfig, Store } from '../../contracts/index.js'
import type { AdapterSession } from '../../types/adapter.js'
import { noteEnded } from '../ended-sessions.js'
import { endAndChange } from '../security-stamp.js'
import { lostOf } from './lost.js'
import { storedSessionKey } from './row.js'

/**
 * Deletes the rows of a user, where the adapter lists them, and changes the security stamp of the user. Rejects where one cannot be deleted,
 * and can be called again.
 */
export function endAllOf(
  config: ResolvedConfig,
  store: Store,
  { userId, except = {} }: { userId: string; except?: ExceptSession | undefined },
): Promise<LostSession[]> {
  const end = () => deleteRows(config, store, { userId, except })
  return endAndChange(config, end, (stamps) => stamps.change(userId, except.mark))
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
