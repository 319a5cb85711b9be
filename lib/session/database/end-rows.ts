/** Ends rows of sessions: all of a user, and those that began with a session at a provider. */
import type {
  AdapterStore,
  EndedSession,
  ExceptSession,
  ProviderLogout,
  ResolvedConfig,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import type { AdapterSession, AdapterSessionLink } from '../../types/adapter.js'
import { recordEndedSessions, sessionIdOf } from '../browser.js'
import { endSessionsAndChange } from '../security-stamp.js'

type SessionStoreContext = { readonly config: ResolvedConfig; readonly store: AdapterStore }

/** Returns the key of a stored session (`Principal.key`), which does not reveal its token. */
export function storedSessionKey(stored: string): string {
  return shortHash(`database ${stored}`)
}

/** Returns the deleted sessions that had not expired. Rows of expired sessions are kept for a while. */
export function endedSessionsIn(rows: readonly AdapterSession[]): EndedSession[] {
  return rows.filter(({ expires }) => expires.getTime() > Date.now()).map(rowToEndedSession)
}

function rowToEndedSession({ sessionToken, userId }: AdapterSession): EndedSession {
  return { sid: sessionIdOf(sessionToken), userId }
}

/**
 * Deletes the rows of a user, if the adapter lists them, and changes the user's security stamp. Rejects when a row
 * cannot be deleted, and can be called again.
 */
export function endAllRowsOf(
  at: SessionStoreContext,
  userId: string,
  except: ExceptSession = {},
): Promise<EndedSession[]> {
  const { config, store } = at
  const isMeant = ({ sessionToken }: AdapterSession) => storedSessionKey(sessionToken) !== except.key
  const end = async () => {
    const rows = store.abilities.listSessions ? (await store.listSessions(userId)).filter(isMeant) : []
    for (const row of rows) await deleteRow(at, row)
    return endedSessionsIn(rows)
  }
  return endSessionsAndChange(config, end, (stamps) => stamps.change(userId, except.mark))
}

/**
 * Ends the sessions that began with the ended provider session. Rejects when one cannot be ended, and can be called
 * again.
 */
export function endLinkedRows(at: SessionStoreContext, logout: ProviderLogout): Promise<EndedSession[]> {
  const { config, store } = at
  const end = async () => {
    const ended: EndedSession[] = []
    for (const { sessionToken } of await linksToEnd(store, logout)) {
      const session = (await store.getSessionAndUser(sessionToken))?.session
      if (session?.sessionToken !== sessionToken) continue
      await deleteRow(at, session)
      ended.push(rowToEndedSession(session))
    }
    return ended
  }
  return endSessionsAndChange(config, end, (stamps) => stamps.changeLinked(logout))
}

/** Deletes a row. Responses in progress do not set its cookie again. */
async function deleteRow({ config, store }: SessionStoreContext, { sessionToken }: AdapterSession): Promise<void> {
  await store.deleteSession(sessionToken)
  recordEndedSessions(config, new Map([[sessionToken, true]]))
}

/**
 * Returns the links of a provider session, or without one, all links of the user. A sign-in without a provider session
 * may belong to this one, so it ends too.
 */
async function linksToEnd(store: AdapterStore, { subject, session }: ProviderLogout): Promise<AdapterSessionLink[]> {
  if (subject === undefined) return session === undefined ? [] : store.listSessionLinks({ providerSession: session })
  const links = await store.listSessionLinks({ subject })
  if (session === undefined) return links
  return links.filter(({ providerSession }) => providerSession === session || providerSession === null)
}
