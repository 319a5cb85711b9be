/**
 * Normalises records of adapters: ids as text, times as dates. `null` and `undefined` mean that there is no record; any
 * other value that is not a record throws. Treated as "no record", it would sign users out or create a second user.
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

/** Reads a row of the adapter. Errors name the `method`. */
export type RecordReader<T> = (row: RawRecord, method: string) => T

type RawRecord = Record<string, unknown>

/** Reads a record, or returns `null` when there is none. */
export function toRecordOrNull<T>(value: unknown, method: string, read: RecordReader<T>): T | null {
  if (value === null || value === undefined) return null
  if (isRecord(value)) return read(value, method)
  throw notRecord(method)
}

/** Reads a list of records. Another value must not pass for an empty list: no session would be ended. */
export function toRecords<T>(values: unknown, method: string, read: RecordReader<T>): T[] {
  if (Array.isArray(values) && values.every(isRecord)) return values.map((value) => read(value, method))
  throw new AdapterError(`The adapter's method \`${method}\` returned no list of records.`, { method })
}

/** Reads the user that was stored. */
export function toStoredUser(value: unknown, method: string): AdapterUser {
  const user = toRecordOrNull(value, method, toUser)
  if (user) return user
  throw new AdapterError(`The adapter's method \`${method}\` returned no user.`, { method })
}

/** Reads a user. Further columns are kept. */
export function toUser(user: RawRecord, method: string): AdapterUser {
  return {
    ...user,
    id: toId(user.id, method),
    email: toEmail(user.email, method),
    emailVerified: user.emailVerified ? toDate(user.emailVerified, method) : null,
  }
}

/** Reads a session with its user. Returns `null` when either is missing. */
export function toSessionAndUser(
  found: RawRecord,
  method: string,
): { session: AdapterSession; user: AdapterUser } | null {
  // Both are read in any case: a malformed part throws whatever the other part is.
  const session = toRecordOrNull(found.session, method, (row) => row)
  const user = toRecordOrNull(found.user, method, toUser)
  return user && session && { session: toAdapterSession(session, method), user }
}

/** Reads a session with its user and its data. */
export function toSessionUserAndData(found: RawRecord, method: string): StoredSession | null {
  const both = toSessionAndUser(found, method)
  if (!both) return null
  const { data = null } = found
  if (data === null || typeof data === 'string') return { ...both, data }
  throw new AdapterError(`The adapter's method \`${method}\` returned data that is not text.`, { method })
}

/** Reads the provider's session of a sign-in. A link without a session throws, because it would end none. */
export function toSessionLink(
  { sessionToken, subject, providerSession }: RawRecord,
  method: string,
): AdapterSessionLink {
  if (typeof sessionToken !== 'string' || typeof subject !== 'string') throw notRecord(method)
  return { sessionToken, subject, providerSession: typeof providerSession === 'string' ? providerSession : null }
}

/** Checks whether a value is a session. Adapters often return nothing or a count for an update. */
export function isSession(value: unknown): boolean {
  return isRecord(value) && typeof value.sessionToken === 'string'
}

/** Reads the deleted session, if the adapter returns it. The session is deleted in any case. */
export function toEndedSession(value: unknown): AdapterSession | null {
  try {
    return isRecord(value) ? toAdapterSession(value, 'deleteSession') : null
  } catch {
    return null
  }
}

/**
 * Reads a passkey. Databases without booleans store numbers or letters. A counter that is not a number throws: any
 * counter of a copied passkey would pass the comparison.
 */
export function toAuthenticator(value: RawRecord, method: string): AdapterAuthenticator {
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

/** Reads a verification token. */
export function toVerificationToken(row: RawRecord, method: string): VerificationToken {
  const { identifier, token, expires } = row
  if (typeof identifier !== 'string' || typeof token !== 'string') throw notRecord(method)
  return { identifier, token, expires: toDate(expires, method) }
}

/** Reads a session. */
export function toAdapterSession(value: RawRecord, method: string): AdapterSession {
  const { sessionToken, userId, expires } = value
  if (typeof sessionToken !== 'string') throw notRecord(method)
  return { ...value, sessionToken, userId: toId(userId, method), expires: toDate(expires, method) }
}

/** Reads an account. */
export function toAccount(value: RawRecord, method: string): AdapterAccount {
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

/** Converts an id to text. Ids may be integers in the database; the engine compares texts. */
function toId(value: unknown, method: string): string {
  if (typeof value === 'string' && value !== '') return value
  // The driver has rounded larger integers, so such an id may be that of another user.
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value)
  throw new AdapterError(`The adapter returned a record without an id (\`${method}\`).`, { method })
}

function toEmail(value: unknown, method: string): string {
  // `null` when the provider returns no address.
  if (typeof value === 'string' || value === null || value === undefined) return value as string
  throw new AdapterError(`The adapter returned an address that is not text (\`${method}\`).`, { method })
}

/** Reads a date. An invalid date is neither past nor future, so a session with one would never end. */
function toDate(value: unknown, method: string): Date {
  const isCount = typeof value === 'number' || typeof value === 'bigint'
  const date = value instanceof Date ? value : new Date(isCount ? Number(value) : String(value))
  if (!Number.isNaN(date.getTime())) return date
  throw new AdapterError(`The adapter returned an invalid date (\`${method}\`).`, { method })
}

function notRecord(method: string): AdapterError {
  return new AdapterError(`The adapter's method \`${method}\` returned no record.`, { method })
}
