/**
 * The table of the claims that the engine itself writes into a session token. Callbacks see these claims and cannot change them: an
 * application whose `jwt` callback merges client input would otherwise let anybody become somebody else.
 */
import { isRecord } from '../../base/guards.js'
import { copyOfJson } from '../../base/json.js'
import type { Beginning, Lifespan, SessionValues, SignedIn, StepUp, TokenHolder } from '../../contracts/index.js'
import { isAccountUuid } from '../../crypto/account-id.js'
import { randomText } from '../../crypto/random.js'
import {
  authenticationOf as derive,
  meets,
  type Proof,
  proofsBefore,
  readProofs,
  withProof,
  writeProofs,
} from '../../principal/index.js'
import type { Authentication } from '../../types/config.js'
import type { JWT } from '../../types/jwt.js'
import { foreignName, isSessionName, sessionIdOf } from '../browser.js'
import { nowInSeconds, ownEnd } from '../session-cookie.js'

/** Claims that no callback can write. */
export interface EngineClaims {
  /** Names the session: random at each sign-in, the same in every token that renews it. */
  readonly sid: string
  /** Seconds since the epoch at which the user signed in. A step-up does not change it. */
  readonly auth_began: number
  /** The proofs of the session, as text (`principal/proofs`). The next three claims are derived from it, for callbacks. */
  readonly auth_proofs: string
  /** The time of the latest proof, in seconds since the epoch (OpenID Connect Core §2). Absent where it is not known. */
  readonly auth_time?: number | undefined
  /** The methods that were proved here, or by a provider that is trusted for it (RFC 8176). */
  readonly amr?: readonly string[] | undefined
  /** Present where two factors were proved, or one that counts for two. */
  readonly auth_aal?: 2 | undefined
  /** The stored user, and the type of the account that signed in. Absent where no user is stored. */
  readonly auth_owner?: { readonly id: string; readonly type: string }
  /** When the session ends at the latest, in seconds since the epoch, where that was said as it began. */
  readonly auth_end?: number
  /** Whether the person wants to be kept signed in. Absent where nobody was asked. */
  readonly auth_remember?: boolean
  /** The names of person and session at the provider, where it may end this one. */
  readonly auth_op?: { readonly subject: string; readonly session?: string; readonly byFrame?: boolean }
  /**
   * By what an end of all sessions of a user finds this one, where the other claims do not say it: of few sessions, with
   * `session.revocation`. `user`: whose it is where no user is stored, as `sub` said at the sign-in. `from`: when it began, in seconds
   * since the epoch, where ends in the same second put that after `auth_time`.
   */
  readonly auth_epoch?: { readonly user?: string; readonly from?: number }
  /** The name under which second factors and provider tokens of the user are kept, where no user is stored (`features/factors/store`). */
  readonly auth_subject?: string
  /** The same in a session from before users without a stored record had names of their own: their id. Not written any more. */
  readonly auth_tokens?: string
  /** What the application's code put there, where `session.data` is on. Absent where that is nothing. */
  readonly auth_data?: SessionValues
}

/* ---- the table of claims -------------------------------------------------------------------------------------- */

/**
 * A new fact of a session is one row. It returns the value as the engine wrote it, as a copy where callbacks could change it;
 * `undefined` for anything else.
 */
const readers: { readonly [Name in keyof EngineClaims]-?: (value: unknown) => EngineClaims[Name] | undefined } = {
  sid: text,
  auth_began: number,
  auth_proofs: text,
  auth_time: number,
  amr: (value) => (Array.isArray(value) ? [...value] : undefined),
  auth_aal: (value) => (value === 2 ? value : undefined),
  auth_owner: (value) => (isOwner(value) ? { id: value.id, type: value.type } : undefined),
  auth_end: number,
  auth_remember: (value) => (typeof value === 'boolean' ? value : undefined),
  auth_op: (value) => (isLink(value) ? namesOf(value) : undefined),
  auth_epoch: (value) => (isRecord(value) ? epochOf(value) : undefined),
  auth_subject: text,
  auth_tokens: text,
  auth_data: (value) => (isRecord(value) ? copyOfJson(value) : undefined),
}

