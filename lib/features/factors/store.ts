/** The records of second factors, and the rules for them that all parts of the engine share. */
import type { ResolvedConfig, ResolvedFactors } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { guardRecords } from '../../store/guard.js'
import type { AccountKey } from '../../types/adapter.js'
import type { Records } from '../../types/records.js'
import { factorsTable, type StoredFactor } from './description.js'
import type { FactorType } from './types.js'

/** The records of second factors, guarded. */
export type GuardedFactors = Records<typeof factorsTable>

/** Guards the store of second factors. */
export function guardFactors({ store, timeout }: ResolvedFactors): GuardedFactors {
  return guardRecords(store, factorsTable, { keeps: 'second factors', timeout })
}

/** The type of a record that remembers a browser. */
export const trustedBrowserType = 'device'
/** The type of a record that keeps a pending sign-in. */
export const pendingSignInType = 'held'

/** The record types that are second factors. Recovery codes only replace a lost factor, so they are not among them. */
const factorTypes: ReadonlySet<string> = new Set<FactorType>(['totp', 'passkey', 'email'])

/**
 * Checks whether the user has a second factor. Kinds that are no longer configured are included: removing an option
 * must not reduce sign-ins to one factor.
 */
export function isEnrolled(rows: readonly StoredFactor[]): boolean {
  return rows.some(({ type }) => factorTypes.has(type))
}

/**
 * The type of a record that says that the password was set by email, and was not verified together with another factor
 * since.
 */
export const mailedPasswordType = 'mailed-password'

/**
 * Notes that a password was set by access to the mailbox alone. Until it is verified together with another factor, an
 * email code would prove the same mailbox twice. Also noted for users without second factors, who may add one later.
 */
export async function notePasswordByMail({ factors }: Pick<ResolvedConfig, 'factors'>, userId: string): Promise<void> {
  if (!factors) return
  const store = guardFactors(factors)
  const known = (await store.list(userId)).find(({ type }) => type === mailedPasswordType)
  const row = { userId, id: mailedPasswordType, type: mailedPasswordType, name: null, data: 'reset' }
  await store.write({ ...row, createdAt: new Date(), usedAt: null, expiresAt: null }, known?.version ?? 0)
}

/**
 * Forgets the remembered browsers and the pending sign-ins of a user. Called after a password change, a reset, and the
 * end of all sessions, since earlier proofs are no longer valid.
 */
export async function forgetTrustedBrowsers(config: FactorStorageConfig, userId: string): Promise<void> {
  if (!config.factors) return
  const store = guardFactors(config.factors)
  for (const name of isUnstoredUserKey(userId) ? [userId] : factorOwnersOf(config, userId)) {
    for (const { id, type } of await store.list(name)) {
      if (type === trustedBrowserType || type === pendingSignInType) await store.remove({ userId: name, id })
    }
  }
}

/**
 * Ends sessions, and forgets remembered browsers before and after. Otherwise a browser that a concurrent sign-in adds
 * would outlive its session.
 */
export async function endAndForgetBrowsers<T>(
  config: FactorStorageConfig,
  userId: string,
  end: () => Promise<T>,
): Promise<T> {
  await forgetTrustedBrowsers(config, userId)
  const ended = await end()
  await forgetTrustedBrowsers(config, userId)
  return ended
}

/** The parts of a configuration that determine where second factors are stored, and under which names. */
type FactorStorageConfig = Pick<ResolvedConfig, 'factors' | 'providers' | 'store' | 'session'>

/* Names of users. */

// The names under which second factors and provider tokens of a user are stored. For a stored user the name is the id.
// Users from `authorize` that are not stored have names of their own, because their ids may equal the ids of other,
// stored users.

/** The prefix of these names. Ids contain no line breaks, so no id begins with it. */
const unstoredUserPrefix = 'account\n'

/** Returns the name of a user without a stored record, by provider and account. */
export function unstoredUserKey({ provider, providerAccountId }: AccountKey): string {
  return `${unstoredUserPrefix}${shortHash(JSON.stringify([provider, providerAccountId]))}`
}

/** Checks whether a name belongs to a user without a stored record. */
export function isUnstoredUserKey(name: string): boolean {
  return name.startsWith(unstoredUserPrefix)
}

/** Returns all names under which factors of the users with an id may be stored. */
export function factorOwnersOf(
  { providers, store, session }: Pick<ResolvedConfig, 'providers' | 'store' | 'session'>,
  id: string,
): string[] {
  // With database sessions each account has a stored user.
  if (store && session.strategy === 'database') return [id]
  const unstored = [...providers.values()].filter((each) => each.kind === 'credentials' && each.password === undefined)
  return [id, ...unstored.map(({ id: provider }) => unstoredUserKey({ provider, providerAccountId: id }))]
}
