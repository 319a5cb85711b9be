/** Whose second factor is asked for or looked after, and what is known of how they came here. */
import type { AuthContext, ResolvedFactors } from '../../contracts/index.js'
import { sealLasting, unsealLasting } from '../../crypto/seal.js'
import { InvalidConfiguration } from '../../errors.js'
import { type Proof, singleFactorOf } from '../../principal/index.js'
import type { NewFactor, StoredFactor } from '../../store/tables.js'
import { type GuardedFactors, guardedStore, isOwnKey, mailedPasswordType } from './store.js'
import type { FactorType } from './types.js'

export { isEnrolled } from './store.js'

/** Who it is, by a first factor that was proved, or by a session. */
export interface Subject {
  /** The name under which the factors are kept (`features/factors/store`). */
  readonly userId: string
  /** The id of the user, as events tell it and as sessions end by it. */
  readonly told: string
  /** Names the attempt or the session: what is made for one is good for no other. */
  readonly key: string
  /** The id of the session in events; absent for an attempt. */
  readonly sid?: string
  /** What was proved so far, in the sign-in that waits or in the session. */
  readonly proofs: readonly Proof[]
}

/** The room's own view of a request: who it is about, and what they have. */
export interface Scene {
  readonly context: AuthContext
  readonly options: ResolvedFactors
  readonly store: GuardedFactors
  readonly subject: Subject
  readonly rows: readonly StoredFactor[]
}

/** The id of the stored user whose factors they are; `undefined` where no user is stored. Passkeys and email addresses are a stored user's. */
export function storedIdOf({ context: { config }, subject: { userId } }: Pick<Scene, 'context' | 'subject'>) {
  return config.store && !isOwnKey(userId) ? userId : undefined
}

/** @throws {@link InvalidConfiguration} where there are no second factors. */
export function factorsOf({ config }: Pick<AuthContext, 'config'>): ResolvedFactors {
  if (config.factors) return config.factors
  throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
}

/** Reads what the person has. @throws {@link AdapterError} */
export async function sceneOf(context: AuthContext, subject: Subject): Promise<Scene> {
  const options = factorsOf(context)
  const store = guardedStore(options)
  return { context, options, store, subject, rows: await store.list(subject.userId) }
}

/** The same with what is there by now. */
export async function lookAgain(scene: Scene): Promise<Scene> {
  return { ...scene, rows: await scene.store.list(scene.subject.userId) }
}

/** Whether a row is a factor or has recovery codes: what a user adds. */
export function isFactor({ type }: StoredFactor): boolean {
  return type === 'totp' || type === 'email' || type === 'passkey' || type === 'recovery'
}

/** The rows of a type. */
export function rowsOf({ rows }: Pick<Scene, 'rows'>, type: FactorType): readonly StoredFactor[] {
  return rows.filter((row) => row.type === type)
}

/**
 * Whether a kind is another factor than the first one. One mailbox is one factor: who came by a mailed link, or by something that may have
 * been one, or by a password that was set with nothing but a mailed link, proves nothing more by a mailed code; and a passkey is a passkey.
 */
export function isAnother({ subject: { proofs }, rows }: Pick<Scene, 'subject' | 'rows'>, type: FactorType): boolean {
  const first = singleFactorOf(proofs)
  const isMail = first === 'mail' || (first === 'password' && rows.some((row) => row.type === mailedPasswordType))
  if (type === 'email') return !isMail
  return type !== 'passkey' || first !== 'passkey'
}

/* ---- what is inside of a row -------------------------------------------------------------------------------- */

/** Names a row. */
type RowKey = Pick<StoredFactor, 'userId' | 'id'>

/** What is sealed in rows: a factor, or a sign-in that waits for one. */
type RowPurpose = 'factor' | 'held-sign-in'

/** Marks rows that are written since users without a stored record have names of their own (`owner`). */
const mark = 2

/** Seals what a row keeps. It is good in this row of this user only. */
export function sealRow(
  { config }: Pick<AuthContext, 'config'>,
  purpose: RowPurpose,
  { row: { userId, id }, payload }: { readonly row: RowKey; readonly payload: Readonly<Record<string, unknown>> },
): Promise<string> {
  return sealLasting(purpose, { ...payload, of: [userId, id, mark] }, config.secrets)
}

/** Opens it; `null` for what was sealed elsewhere, or under a secret that is gone. */
export async function openRow(
  { config }: Pick<AuthContext, 'config'>,
  purpose: RowPurpose,
  { userId, id, data }: StoredFactor,
): Promise<Record<string, unknown> | null> {
  const payload = await unsealLasting(purpose, data, config.secrets)
  const of: unknown = payload?.of
  return payload && Array.isArray(of) && of[0] === userId && of[1] === id ? payload : null
}

/** Checks whether a row was written since names are apart. @param of Of what is sealed in the row. */
export function isMarked(of: unknown): boolean {
  return Array.isArray(of) && of[2] === mark
}

/** What it takes to look into rows. */
export interface RowReader {
  readonly context: Pick<AuthContext, 'config'>
  readonly rows: readonly StoredFactor[]
}

/** Opens it. The log says what cannot be: its owner cannot use it. */
export async function openData(
  { context }: Pick<RowReader, 'context'>,
  row: StoredFactor,
  purpose: RowPurpose = 'factor',
): Promise<Record<string, unknown> | null> {
  const payload = await openRow(context, purpose, row)
  if (payload) return payload
  context.config.logger.warn(
    'factor-unreadable',
    `A second factor of the type "${row.type}" cannot be opened: was an old secret taken away too early? Its owner needs a recovery code, or \`auth.factors.reset\`.`,
  )
  return null
}

/** A new row. */
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

/** Seals and writes a record of the user. @returns `false` where another write came before. */
export async function writeRow(
  { context, store, subject: { userId } }: Scene,
  { id, type, payload = {}, purpose = 'factor', before, ...rest }: RowToWrite,
): Promise<boolean> {
  const data = await sealRow(context, purpose, { row: { userId, id }, payload })
  return store.write(newRow({ userId, id, type }, { data, ...rest }), before?.version ?? 0)
}

/** Makes room for one more row among those of a type: the oldest go. @param most How many there may be. */
export async function makeRoom(
  { store, rows }: Pick<Scene, 'store' | 'rows'>,
  { type, most }: { readonly type: string; readonly most: number },
): Promise<void> {
  const age = (row: StoredFactor) => row.createdAt.getTime()
  const found = rows.filter((row) => row.type === type).sort((one, other) => age(one) - age(other))
  for (const { userId, id } of found.slice(0, Math.max(0, found.length - most + 1))) await store.remove({ userId, id })
}

/** How often a write is tried again that another one came before. */
const attempts = 5

/**
 * Changes a row by compare and swap: `change` sees what is there, and says what it becomes, or `undefined` for "no". Of two changes
 * at once one sees what the other has written.
 *
 * @returns Whether it was changed.
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
