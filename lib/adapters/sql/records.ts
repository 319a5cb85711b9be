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
export interface RowRecords {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
}

/** Converts a row with decoded columns to a record. */
export const toRecord: { readonly [Table in keyof RowRecords]: (row: Row) => RowRecords[Table] } = {
  users: (row) => ({
    ...row,
    id: textOrEmpty(row.id),
    email: textOrEmpty(row.email),
    emailVerified: row.emailVerified instanceof Date ? row.emailVerified : null,
  }),
  // Values that the provider did not send are left out.
  accounts: (row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    userId: textOrEmpty(row.userId),
    type: row.type as AdapterAccount['type'],
    provider: textOrEmpty(row.provider),
    providerAccountId: textOrEmpty(row.providerAccountId),
  }),
  sessions: (row) => ({
    sessionToken: textOrEmpty(row.sessionToken),
    userId: textOrEmpty(row.userId),
    expires: toInstant(row.expires),
  }),
  verificationTokens: (row) => ({
    identifier: textOrEmpty(row.identifier),
    token: textOrEmpty(row.token),
    expires: toInstant(row.expires),
  }),
  authenticators: (row) => ({
    ...row,
    userId: textOrEmpty(row.userId),
    providerAccountId: textOrEmpty(row.providerAccountId),
    credentialID: textOrEmpty(row.credentialID),
    credentialPublicKey: textOrEmpty(row.credentialPublicKey),
    counter: Number(row.counter),
    credentialBackedUp: row.credentialBackedUp === true,
    credentialDeviceType: textOrEmpty(row.credentialDeviceType),
  }),
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the date. A missing date is treated as expired: otherwise a session without one would be valid forever. */
export function toInstant(value: unknown): Date {
  return value instanceof Date ? value : new Date(0)
}
