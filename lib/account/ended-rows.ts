/** The end of database sessions by another session or a support desk, and its events. */
import { tellEnded } from '../callbacks/index.js'
import type { Store } from '../contracts/index.js'
import { lostOf } from '../session/database/ending.js'
import { endAndChange } from '../session/security-stamp.js'
import type { AdapterSession } from '../types/adapter.js'
import type { SessionEndedMessage } from '../types/config.js'
import { inTurn, type Person } from './person.js'

/** The sessions of a user to end, and the data of the events. */
interface Ends {
  /** Whether pending sign-ins end as well: the security stamp of the user changes. */
  readonly changesStamp?: boolean
  readonly isMeant?: (session: AdapterSession) => boolean
  readonly facts: Omit<SessionEndedMessage, 'sid' | 'userId'>
}

/**
 * Ends sessions, in order with concurrent changes of the account: a change in such a session comes first, or fails.
 *
 * @returns The number of sessions.
 */
export async function endRows(whose: Pick<Person, 'resolved' | 'store' | 'user'>, ends: Ends): Promise<number> {
  const end = () => endOnce(whose, ends)
  if (!ends.changesStamp) return (await end()).length
  return (await endAndChange(whose.resolved, end, (stamps) => stamps.change(whose.user.id))).length
}

async function endOnce(
  whose: Pick<Person, 'resolved' | 'store' | 'user'>,
  { isMeant = () => true, facts }: Ends,
): Promise<AdapterSession[]> {
  const { resolved, store } = whose
  const ended: AdapterSession[] = []
  try {
    await inTurn(whose, (locked) => {
      // A transaction may be repeated.
      ended.length = 0
      return deleteRows(locked.store, { userId: locked.user.id, isMeant, ended })
    })
  } catch (error) {
    // Without a transaction the deleted sessions stay deleted.
    if (!store.can.transact) await tellEnded(resolved, lostOf(ended), facts)
    throw error
  }
  await tellEnded(resolved, lostOf(ended), facts)
  return ended
}

/** Ends sessions of a user who no longer exists, without a lock. */
export async function endOrphans(
  { resolved, store }: Pick<Person, 'resolved' | 'store'>,
  userId: string,
  facts: Ends['facts'],
): Promise<void> {
  const ended: AdapterSession[] = []
  try {
    await deleteRows(store, { userId, isMeant: () => true, ended })
  } finally {
    await tellEnded(resolved, lostOf(ended), facts)
  }
}

async function deleteRows(
  store: Store,
  { userId, isMeant, ended }: Required<Pick<Ends, 'isMeant'>> & { userId: string; ended: AdapterSession[] },
): Promise<void> {
  const meant = (await store.listSessions(userId)).filter(isMeant)
  for (const row of meant) {
    await store.deleteSession(row.sessionToken)
    ended.push(row)
  }
}
