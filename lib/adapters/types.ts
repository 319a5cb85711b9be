/** What a database adapter is: the method names and records that published adapters of this interface have. */
import type { Account, Awaitable, User } from '../types.js'

/** A stored user. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was proved; `null` when it never was. */
  emailVerified: Date | null
}

/** A stored account: one provider's account of one user. (`provider`, `providerAccountId`) is unique. */
export interface AdapterAccount extends Account {
  userId: string
}

/** A stored session. */
export interface AdapterSession {
  sessionToken: string
  userId: string
  expires: Date
}

/** A stored verification token. `token` is a hash. */
export interface VerificationToken {
  identifier: string
  token: string
  expires: Date
}

/** A stored passkey. */
export interface AdapterAuthenticator {
  userId: string
  providerAccountId: string
  /** base64 */
  credentialID: string
  /** base64 */
  credentialPublicKey: string
  counter: number
  credentialBackedUp: boolean
  credentialDeviceType: string
  /** Comma-separated. */
  transports?: string | null
}

/** A database adapter. Which methods are needed depends on the features in use. */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(account: { provider: string; providerAccountId: string }): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & { id: string }): Awaitable<AdapterUser>
  deleteUser?(id: string): Awaitable<AdapterUser | null | undefined | void>
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  unlinkAccount?(account: {
    provider: string
    providerAccountId: string
  }): Awaitable<AdapterAccount | null | undefined | void>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & { sessionToken: string },
  ): Awaitable<AdapterSession | null | undefined | void>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined | void>
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>
}
