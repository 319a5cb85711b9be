/** Rows as the records that the interface names. Columns that may not be empty have a value of their type in any case. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../types/adapter.js'
import type { Row } from './database.js'

/** What a table holds. */
export interface Records {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
}

/** A row, whose columns have been read by their kinds, as a record. */
export const toRecord: { readonly [Table in keyof Records]: (row: Row) => Records[Table] } = {
  users: (row) => ({
    ...row,
    id: toText(row.id),
    email: toText(row.email),
    emailVerified: row.emailVerified instanceof Date ? row.emailVerified : null,
  }),
  // What the provider did not tell is left out.
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

/** A row without a date has expired: a session that has none would be valid for ever. */
export function toInstant(value: unknown): Date {
  return value instanceof Date ? value : new Date(0)
}
