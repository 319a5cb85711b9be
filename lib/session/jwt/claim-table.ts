/**
 * The table of the claims that the engine itself writes into a session token. Callbacks see these claims and cannot change them: an
 * application whose `jwt` callback merges client input would otherwise let anybody become somebody else.
 */
import { isRecord } from '../../base/guards.js'
import { copyOfJson } from '../../base/json.js'
import type { SessionValues } from '../../contracts/index.js'
import type { JWT } from '../../types/jwt.js'

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
  /** The name under which second factors and provider tokens of the user are kept, where no user is stored (`store/own-key`). */
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