const table = (Object.keys(readers) as Array<keyof EngineClaims>).map((name) => ({ name, read: readers[name] }))

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Reads the claims of a token of ours. @param withData Whether `session.data` is on. Data from the time when it was is dropped otherwise. */
export function takeClaims(token: JWT, withData: boolean): Partial<EngineClaims> {
  const claims: { -readonly [Name in keyof EngineClaims]?: unknown } = {}
  for (const { name, read } of table) {
    const value = withData || name !== 'auth_data' ? read(token[name]) : undefined
    if (value !== undefined) claims[name] = value
  }
  return claims as Partial<EngineClaims>
}

/** The token with these claims, whatever a callback made of them; itself where it has them. Of the claims it holds copies. */
export function pinClaims(token: JWT, claims: EngineClaims): JWT & EngineClaims {
  if (hasClaims(token, claims)) return token
  const own: Record<string, unknown> = withoutClaims(token)
  for (const { name, read } of table) {
    const value = read(claims[name])
    if (value !== undefined) own[name] = value
  }
  return own as JWT & EngineClaims
}

function hasClaims(token: JWT, claims: EngineClaims): token is JWT & EngineClaims {
  for (const { name } of table) if (!hasClaim(name, token[name], claims[name])) return false
  return true
}

/** Whether a value is a claim already. Callbacks must not get the list or object of the claim itself: most of these are copied each time. */
function hasClaim(name: keyof EngineClaims, value: unknown, claim: unknown): boolean {
  if (typeof claim !== 'object') return value === claim
  if (value === claim) return false
  if (name === 'auth_owner')
    return isOwner(value) && isOwner(claim) && value.id === claim.id && value.type === claim.type
  return Array.isArray(value) && Array.isArray(claim) && isSameList(value, claim)
}

/** A function of its own: a closure above would take memory for each claim. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

/** Returns the claims of others than the engine, as a copy. */
export function withoutClaims(token: JWT): JWT {
  const own: JWT = { ...token }
  for (const { name } of table) delete own[name]
  return own
}

function isOwner(value: unknown): value is NonNullable<EngineClaims['auth_owner']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.type === 'string'
}

function isLink(value: unknown): value is NonNullable<EngineClaims['auth_op']> {
  if (!isRecord(value) || typeof value.subject !== 'string') return false
  return value.session === undefined || typeof value.session === 'string'
}

/** Returns the parts that belong to this claim, as a copy. */
export function epochOf({ user, from }: Readonly<Record<string, unknown>>): NonNullable<EngineClaims['auth_epoch']> {
  return { ...(typeof user === 'string' && { user }), ...(typeof from === 'number' && { from }) }
}

/** Returns the names of user and session at a provider, as a copy. */
export function namesOf(link: NonNullable<EngineClaims['auth_op']>): NonNullable<EngineClaims['auth_op']> {
  const { subject, session, byFrame } = link
  return { subject, ...(session !== undefined && { session }), ...(byFrame === true && { byFrame }) }
}

/* ---- engine claims ----------------------------------------------------------------------------------------------- */

// What the engine says in a session token: which session it is, when it began, whose it is, and what was proved in it.

/* ---- a session that begins, goes on, or gets another proof ---------------------------------------------------- */

/** When a session began, as ends of all sessions count. */
export function countedStart({ auth_began: began, auth_epoch: epoch }: EngineClaims): number {
  return Math.max(began, epoch?.from ?? 0)
}

/** The claims of a session that begins now. @param now Seconds since the epoch, where another clock than ours says it. */
export function newClaims(signedIn: SignedIn, began: Beginning, now = nowInSeconds()): EngineClaims {
  const { proofs, startedAt, maxAge, remembered, data = {} } = began
  const owner = ownerOf(signedIn)
  const link = signedIn.providerLink
  return {
    sid: randomText(16),
    auth_began: startedAt ?? now,
    ...proofClaims(proofs),
    // By our own clock, which is asked when it ends.
    ...(maxAge !== undefined && { auth_end: ownEnd(nowInSeconds(), maxAge) }),
    ...(remembered !== undefined && { auth_remember: remembered }),
    ...(owner && { auth_owner: owner }),
    ...(link && { auth_op: namesOf(link) }),
    ...(!owner && signedIn.tokensOf !== undefined && { auth_subject: signedIn.tokensOf }),
    ...dataClaim(data),
  }
}

/** The proofs, and the claims that are derived from them. */
function proofClaims(proofs: readonly Proof[]) {
  const { auth_time, amr } = derive(proofs)
  return {
    auth_proofs: writeProofs(proofs),
    ...(auth_time !== undefined && { auth_time }),
    ...(amr && { amr }),
    ...(meets(proofs, { aal: 2 }) && { auth_aal: 2 as const }),
  }
}

