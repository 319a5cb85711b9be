/** Records that no other test has: the suite runs on a database that is in use. */
import { randomBytes, randomUUID } from 'node:crypto'
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../types/adapter.js'
import type { Having } from './case.js'

/** A user whom nobody proved yet. */
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

/** A stored user, with the id that the adapter gave. */
export async function storedUser(
  adapter: Having<'createUser'>,
  changes: Partial<AdapterUser> = {},
): Promise<AdapterUser> {
  return adapter.createUser(newUser(changes))
}

/** An account at a provider that no other test knows. */
export function newAccount(userId: string, changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return { userId, type: 'oidc', provider: newProvider(), providerAccountId: randomUUID(), ...changes }
}

/** The id of a provider. */
export function newProvider(): string {
  return `provider-${randomUUID()}`
}

/** A session that ends in 30 days. */
export function newSession(userId: string, changes: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: newSecret(), userId, expires: inDays(30), ...changes }
}

/** A token that is good for a day. */
export function newToken(changes: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${randomUUID()}@example.test`, token: newSecret(), expires: inDays(1), ...changes }
}

/** A passkey that was never used. */
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

/** Text that looks like the hash of a token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** A moment so many days from now. */
export function inDays(days: number): Date {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000)
}
