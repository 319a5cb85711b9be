/** Records with random values, because the suite runs on a database that is in use. */
import { randomBytes, randomUUID } from 'node:crypto'
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../types/adapter.js'
import type { AdapterWith } from './contract-case.js'

/** Returns a user whose email address is not verified. */
export function newUser(changes: Partial<AdapterUser> = {}): AdapterUser {
  const id = randomUUID()
  return {
    id,
    name: 'Ada Lovelace',
    email: `${id}@example.test`,
    emailVerified: null,
    image: 'https://images.example.test/ada.png',
    ...changes,
  }
}

/** Creates and stores a user. Returns it with the id from the adapter. */
export async function storedUser(
  adapter: AdapterWith<'createUser'>,
  changes: Partial<AdapterUser> = {},
): Promise<AdapterUser> {
  return adapter.createUser(newUser(changes))
}

/** Returns an account at a new provider. */
export function newAccount(userId: string, changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return { userId, type: 'oidc', provider: newProvider(), providerAccountId: randomUUID(), ...changes }
}

/** Returns a new provider id. */
export function newProvider(): string {
  return `provider-${randomUUID()}`
}

/** Returns a session that ends in 30 days. */
export function newSession(userId: string, changes: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: newSecret(), userId, expires: inDays(30), ...changes }
}

/** Returns a token that expires in a day. */
export function newToken(changes: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${randomUUID()}@example.test`, token: newSecret(), expires: inDays(1), ...changes }
}

/** Returns a passkey that was never used. */
export function newAuthenticator(userId: string, changes: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  const credentialID = randomBytes(32).toString('base64')
  return {
    userId,
    providerAccountId: credentialID,
    credentialID,
    credentialPublicKey: randomBytes(77).toString('base64'),
    counter: 0,
    credentialBackedUp: false,
    credentialDeviceType: 'singleDevice',
    transports: 'internal,hybrid',
    ...changes,
  }
}

/** Returns text that looks like the hash of a token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns a moment the given number of days from now. */
export function inDays(days: number): Date {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000)
}
