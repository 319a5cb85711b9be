/** Second factors as the engine keeps them: their records, and what must hold for them in all rooms. */
import type { ResolvedConfig, ResolvedFactors } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { recordsOf } from '../../store/guard.js'
import { factorsTable, type Records, type StoredFactor } from '../../store/tables.js'
import type { AccountKey } from '../../types/adapter.js'
import type { FactorType } from './types.js'

/** The records of second factors, guarded. */
export type GuardedFactors = Records<typeof factorsTable>

/** Guards the store of second factors. */
export function guardedStore({ store, timeout }: ResolvedFactors): GuardedFactors {
  return recordsOf(store, factorsTable, { keeps: 'second factors', timeout })
}

/** What a row is in which a browser is remembered. */
export const deviceType = 'device'
/** What a row is in which a sign-in waits for its second factor. */
export const heldType = 'held'

/** Second factors among the rows: recovery codes are the way out when one is lost, and none by themselves. */
const factorTypes: ReadonlySet<string> = new Set<FactorType>(['totp', 'passkey', 'email'])

/**
 * Whether the person has a second factor. One whose kind is not configured any more counts as well: taking an option away must not
 * let people in with one factor.
 */
export function isEnrolled(rows: readonly StoredFactor[]): boolean {
  return rows.some(({ type }) => factorTypes.has(type))
}

/** What a row is that says that the password was set by email, and was not proved together with another factor since. */
export const mailedPasswordType = 'mailed-password'

/**
 * Notes that a password is set with nothing but the mailbox. Until it is proved together with another factor, an emailed code beside it would
 * be the mailbox twice. Also noted for users without second factors: they may add one later.
 */
export async function notePasswordByMail({ factors }: Pick<ResolvedConfig, 'factors'>, userId: string): Promise<void> {
  if (!factors) return
  const store = guardedStore(factors)
  const known = (await store.list(userId)).find(({ type }) => type === mailedPasswordType)
  const row = { userId, id: mailedPasswordType, type: mailedPasswordType, name: null, data: 'reset' }
  await store.write({ ...row, createdAt: new Date(), usedAt: null, expiresAt: null }, known?.version ?? 0)
}

/**
 * Forgets the browsers that a user called theirs, and the sign-ins that wait for a second factor: after another password, a reset, and the
 * end of all sessions. What was proved before counts no more, also where it is no session yet.
 */
export async function forgetBrowsers(config: FactorNames, userId: string): Promise<void> {
  if (!config.factors) return
  const store = guardedStore(config.factors)
  for (const name of isOwnKey(userId) ? [userId] : namesOf(config, userId)) {
    for (const { id, type } of await store.list(name)) {
      if (type === deviceType || type === heldType) await store.remove({ userId: name, id })
    }
  }
}

/** The parts of a configuration that say where second factors are kept, and under which names. */
type FactorNames = Pick<ResolvedConfig, 'factors' | 'providers' | 'store' | 'session'>

/* ---- own key ----------------------------------------------------------------------------------------------------- */

// The names under which second factors, and provider tokens, of a user are kept. For a stored user that is the id. Users whom an
// `authorize` returns, and of whom no record is stored, have names of their own: their ids may be those of stored users, who are
// somebody else.

/** No id begins so: ids have no line ends. */
const prefix = 'account\n'

/** The name of a user without a stored record, by provider and account. */
export function ownKey({ provider, providerAccountId }: AccountKey): string {
  return `${prefix}${shortHash(JSON.stringify([provider, providerAccountId]))}`
}

/** Checks whether a name is of a user without a stored record. */
export function isOwnKey(name: string): boolean {
  return name.startsWith(prefix)
}

/** Returns all names under which factors of the users with an id may be kept. */
export function namesOf(
  { providers, store, session }: Pick<ResolvedConfig, 'providers' | 'store' | 'session'>,
  id: string,
): string[] {
  // With database sessions a user is stored of each account.
  if (store && session.strategy === 'database') return [id]
  const unstored = [...providers.values()].filter((each) => each.kind === 'credentials' && each.password === undefined)
  return [id, ...unstored.map(({ id: provider }) => ownKey({ provider, providerAccountId: id }))]
}
