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
  /** Of few sessions, with `session.revocation`. */
  readonly auth_epoch?: EpochClaims
  /** The name under which second factors and provider tokens of the user are kept, where no user is stored (`store/own-key`). */
  readonly auth_subject?: string
  /** The same in a session from before users without a stored record had names of their own: their id. Not written any more. */
  readonly auth_tokens?: string
  /** What the application's code put there, where `session.data` is on. Absent where that is nothing. */
  readonly auth_data?: SessionValues
}

/** By what an end of all sessions of a user finds this one, where the other claims do not say it. */
export interface EpochClaims {
  /** Whose it is where no user is stored: what `sub` said at the sign-in. */
  readonly user?: string
  /** When it began, in seconds since the epoch, where ends in the same second put that after `auth_time`. */
  readonly from?: number
}

/* ---- the table of claims -------------------------------------------------------------------------------------- */

/** One claim: a new fact of a session is one row of {@link table}. */
interface Claim<Name extends keyof EngineClaims> {
  readonly name: Name
  /** Returns the value as the engine wrote it, as a copy where callbacks could change it; `undefined` for anything else. */
  read(value: unknown): EngineClaims[Name] | undefined
  /** Returns the value for a token, as a copy. Absent: the value itself, which nobody can change. */
  readonly write?: (value: NonNullable<EngineClaims[Name]>) => EngineClaims[Name]
}

function claim<Name extends keyof EngineClaims>(row: Claim<Name>) {
  const { name, read, write } = row
  return {
    name,
    /** Reads the claim of a token into claims. */
    take(token: JWT, claims: { [name in keyof EngineClaims]?: unknown }): void {
      const value = read(token[name])
      if (value !== undefined) claims[name] = value
    },
    /** Writes the claim into a token. */
    put(claims: EngineClaims, token: Record<string, unknown>): void {
      const value = claims[name]
      if (value !== undefined && value !== null) token[name] = write ? write(value) : value
    },
    /** Whether a token has exactly this claim already. A copy is written anew each time. */
    isIn(token: JWT, claims: EngineClaims): boolean {
      return write === undefined || claims[name] === undefined ? token[name] === claims[name] : false
    },
  }
}

const table = [
  claim({ name: 'sid', read: text }),
  claim({ name: 'auth_began', read: number }),
  claim({ name: 'auth_proofs', read: text }),
  claim({ name: 'auth_time', read: number }),
  claim({ name: 'amr', read: (value) => (Array.isArray(value) ? [...value] : undefined), write: (amr) => [...amr] }),
  claim({ name: 'auth_aal', read: (value) => (value === 2 ? value : undefined) }),
  claim({
    name: 'auth_owner',
    read: (value) => (isOwner(value) ? { id: value.id, type: value.type } : undefined),
    write: (owner) => ({ ...owner }),
  }),
  claim({ name: 'auth_end', read: number }),
  claim({ name: 'auth_remember', read: (value) => (typeof value === 'boolean' ? value : undefined) }),
  claim({
    name: 'auth_op',
    read: (value) => (isLink(value) ? namesOf(value) : undefined),
    write: (link) => ({ ...link }),
  }),
  claim({
    name: 'auth_epoch',
    read: (value) => (isRecord(value) ? epochOf(value) : undefined),
    write: (epoch) => ({ ...epoch }),
  }),
  claim({ name: 'auth_subject', read: text }),
  claim({ name: 'auth_tokens', read: text }),
  claim({
    name: 'auth_data',
    read: (value) => (isRecord(value) ? copyOfJson(value) : undefined),
    write: (data) => copyOfJson(data),
  }),
] as const

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Reads the claims of a token of ours. @param withData Whether `session.data` is on. Data from the time when it was is dropped otherwise. */
export function takeClaims(token: JWT, withData: boolean): Partial<EngineClaims> {
  const claims: { [name in keyof EngineClaims]?: unknown } = {}
  for (const each of table) if (withData || each.name !== 'auth_data') each.take(token, claims)
  return claims as Partial<EngineClaims>
}

/** The token with these claims, whatever a callback made of them; itself where it has them. Of the claims it holds copies. */
export function pinClaims(token: JWT, claims: EngineClaims): JWT & EngineClaims {
  if (hasClaims(token, claims)) return token
  const own = withoutClaims(token)
  for (const each of table) each.put(claims, own)
  return own as JWT & EngineClaims
}

function hasClaims(token: JWT, claims: EngineClaims): token is JWT & EngineClaims {
  for (const each of table) {
    if (each.isIn(token, claims)) continue
    if (each.name === 'amr' && claims.amr && isOtherList(token.amr, claims.amr)) continue
    if (each.name === 'auth_owner' && claims.auth_owner && isOtherOwner(token.auth_owner, claims.auth_owner)) continue
    return false
  }
  return true
}

/** Whether a value says the same as a list, and is not the list itself, which callbacks must not get. */
function isOtherList(value: unknown, list: readonly string[]): boolean {
  return Array.isArray(value) && value !== list && isSameList(value, list)
}

function isOtherOwner(value: unknown, owner: NonNullable<EngineClaims['auth_owner']>): boolean {
  return isOwner(value) && value !== owner && value.id === owner.id && value.type === owner.type
}

const names = table.map(({ name }) => name)

/** Returns the claims of others than the engine, as a copy. */
export function withoutClaims(token: JWT): JWT {
  const own: JWT = { ...token }
  for (const name of names) delete own[name]
  return own
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

function isOwner(value: unknown): value is NonNullable<EngineClaims['auth_owner']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.type === 'string'
}

function isLink(value: unknown): value is NonNullable<EngineClaims['auth_op']> {
  if (!isRecord(value) || typeof value.subject !== 'string') return false
  return value.session === undefined || typeof value.session === 'string'
}

/** Returns the parts that belong to this claim, as a copy. */
export function epochOf({ user, from }: Readonly<Record<string, unknown>>): EpochClaims {
  return { ...(typeof user === 'string' && { user }), ...(typeof from === 'number' && { from }) }
}

/** Returns the names of user and session at a provider, as a copy. */
export function namesOf(link: NonNullable<EngineClaims['auth_op']>): NonNullable<EngineClaims['auth_op']> {
  const { subject, session, byFrame } = link
  return { subject, ...(session !== undefined && { session }), ...(byFrame === true && { byFrame }) }
}
