/**
 * Records as adapters return them, in one shape: ids as text, times as dates. `null` and `undefined` mean that there is no
 * record; anything else that is none rejects. Taken for "there is none", it would sign people out, or make a second user.
 */

import { isRecord } from '../base/guards.js'
import type { StoredSession } from '../contracts/index.js'
import { AdapterError } from '../errors.js'
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterSessionLink,
  AdapterUser,
  VerificationToken,
} from '../types/adapter.js'

/** Reads a row of the adapter. `method` is named when it cannot be read. */
export type Reader<T> = (row: Row, method: string) => T

type Row = Record<string, unknown>

/** A record, or `null` where there is none. */
export function toRecordOrNull<T>(value: unknown, method: string, read: Reader<T>): T | null {
  if (value === null || value === undefined) return null
  if (isRecord(value)) return read(value, method)
  throw notRecord(method)
}

/** A list of records. Something else in the place of a list must not pass for an empty one: no session would be ended. */
export function toRecords<T>(values: unknown, method: string, read: Reader<T>): T[] {
  if (Array.isArray(values) && values.every(isRecord)) return values.map((value) => read(value, method))
  throw new AdapterError(`The adapter's method \`${method}\` returned no list of records.`, { method })
}

/** The user that was stored. */
export function toStoredUser(value: unknown, method: string): AdapterUser {
  const user = toRecordOrNull(value, method, toUser)
  if (user) return user
  throw new AdapterError(`The adapter's method \`${method}\` returned no user.`, { method })
}

/** A user. Further columns stay as they are. */
export function toUser(user: Row, method: string): AdapterUser {
  return {
    ...user,
    id: toId(user.id, method),
    email: toAddress(user.email, method),
    emailVerified: user.emailVerified ? toDate(user.emailVerified, method) : null,
  }
}

/** A session with its user; `null` where either is missing. */
export function toFound(found: Row, method: string): { session: AdapterSession; user: AdapterUser } | null {
  // Both are read in any case: a part that is no record rejects, whatever the other part is.
  const session = toRecordOrNull(found.session, method, (row) => row)
  const user = toRecordOrNull(found.user, method, toUser)
  return user && session && { session: toSession(session, method), user }
}

/** The same with the data of the session. */
export function toFoundWithData(found: Row, method: string): StoredSession | null {
  const both = toFound(found, method)
  if (!both) return null
  const { data = null } = found
  if (data === null || typeof data === 'string') return { ...both, data }
  throw new AdapterError(`The adapter's method \`${method}\` returned data that is no text.`, { method })
}

/** By what a session began. One that does not say which session it is of rejects: it would end none. */
export function toSessionLink({ sessionToken, subject, providerSession }: Row, method: string): AdapterSessionLink {
  if (typeof sessionToken !== 'string' || typeof subject !== 'string') throw notRecord(method)
  return { sessionToken, subject, providerSession: typeof providerSession === 'string' ? providerSession : null }
}

/** Whether this is a session: what adapters return of one that they changed is more often nothing, or a count. */
export function isSession(value: unknown): boolean {
  return isRecord(value) && typeof value.sessionToken === 'string'
}

/** The session that was deleted, where the adapter says which; it is gone in any case. */
export function toEndedSession(value: unknown): AdapterSession | null {
  try {
    return isRecord(value) ? toSession(value, 'deleteSession') : null
  } catch {
    return null
  }
}

/**
 * A passkey. Databases without a type for booleans store numbers or letters. A counter that is no number rejects: compared
 * with it, the counter of a copied passkey would pass.
 */
export function toAuthenticator(value: Row, method: string): AdapterAuthenticator {
  const { credentialID, credentialPublicKey, counter, credentialDeviceType, transports } = value
  if (typeof credentialID !== 'string' || typeof credentialPublicKey !== 'string') throw notRecord(method)
  const count = typeof counter === 'string' && counter === '' ? Number.NaN : Number(counter ?? Number.NaN)
  if (!Number.isSafeInteger(count) || count < 0) throw notRecord(method)
  const date = (time: unknown) => (time === null || time === undefined ? null : toDate(time, method))
  return {
    ...value,
    credentialID,
    credentialPublicKey,
    counter: count,
    credentialDeviceType: String(credentialDeviceType),
    credentialBackedUp: [true, 1, 1n, '1', 't', 'true'].includes(value.credentialBackedUp as never),
    transports: typeof transports === 'string' ? transports : null,
    userId: toId(value.userId, method),
    providerAccountId: toId(value.providerAccountId, method),
    name: typeof value.name === 'string' ? value.name : null,
    createdAt: date(value.createdAt),
    lastUsedAt: date(value.lastUsedAt),
  }
}

/** A verification token. */
export function toToken(row: Row, method: string): VerificationToken {
  const { identifier, token, expires } = row
  if (typeof identifier !== 'string' || typeof token !== 'string') throw notRecord(method)
  return { identifier, token, expires: toDate(expires, method) }
}

/** A session. */
export function toSession(value: Row, method: string): AdapterSession {
  const { sessionToken, userId, expires } = value
  if (typeof sessionToken !== 'string') throw notRecord(method)
  return { ...value, sessionToken, userId: toId(userId, method), expires: toDate(expires, method) }
}

/** An account. */
export function toAccount(value: Row, method: string): AdapterAccount {
  const { provider, providerAccountId, type, userId } = value
  if (typeof provider !== 'string') throw notRecord(method)
  return {
    ...value,
    provider,
    providerAccountId: toId(providerAccountId, method),
    type: type as AdapterAccount['type'],
    userId: toId(userId, method),
  }
}

/** Ids may be integers in the database. The engine compares texts. */
function toId(value: unknown, method: string): string {
  if (typeof value === 'string' && value !== '') return value
  // The driver has rounded larger integers: such an id may be that of another user.
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value)
  throw new AdapterError(`The adapter returned a record without an id (\`${method}\`).`, { method })
}

function toAddress(value: unknown, method: string): string {
  // `null` where the provider tells none.
  if (typeof value === 'string' || value === null || value === undefined) return value as string
  throw new AdapterError(`The adapter returned an address that is no text (\`${method}\`).`, { method })
}

/** An invalid date is neither past nor future: a session with one would never end. */
function toDate(value: unknown, method: string): Date {
  const isCount = typeof value === 'number' || typeof value === 'bigint'
  const date = value instanceof Date ? value : new Date(isCount ? Number(value) : String(value))
  if (!Number.isNaN(date.getTime())) return date
  throw new AdapterError(`The adapter returned a time that is none (\`${method}\`).`, { method })
}

function notRecord(method: string): AdapterError {
  return new AdapterError(`The adapter's method \`${method}\` returned no record.`, { method })
}
