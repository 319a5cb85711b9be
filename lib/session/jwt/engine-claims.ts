/**
 * What the engine itself says in a session token: which session it is, when it began, and whose it is. Callbacks see these
 * claims and cannot change them: an application whose `jwt` callback merges what a client sends would otherwise let anybody
 * say that they are somebody else.
 */

import { isRecord } from '../../base/guards.js'
import { copyOfJson } from '../../base/json.js'
import { flat } from '../../base/memory.js'
import type { Beginning, Lifespan, Proved, SessionValues, SignedIn, TokenHolder } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import type { Authentication } from '../../types/config.js'
import type { JWT } from '../../types/jwt.js'
import { ownEnd } from '../lifetime.js'
import { sessionIdOf } from '../session-id.js'

/** Claims that no callback can write. */
export interface EngineClaims {
  /** When the person signed in, in seconds since the epoch (OpenID Connect Core §2). */
  readonly auth_time: number
  /** Names the session: random at each sign-in, the same in every token that renews it. */
  readonly sid: string
  /** By which methods (RFC 8176). Absent in sessions from before it was written. */
  readonly amr?: readonly string[]
  /** Present where two factors were proved, or one that counts for two. */
  readonly auth_aal?: 2
  /** The stored user, and the type of the account that signed in. Absent where no user is stored. */
  readonly auth_owner?: { readonly id: string; readonly type: string }
  /** When the session ends at the latest, in seconds since the epoch, where that was said as it began. */
  readonly auth_end?: number
  /** Whether the person wants to be kept signed in. Absent where nobody was asked. */
  readonly auth_remember?: boolean
  /** The names of person and session at the provider, where it may end this one. */
  readonly auth_op?: { readonly subject: string; readonly session?: string; readonly byFrame?: boolean }
  /** Of few sessions, with `session.revocation`. */
  readonly auth_epoch?: EpochClaims
  /** Whose provider tokens it uses, where no user is stored. */
  readonly auth_tokens?: string
  /** What the application's code put there, where `session.data` is on. Absent where that is nothing. */
  readonly auth_data?: SessionValues
}

/** By what an end of all sessions of a user finds this one, where the other claims do not say it. */
interface EpochClaims {
  /** Whose it is where no user is stored: what `sub` said at the sign-in. */
  readonly user?: string
  /** When it began, in seconds since the epoch, where ends in the same second put that after `auth_time`. */
  readonly from?: number
}

/** When a session began, as ends of all sessions count. */
export function countedStart({ auth_time: startedAt, auth_epoch: epoch }: EngineClaims): number {
  return Math.max(startedAt, epoch?.from ?? 0)
}

/** The claims of a session that begins now. @param startedAt Seconds since the epoch, where another clock than ours says it. */
export function newClaims(
  signedIn: SignedIn,
  { amr, aal, maxAge, remembered, data = {} }: Beginning,
  startedAt = nowInSeconds(),
): EngineClaims {
  const owner = ownerOf(signedIn)
  const link = signedIn.providerLink
  return {
    auth_time: startedAt,
    sid: randomText(16),
    amr: [...amr],
    ...(aal && { auth_aal: aal }),
    // By our own clock, which is asked when it ends.
    ...(maxAge !== undefined && { auth_end: ownEnd(nowInSeconds(), maxAge) }),
    ...(remembered !== undefined && { auth_remember: remembered }),
    ...(owner && { auth_owner: owner }),
    ...(link && { auth_op: namesOf(link) }),
    ...(!owner && signedIn.tokensOf !== undefined && { auth_tokens: signedIn.tokensOf }),
    ...dataClaim(data),
  }
}

/** The claim of these values: none where there are none. */
export function dataClaim(data: SessionValues): Pick<EngineClaims, 'auth_data'> {
  return Object.keys(data).length > 0 ? { auth_data: data } : {}
}

/**
 * The claims of a token that proved genuine. A token from before we wrote these claims names no owner; its session's name is
 * made of the token itself, so that two requests which renew it at once give the session the same name.
 *
 * @param text The token as it was sent.
 * @param withData Whether `session.data` is on. What was put there while it was is dropped else.
 */
