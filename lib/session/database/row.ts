/** Finds the row of a session by its cookie, and decides when the row is written again. */

import { mapMaybePromise } from '../../base/maybe-promise.js'
import { rememberTexts } from '../../base/recent-results.js'
import { nowInSeconds } from '../../base/time.js'
import type {
  AdapterStore,
  CookieContext,
  KnownSession,
  ResolvedConfig,
  SessionLifetime,
  StoredSession,
} from '../../contracts/index.js'
import {
  type HashedToken,
  readSessionToken,
  type SessionToken,
  type TokenMetadata,
  toClearToken,
  toSessionToken,
} from '../../crypto/session-token.js'
import { SessionTokenError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import { type Actor, type Proof, proofsOfPreviousVersion, readActor, readProofs } from '../../principal/index.js'
import type { Awaitable } from '../../types/identity.js'
import { chooseSession, type SessionChoice } from '../browser.js'
import { absoluteExpiry, idleMaxAge, isExtensionDue, sessionExpiry } from '../session-cookie.js'

/** A browser's cookies, and the store of their sessions. */
export interface StoreContext extends CookieContext {
  readonly store: AdapterStore
  /** True if it runs inside a transaction, where only the transaction's store may be queried. */
  readonly isInTransaction?: boolean
}

/** A token that the request sent, and its stored form. */
export interface PresentedToken {
  readonly token: SessionToken
  /** The stored form. It also identifies the session. */
  readonly stored: HashedToken
  /** `legacy`: stored unchanged, as in the cookie. `bearer`: from the header `Authorization`. */
  readonly source: 'cookie' | 'legacy' | 'bearer'
  /** The sign-in metadata. Empty for a session stored in the clear. */
  readonly metadata: Partial<TokenMetadata>
  /** The user who uses the session in place of its user. Absent in most sessions, and if `metadata.act` is malformed. */
  readonly actor: Actor | undefined
}

/** A session that is valid now. */
export interface FoundRow extends PresentedToken {
  readonly row: StoredSession
  /** The user's id, read before the callback, which gets the user object itself. */
  readonly userId: string
  /** True if it comes from the cache ({@link cachedRow}). Its owner is then read from the database. */
  readonly isCached: boolean
  /** The end unless the session is extended, in milliseconds since the epoch. */
  readonly expires: number
}

/** Returns the tokens of a request: hashed ones before those that are stored in the clear. */
export function presentedDatabaseTokens({ config, cookies, cookiePolicy }: CookieContext): PresentedToken[] {
  const presented: PresentedToken[] = []
  const { legacy } = config.session
  for (const value of readChunked(cookies.received, cookiePolicy.sessionToken.name)) {
    const token = toSessionToken(value)
    if (token !== undefined) presented.push(presentedToken(token, 'cookie'))
  }
  if (!legacy || legacy.until <= Date.now()) return presented
  for (const value of readChunked(cookies.received, legacy.cookieName)) {
    const token = toSessionToken(value)
    const stored = token && toClearToken(token)
    if (token !== undefined && stored !== undefined)
      presented.push({ token, stored, source: 'legacy', metadata: {}, actor: undefined })
  }
  return presented
}

/**
 * Returns the tokens of a request that reads a session. A bearer token is used only when there is no session cookie at
 * all, and always looked up by its hash.
 */
export function presentedForReading(context: CookieContext, bearer: string | undefined): PresentedToken[] {
  const { cookies, cookiePolicy } = context
  const presented = presentedDatabaseTokens(context)
  if (bearer === undefined || presented.length > 0) return presented
  const token = toSessionToken(bearer)
  if (token === undefined || readChunked(cookies.received, cookiePolicy.sessionToken.name).length > 0) return []
  return [presentedToken(token, 'bearer')]
}

function presentedToken(token: SessionToken, source: 'cookie' | 'bearer'): PresentedToken {
  const { stored, metadata } = readRecentToken(token)
  const actor = metadata.act === undefined ? undefined : readActor(metadata.act)
  return { token, stored, source, metadata, actor }
}

/** The hash and the metadata of a token. A browser sends the same token with each request. */
const readRecentToken = rememberTexts((token: SessionToken) => {
  const { stored, metadata: read } = readSessionToken(token)
  const metadata: PresentedToken['metadata'] = read ?? {}
  Object.freeze(metadata.amr)
  return { stored, metadata: Object.freeze(metadata) }
})

/**
 * Finds the session that is used, of those that are valid now.
 *
 * @param remember Whether to cache it for {@link cachedRow}.
 */
export function findRow(
  context: StoreContext,
  presented: readonly PresentedToken[] = presentedDatabaseTokens(context),
  remember = false,
): Awaitable<SessionChoice<FoundRow>> {
  const [only] = presented
  if (only === undefined) return { found: null, isAmbiguous: false }
  // Most requests have one token.
  if (presented.length === 1)
    return mapMaybePromise(validRow(context, only, remember), (found) => ({ found, isAmbiguous: false }))
  return chooseRow(context, presented)
}

async function chooseRow(
  context: StoreContext,
  presented: readonly PresentedToken[],
): Promise<SessionChoice<FoundRow>> {
  const rows: FoundRow[] = []
  for (const each of presented) {
    // Not looked up, because it would not be used.
    if (each.source === 'legacy' && rows[0]?.source === 'cookie') break
    const row = await validRow(context, each)
    if (row) rows.push(row)
  }
  return chooseAmongRows(context, rows)
}

/** Chooses the session that is used, of those of {@link usableRows}. */
export function chooseAmongRows(
  context: StoreContext,
  usable: readonly FoundRow[],
): Awaitable<SessionChoice<FoundRow>> {
  return chooseSession(context, usable, ({ stored }) => stored)
}

/** Returns the valid sessions that can be chosen. Those stored in the clear can be only if no hashed one is valid. */
export function usableRows(valid: readonly FoundRow[]): readonly FoundRow[] {
  const hashed = valid.filter(({ source }) => source !== 'legacy')
  return hashed.length > 0 ? hashed : valid
}

/** Reads the row of exactly this token: a database may ignore case or trailing spaces. */
export async function readRow(store: AdapterStore, sessionToken: string): Promise<StoredSession | null> {
  const row = await store.getSessionAndUser(sessionToken)
  return row?.session.sessionToken === sessionToken ? row : null
}

/** Returns the session of a token if it is valid now. Deletes an expired one. */
function validRow(context: StoreContext, presented: PresentedToken, remember = false): Awaitable<FoundRow | null> {
  const { config, store, isInTransaction } = context
  return mapMaybePromise(
    store.getSessionAndUser(presented.stored, remember && presented.source !== 'legacy'),
    (row) => {
      // Exactly this token: a database may ignore case or trailing spaces.
      if (row?.session.sessionToken !== presented.stored) return null
      if (presented.metadata.act !== undefined) return impersonatedRow(context, presented, row)
      const learning = isInTransaction
        ? undefined
        : config.session.revocation?.refreshSessions([{ userId: row.user.id }])
      return mapMaybePromise(learning, () => toFoundRow(config, presented, row) ?? deleteEnded(context, presented))
    },
  )
}

/** Returns the row of an impersonated session. It ends with the session of its actor, which takes another query. */
async function impersonatedRow(
  context: StoreContext,
  presented: PresentedToken,
  row: StoredSession,
): Promise<FoundRow | null> {
  const { config, store, isInTransaction } = context
  const { actor } = presented
  // Without the option, nothing would restrict the session. A process that has it may still use the row.
  if (!config.impersonation) return null
  const own = actor && (await readRow(store, actor.session))
  const known = knownUsers(row.user.id, actor)
  if (!isInTransaction) await config.session.revocation?.refreshSessions([known])
  const isOver = !own || own.user.id !== actor.userId || own.session.expires.getTime() <= Date.now()
  if (isOver || config.session.revocation?.hasEnded(known)) return deleteEnded(context, presented)
  return toFoundRow(config, presented, row) ?? deleteEnded(context, presented)
}

async function deleteEnded({ config, store }: StoreContext, { stored }: PresentedToken): Promise<null> {
  try {
    await store.deleteSession(stored)
  } catch (error) {
    config.logger.error(new SessionTokenError('A session that has ended could not be deleted.', toError(error)))
  }
  return null
}

/** Returns the cached session, if `session.cacheFor` allows it. Disabled users are still checked. */
export function cachedRow(
  { config, store }: StoreContext,
  presented: readonly PresentedToken[],
): Awaitable<FoundRow | null> {
  const [only, second] = presented
  if (only === undefined || second !== undefined || only.source === 'legacy') return null
  // The session of the actor is in no cache.
  if (only.metadata.act !== undefined) return null
  const row = store.cachedSession(only.stored)
  if (!row) return null
  const learning = config.session.revocation?.refreshSessions([{ userId: row.user.id }])
  return mapMaybePromise(learning, () => toFoundRow(config, only, row, true))
}

/** Returns the row if the session is valid now and its user is not known to be disabled. */
export function toFoundRow(
  config: ResolvedConfig,
  presented: PresentedToken,
  row: StoredSession,
  isCached = false,
): FoundRow | null {
  const { token, stored, source, metadata, actor } = presented
  const userId = row.user.id
  if (config.session.revocation?.hasEnded({ userId })) return null
  const now = Date.now()
  const expires = Math.min(row.session.expires.getTime(), sessionExpiry(config, now, rowLifespan({ metadata, source })))
  return expires > now ? { token, stored, source, row, userId, isCached, metadata, actor, expires } : null
}

/**
 * Checks whether the row is written again: `updateAge` after the last time, or when its end is later than the
 * configuration now allows. At the absolute end it is not extended.
 */
export function needsExtension(config: ResolvedConfig, found: FoundRow): boolean {
  const { row, source } = found
  if (source === 'legacy') return true
  const expires = row.session.expires.getTime()
  const lifespan = rowLifespan(found)
  const end = absoluteExpiry(config, lifespan)
  const writtenAt = expires - idleMaxAge(config, lifespan) * 1000
  if (Math.max(expires - end, writtenAt - Date.now()) > precision) return true
  return expires < end && isExtensionDue(config, writtenAt)
}

/** The milliseconds by which a database may round a time up. */
const precision = 1000

/**
 * Returns the data that limits the session's lifetime. An old token has no start: with an absolute end, it ends at
 * once. One stored in the clear starts again with a hashed token.
 */
export function rowLifespan({ metadata, source }: Pick<FoundRow, 'metadata' | 'source'>): SessionLifetime {
  const { startedAt = 0, end, remembered } = metadata
  return { startedAt: source === 'legacy' ? nowInSeconds() : startedAt, end, remembered }
}

/** Returns the users of a session, either of whom may be disabled. */
export function knownUsers(userId: string, actor: Actor | undefined): KnownSession {
  return { userId, ...(actor && { actor: { userId: actor.userId } }) }
}

/** Returns the proofs of a session. One stored in the clear was started by another library, so it has none. */
export function rowProofs({ metadata }: Pick<FoundRow, 'metadata'>): readonly Proof[] {
  if (metadata.proofs !== undefined) return readProofs(metadata.proofs)
  return proofsOfPreviousVersion({ ...metadata, at: metadata.startedAt })
}
