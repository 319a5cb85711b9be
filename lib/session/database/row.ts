/** The row of a session: how a cookie leads to it, when it ends, and when it is extended. */

import type { CookiePolicy, ResolvedConfig, Store } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import {
  type HashedToken,
  hashSessionToken,
  type SessionToken,
  startOfToken,
  toClearToken,
  toSessionToken,
} from '../../crypto/stored-token.js'
import { SessionTokenError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import type { CookieJar } from '../../http/cookies.js'
import type { AdapterSession, AdapterUser } from '../../types/adapter.js'
import { type Choice, chooseSession } from '../browser.js'

/** Where sessions are looked for. */
export interface Places {
  readonly config: ResolvedConfig
  readonly store: Store
  readonly jar: CookieJar
  readonly policy: CookiePolicy
}

/** What a browser holds, and what would be stored of it. */
export interface HeldToken {
  readonly token: SessionToken
  readonly stored: HashedToken
  /** `legacy`: stored as it is in the cookie. */
  readonly source: 'cookie' | 'legacy'
}

/** A session that is valid now. */
export interface FoundRow extends HeldToken {
  readonly row: { readonly session: AdapterSession; readonly user: AdapterUser }
  /** Seconds since the epoch, where an absolute end is configured. */
  readonly startedAt: number
  /** When it ends if nothing extends it. */
  readonly expires: Date
}

/** The tokens that a request carries. */
export function heldTokens({ config, jar, policy }: Places): HeldToken[] {
  const own = readTokens(jar, policy.sessionToken.name).map(
    (token): HeldToken => ({ token, stored: hashSessionToken(token), source: 'cookie' }),
  )
  const { legacy } = config.session
  if (!legacy || legacy.until <= Date.now()) return own
  const clear = readTokens(jar, legacy.cookieName).flatMap((token): HeldToken[] => {
    const stored = toClearToken(token)
    return stored === undefined ? [] : [{ token, stored, source: 'legacy' }]
  })
  return [...own, ...clear]
}

/** The session that counts, of those that are valid now; ours before those that are stored in the clear. */
export async function findRow(places: Places): Promise<Choice<FoundRow>> {
  const held = heldTokens(places)
  for (const source of ['cookie', 'legacy'] as const) {
    const rows: FoundRow[] = []
    for (const each of held) if (each.source === source) rows.push(...(await validRows(places, each)))
    if (rows.length > 0) return chooseSession(placeOf(places), rows, ({ stored }) => stored)
  }
  return { found: null, isUnsure: false }
}

/** The session of a token, if it is valid now. One that has ended is deleted on sight. */
async function validRows({ config, store }: Places, held: HeldToken): Promise<FoundRow[]> {
  const row = await store.getSessionAndUser(held.stored)
  // Exactly this token: a database may take another case, or a space at the end, for the same.
  if (row?.session.sessionToken !== held.stored) return []
  const startedAt = startOf(config, held)
  const expires = endOf(config, row.session, startedAt)
  if (expires.getTime() > Date.now()) return [{ ...held, row, startedAt, expires }]
  await store.deleteSession(held.stored).catch((error: unknown) => {
    config.logger.error(new SessionTokenError('A session that has ended could not be deleted.', toError(error)))
  })
  return []
}

/** Where the browser of a request is known. */
export function placeOf({ config, jar, policy }: Places) {
  return { config, cookies: jar, cookiePolicy: policy }
}

/** When a session that is extended now will end. */
export function renewedExpiry({ session }: ResolvedConfig, startedAt: number): Date {
  const byAge = Date.now() + session.maxAge * 1000
  return new Date(Math.min(byAge, absoluteEnd(session, startedAt)))
}

/**
 * Whether the row is written again: `updateAge` after the last time, or when it says more than the configuration by now.
 * At the absolute end there is nothing to extend.
 */
export function isDue({ session: options }: ResolvedConfig, { row, source, startedAt }: FoundRow): boolean {
  if (source === 'legacy') return true
  const expires = row.session.expires.getTime()
  const end = absoluteEnd(options, startedAt)
  const writtenAt = expires - options.maxAge * 1000
  if (Math.max(expires - end, writtenAt - Date.now()) > precision) return true
  return expires < end && writtenAt + options.updateAge * 1000 <= Date.now()
}

/** Milliseconds by which a database may round a time up. */
const precision = 1000

function endOf(config: ResolvedConfig, { expires }: AdapterSession, startedAt: number): Date {
  return new Date(Math.min(expires.getTime(), renewedExpiry(config, startedAt).getTime()))
}

function absoluteEnd({ absoluteMaxAge }: ResolvedConfig['session'], startedAt: number): number {
  return absoluteMaxAge === undefined ? Number.POSITIVE_INFINITY : (startedAt + absoluteMaxAge) * 1000
}

/** A session of before an absolute end was configured does not say when it began: as far as we know, at the beginning of time. */
function startOf({ session }: ResolvedConfig, { token, source }: HeldToken): number {
  if (session.absoluteMaxAge === undefined) return 0
  return source === 'legacy' ? Math.floor(Date.now() / 1000) : (startOfToken(token) ?? 0)
}

function readTokens(jar: CookieJar, name: string): SessionToken[] {
  return readChunked(jar.received, name).flatMap((value) => toSessionToken(value) ?? [])
}

/** What tells a stored session from others, and tells nobody its token (`SessionOwner.key`). */
export function storedSessionKey(stored: string): string {
  return shortHash(`database ${stored}`)
}
