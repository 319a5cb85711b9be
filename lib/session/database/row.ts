/** The row of a session: how a cookie leads to it, and when it is written again. */
import { after } from '../../base/after.js'
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
import { absoluteEnd, endOf, idleAge, isDue, nowInSeconds } from '../session-cookie.js'

/** A browser's cookies, and where their sessions are stored. */
export interface StoreContext extends CookieContext {
  readonly store: Store
  /** Inside a transaction, where nothing but its own store is asked. */
  readonly isInside?: boolean
}

/** What a browser holds, and what would be stored of it. */
export interface HeldToken {
  readonly token: SessionToken
  /** Also tells the session from others. */
  readonly stored: HashedToken
  /** `legacy`: stored as it is in the cookie. */
  readonly source: 'cookie' | 'legacy'
}

/** A session that is valid now. */
export interface FoundRow extends HeldToken {
  readonly row: StoredSession
  /** Taken before the callback, which gets the user's own object. */
  readonly userId: string
  /** Read a moment ago ({@link recallRow}): whose it is, is asked the database. */
  readonly isRecalled: boolean
  /** How it began; of a session in the clear nothing is known. */
  readonly facts: Partial<TokenFacts>
  /** When it ends if nothing extends it, in milliseconds since the epoch. */
  readonly expires: number
}

/** The tokens that a request carries: ours before those that are stored in the clear. */
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

/** The session that counts, of those that are valid now. @param remember For {@link recallRow}. */
export function findRow(
  context: StoreContext,
  held: readonly HeldToken[] = heldTokens(context),
  remember = false,
): Awaitable<Choice<FoundRow>> {
  const [only] = held
  if (only === undefined) return { found: null, isUnsure: false }
  // As with most requests.
  if (held.length === 1) return after(validRow(context, only, remember), (found) => ({ found, isUnsure: false }))
  return chooseRow(context, held)
}

async function chooseRow(context: StoreContext, held: readonly HeldToken[]): Promise<Choice<FoundRow>> {
  const rows: FoundRow[] = []
  for (const each of held) {
    // Those in the clear are looked up only where none of ours is valid.
    if (each.source === 'legacy' && rows[0]?.source === 'cookie') break
    const row = await validRow(context, each)
    if (row) rows.push(row)
  }
  return chooseSession(context, rows, ({ stored }) => stored)
}

/** The session of a token, if it is valid now. One that has ended is deleted on sight. */
function validRow(context: StoreContext, held: HeldToken, remember = false): Awaitable<FoundRow | null> {
  const { config, store, isInside } = context
  return after(store.getSessionAndUser(held.stored, remember && held.source === 'cookie'), (row) => {
    // Exactly this token: a database may take another case, or a space at the end, for the same.
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

/** The session as it was read a moment ago, where `session.cacheFor` allows that. Who is disabled is asked all the same. */
export function recallRow({ config, store }: StoreContext, held: readonly HeldToken[]): Awaitable<FoundRow | null> {
  const [only, second] = held
  if (only === undefined || second !== undefined || only.source === 'legacy') return null
  const row = store.remembered(only.stored)
  if (!row) return null
  const learning = config.session.revocation?.learn([{ userId: row.user.id }])
  return after(learning, () => asFound(config, only, row, true))
}

/** The row, if the session is valid now, and its user not known to be disabled. */
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
 * Whether the row is written again: `updateAge` after the last time, or when it says more than the configuration by now.
 * At the absolute end there is nothing to extend.
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

/** Milliseconds by which a database may round a time up. */
const precision = 1000

/**
 * What decides how long the session lives. An old token does not say when its session began: where there is an absolute end, it
 * ends at once. One in the clear begins anew with a token of ours.
 */
export function lifespanOf({ facts, source }: Pick<FoundRow, 'facts' | 'source'>): Lifespan {
  const { startedAt = 0, end, remembered } = facts
  return { startedAt: source === 'legacy' ? nowInSeconds() : startedAt, end, remembered }
}

/** The proofs of a session. One that is stored in the clear was begun by another library: nothing is known of its proofs. */
export function proofsOf({ facts }: Pick<FoundRow, 'facts'>): readonly Proof[] {
  if (facts.proofs !== undefined) return readProofs(facts.proofs)
  return proofsBefore({ ...facts, at: facts.startedAt })
}
