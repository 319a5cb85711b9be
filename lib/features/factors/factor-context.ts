/** The user whose second factors a request is about, and the proofs of their sign-in. */
import type { AuthContext, ResolvedFactors } from '../../contracts/index.js'
import { sealPersistent, unsealPersistent } from '../../crypto/seal.js'
import { InvalidConfiguration } from '../../errors.js'
import { type Proof, singleFactorOf } from '../../principal/index.js'
import type { NewFactor, StoredFactor } from './description.js'
import { type GuardedFactors, guardFactors, isUnstoredUserKey, mailedPasswordType } from './store.js'
import type { FactorType } from './types.js'

export { isEnrolled } from './store.js'

/** The user, known from a verified first factor or from a session. */
export interface FactorSubject {
  /** The name under which the factors are stored (`features/factors/store`). */
  readonly userId: string
  /** The user's id in events, and for ending sessions. */
  readonly reportedUserId: string
  /** The name of the attempt or session. Codes and secrets are valid for one name only. */
  readonly purposeKey: string
  /** The id of the session in events. Absent for an attempt. */
  readonly sid?: string
  /** The proofs so far, of the pending sign-in or of the session. */
  readonly proofs: readonly Proof[]
}

/** The context of a request about second factors: its user, and the user's records. */
export interface FactorContext {
  readonly context: AuthContext
  readonly options: ResolvedFactors
  readonly store: GuardedFactors
  readonly subject: FactorSubject
  readonly records: readonly StoredFactor[]
}

/**
 * Returns the id of the stored user who has the factors; `undefined` if no user is stored. Passkeys and email addresses
 * need a stored user.
 */
export function storedUserIdOf({
  context: { config },
  subject: { userId },
}: Pick<FactorContext, 'context' | 'subject'>) {
  return config.store && !isUnstoredUserKey(userId) ? userId : undefined
}

/** Returns the resolved option `factors`. @throws {@link InvalidConfiguration} without it. */
export function requireFactorsOption({ config }: Pick<AuthContext, 'config'>): ResolvedFactors {
  if (config.factors) return config.factors
  throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
}

/** Reads the user's records. @throws {@link AdapterError} */
export async function createFactorContext(context: AuthContext, subject: FactorSubject): Promise<FactorContext> {
  const options = requireFactorsOption(context)
  const store = guardFactors(options)
  return { context, options, store, subject, records: await store.list(subject.userId) }
}

/** Reads the records again, with later changes. */
export async function reloadFactorRecords(factorContext: FactorContext): Promise<FactorContext> {
  return { ...factorContext, records: await factorContext.store.list(factorContext.subject.userId) }
}

/** Checks whether a record is a factor or contains recovery codes. Both are added by the user. */
export function isFactorRecord({ type }: StoredFactor): boolean {
  return type === 'totp' || type === 'email' || type === 'passkey' || type === 'recovery'
}

/** Returns the records of a type. */
export function factorRecordsOf(
  { records }: Pick<FactorContext, 'records'>,
  type: FactorType,
): readonly StoredFactor[] {
  return records.filter((row) => row.type === type)
}

/**
 * Checks whether a kind differs from the first factor.
 *
 * One mailbox is one factor. An email code therefore adds nothing to an email link, to a sign-in that may have been
 * one, or to a password that was set by an email link only. A passkey adds nothing to a passkey.
 */
export function differsFromFirstFactor(
  { subject: { proofs }, records }: Pick<FactorContext, 'subject' | 'records'>,
  type: FactorType,
): boolean {
  const first = singleFactorOf(proofs)
  const isMail = first === 'mail' || (first === 'password' && records.some((row) => row.type === mailedPasswordType))
  if (type === 'email') return !isMail
  return type !== 'passkey' || first !== 'passkey'
}

/* The content of records. */

/** The key of a record. */
type FactorRecordKey = Pick<StoredFactor, 'userId' | 'id'>

/** The purposes of sealed data in records: a factor, or a pending sign-in. */
type FactorSealPurpose = 'factor' | 'held-sign-in'

/** Marks records that were written since users without a stored record have names of their own (`owner`). */
const ownerNameMark = 2

/** Seals the data of a record. It can be opened in this record of this user only. */
export function sealFactorRecord(
  { config }: Pick<AuthContext, 'config'>,
  purpose: FactorSealPurpose,
  {
    row: { userId, id },
    payload,
  }: { readonly row: FactorRecordKey; readonly payload: Readonly<Record<string, unknown>> },
): Promise<string> {
  return sealPersistent(purpose, { ...payload, of: [userId, id, ownerNameMark] }, config.secrets)
}

