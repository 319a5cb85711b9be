/** The developer's store of second factors, with a time-out around each method and errors that name it. */
import { isRecord } from '../base/guards.js'
import type { ResolvedConfig, ResolvedFactors } from '../contracts/index.js'
import type { FactorType, StoredFactor } from '../types/factors.js'
import { guardedCalls, toAnswer } from './guarded-calls.js'
import { isOwnKey, namesOf } from './own-key.js'

/** A factor to be written. */
export type NewFactor = Omit<StoredFactor, 'version'>

/** A store whose methods answer in time, or reject with {@link AdapterError}. What it returns is what the types say. */
export interface GuardedFactors {
  /** Those of the user that are of use still. */
  list(userId: string): Promise<readonly StoredFactor[]>
  write(factor: NewFactor, previous: number): Promise<boolean>
  /** How many were removed. */
  remove(userId: string, id?: string): Promise<number>
}

/** The store behind its guard. */
export function guardedStore({ store, timeout }: ResolvedFactors): GuardedFactors {
  const call = guardedCalls(store, { keeps: 'second factors', timeout })
  return {
    list: (userId) => call('list', [userId], (value) => toFactors(value, userId)),
    write: (factor, previous) => call('write', [factor, previous], toAnswer),
    remove: (userId, id) => call('remove', id === undefined ? [userId] : [userId, id], toCount),
  }
}

/** Something else in its place must not pass for an empty list: people would be let in with one factor. */
function toFactors(value: unknown, userId: string): readonly StoredFactor[] {
  if (!Array.isArray(value) || !value.every(isFactor)) throw new TypeError('It returned no list of factors.')
  // Some databases take ids that differ in case only for the same: such a row is somebody else's.
  const now = Date.now()
  return value.filter((row) => row.userId === userId && (row.expiresAt === null || row.expiresAt.getTime() > now))
}

function isFactor(value: unknown): value is StoredFactor {
  if (!isRecord(value)) return false
  const { userId, id, type, data, version, createdAt, expiresAt } = value
  const texts = [userId, id, type, data].every((text) => typeof text === 'string')
  return (
    texts &&
    Number.isSafeInteger(version) &&
    createdAt instanceof Date &&
    (expiresAt === null || expiresAt instanceof Date)
  )
}

/** Of calls at once for the same one exactly one may be told that it removed it: codes are used up by that. */
function toCount(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new TypeError('It did not return how many it removed.')
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
      if (type === deviceType || type === heldType) await store.remove(name, id)
    }
  }
}

/** The parts of a configuration that say where second factors are kept, and under which names. */
type FactorNames = Pick<ResolvedConfig, 'factors' | 'providers' | 'store' | 'session'>
