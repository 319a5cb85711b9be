/**
 * A sign-in whose first factor is proved and whose second is not. It is no session: what it takes to begin one waits in the store of
 * second factors, sealed, for ten minutes. The browser has a cookie that names it, sealed with a key of its own, bound to the browser and
 * good at `two-factor` only.
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

/** Wrong answers, of however many requests at once. Then the first factor is to be proved again. */
const maxTries = 5

/** What the person, or the application, wants of the session. */
export type SessionWish = Pick<Beginning, 'data' | 'maxAge' | 'remembered'>

/** A sign-in that waits. */
export interface HeldSignIn {
  /** The name under which the second factors are kept (`features/factors/store`). */
  readonly userId: string
  readonly identity: HeldIdentity
  readonly signedIn: SignedIn
  readonly wish: SessionWish
  /** Where the person goes who is signed in. */
  readonly to: SafeRedirect
}

/** The parts of an identity that the rest of the sign-in needs. What a user typed is not among them. */
export type HeldIdentity = Pick<
  Identity,
  'user' | 'account' | 'profile' | 'providerSession' | 'providerLink' | 'tokenKey'
> & {
  /** What was proved so far: in this sign-in, or in the session in which a sign-in method was attached. */
  readonly proofs: readonly Proof[]
  /** As in {@link Beginning}. */
  readonly startedAt?: number | undefined
  /** As in {@link Beginning}. */
  readonly replaces?: string | undefined
  /** The security stamp of the user, as it was before anything was verified. */
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

/** A sign-in that waits in this browser. */
export interface Pending {
  readonly id: string
  readonly held: HeldSignIn
  readonly tries: number
}

/** Sign-ins of one user that wait at once: the oldest makes room. All that a user has is read at each of their sign-ins. */
const most = 20

/** Keeps a sign-in until the second factor is proved. @param scene What the user has. */
export async function hold(scene: Scene, held: HeldSignIn): Promise<void> {
  await makeRoom(scene, { type: heldType, most })
  const until = Date.now() + maxAge * 1000
  const { id } = await pending.keep(scene.context, heldSlot, { userId: held.userId, until })
  const payload = { held: pack(held), tries: 0 }
  await writeRow(scene, { id: rowId(id), type: heldType, purpose, payload, expiresAt: new Date(until) })
}

/** The sign-in that waits in this browser; `undefined` where there is none, it is too old, or it was tried too often. */
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
 * Counts a try before it is looked at: of many at once no more than the limit are. The last one that is allowed ends the sign-in, unless
 * it is right.
 *
 * @returns `undefined` where there are no more.
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

/** Ends it. @returns Whether it was there still: of two requests at once one ends it. */
export async function endHeld(scene: Scene, pending: Pending): Promise<boolean> {
  clearAttempt(scene.context, heldSlot)
  return removeHeld(scene, pending)
}

async function removeHeld({ store }: Scene, { id, held }: Pending): Promise<boolean> {
  return (await store.remove({ userId: held.userId, id: rowId(id) })) > 0
}

/** Whether a try was the last one. */
export function isLastTry({ tries }: Pending): boolean {
  return tries >= maxTries
}

/** At most 64 characters. */
function rowId(attempt: string): string {
  return `held:${attempt}`
}

/** An older version named users without a stored record by their id: they sign in again. */
function isNamed({ of }: Record<string, unknown>, { signedIn: { isNewUser } }: HeldSignIn): boolean {
  return isNewUser !== undefined || isMarked(of)
}

/* ---- as text ------------------------------------------------------------------------------------------------ */

const dateMark = '$date'

/** As text of JSON: dates are told from texts. What JSON cannot say, such as a function of a profile, is left out. */
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
  // One that an older version wrote says nothing of its proofs: the user signs in again.
  return Array.isArray(held.identity.proofs) ? { ...held, to: safeRedirect(new URL(held.to)) } : undefined
}
