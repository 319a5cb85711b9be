/** Ends rows of sessions: all of a user, and those that began with a session at a provider. */
import type {
  AdapterStore,
  EndedSession,
  ExceptSession,
  ProviderLogout,
  ResolvedConfig,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { metadataOfStoredToken } from '../../crypto/session-token.js'
import type { AdapterSession, AdapterSessionLink } from '../../types/adapter.js'
import { endedInThisProcess, recordEndedSessions, sessionIdOf } from '../browser.js'
import { endSessionsAndChange } from '../security-stamp.js'
import { type PresentedToken, readRow } from './row.js'

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
 *
 * @param except With `asOf`, in milliseconds since the epoch, sessions that began later are excepted too.
 */
export function endAllRowsOf(
  at: SessionStoreContext,
  userId: string,
  except: ExceptSession & { readonly asOf?: number | undefined } = {},
): Promise<EndedSession[]> {
  const { config, store } = at
  const { key, asOf = Number.POSITIVE_INFINITY } = except
  const isMeant = ({ sessionToken }: AdapterSession) =>
    storedSessionKey(sessionToken) !== key && startOfRow(sessionToken) * 1000 <= asOf
  const end = async () => {
    const rows = store.abilities.listSessions ? (await store.listSessions(userId)).filter(isMeant) : []
    for (const { sessionToken } of rows) await deleteRow(at, sessionToken)
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
      const row = await readRow(store, sessionToken)
      if (!row) continue
      await deleteRow(at, sessionToken)
      ended.push(rowToEndedSession(row.session))
    }
    return ended
  }
  return endSessionsAndChange(config, end, (stamps) => stamps.changeLinked(logout))
}

/** Returns the start of a session in seconds since the epoch. Without a known start, it is older than any. */
function startOfRow(sessionToken: string): number {
  return metadataOfStoredToken(sessionToken)?.startedAt ?? 0
}

/**
 * Deletes the row of a token that a request sent, even when none was found, because a replica may be late.
 *
 * @param isThere Whether the row was found. Otherwise errors are ignored: some adapters reject for a missing row.
 */
export async function deletePresentedRow(
  store: AdapterStore,
  { stored }: PresentedToken,
  isThere: boolean,
): Promise<void> {
  await store.deleteSession(stored).catch((error: unknown) => {
    if (isThere) throw error
  })
}

/** Checks whether a stored session has not ended. */
export async function existsAsRow({ config, store }: SessionStoreContext, sessionToken: string): Promise<boolean> {
  const row = await readRow(store, sessionToken)
  return row !== null && row.session.expires.getTime() > Date.now() && !endedInThisProcess(config, [sessionToken])
}

/** Deletes a row. Responses in progress do not set its cookie again. */
export async function deleteRow({ config, store }: SessionStoreContext, sessionToken: string): Promise<void> {
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
