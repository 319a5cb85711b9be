/** The user whose second factors a request is about, and the proofs of their sign-in. */
import type { AuthContext, ResolvedFactors } from '../../contracts/index.js'
import { sealLasting, unsealLasting } from '../../crypto/seal.js'
import { InvalidConfiguration } from '../../errors.js'
import { type Proof, singleFactorOf } from '../../principal/index.js'
import type { NewFactor, StoredFactor } from './description.js'
import { type GuardedFactors, guardedStore, isOwnKey, mailedPasswordType } from './store.js'
import type { FactorType } from './types.js'

export { isEnrolled } from './store.js'

/** The user, known from a verified first factor or from a session. */
export interface Subject {
  /** The name under which the factors are stored (`features/factors/store`). */
  readonly userId: string
  /** The user's id in events, and for ending sessions. */
  readonly told: string
  /** The name of the attempt or session. Codes and secrets are valid for one name only. */
  readonly key: string
  /** The id of the session in events. Absent for an attempt. */
  readonly sid?: string
  /** The proofs so far, of the pending sign-in or of the session. */
  readonly proofs: readonly Proof[]
}

/** The context of a request about second factors: its user, and the user's records. */
export interface Scene {
  readonly context: AuthContext
  readonly options: ResolvedFactors
  readonly store: GuardedFactors
  readonly subject: Subject
  readonly rows: readonly StoredFactor[]
}

/**
 * Returns the id of the stored user who has the factors; `undefined` if no user is stored. Passkeys and email addresses
 * need a stored user.
 */
export function storedIdOf({ context: { config }, subject: { userId } }: Pick<Scene, 'context' | 'subject'>) {
  return config.store && !isOwnKey(userId) ? userId : undefined
}

/** Returns the resolved option `factors`. @throws {@link InvalidConfiguration} without it. */
export function factorsOf({ config }: Pick<AuthContext, 'config'>): ResolvedFactors {
  if (config.factors) return config.factors
  throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
}

/** Reads the user's records. @throws {@link AdapterError} */
export async function sceneOf(context: AuthContext, subject: Subject): Promise<Scene> {
  const options = factorsOf(context)
  const store = guardedStore(options)
  return { context, options, store, subject, rows: await store.list(subject.userId) }
}

/** Reads the records again, with later changes. */
export async function lookAgain(scene: Scene): Promise<Scene> {
  return { ...scene, rows: await scene.store.list(scene.subject.userId) }
}

/** Checks whether a record is a factor or contains recovery codes. Both are added by the user. */
export function isFactor({ type }: StoredFactor): boolean {
  return type === 'totp' || type === 'email' || type === 'passkey' || type === 'recovery'
}

/** Returns the records of a type. */
export function rowsOf({ rows }: Pick<Scene, 'rows'>, type: FactorType): readonly StoredFactor[] {
  return rows.filter((row) => row.type === type)
}

/**
 * Checks whether a kind differs from the first factor.
 *
 * One mailbox is one factor. An email code therefore adds nothing to an email link, to a sign-in that may have been
 * one, or to a password that was set by an email link only. A passkey adds nothing to a passkey.
 */
export function isAnother({ subject: { proofs }, rows }: Pick<Scene, 'subject' | 'rows'>, type: FactorType): boolean {
  const first = singleFactorOf(proofs)
  const isMail = first === 'mail' || (first === 'password' && rows.some((row) => row.type === mailedPasswordType))
  if (type === 'email') return !isMail
  return type !== 'passkey' || first !== 'passkey'
}

/* The content of records. */

/** The key of a record. */
type RowKey = Pick<StoredFactor, 'userId' | 'id'>

/** The purposes of sealed data in records: a factor, or a pending sign-in. */
type RowPurpose = 'factor' | 'held-sign-in'

/** Marks records that were written since users without a stored record have names of their own (`owner`). */
const mark = 2

/** Seals the data of a record. It can be opened in this record of this user only. */
export function sealRow(
  { config }: Pick<AuthContext, 'config'>,
  purpose: RowPurpose,
  { row: { userId, id }, payload }: { readonly row: RowKey; readonly payload: Readonly<Record<string, unknown>> },
): Promise<string> {
  return sealLasting(purpose, { ...payload, of: [userId, id, mark] }, config.secrets)
}

