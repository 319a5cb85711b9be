/** Second factors as the engine keeps them: their records, and what must hold for them in all rooms. */
import type { ResolvedConfig, ResolvedFactors } from '../../contracts/index.js'
import { isOwnKey, namesOf } from '../../store/own-key.js'
import { recordsOf } from '../../store/records-of.js'
import { factorsTable, type Records, type StoredFactor } from '../../store/tables.js'
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
