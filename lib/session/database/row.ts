/** Finds the row of a session by its cookie, and decides when the row is written again. */

import { after } from '../../base/after.js'
import { nowInSeconds } from '../../base/recent.js'
import type { CookieContext, Lifespan, ResolvedConfig, Store, StoredSession } from '../../contracts/index.js'
import {
  factsOfToken,
  type HashedToken,
  hashSessionToken,
  type SessionToken,
  type TokenFacts,
  toClearToken,
  toSessionToken,
} from '../../crypto/stored-token.js'
import { SessionTokenError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import { type Proof, proofsBefore, readProofs } from '../../principal/index.js'
import type { Awaitable } from '../../types/identity.js'
import { type Choice, chooseSession } from '../browser.js'
import { absoluteEnd, endOf, idleAge, isDue } from '../session-cookie.js'

/** A browser's cookies, and the store of their sessions. */
export interface StoreContext extends CookieContext {
  readonly store: Store
  /** Whether it runs inside a transaction, where only the transaction's store may be queried. */
  readonly isInside?: boolean
}

/** A token that the request sent, and its stored form. */
export interface HeldToken {
  readonly token: SessionToken
  /** The stored form. It also identifies the session. */
  readonly stored: HashedToken
  /** `legacy`: stored unchanged, as in the cookie. */
  readonly source: 'cookie' | 'legacy'
}

/** A session that is valid now. */
export interface FoundRow extends HeldToken {
  readonly row: StoredSession
  /** The user's id, read before the callback, which gets the user object itself. */
  readonly userId: string
  /** Whether it comes from the cache ({@link recallRow}). Its owner is then read from the database. */
  readonly isRecalled: boolean
  /** The sign-in metadata. Empty for a session stored in the clear. */
  readonly facts: Partial<TokenFacts>
  /** The end unless the session is extended, in milliseconds since the epoch. */
  readonly expires: number
}

/** Returns the tokens of a request: hashed ones before those that are stored in the clear. */
export function heldTokens({ config, cookies, cookiePolicy }: CookieContext): HeldToken[] {
  const held: HeldToken[] = []
  const { legacy } = config.session
  for (const value of readChunked(cookies.received, cookiePolicy.sessionToken.name)) {
    const token = toSessionToken(value)
    if (token !== undefined) held.push({ token, stored: hashSessionToken(token), source: 'cookie' })
  }
  if (!legacy || legacy.until <= Date.now()) return held
  for (const value of readChunked(cookies.received, legacy.cookieName)) {
    const token = toSessionToken(value)
    const stored = token && toClearToken(token)
    if (token !== undefined && stored !== undefined) held.push({ token, stored, source: 'legacy' })
  }
  return held
}

/**
 * Finds the session that is used, of those that are valid now.
 *
 * @param remember Whether to cache it for {@link recallRow}.
 */
export function findRow(
  context: StoreContext,
  held: readonly HeldToken[] = heldTokens(context),
  remember = false,
): Awaitable<Choice<FoundRow>> {
  const [only] = held
  if (only === undefined) return { found: null, isUnsure: false }
  // Most requests have one token.
  if (held.length === 1) return after(validRow(context, only, remember), (found) => ({ found, isUnsure: false }))
  return chooseRow(context, held)
}

async function chooseRow(context: StoreContext, held: readonly HeldToken[]): Promise<Choice<FoundRow>> {
  const rows: FoundRow[] = []
  for (const each of held) {
    // Tokens stored in the clear are looked up only when no hashed one is valid.
    if (each.source === 'legacy' && rows[0]?.source === 'cookie') break
    const row = await validRow(context, each)
    if (row) rows.push(row)
  }
  return chooseSession(context, rows, ({ stored }) => stored)
}

/** Returns the session of a token if it is valid now. Deletes an expired one. */
function validRow(context: StoreContext, held: HeldToken, remember = false): Awaitable<FoundRow | null> {
  const { config, store, isInside } = context
  return after(store.getSessionAndUser(held.stored, remember && held.source === 'cookie'), (row) => {
    // Exactly this token: a database may ignore case or trailing spaces.
    if (row?.session.sessionToken !== held.stored) return null
    const learning = isInside ? undefined : config.session.revocation?.learn([{ userId: row.user.id }])
    return after(learning, () => asFound(config, held, row) ?? deleteEnded(context, held))
  })
}

async function deleteEnded({ config, store }: StoreContext, { stored }: HeldToken): Promise<null> {
  try {
    await store.deleteSession(stored)
  } catch (error) {
    config.logger.error(new SessionTokenError('A session that has ended could not be deleted.', toError(error)))
  }
  return null
}

/** Returns the cached session, if `session.cacheFor` allows it. Disabled users are still checked. */
export function recallRow({ config, store }: StoreContext, held: readonly HeldToken[]): Awaitable<FoundRow | null> {
  const [only, second] = held
  if (only === undefined || second !== undefined || only.source === 'legacy') return null
  const row = store.remembered(only.stored)
  if (!row) return null
  const learning = config.session.revocation?.learn([{ userId: row.user.id }])
  return after(learning, () => asFound(config, only, row, true))
}

/** Returns the row if the session is valid now and its user is not known to be disabled. */
function asFound(config: ResolvedConfig, held: HeldToken, row: StoredSession, isRecalled = false): FoundRow | null {
  const { token, source } = held
  const userId = row.user.id
  if (config.session.revocation?.hasEnded({ userId })) return null
  const now = Date.now()
  const facts = (source === 'cookie' ? factsOfToken(token) : undefined) ?? {}
  const expires = Math.min(row.session.expires.getTime(), endOf(config, now, lifespanOf({ facts, source })))
  return expires > now ? { ...held, row, userId, isRecalled, facts, expires } : null
}

/**
 * Checks whether the row is written again: `updateAge` after the last time, or when its end is later than the
 * configuration now allows. At the absolute end it is not extended.
 */
export function isToExtend(config: ResolvedConfig, found: FoundRow): boolean {
  const { row, source } = found
  if (source === 'legacy') return true
  const expires = row.session.expires.getTime()
  const lifespan = lifespanOf(found)
  const end = absoluteEnd(config, lifespan)
  const writtenAt = expires - idleAge(config, lifespan) * 1000
  if (Math.max(expires - end, writtenAt - Date.now()) > precision) return true
  return expires < end && isDue(config, writtenAt)
}

/** The milliseconds by which a database may round a time up. */
const precision = 1000

/**
 * Returns the data that limits the session's lifetime. An old token has no start: with an absolute end, it ends at
 * once. One stored in the clear starts again with a hashed token.
 */
export function lifespanOf({ facts, source }: Pick<FoundRow, 'facts' | 'source'>): Lifespan {
  const { startedAt = 0, end, remembered } = facts
  return { startedAt: source === 'legacy' ? nowInSeconds() : startedAt, end, remembered }
}

/** Returns the proofs of a session. One stored in the clear was started by another library, so it has none. */
export function proofsOf({ facts }: Pick<FoundRow, 'facts'>): readonly Proof[] {
  if (facts.proofs !== undefined) return readProofs(facts.proofs)
  return proofsBefore({ ...facts, at: facts.startedAt })
}