/** Opens the data of a record; `null` if it was sealed for another record, or with a secret that was removed. */
export async function openRow(
  { config }: Pick<AuthContext, 'config'>,
  purpose: RowPurpose,
  { userId, id, data }: StoredFactor,
): Promise<Record<string, unknown> | null> {
  const payload = await unsealLasting(purpose, data, config.secrets)
  const of: unknown = payload?.of
  return payload && Array.isArray(of) && of[0] === userId && of[1] === id ? payload : null
}

/** Checks whether a record was written since users have separate names. @param of The `of` of the sealed data. */
export function isMarked(of: unknown): boolean {
  return Array.isArray(of) && of[2] === mark
}

/** The context and the records that a reader of records needs. */
export interface RowReader {
  readonly context: Pick<AuthContext, 'config'>
  readonly rows: readonly StoredFactor[]
}

/** Opens the data of a record. Logs a warning if that fails, because its owner cannot use the factor. */
export async function openData(
  { context }: Pick<RowReader, 'context'>,
  row: StoredFactor,
  purpose: RowPurpose = 'factor',
): Promise<Record<string, unknown> | null> {
  const payload = await openRow(context, purpose, row)
  if (payload) return payload
  context.config.logger.warn(
    'factor-unreadable',
    `A second factor of the type "${row.type}" cannot be decrypted. Check whether an old secret was removed too early. The user needs a recovery code, or \`auth.factors.reset\`.`,
  )
  return null
}

/** Creates a record. */
export function newRow(
  { userId, id, type }: Pick<StoredFactor, 'userId' | 'id' | 'type'>,
  rest: Pick<StoredFactor, 'data'> & Partial<Pick<StoredFactor, 'name' | 'expiresAt' | 'usedAt'>>,
): NewFactor {
  return { userId, id, type, name: null, createdAt: new Date(), usedAt: null, expiresAt: null, ...rest }
}

/** A record of a user to be written. */
type RowToWrite = Pick<StoredFactor, 'id' | 'type'> &
  Partial<Pick<StoredFactor, 'name' | 'expiresAt' | 'usedAt'>> & {
    readonly payload?: Readonly<Record<string, unknown>>
    readonly purpose?: RowPurpose
    /** The record that it replaces. */
    readonly before?: StoredFactor | undefined
  }

/** Seals and writes a record of the user. @returns `false` if another write came first. */
export async function writeRow(
  { context, store, subject: { userId } }: Scene,
  { id, type, payload = {}, purpose = 'factor', before, ...rest }: RowToWrite,
): Promise<boolean> {
  const data = await sealRow(context, purpose, { row: { userId, id }, payload })
  return store.write(newRow({ userId, id, type }, { data, ...rest }), before?.version ?? 0)
}

/** Makes room for one more record of a type by removing the oldest. @param most The most records of the type. */
export async function makeRoom(
  { store, rows }: Pick<Scene, 'store' | 'rows'>,
  { type, most }: { readonly type: string; readonly most: number },
): Promise<void> {
  const age = (row: StoredFactor) => row.createdAt.getTime()
  const found = rows.filter((row) => row.type === type).sort((one, other) => age(one) - age(other))
  for (const { userId, id } of found.slice(0, Math.max(0, found.length - most + 1))) await store.remove({ userId, id })
}

/** The number of tries of a write that conflicts with other writes. */
const attempts = 5

/**
 * Changes a record by compare and swap. `change` gets its data and returns the new data, or `undefined` to reject the
 * change. Of two concurrent changes, the later one gets the data of the earlier.
 *
 * @returns Whether the record was changed.
 */
export async function changeRow(
  scene: Scene,
  { id, purpose = 'factor' }: { readonly id: string; readonly purpose?: RowPurpose },
  change: (payload: Record<string, unknown>) => Readonly<Record<string, unknown>> | undefined,
): Promise<boolean> {
  let { rows } = scene
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const row = rows.find((each) => each.id === id)
    const payload = row && (await openData(scene, row, purpose))
    const next = payload && change(payload)
    if (!row || !next) return false
    const { version, ...rest } = row
    const data = await sealRow(scene.context, purpose, { row, payload: next })
    if (await scene.store.write({ ...rest, data, usedAt: new Date() }, version)) return true
    rows = await scene.store.list(scene.subject.userId)
  }
  return false
}
