/** The claims of the engine in a session token. A `jwt` callback that merges client input cannot change them. */

import { isRecord } from '../../base/guards.js'
import { copyJson } from '../../base/json.js'
import { nowInSeconds } from '../../base/time.js'
import type { SessionLifetime, SessionMetadata, SessionValues, SignInResult, StepUp } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import {
  authenticationOf as derive,
  meetsRequirement,
  type Proof,
  proofsOfPreviousVersion,
  readProofs,
  withProof,
  writeActor,
  writeProofs,
} from '../../principal/index.js'
import type { Authentication } from '../../types/config.js'
import type { JWT } from '../../types/jwt.js'
import { foreignSessionName, isSessionName } from '../browser.js'
import { ownExpiry } from '../session-cookie.js'

/** The claims that callbacks cannot write. */
export interface EngineClaims {
  /** The name of the session: random at each sign-in, the same in every token that renews it. */
  readonly sid: string
  /** Seconds since the epoch at which the user signed in. A step-up does not change it. */
  readonly auth_began: number
  /** The proofs of the session as text (`principal/proofs`). The next three claims are derived from it, for callbacks. */
  readonly auth_proofs: string
  /** The time of the latest proof, in seconds since the epoch (OpenID Connect Core §2). Absent when unknown. */
  readonly auth_time?: number | undefined
  /** The methods that were proved to this library, or to a provider trusted for them (RFC 8176). */
  readonly amr?: readonly string[] | undefined
  /** Set when two factors were proved, or one that is treated as two. */
  readonly auth_aal?: 2 | undefined
  /** The stored user, and the type of the account of the sign-in. Absent when no user is stored. */
  readonly auth_owner?: { readonly id: string; readonly type: string }
  /** The latest end of the session, in seconds since the epoch, if it was set when the session started. */
  readonly auth_end?: number
  /** True if the user chose to stay signed in. Absent when the sign-in had no such choice. */
  readonly auth_remember?: boolean
  /** The user who uses the session in place of its user, as text (`principal/actor`). Malformed text ends the session. */
  readonly auth_act?: string
  /** The user and session at the provider, if it may end this session. */
  readonly auth_op?: { readonly subject: string; readonly session?: string; readonly byFrame?: boolean }
  /**
   * Data by which an end of all sessions of a user finds this one, if the other claims do not show it. Only in few sessions with
   * `session.revocation`. `user`: the owner, by `sub` at sign-in, if no user is stored. `from`: the start in seconds since the
   * epoch, if ends in the same second put it after `auth_time`.
   */
  readonly auth_epoch?: { readonly user?: string; readonly from?: number }
  /** The id of the active organization. */
  readonly auth_org?: string | undefined
  /** The id of the app that uses the session (`apps`). */
  readonly auth_app?: string
  /** The id of the user for memberships, if no user is stored. A `jwt` callback can change `sub`, and so name another user. */
  readonly auth_member?: string
  /** The name of the user's second factors and provider tokens, if no user is stored (`features/factors/store`). */
  readonly auth_subject?: string
  /** The id of a user without a stored record, in sessions of earlier versions. No longer written. */
  readonly auth_tokens?: string
  /** The data that the application stored, with `session.data`. Absent when empty. */
  readonly auth_data?: SessionValues
  /** The id of the user, the fields of their record (`session.userFields`), and the second since the epoch of reading them. */
  readonly auth_user?: { readonly id: string; readonly at: number; readonly fields: SessionValues }
}

const readText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const readNumber = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** The readers of the claims. They return a copy of the value, or `undefined` if the engine did not write it. */
const readers: { readonly [Name in keyof EngineClaims]-?: (value: unknown) => EngineClaims[Name] | undefined } = {
  sid: readText,
  auth_began: readNumber,
  auth_proofs: readText,
  auth_time: readNumber,
  amr: (value) => (Array.isArray(value) ? [...value] : undefined),
  auth_aal: (value) => (value === 2 ? value : undefined),
  auth_owner: (value) => (isOwner(value) ? { id: value.id, type: value.type } : undefined),
  auth_end: readNumber,
  auth_remember: (value) => (typeof value === 'boolean' ? value : undefined),
  auth_act: (value) => (value === undefined ? undefined : (readText(value) ?? '')),
  auth_op: (value) => (isLink(value) ? copyProviderLink(value) : undefined),
  auth_epoch: (value) => (isRecord(value) ? copyEpoch(value) : undefined),
  auth_org: readText,
  auth_app: readText,
  auth_member: readText,
  auth_subject: readText,
  auth_tokens: readText,
  auth_data: (value) => (isRecord(value) ? copyJson(value) : undefined),
  auth_user: (value) => (isUserClaim(value) ? copyUserClaim(value) : undefined),
}

