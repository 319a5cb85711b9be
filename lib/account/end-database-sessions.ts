/** The end of database sessions by another session or a support desk, and its events. */
import { emitSessionsEnded } from '../callbacks/index.js'
import type { AdapterStore } from '../contracts/index.js'
import { endedSessionsIn } from '../session/database/end-rows.js'
import { endSessionsAndChange } from '../session/security-stamp.js'
import type { AdapterSession } from '../types/adapter.js'
import type { SessionEndedMessage } from '../types/config.js'
import { runRemoval, type StoredUser } from './signed-in-user.js'

/** The sessions of a user to end, and the data of the events. */
interface EndOptions {
  /** True if pending sign-ins end as well: the security stamp of the user changes. */
  readonly changesStamp?: boolean
  readonly isSelected?: (session: AdapterSession) => boolean
  readonly facts: Omit<SessionEndedMessage, 'sid' | 'userId'>
}

/**
 * Ends sessions, in order with concurrent changes of the account: a change in such a session comes first, or fails.
 *
 * @returns The number of sessions.
 */
export async function endDatabaseSessions(owner: StoredUser, ends: EndOptions): Promise<number> {
  const end = () => endSelectedSessions(owner, ends)
  if (!ends.changesStamp) return (await end()).length
  return (await endSessionsAndChange(owner.resolved, end, (stamps) => stamps.change(owner.user.id))).length
}

async function endSelectedSessions(
  owner: StoredUser,
  { isSelected = () => true, facts }: EndOptions,
): Promise<AdapterSession[]> {
  const { resolved, store } = owner
  const ended: AdapterSession[] = []
  try {
    await runRemoval(owner, (locked) => {
      // A transaction may be repeated.
      ended.length = 0
      return deleteSelectedSessions(locked.store, { userId: locked.user.id, isSelected, ended })
    })
  } catch (error) {
    // Without a transaction the deleted sessions stay deleted.
    if (!store.abilities.transact) await emitSessionsEnded(resolved, endedSessionsIn(ended), facts)
    throw error
  }
  await emitSessionsEnded(resolved, endedSessionsIn(ended), facts)
  return ended
}

/** Ends sessions of a user who no longer exists, without a lock. */
export async function endSessionsOfMissingUser(
  { resolved, store }: Pick<StoredUser, 'resolved' | 'store'>,
  userId: string,
  facts: EndOptions['facts'],
): Promise<void> {
  const ended: AdapterSession[] = []
  try {
    await deleteSelectedSessions(store, { userId, isSelected: () => true, ended })
  } finally {
    await emitSessionsEnded(resolved, endedSessionsIn(ended), facts)
  }
}

async function deleteSelectedSessions(
  store: AdapterStore,
  { userId, isSelected, ended }: Required<Pick<EndOptions, 'isSelected'>> & { userId: string; ended: AdapterSession[] },
): Promise<void> {
  const meant = (await store.listSessions(userId)).filter(isSelected)
  for (const row of meant) {
    await store.deleteSession(row.sessionToken)
    ended.push(row)
  }
}
