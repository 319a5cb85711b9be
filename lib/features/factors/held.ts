/**
 * Pending sign-ins: the first factor is verified, the second is not.
 *
 * A pending sign-in is no session. Its data is sealed in the store of second factors for ten minutes. The browser gets
 * a cookie that names it. The cookie is sealed with a key of its own, bound to the browser, and sent to `two-factor`
 * only.
 */
import type { AuthContext, Beginning, Identity, SecurityStamp, SignedIn } from '../../contracts/index.js'
import { Attempts, clearAttempt, heldSlot } from '../../flows/attempt.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import type { Proof } from '../../principal/index.js'
import { type GuardedFactors, heldType } from './store.js'
import { changeRow, isMarked, makeRoom, openRow, type Scene, writeRow } from './subject.js'

/** Seconds. */
const maxAge = 10 * 60

/** The most wrong answers, also of concurrent requests. Then the first factor has to be verified again. */
const maxTries = 5

/** The options of the session that the user or the application set. */
export type SessionWish = Pick<Beginning, 'data' | 'maxAge' | 'remembered'>

/** The data of a pending sign-in. */
export interface HeldSignIn {
  /** The name under which the second factors are stored (`features/factors/store`). */
  readonly userId: string
  readonly identity: HeldIdentity
  readonly signedIn: SignedIn
  readonly wish: SessionWish
  /** The URL to which the user is redirected after the sign-in. */
  readonly to: SafeRedirect
}

/** The parts of an identity that the rest of the sign-in needs. They contain no typed fields. */
export type HeldIdentity = Pick<
  Identity,
  'user' | 'account' | 'profile' | 'providerSession' | 'providerLink' | 'tokenKey'
> & {
  /** The proofs so far: of this sign-in, or of the session in which a sign-in method was attached. */
  readonly proofs: readonly Proof[]
  /** See {@link Beginning}. */
  readonly startedAt?: number | undefined
  /** See {@link Beginning}. */
  readonly replaces?: string | undefined
  /** The user's security stamp before anything was verified. */
  readonly stamp?: SecurityStamp | undefined
  readonly isTyped: boolean
}

interface Facts {
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

const purpose = 'held-sign-in'
const pending = new Attempts<Facts>('pending-factor')

/** A pending sign-in of this browser. */
export interface Pending {
  readonly id: string
  readonly held: HeldSignIn
  readonly tries: number
}

/**
 * The most pending sign-ins of one user. The oldest is removed to make room. All records of a user are read at each
 * sign-in.
 */
const most = 20

/** Stores a sign-in until the second factor is verified. @param scene The user's factors. */
export async function hold(scene: Scene, held: HeldSignIn): Promise<void> {
  await makeRoom(scene, { type: heldType, most })
  const until = Date.now() + maxAge * 1000
  const { id } = await pending.keep(scene.context, heldSlot, { userId: held.userId, until })
  const payload = { held: pack(held), tries: 0 }
  await writeRow(scene, { id: rowId(id), type: heldType, purpose, payload, expiresAt: new Date(until) })
}

/**
 * Returns the pending sign-in of this browser; `undefined` if there is none, it has expired, or it has no tries left.
 */
export async function findHeld(context: AuthContext, store: GuardedFactors): Promise<Pending | undefined> {
  const attempts = await pending.held(context, [heldSlot])
  for (const { attempt } of attempts) {
    if (attempt.until <= Date.now()) continue
    const rows = await store.list(attempt.userId)
    const row = rows.find(({ id, type }) => id === rowId(attempt.id) && type === heldType)
    const payload = row && (await openRow(context, purpose, row))
    const held = payload && unpack(payload.held)
    const tries = typeof payload?.tries === 'number' ? payload.tries : maxTries
    if (row && held && isNamed(payload, held) && tries < maxTries) return { id: attempt.id, held, tries }
  }
  return undefined
}

/**
 * Counts a try before it is checked, so that concurrent requests share one limit. A wrong last try ends the sign-in.
 *
 * @returns `undefined` if no try is left.
 */
export async function countTry(scene: Scene, pending: Pending): Promise<Pending | undefined> {
  let { tries } = pending
  const isCounted = await changeRow(scene, { id: rowId(pending.id), purpose }, ({ tries: before, ...rest }) => {
    tries = typeof before === 'number' ? before + 1 : maxTries + 1
    return tries > maxTries ? undefined : { ...rest, tries }
  })
  if (isCounted) return { ...pending, tries }
  await removeHeld(scene, pending)
  return undefined
}

/** Ends a pending sign-in. @returns Whether it still existed. Only one of two concurrent requests can end it. */
export async function endHeld(scene: Scene, pending: Pending): Promise<boolean> {
  clearAttempt(scene.context, heldSlot)
  return removeHeld(scene, pending)
}

async function removeHeld({ store }: Scene, { id, held }: Pending): Promise<boolean> {
  return (await store.remove({ userId: held.userId, id: rowId(id) })) > 0
}

/** Checks whether this was the last try. */
export function isLastTry({ tries }: Pending): boolean {
  return tries >= maxTries
}

/** Returns the id of a record, of at most 64 characters. */
function rowId(attempt: string): string {
  return `held:${attempt}`
}

/**
 * Checks whether a pending sign-in names its user as this version does. An older version named users without a stored
 * record by their id. They sign in again.
 */
function isNamed({ of }: Record<string, unknown>, { signedIn: { isNewUser } }: HeldSignIn): boolean {
  return isNewUser !== undefined || isMarked(of)
}

/* Serialization. */

const dateMark = '$date'

/**
 * Serializes a pending sign-in as JSON, with marked dates. Values that JSON cannot represent, such as functions, are
 * left out.
 */
function pack(held: HeldSignIn): string {
  return JSON.stringify(held, function mark(this: Record<string, unknown>, key, value) {
    const original = this[key]
    return original instanceof Date ? { [dateMark]: original.getTime() } : value
  })
}

function unpack(text: unknown): HeldSignIn | undefined {
  if (typeof text !== 'string') return undefined
  const held = JSON.parse(text, (_key, value: unknown) => {
    const time = typeof value === 'object' && value !== null ? Reflect.get(value, dateMark) : undefined
    return typeof time === 'number' ? new Date(time) : value
  }) as HeldSignIn
  // Pending sign-ins of an older version have no proofs. The user signs in again.
  return Array.isArray(held.identity.proofs) ? { ...held, to: safeRedirect(new URL(held.to)) } : undefined
}
