/** Ends rows from elsewhere: all of a user, and those that began by a session at a provider. */
import type { ExceptSession, LostSession, ProviderLogout, ResolvedConfig, Store } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import type { AdapterSession, AdapterSessionLink } from '../../types/adapter.js'
import { noteEnded, sessionIdOf } from '../browser.js'
import { endAndChange } from '../security-stamp.js'

type Place = { readonly config: ResolvedConfig; readonly store: Store }

/** What tells a stored session from others, and tells nobody its token (`SessionOwner.key`). */
export function storedSessionKey(stored: string): string {
  return shortHash(`database ${stored}`)
}

/** What is told of rows that were deleted, of those that went on. Rows of sessions that have ended stay for a while. */
export function lostOf(rows: readonly AdapterSession[]): LostSession[] {
  return rows.filter(({ expires }) => expires.getTime() > Date.now()).map(toLost)
}

function toLost({ sessionToken, userId }: AdapterSession): LostSession {
  return { sid: sessionIdOf(sessionToken), userId }
}

/**
 * Deletes the rows of a user, where the adapter lists them, and changes the security stamp of the user. Rejects where one cannot be deleted,
 * and can be called again.
 */
export function endAllOf(at: Place, userId: string, except: ExceptSession = {}): Promise<LostSession[]> {
  const { config, store } = at
  const isMeant = ({ sessionToken }: AdapterSession) => storedSessionKey(sessionToken) !== except.key
  const end = async () => {
    const rows = store.can.listSessions ? (await store.listSessions(userId)).filter(isMeant) : []
    for (const row of rows) await deleteRow(at, row)
    return lostOf(rows)
  }
  return endAndChange(config, end, (stamps) => stamps.change(userId, except.mark))
}

/** Ends the sessions that began by what has ended. Where one cannot be ended it rejects, and can be called again. */
export function endLinked(at: Place, logout: ProviderLogout): Promise<LostSession[]> {
  const { config, store } = at
  const end = async () => {
    const lost: LostSession[] = []
    for (const { sessionToken } of await linksOf(store, logout)) {
      const session = (await store.getSessionAndUser(sessionToken))?.session
      if (session?.sessionToken !== sessionToken) continue
      await deleteRow(at, session)
      lost.push(toLost(session))
    }
    return lost
  }
  return endAndChange(config, end, (stamps) => stamps.changeLinked(logout))
}

/** An answer that is under way brings no cookie of the session. */
async function deleteRow({ config, store }: Place, { sessionToken }: AdapterSession): Promise<void> {
  await store.deleteSession(sessionToken)
  noteEnded(config, new Map([[sessionToken, true]]))
}

/**
 * The links of a session there; without one, all of the person's. Where the sign-in did not say by which session it was, it may
 * have been this one, so it ends.
 */
async function linksOf(store: Store, { subject, session }: ProviderLogout): Promise<AdapterSessionLink[]> {
  if (subject === undefined) return session === undefined ? [] : store.listSessionLinks({ providerSession: session })
  const links = await store.listSessionLinks({ subject })
  if (session === undefined) return links
  return links.filter(({ providerSession }) => providerSession === session || providerSession === null)
}