export function readClaims(token: JWT, text: string, withData = false): EngineClaims {
  const {
    sid,
    jti,
    amr,
    auth_aal: aal,
    auth_end: end,
    auth_remember: remembered,
    auth_owner: owner,
    auth_op: link,
  } = token
  const { auth_epoch: epoch, auth_tokens: tokensOf } = token
  const isOurs = typeof sid === 'string' && /^[\w-]{22}$/.test(sid)
  return {
    auth_time: startOf(token),
    sid: isOurs ? sid : nameOf(typeof jti === 'string' ? jti : '', text),
    // Copies: the token goes to callbacks, which may write into it.
    ...(isOurs && Array.isArray(amr) && { amr: [...amr] }),
    ...(isOurs && aal === 2 && { auth_aal: aal }),
    ...(isOurs && typeof end === 'number' && { auth_end: end }),
    ...(isOurs && typeof remembered === 'boolean' && { auth_remember: remembered }),
    ...(isOurs && isOwner(owner) && { auth_owner: { id: owner.id, type: owner.type } }),
    ...(isOurs && isLink(link) && { auth_op: namesOf(link) }),
    ...(isOurs && isRecord(epoch) && { auth_epoch: epochOf(epoch) }),
    ...(isOurs && typeof tokensOf === 'string' && { auth_tokens: tokensOf }),
    ...(isOurs && withData && isRecord(token.auth_data) && { auth_data: copyOfJson(token.auth_data) }),
  }
}

/** The claims of the session that takes the place of one in which more was proved: another name, and begun now. @param startedAt As in {@link newClaims}. */
export function steppedUp(claims: EngineClaims, { amr, aal }: Proved, startedAt = nowInSeconds()): EngineClaims {
  const { auth_epoch: _epoch, ...others } = claims
  return { ...others, auth_time: startedAt, sid: randomText(16), amr: [...amr], auth_aal: aal }
}

/** The token with these claims, whatever a callback made of them; itself where it has them. Of the claims it holds copies. */
export function pinClaims(token: JWT, claims: EngineClaims): JWT & EngineClaims {
  if (hasClaims(token, claims)) return token
  const own = withoutClaims(token)
  const { auth_time, sid, amr, auth_aal, auth_end, auth_remember, auth_owner: owner, auth_op: link } = claims
  const { auth_epoch: epoch, auth_tokens, auth_data: data } = claims
  return {
    ...own,
    auth_time,
    sid,
    ...(amr && { amr: [...amr] }),
    ...(auth_aal && { auth_aal }),
    ...(auth_end !== undefined && { auth_end }),
    ...(auth_remember !== undefined && { auth_remember }),
    ...(owner && { auth_owner: { ...owner } }),
    ...(link && { auth_op: { ...link } }),
    ...(epoch && { auth_epoch: { ...epoch } }),
    ...(auth_tokens !== undefined && { auth_tokens }),
    ...(data && { auth_data: copyOfJson(data) }),
  }
}

function hasClaims(token: JWT, claims: EngineClaims): token is JWT & EngineClaims {
  const { auth_time, sid, amr, auth_owner: owner } = claims
  if (token.sid !== sid || token.auth_time !== auth_time || token.auth_aal !== claims.auth_aal) return false
  // Of few sessions: written anew each time.
  if (rare.some((name) => name in claims || name in token)) return false
  const { amr: methods, auth_owner: told } = token
  const sameMethods = amr ? Array.isArray(methods) && methods !== amr && isSameList(methods, amr) : !('amr' in token)
  if (!sameMethods) return false
  if (!owner) return !('auth_owner' in token)
  return isOwner(told) && told !== owner && told.id === owner.id && told.type === owner.type
}

const rare = [
  'auth_op',
  'auth_end',
  'auth_remember',
  'auth_epoch',
  'auth_tokens',
  'auth_data',
] as const satisfies ReadonlyArray<keyof EngineClaims>

