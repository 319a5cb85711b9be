/** The end of database sessions from elsewhere, and what audit logs are told of it. */
import { tellEnded } from '../callbacks/index.js'
import type { Store } from '../contracts/index.js'
import { lostOf } from '../session/database/ending.js'
import { endAndChange } from '../session/security-stamp.js'
import type { AdapterSession } from '../types/adapter.js'
import type { SessionEndedMessage } from '../types/config.js'
import { inTurn, type Person } from './person.js'

/** Which sessions of a user are meant, and what the events say. */
interface Ends {
  /** Ends sign-ins that are under way as well: the security stamp of the user changes. */
  readonly changesStamp?: boolean
  readonly isMeant?: (session: AdapterSession) => boolean
  readonly facts: Omit<SessionEndedMessage, 'sid' | 'userId'>
}

/**
 * Ends sessions behind whoever is about to attach something in one of them: it is there before, or not at all.
 *
 * @returns How many there were.
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
      // A transaction may begin anew.
      ended.length = 0
      return deleteRows(locked.store, { userId: locked.user.id, isMeant, ended })
    })
  } catch (error) {
    // What nothing takes back has ended.
    if (!store.can.transact) await tellEnded(resolved, lostOf(ended), facts)
    throw error
  }
  await tellEnded(resolved, lostOf(ended), facts)
  return ended
}

/** The same where the user is gone: there is nothing to attach to. */
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