const claimTable = (Object.keys(readers) as Array<keyof EngineClaims>).map((name) => ({ name, read: readers[name] }))

/** Reads the claims of a token. Without `withData` (`session.data` is off), earlier data is dropped. */
export function readKnownClaims(token: JWT, withData: boolean): Partial<EngineClaims> {
  const claims: { -readonly [Name in keyof EngineClaims]?: unknown } = {}
  for (const { name, read } of claimTable) {
    const value = withData || name !== 'auth_data' ? read(token[name]) : undefined
    if (value !== undefined) claims[name] = value
  }
  return claims as Partial<EngineClaims>
}

/** Returns the token with these claims, as copies, whatever a callback made of them. */
export function restoreClaims(token: JWT, claims: EngineClaims): JWT & EngineClaims {
  if (hasClaims(token, claims)) return token
  const own: Record<string, unknown> = withoutClaims(token)
  for (const { name, read } of claimTable) {
    const value = read(claims[name])
    if (value !== undefined) own[name] = value
  }
  return own as JWT & EngineClaims
}

function hasClaims(token: JWT, claims: EngineClaims): token is JWT & EngineClaims {
  for (const { name } of claimTable) if (!hasClaim(name, token[name], claims[name])) return false
  return true
}

/** Checks whether a value equals a claim. Objects must be copies, so that callbacks cannot change the claim. */
function hasClaim(name: keyof EngineClaims, value: unknown, claim: unknown): boolean {
  if (typeof claim !== 'object') return value === claim
  if (value === claim) return false
  if (name === 'auth_owner')
    return isOwner(value) && isOwner(claim) && value.id === claim.id && value.type === claim.type
  return Array.isArray(value) && Array.isArray(claim) && isSameList(value, claim)
}

/** Compares two lists. A separate function, because a closure above would allocate memory for each claim. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

/** Returns a copy of the claims that are not the engine's. */
export function withoutClaims(token: JWT): JWT {
  const own: JWT = { ...token }
  for (const { name } of claimTable) delete own[name]
  return own
}

function isOwner(value: unknown): value is NonNullable<EngineClaims['auth_owner']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.type === 'string'
}

function isUserClaim(value: unknown): value is NonNullable<EngineClaims['auth_user']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.at === 'number' && isRecord(value.fields)
}

function copyUserClaim({ id, at, fields }: NonNullable<EngineClaims['auth_user']>) {
  return { id, at, fields: copyJson(fields) }
}

function isLink(value: unknown): value is NonNullable<EngineClaims['auth_op']> {
  if (!isRecord(value) || typeof value.subject !== 'string') return false
  return value.session === undefined || typeof value.session === 'string'
}

/** Returns a copy of the parts that belong to this claim. */
export function copyEpoch({ user, from }: Readonly<Record<string, unknown>>): NonNullable<EngineClaims['auth_epoch']> {
  return { ...(typeof user === 'string' && { user }), ...(typeof from === 'number' && { from }) }
}

/** Returns a copy of the user and session at a provider. */
export function copyProviderLink(link: NonNullable<EngineClaims['auth_op']>): NonNullable<EngineClaims['auth_op']> {
  const { subject, session, byFrame } = link
  return { subject, ...(session !== undefined && { session }), ...(byFrame === true && { byFrame }) }
}

/** Returns the start of a session, as compared with ends of all sessions. */
export function effectiveStart({ auth_began: began, auth_epoch: epoch }: EngineClaims): number {
  return Math.max(began, epoch?.from ?? 0)
}

/** Returns the claims of a session that starts now, or at `now` (seconds) by another clock. */
export function newClaims(signedIn: SignInResult, began: SessionMetadata, now = nowInSeconds()): EngineClaims {
  const { proofs, startedAt, end, maxAge, remembered, actor, organization, app, member, data = {} } = began
  const owner = storedOwnerOf(signedIn)
  const link = signedIn.providerLink
  return {
    sid: randomText(16),
    auth_began: startedAt ?? now,
    ...proofClaims(proofs),
    ...(end !== undefined && { auth_end: end }),
    // By this process's clock, which is also used when it ends.
    ...(maxAge !== undefined && { auth_end: ownExpiry(nowInSeconds(), maxAge) }),
    ...(remembered !== undefined && { auth_remember: remembered }),
    ...(owner && { auth_owner: owner }),
    ...(actor && { auth_act: writeActor(actor) }),
    ...(link && { auth_op: copyProviderLink(link) }),
    ...(organization !== undefined && { auth_org: organization }),
    ...(app !== undefined && { auth_app: app }),
    ...(!owner && member !== undefined && { auth_member: member }),
    ...(!owner && signedIn.tokenOwner !== undefined && { auth_subject: signedIn.tokenOwner }),
    ...dataClaim(data),
  }
}

