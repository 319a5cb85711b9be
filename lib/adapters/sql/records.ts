/**
 * Converts rows to records of the adapter interface. Columns that may not be empty always have a value of their type.
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../types/adapter.js'
import type { Row } from './database.js'

/** The record type of each table. */
export interface Records {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
}

/** Converts a row with decoded columns to a record. */
export const toRecord: { readonly [Table in keyof Records]: (row: Row) => Records[Table] } = {
  users: (row) => ({
    ...row,
    id: toText(row.id),
    email: toText(row.email),
    emailVerified: row.emailVerified instanceof Date ? row.emailVerified : null,
  }),
  // Values that the provider did not send are left out.
  accounts: (row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    userId: toText(row.userId),
    type: row.type as AdapterAccount['type'],
    provider: toText(row.provider),
    providerAccountId: toText(row.providerAccountId),
  }),
  sessions: (row) => ({
    sessionToken: toText(row.sessionToken),
    userId: toText(row.userId),
    expires: toInstant(row.expires),
  }),
  verificationTokens: (row) => ({
    identifier: toText(row.identifier),
    token: toText(row.token),
    expires: toInstant(row.expires),
  }),
  authenticators: (row) => ({
    ...row,
    userId: toText(row.userId),
    providerAccountId: toText(row.providerAccountId),
    credentialID: toText(row.credentialID),
    credentialPublicKey: toText(row.credentialPublicKey),
    counter: Number(row.counter),
    credentialBackedUp: row.credentialBackedUp === true,
    credentialDeviceType: toText(row.credentialDeviceType),
  }),
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the date. A missing date is treated as expired: otherwise a session without one would be valid forever. */
export function toInstant(value: unknown): Date {
  return value instanceof Date ? value : new Date(0)
}
