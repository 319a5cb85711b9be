/**
 * Finds which of the watched sessions are over: with one query for all of them, or none. Only a JWT session whose token has
 * expired is looked up in the list of its user's sessions, because another process may have renewed it.
 */
import type { AdapterStore, ResolvedConfig, ResolvedConnections, WatchedSession } from '../../contracts/index.js'
import { beginningProviders } from '../../principal/proofs.js'
import { endedInThisProcess } from '../../session/browser.js'
import { noteRenewal, renewedEnd } from '../../session/renewals.js'
import type { AdapterSession } from '../../types/adapter.js'
import { hasEndedWithConnections } from '../connections/store.js'
import type { WatchEndReason } from './types.js'

/** The most sessions of a query. */
export const mostSessions = 500

/** The reasons of sessions that are over, by the names of the sessions. */
export type Ends = ReadonlyMap<string, WatchEndReason>

/** The check of a session's own record, or its token. `undefined` for a session that is not over. */
type OwnCheck = (session: WatchedSession) => Promise<WatchEndReason | undefined>

/**
 * Returns the sessions that are over.
 *
 * @param sessions At most {@link mostSessions}.
 * @throws {@link AdapterError} if the database or the store of ended sessions fails.
 */
export async function findEnds(config: ResolvedConfig, sessions: readonly WatchedSession[]): Promise<Ends> {
  const { store, session } = config
  const { strategy, revocation } = session
  await revocation?.refreshSessions(sessions.map(({ known }) => known))
  const check = strategy === 'database' && store ? await checkRows(store, sessions) : checkToken(config)
  const checkBeginning = config.connections && checkConnections(config.connections)
  const ends = new Map<string, WatchEndReason>()
  for (const each of sessions) {
    const reason = knownEnd(config, each) ?? (await check(each)) ?? (await checkBeginning?.(each))
    if (reason) ends.set(each.name, reason)
  }
  return ends
}

/** Returns the check of the connections that began a session. Sessions of the same connections need one query. */
function checkConnections(connections: ResolvedConnections): OwnCheck {
  const looked = new Map<string, boolean>()
  return async ({ proofs = [] }) => {
    const key = beginningProviders(proofs).join(' ')
    if (key === '') return undefined
    const isKnownOver = looked.get(key) ?? (await hasEndedWithConnections(connections, proofs))
    looked.set(key, isKnownOver)
    return isKnownOver ? 'ended' : undefined
  }
}

/** Returns the sessions that are over as far as this process knows, without a query. They end in an outage too. */
export function knownEnds(config: ResolvedConfig, sessions: readonly WatchedSession[]): Ends {
  const ends = new Map<string, WatchEndReason>()
  for (const each of sessions) {
    const reason = knownEnd(config, each)
    if (reason) ends.set(each.name, reason)
  }
  return ends
}

/** Returns the reason of a session that is over, as far as this process knows. */
function knownEnd(config: ResolvedConfig, session: WatchedSession): WatchEndReason | undefined {
  const { name, known } = session
  const { revocation } = config.session
  // Without a session, only the entry of a disabled user applies.
  const isDisabled = ({ userId, actor }: WatchedSession['known']): boolean =>
    revocation?.hasEnded({ userId }) === true || (actor !== undefined && isDisabled(actor))
  if (isDisabled(known)) return 'user-disabled'
  if (revocation?.hasEnded(known) || endedInThisProcess(config, [name])) return 'ended'
  return isTimeOver(config, session) ? 'expired' : undefined
}

/** Checks whether no request can have extended a session: after its latest end, and a token that is in no list. */
function isTimeOver(config: ResolvedConfig, session: WatchedSession): boolean {
  const { strategy, revocation } = config.session
  const now = Date.now()
  if (session.latest <= now) return true
  const isListed = revocation?.lists !== undefined && session.known.userId !== undefined
  return strategy === 'jwt' && !isListed && renewedEnd(config, session) <= now
}

/** Renewals of tokens in this process are known. Those in other processes are in the list of sessions, and noted. */
function checkToken(config: ResolvedConfig): OwnCheck {
  const { lists } = config.session.revocation ?? {}
  return async (session) => {
    const { name, known } = session
    const now = Date.now()
    if (renewedEnd(config, session) > now || known.userId === undefined) return undefined
    const listed = (await lists?.listSessions(known.userId))?.find(({ sid }) => sid === name)
    if (!listed || listed.expires <= now) return 'expired'
    noteRenewal(config, name, listed.expires)
    return undefined
  }
}

/** Reads the records of sessions, and those of the sessions of their actors. */
async function checkRows(store: AdapterStore, sessions: readonly WatchedSession[]): Promise<OwnCheck> {
  const tokens = [...new Set(sessions.flatMap(({ name, actorSession = name }) => [name, actorSession]))]
  const rows = new Map<string, AdapterSession>()
  for (let from = 0; from < tokens.length; from += mostSessions) {
    for (const row of await store.findSessions(tokens.slice(from, from + mostSessions))) rows.set(row.sessionToken, row)
  }
  return async ({ name, known, expires, latest, actorSession }) => {
    const row = rows.get(name)
    const now = Date.now()
    // Expired records are deleted.
    if (!row) return Math.min(expires, latest) > now ? 'ended' : 'expired'
    if (Math.min(row.expires.getTime(), latest) <= now) return 'expired'
    if (actorSession === undefined) return undefined
    const own = rows.get(actorSession)
    return own && own.userId === known.actor?.userId && own.expires.getTime() > now ? undefined : 'ended'
  }
}