/** Returns the proofs, and the claims that are derived from them. */
function proofClaims(proofs: readonly Proof[]) {
  const { auth_time, amr } = derive(proofs)
  return {
    auth_proofs: writeProofs(proofs),
    ...(auth_time !== undefined && { auth_time }),
    ...(amr && { amr }),
    ...(meetsRequirement(proofs, { aal: 2 }) && { auth_aal: 2 as const }),
  }
}

/** Returns the claim of these values; no claim when there are none. */
export function dataClaim(data: SessionValues): Pick<EngineClaims, 'auth_data'> {
  return Object.keys(data).length > 0 ? { auth_data: data } : {}
}

/**
 * Returns the claims of a genuine token.
 *
 * A token from before these claims existed, or of another library, has no owner and no proofs. The name of its session is derived
 * from the token.
 *
 * @param nonEmptyText The token as it was sent.
 * @param withData Whether `session.data` is on. Otherwise earlier data is dropped.
 */
export function readClaims(token: JWT, text: string, withData = false): EngineClaims {
  const { sid, jti, iat } = token
  if (!isSessionName(sid)) {
    const name = foreignSessionName(typeof jti === 'string' ? jti : '', text)
    return { sid: name, auth_began: typeof iat === 'number' ? iat : nowInSeconds(), ...proofClaims([]) }
  }
  const claims = readKnownClaims(token, withData)
  return isComplete(claims) ? claims : withPreviousProofs(token, { ...claims, sid })
}

function isComplete(claims: Partial<EngineClaims>): claims is EngineClaims {
  return claims.auth_began !== undefined && claims.auth_proofs !== undefined
}

/** Returns the claims of a token of an earlier version, which has no proofs. */
function withPreviousProofs({ iat }: JWT, claims: Partial<EngineClaims> & Pick<EngineClaims, 'sid'>): EngineClaims {
  const { auth_time: at, amr, auth_aal: aal, ...others } = claims
  const auth_began = at ?? (typeof iat === 'number' ? iat : nowInSeconds())
  // A list of methods, even an empty one, shows that this library signed the user in. The provider is unknown.
  const provider = amr && ''
  return { ...others, auth_began, ...proofClaims(proofsOfPreviousVersion({ at, amr, aal, provider })) }
}

/** Returns the claims of the session that replaces one: another name, and one more proof or another organization. */
export function stepUpClaims(claims: EngineClaims, { proof, organization }: Omit<StepUp, 'sid'>): EngineClaims {
  const { auth_epoch: _epoch, auth_time: _time, amr: _amr, auth_aal: _aal, ...others } = claims
  const proofs = claimProofs(claims)
  return {
    ...others,
    sid: randomText(16),
    ...proofClaims(proof ? withProof(proofs, proof) : proofs),
    ...(organization !== undefined && { auth_org: organization ?? undefined }),
  }
}

export function claimProofs({ auth_proofs: proofs }: EngineClaims): readonly Proof[] {
  return readProofs(proofs)
}

/** Returns the data that limits the session's lifetime. */
export function claimsLifespan({ auth_began, auth_end, auth_remember }: EngineClaims): SessionLifetime {
  return { startedAt: auth_began, end: auth_end, remembered: auth_remember }
}

/** Returns the stored user. Without `isNewUser` no user was looked up, and the id is that of `authorize`. */
function storedOwnerOf({ user, account, isNewUser }: SignInResult): EngineClaims['auth_owner'] {
  return isNewUser === undefined || user.id === undefined ? undefined : { id: user.id, type: account.type }
}

/** Returns the time and methods of the sign-in, for callbacks. */
export function authenticationFromClaims(claims: EngineClaims): Authentication {
  const { auth_time, amr, auth_aal: aal } = claims
  // The methods that a provider reports are rare, so only then the proofs are read.
  if (claims.auth_proofs.includes('~')) return derive(claimProofs(claims))
  return { aal: aal ?? 1, ...(auth_time !== undefined && { auth_time }), ...(amr && { amr: [...amr] }) }
}

/** Adds the data that an end of all sessions needs. `start` is in seconds by the store's clock. */
export function withEpoch(claims: EngineClaims, userId: string | undefined, start: number): EngineClaims {
  const user = claims.auth_owner ? undefined : userId
  const auth_epoch = copyEpoch({ user, from: start > claims.auth_began ? start : undefined })
  return Object.keys(auth_epoch).length > 0 ? { ...claims, auth_epoch } : claims
}

/** Returns the owner: by the engine's claim, or by `sub` in sessions of earlier versions. */
export function tokenUserOf({ sub }: JWT, { auth_owner: owner, auth_epoch: epoch }: EngineClaims): string | undefined {
  return owner?.id ?? epoch?.user ?? (typeof sub === 'string' ? sub : undefined)
}
