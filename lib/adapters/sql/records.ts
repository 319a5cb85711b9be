/** Rows as the records that the interface names. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../types/adapter.js'
import type { Row } from './database.js'

export function toUser(row: Row): AdapterUser {
  return { ...row, id: toText(row.id), email: toText(row.email), emailVerified: toDate(row.emailVerified) }
}

/** What the provider did not tell is left out. */
export function toAccount(row: Row): AdapterAccount {
  return {
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    userId: toText(row.userId),
    type: row.type as AdapterAccount['type'],
    provider: toText(row.provider),
    providerAccountId: toText(row.providerAccountId),
  }
}

export function toSession(row: Row): AdapterSession {
  return { sessionToken: toText(row.sessionToken), userId: toText(row.userId), expires: toInstant(row.expires) }
}

export function toVerificationToken(row: Row): VerificationToken {
  return { identifier: toText(row.identifier), token: toText(row.token), expires: toInstant(row.expires) }
}

export function toAuthenticator(row: Row): AdapterAuthenticator {
  return {
    ...row,
    userId: toText(row.userId),
    providerAccountId: toText(row.providerAccountId),
    credentialID: toText(row.credentialID),
    credentialPublicKey: toText(row.credentialPublicKey),
    counter: Number(row.counter),
    credentialBackedUp: row.credentialBackedUp === true,
    credentialDeviceType: toText(row.credentialDeviceType),
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toDate(value: unknown): Date | null {
  return value instanceof Date ? value : null
}

/** A row without an end is one that has ended. */
export function toInstant(value: unknown): Date {
  return value instanceof Date ? value : new Date(0)
}