/** Opens the data of a record; `null` if it was sealed for another record, or with a secret that was removed. */
export async function openFactorRecord(
  { config }: Pick<AuthContext, 'config'>,
  purpose: FactorSealPurpose,
  { userId, id, data }: StoredFactor,
): Promise<Record<string, unknown> | null> {
  const payload = await unsealPersistent(purpose, data, config.secrets)
  const of: unknown = payload?.of
  return payload && Array.isArray(of) && of[0] === userId && of[1] === id ? payload : null
}

/** Checks whether a record was written since users have separate names. @param of The `of` of the sealed data. */
export function hasOwnerNameMark(of: unknown): boolean {
  return Array.isArray(of) && of[2] === ownerNameMark
}

/** The context and the records that a reader of records needs. */
export interface FactorRecordReader {
  readonly context: Pick<AuthContext, 'config'>
  readonly records: readonly StoredFactor[]
}

/** Opens the data of a record. Logs a warning if that fails, because its owner cannot use the factor. */
export async function openFactorRecordOrWarn(
  { context }: Pick<FactorRecordReader, 'context'>,
  row: StoredFactor,
  purpose: FactorSealPurpose = 'factor',
): Promise<Record<string, unknown> | null> {
  const payload = await openFactorRecord(context, purpose, row)
  if (payload) return payload
  context.config.logger.warn(
    'factor-unreadable',
    `A second factor of the type "${row.type}" cannot be decrypted. Check whether an old secret was removed too early. The user needs a recovery code, or \`auth.factors.reset\`.`,
  )
  return null
}

/** Creates a record. */
export function newFactorRecord(
  { userId, id, type }: Pick<StoredFactor, 'userId' | 'id' | 'type'>,
  rest: Pick<StoredFactor, 'data'> & Partial<Pick<StoredFactor, 'name' | 'expiresAt' | 'usedAt'>>,
): NewFactor {
  return { userId, id, type, name: null, createdAt: new Date(), usedAt: null, expiresAt: null, ...rest }
}

/** A record of a user to be written. */
type FactorRecordToWrite = Pick<StoredFactor, 'id' | 'type'> &
  Partial<Pick<StoredFactor, 'name' | 'expiresAt' | 'usedAt'>> & {
    readonly payload?: Readonly<Record<string, unknown>>
    readonly purpose?: FactorSealPurpose
    /** The record that it replaces. */
    readonly before?: StoredFactor | undefined
  }

/** Seals and writes a record of the user. @returns `false` if another write came first. */
export async function writeFactorRecord(
  { context, store, subject: { userId } }: FactorContext,
  { id, type, payload = {}, purpose = 'factor', before, ...rest }: FactorRecordToWrite,
): Promise<boolean> {
  const data = await sealFactorRecord(context, purpose, { row: { userId, id }, payload })
  return store.write(newFactorRecord({ userId, id, type }, { data, ...rest }), before?.version ?? 0)
}

/** Makes room for one more record of a type by removing the oldest. @param most The most records of the type. */
export async function removeOldestRecords(
  { store, records }: Pick<FactorContext, 'store' | 'records'>,
  { type, most }: { readonly type: string; readonly most: number },
): Promise<void> {
  const age = (row: StoredFactor) => row.createdAt.getTime()
  const found = records.filter((row) => row.type === type).sort((one, other) => age(one) - age(other))
  for (const { userId, id } of found.slice(0, Math.max(0, found.length - most + 1))) await store.remove({ userId, id })
}

/** The number of tries of a write that conflicts with other writes. */
const maxWriteTries = 5

/**
 * Changes a record by compare and swap. `change` gets its data and returns the new data, or `undefined` to reject the
 * change. Of two concurrent changes, the later one gets the data of the earlier.
 *
 * @returns Whether the record was changed.
 */
export async function updateFactorRecord(
  factorContext: FactorContext,
  { id, purpose = 'factor' }: { readonly id: string; readonly purpose?: FactorSealPurpose },
  change: (payload: Record<string, unknown>) => Readonly<Record<string, unknown>> | undefined,
): Promise<boolean> {
  let { records } = factorContext
  for (let attempt = 0; attempt < maxWriteTries; attempt += 1) {
    const row = records.find((each) => each.id === id)
    const payload = row && (await openFactorRecordOrWarn(factorContext, row, purpose))
    const next = payload && change(payload)
    if (!row || !next) return false
    const { version, ...rest } = row
    const data = await sealFactorRecord(factorContext.context, purpose, { row, payload: next })
    if (await factorContext.store.write({ ...rest, data, usedAt: new Date() }, version)) return true
    records = await factorContext.store.list(factorContext.subject.userId)
  }
  return false
}
