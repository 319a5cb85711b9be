/** Records as adapters return them, in one shape: ids as text, times as dates. What is no record is a fault, not a "no". */

import { isRecord } from '../base/guards.js'
import { AdapterError } from '../errors.js'
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../types/adapter.js'

/** A user. Further columns stay as they are. */
export function toUser(value: unknown, method: string): AdapterUser {
  const user = toUserOrNull(value, method)
  if (user) return user
  throw new AdapterError(`The adapter's method \`${method}\` returned no user.`, { method })
}

/** A user, or `null` where there is none. */
export function toUserOrNull(value: unknown, method: string): AdapterUser | null {
  const user = toRecordOrNull(value, method)
  if (!user) return null
  return {
    ...user,
    id: toId(user.id, method),
    email: toAddress(user.email, method),
    emailVerified: user.emailVerified ? toDate(user.emailVerified, method) : null,
  }
}

/** A session with its user; `null` where either is missing. */
export function toFound(value: unknown): { session: AdapterSession; user: AdapterUser } | null {
  const method = 'getSessionAndUser'
  const found = toRecordOrNull(value, method)
  const session = toRecordOrNull(found?.session, method)
  const user = toUserOrNull(found?.user, method)
  return user && session ? { session: toSession(session, method), user } : null
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

/** Sessions of a user. */
export function toSessions(values: unknown): AdapterSession[] {
  const method = 'listSessionsByUserId'
  return toRecords(values, method).map((value) => toSession(value, method))
}

/** An account, or `null` where there is none. */
export function toAccountOrNull(value: unknown): AdapterAccount | null {
  const account = toRecordOrNull(value, 'getAccount')
  return account && toAccount(account, 'getAccount')
}

/** Accounts of a user. */
export function toAccounts(values: unknown): AdapterAccount[] {
  const method = 'listAccountsByUserId'
  return toRecords(values, method).map((value) => toAccount(value, method))
}

/** A passkey, or `null` where there is none. */
export function toAuthenticatorOrNull(value: unknown): AdapterAuthenticator | null {
  const method = 'getAuthenticator'
  const row = toRecordOrNull(value, method)
  return row && toAuthenticator(row, method)
}

/** A user's passkeys. */
export function toAuthenticators(values: unknown): AdapterAuthenticator[] {
  const method = 'listAuthenticatorsByUserId'
  return toRecords(values, method).map((value) => toAuthenticator(value, method))
}

/** Databases without a type for it write a truth as a number. What cannot be understood is no passkey to sign in with. */
function toAuthenticator(value: Record<string, unknown>, method: string): AdapterAuthenticator {
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

/** A verification token, or `null`. */
export function toToken(value: unknown): VerificationToken | null {
  const method = 'useVerificationToken'
  const row = toRecordOrNull(value, method)
  if (!row) return null
  const { identifier, token, expires } = row
  if (typeof identifier !== 'string' || typeof token !== 'string') throw notRecord(method)
  return { identifier, token, expires: toDate(expires, method) }
}

function toSession(value: Record<string, unknown>, method: string): AdapterSession {
  const { sessionToken, userId, expires } = value
  if (typeof sessionToken !== 'string') throw notRecord(method)
  return { ...value, sessionToken, userId: toId(userId, method), expires: toDate(expires, method) }
}

function toAccount(value: Record<string, unknown>, method: string): AdapterAccount {
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

function toRecordOrNull(value: unknown, method: string): Record<string, unknown> | null {
  if (value === null || value === undefined) return null
  if (isRecord(value)) return value
  throw notRecord(method)
}

/** A list that is none must not pass for an empty one: what is not found is not ended. */
function toRecords(values: unknown, method: string): Array<Record<string, unknown>> {
  if (Array.isArray(values) && values.every(isRecord)) return values
  throw new AdapterError(`The adapter's method \`${method}\` returned no list of records.`, { method })
}

/** Databases count with integers; the engine compares texts. */
function toId(value: unknown, method: string): string {
  if (typeof value === 'string' && value !== '') return value
  // Beyond the safe ones a driver has rounded, and the id is another one's.
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value)
  throw new AdapterError(`The adapter returned a record without an id (\`${method}\`).`, { method })
}

function toAddress(value: unknown, method: string): string {
  // `null` where the provider tells none.
  if (typeof value === 'string' || value === null || value === undefined) return value as string
  throw new AdapterError(`The adapter returned an address that is no text (\`${method}\`).`, { method })
}

/** A session that never ended because its date was not understood would be worse than none. */
function toDate(value: unknown, method: string): Date {
  const isCount = typeof value === 'number' || typeof value === 'bigint'
  const date = value instanceof Date ? value : new Date(isCount ? Number(value) : String(value))
  if (!Number.isNaN(date.getTime())) return date
  throw new AdapterError(`The adapter returned a time that is none (\`${method}\`).`, { method })
}

function notRecord(method: string): AdapterError {
  return new AdapterError(`The adapter's method \`${method}\` returned no record.`, { method })
}