/** The claim of these values: none where there are none. */
export function dataClaim(data: SessionValues): Pick<EngineClaims, 'auth_data'> {
  return Object.keys(data).length > 0 ? { auth_data: data } : {}
}

/**
 * The claims of a token that proved genuine. A token from before we wrote these claims, or of another library, names no owner, and says
 * nothing about when and how the user was authenticated. Its session's name is made of the token itself (`session-name`).
 *
 * @param text The token as it was sent.
 * @param withData Whether `session.data` is on. What was put there while it was is dropped else.
 */
export function readClaims(token: JWT, text: string, withData = false): EngineClaims {
  const { sid, jti, iat } = token
  if (!isSessionName(sid)) {
    const name = foreignName(typeof jti === 'string' ? jti : '', text)
    return { sid: name, auth_began: typeof iat === 'number' ? iat : nowInSeconds(), ...proofClaims([]) }
  }
  const claims = takeClaims(token, withData)
  return isComplete(claims) ? claims : withProofs(token, { ...claims, sid })
}

function isComplete(claims: Partial<EngineClaims>): claims is EngineClaims {
  return claims.auth_began !== undefined && claims.auth_proofs !== undefined
}

/** The claims of a token of ours from before proofs were written. */
function withProofs({ iat }: JWT, claims: Partial<EngineClaims> & Pick<EngineClaims, 'sid'>): EngineClaims {
  const { auth_time: at, amr, auth_aal: aal, ...others } = claims
  const auth_began = at ?? (typeof iat === 'number' ? iat : nowInSeconds())
  // The list of methods, though it be empty, is of sign-ins of ours. It says no provider.
  const provider = amr && ''
  return { ...others, auth_began, ...proofClaims(proofsBefore({ at, amr, aal, provider })) }
}

/** The claims of the session that takes the place of one in which more was proved: another name, and one more proof. */
export function steppedUp(claims: EngineClaims, { proof }: Pick<StepUp, 'proof'>): EngineClaims {
  const { auth_epoch: _epoch, auth_time: _time, amr: _amr, auth_aal: _aal, ...others } = claims
  return { ...others, sid: randomText(16), ...proofClaims(withProof(proofsOf(claims), proof)) }
}

/** The proofs of a session. */
export function proofsOf({ auth_proofs: proofs }: EngineClaims): readonly Proof[] {
  return readProofs(proofs)
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
export function lifespanOf({ auth_began, auth_end, auth_remember }: EngineClaims): Lifespan {
  return { startedAt: auth_began, end: auth_end, remembered: auth_remember }
}

/** The stored user. Without `isNewUser` nobody was looked for in the database, and the id is what `authorize` returned. */
function ownerOf({ user, account, isNewUser }: SignedIn): EngineClaims['auth_owner'] {
  return isNewUser === undefined || user.id === undefined ? undefined : { id: user.id, type: account.type }
}

/** How and when the person signed in, for callbacks. */
export function authenticationOf(claims: EngineClaims): Authentication {
  const { auth_time, amr, auth_aal: aal } = claims
  // The word of a provider, which few have, is looked up in the proofs.
  if (claims.auth_proofs.includes('~')) return derive(proofsOf(claims))
  return { aal: aal ?? 1, ...(auth_time !== undefined && { auth_time }), ...(amr && { amr: [...amr] }) }
}

/** Whose provider tokens and second factors the session uses. @param isStored Whether there is an adapter. */
export function holderOf(claims: EngineClaims, isStored: boolean): TokenHolder | undefined {
  const { sid, auth_owner: owner, auth_subject: subject, auth_tokens: before } = claims
  // With an adapter this was the id that an `authorize` returned, which may be the id of a stored user. Signing in again gives it a name.
  const userId = owner?.id ?? subject ?? (!isStored && isAccountUuid(before) ? before : undefined)
  return userId === undefined ? undefined : { userId, id: sessionIdOf(sid) }
}

/** The claims with what ends of all need beside them. @param start Seconds by the store's clock. */
export function withEpoch(claims: EngineClaims, userId: string | undefined, start: number): EngineClaims {
  const user = claims.auth_owner ? undefined : userId
  const auth_epoch = epochOf({ user, from: start > claims.auth_began ? start : undefined })
  return Object.keys(auth_epoch).length > 0 ? { ...claims, auth_epoch } : claims
}