/** The claims of others than the engine. */
function withoutClaims(token: JWT): JWT {
  const {
    auth_time: _start,
    sid: _session,
    amr: _methods,
    auth_aal: _level,
    auth_end: _end,
    auth_remember: _remember,
    auth_owner: _owner,
    auth_op: _link,
    auth_epoch: _epoch,
    auth_tokens: _tokens,
    auth_data: _data,
    ...own
  } = token
  return own
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

/** The application's own claims as JSON, without those that each token gets anew. */
export function ownClaims(token: JWT): string {
  const { iat: _iat, exp: _exp, jti: _jti, ...own } = withoutClaims(token)
  return JSON.stringify(own)
}

/** Whether two texts of {@link ownClaims} say something else. A callback may have put the same claims into another order. */
export function hasChanged(before: string, after: string): boolean {
  return before !== after && !isSameJson(JSON.parse(before), JSON.parse(after))
}

/** Whether two values of JSON say the same, in whatever order their keys are. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
}

/** What decides how long the session lives. */
export function lifespanOf({ auth_time: startedAt, auth_end: end, auth_remember: remembered }: EngineClaims): Lifespan {
  return { startedAt, end, remembered }
}

/** When the person signed in, as far as the token knows. */
export function startOf({ auth_time: authTime, iat }: JWT): number {
  if (typeof authTime === 'number') return authTime
  return typeof iat === 'number' ? iat : nowInSeconds()
}

/**
 * A name for a session that has none, in the form that {@link readClaims} takes for our own when the token has been renewed. It
 * is part of the token's id; where there is no id, the token's end, which is the tag or signature of the whole.
 */
function nameOf(jti: string, text: string): string {
  return /[\w-]{22}/.exec(jti.replaceAll('-', ''))?.[0] ?? endOfText(text)
}

/** 22 characters that tell a token from all others: the end of its tag, or of its signature. */
export function endOfText(text: string): string {
  const end = text.slice(-22).replace(/[^\w-]/g, '_')
  return flat(end.padStart(22, '_'))
}

/** Seconds since the epoch. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The stored user. Without `isNewUser` nobody was looked for in the database, and the id is what `authorize` returned. */
function ownerOf({ user, account, isNewUser }: SignedIn): EngineClaims['auth_owner'] {
  return isNewUser === undefined || user.id === undefined ? undefined : { id: user.id, type: account.type }
}

/** How and when the person signed in, for callbacks. */
export function authenticationOf({ auth_time, amr, auth_aal: aal }: EngineClaims): Authentication {
  return { auth_time, aal: aal ?? 1, ...(amr && { amr: [...amr] }) }
}

/** Whose provider tokens the session uses. */
export function holderOf({ sid, auth_owner: owner, auth_tokens: tokensOf }: EngineClaims): TokenHolder | undefined {
  const userId = owner?.id ?? tokensOf
  return userId === undefined ? undefined : { userId, id: sessionIdOf(sid) }
}

function isOwner(value: unknown): value is NonNullable<EngineClaims['auth_owner']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.type === 'string'
}

function isLink(value: unknown): value is NonNullable<EngineClaims['auth_op']> {
  if (!isRecord(value) || typeof value.subject !== 'string') return false
  return value.session === undefined || typeof value.session === 'string'
}

/** The claims with what ends of all need beside them. @param from Seconds by the store's clock. */
export function withEpoch(
  claims: EngineClaims,
  { user, from }: { user: string | undefined; from: number },
): EngineClaims {
  const auth_epoch = epochOf({
    user: claims.auth_owner ? undefined : user,
    from: from > claims.auth_time ? from : undefined,
  })
  return Object.keys(auth_epoch).length > 0 ? { ...claims, auth_epoch } : claims
}

/** What of it is one of these claims. */
function epochOf({ user, from }: Readonly<Record<string, unknown>>): EpochClaims {
  return { ...(typeof user === 'string' && { user }), ...(typeof from === 'number' && { from }) }
}

function namesOf(link: NonNullable<EngineClaims['auth_op']>): NonNullable<EngineClaims['auth_op']> {
  const { subject, session, byFrame } = link
  return { subject, ...(session !== undefined && { session }), ...(byFrame === true && { byFrame }) }
}
