/** The row of a session: how a cookie leads to it, and when it is written again. */
import { after, isPromiseLike } from '../../base/after.js'
import type { CookieContext, Lifespan, ResolvedConfig, Store, StoredSession } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
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
import { absoluteEnd, endOf, idleAge, isDue } from '../lifetime.js'

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
  /** How it began; of a session in the clear nothing is known. */
  readonly facts: Partial<TokenFacts>
  /** When it ends if nothing extends it, in milliseconds since the epoch. */
  readonly expires: number
}

/** The tokens that a request carries. */
export function heldTokens({ config, cookies, cookiePolicy }: CookieContext): HeldToken[] {
  const held: HeldToken[] = []
  for (const value of readChunked(cookies.received, cookiePolicy.sessionToken.name)) {
    const token = toSessionToken(value)
    if (token !== undefined) held.push({ token, stored: hashSessionToken(token), source: 'cookie' })
  }
  const { legacy } = config.session
  if (!legacy || legacy.until <= Date.now()) return held
  for (const value of readChunked(cookies.received, legacy.cookieName)) {
    const token = toSessionToken(value)
    if (token === undefined) continue
    const stored = toClearToken(token)
    if (stored !== undefined) held.push({ token, stored, source: 'legacy' })
  }
  return held
}

interface FindOptions {
  readonly held?: readonly HeldToken[]
  /** For {@link recallRow}. */
  readonly remember?: boolean
}

/** The session that counts, of those that are valid now; ours before those that are stored in the clear. */
export function findRow(
  context: StoreContext,
  { held = heldTokens(context), remember = false }: FindOptions = {},
): Awaitable<Choice<FoundRow>> {
  const [only] = held
  if (only === undefined) return { found: null, isUnsure: false }
  // As with most requests.
  if (held.length === 1) return after(validRow(context, only, remember), (found) => ({ found, isUnsure: false }))
  return chooseRow(context, held)
}

async function chooseRow(context: StoreContext, held: readonly HeldToken[]): Promise<Choice<FoundRow>> {
  for (const source of ['cookie', 'legacy'] as const) {
    const rows: FoundRow[] = []
    for (const each of held) {
      const row = each.source === source ? await validRow(context, each) : null
      if (row) rows.push(row)
    }
    if (rows.length > 0) return chooseSession(context, rows, ({ stored }) => stored)
  }
  return { found: null, isUnsure: false }
}

/** The session of a token, if it is valid now. One that has ended is deleted on sight. */
function validRow(context: StoreContext, held: HeldToken, remember = false): Awaitable<FoundRow | null> {
  const { config, store, isInside } = context
  return after(store.getSessionAndUser(held.stored, remember && held.source === 'cookie'), (row) => {
    // Exactly this token: a database may take another case, or a space at the end, for the same.
    if (row?.session.sessionToken !== held.stored) return null
    const learning = isInside ? undefined : config.session.revocation?.learn([{ userId: row.user.id }])
    return isPromiseLike(learning) ? learning.then(() => judge(context, held, row)) : judge(context, held, row)
  })
}

function judge({ config, store }: StoreContext, held: HeldToken, row: FoundRow['row']): Awaitable<FoundRow | null> {
  const found = asFound(config, held, row)
  if (found) return found
  return store.deleteSession(held.stored).then(
    () => null,
    (error: unknown) => {
      config.logger.error(new SessionTokenError('A session that has ended could not be deleted.', toError(error)))
      return null
    },
  )
}

/** The session as it was read a moment ago, where `session.cacheFor` allows that. Who is disabled is asked all the same. */
export function recallRow({ config, store }: StoreContext, held: readonly HeldToken[]): Awaitable<FoundRow | null> {
  const [only, second] = held
  if (only === undefined || second !== undefined || only.source === 'legacy') return null
  const row = store.remembered(only.stored)
  if (!row) return null
  return after(config.session.revocation?.learn([{ userId: row.user.id }]), () => asFound(config, only, row))
}

/** The row, if the session is valid now, and its user not known to be disabled. */
function asFound(config: ResolvedConfig, { token, stored, source }: HeldToken, row: FoundRow['row']): FoundRow | null {
  if (config.session.revocation?.hasEnded({ userId: row.user.id })) return null
  const now = Date.now()
  const facts = (source === 'cookie' ? factsOfToken(token) : undefined) ?? {}
  const expires = Math.min(row.session.expires.getTime(), endOf(config, now, lifespanOf({ facts, source })))
  return expires > now ? { token, stored, source, row, facts, expires } : null
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
  return { startedAt: source === 'legacy' ? Math.floor(Date.now() / 1000) : startedAt, end, remembered }
}

/** The proofs of a session. One that is stored in the clear was begun by another library: nothing is known of its proofs. */
export function proofsOf({ facts }: Pick<FoundRow, 'facts'>): readonly Proof[] {
  if (facts.proofs !== undefined) return readProofs(facts.proofs)
  return proofsBefore({ ...facts, at: facts.startedAt })
}

/** What tells a stored session from others, and tells nobody its token (`SessionOwner.key`). */
export function storedSessionKey(stored: string): string {
  return shortHash(`database ${stored}`)
}
