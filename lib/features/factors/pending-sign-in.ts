/**
 * Pending sign-ins: the first factor is verified, the second is not.
 *
 * A pending sign-in is no session. Its data is sealed in the store of second factors for ten minutes. The browser gets
 * a cookie that names it. The cookie is sealed with a key of its own, bound to the browser, and sent to `two-factor`
 * only.
 */
import type { AuthContext, Identity, SecurityStamp, SessionMetadata, SignInResult } from '../../contracts/index.js'
import { Attempts, clearAttempt, pendingSignInSlot } from '../../flows/attempt.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import type { Proof } from '../../principal/index.js'
import {
  type FactorContext,
  hasOwnerNameMark,
  openFactorRecord,
  removeOldestRecords,
  updateFactorRecord,
  writeFactorRecord,
} from './factor-context.js'
import { type GuardedFactors, pendingSignInType } from './store.js'

/** Seconds. */
const pendingMaxAge = 10 * 60

/** The most wrong answers, also of concurrent requests. Then the first factor has to be verified again. */
const maxTries = 5

/** The options of the session that the user or the application set. */
export type SignInSessionOptions = Pick<SessionMetadata, 'data' | 'maxAge' | 'remembered'>

/** The data of a pending sign-in. */
export interface PendingSignInData {
  /** The name under which the second factors are stored (`features/factors/store`). */
  readonly userId: string
  readonly identity: PendingIdentity
  readonly signedIn: SignInResult
  readonly wish: SignInSessionOptions
  /** The URL to which the user is redirected after the sign-in. */
  readonly to: SafeRedirect
}

/** The parts of an identity that the rest of the sign-in needs. They contain no typed fields. */
export type PendingIdentity = Pick<
  Identity,
  'user' | 'account' | 'profile' | 'providerSession' | 'providerLink' | 'tokenKey'
> & {
  /** The proofs so far: of this sign-in, or of the session in which a sign-in method was attached. */
  readonly proofs: readonly Proof[]
  /** See {@link SessionMetadata}. */
  readonly startedAt?: number | undefined
  /** See {@link SessionMetadata}. */
  readonly end?: number | undefined
  /** See {@link SessionMetadata}. */
  readonly replaces?: string | undefined
  /** The user's security stamp before anything was verified. */
  readonly stamp?: SecurityStamp | undefined
  readonly isTyped: boolean
}

interface PendingCookieFacts {
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

const purpose = 'held-sign-in'
const pendingAttempts = new Attempts<PendingCookieFacts>('pending-factor')

/** A pending sign-in of this browser. */
export interface PendingSignIn {
  readonly id: string
  readonly data: PendingSignInData
  readonly tries: number
}

/**
 * The most pending sign-ins of one user. The oldest is removed to make room. All records of a user are read at each
 * sign-in.
 */
const maxPendingSignIns = 20

/** Stores a sign-in until the second factor is verified. @param factorContext The user's factors. */
export async function storePendingSignIn(factorContext: FactorContext, data: PendingSignInData): Promise<void> {
  await removeOldestRecords(factorContext, { type: pendingSignInType, most: maxPendingSignIns })
  const until = Date.now() + pendingMaxAge * 1000
  const { id } = await pendingAttempts.storeInCookie(factorContext.context, pendingSignInSlot, {
    userId: data.userId,
    until,
  })
  const payload = { held: serializePendingSignIn(data), tries: 0 }
  await writeFactorRecord(factorContext, {
    id: pendingRecordId(id),
    type: pendingSignInType,
    purpose,
    payload,
    expiresAt: new Date(until),
  })
}

/**
 * Returns the pending sign-in of this browser; `undefined` if there is none, it has expired, or it has no tries left.
 */
export async function findPendingSignIn(
  context: AuthContext,
  store: GuardedFactors,
): Promise<PendingSignIn | undefined> {
  const attempts = await pendingAttempts.presented(context, [pendingSignInSlot])
  for (const { attempt } of attempts) {
    if (attempt.until <= Date.now()) continue
    const rows = await store.list(attempt.userId)
    const row = rows.find(({ id, type }) => id === pendingRecordId(attempt.id) && type === pendingSignInType)
    const payload = row && (await openFactorRecord(context, purpose, row))
    const data = payload && parsePendingSignIn(payload.held)
    const tries = typeof payload?.tries === 'number' ? payload.tries : maxTries
    if (row && data && hasCurrentOwnerName(payload, data) && tries < maxTries) return { id: attempt.id, data, tries }
  }
  return undefined
}

/**
 * Counts a try before it is checked, so that concurrent requests share one limit. A wrong last try ends the sign-in.
 *
 * @returns `undefined` if no try is left.
 */
export async function countFactorTry(
  factorContext: FactorContext,
  pending: PendingSignIn,
): Promise<PendingSignIn | undefined> {
  let { tries } = pending
  const isCounted = await updateFactorRecord(
    factorContext,
    { id: pendingRecordId(pending.id), purpose },
    ({ tries: before, ...rest }) => {
      tries = typeof before === 'number' ? before + 1 : maxTries + 1
      return tries > maxTries ? undefined : { ...rest, tries }
    },
  )
  if (isCounted) return { ...pending, tries }
  await removePendingSignIn(factorContext, pending)
  return undefined
}

/** Ends a pending sign-in. @returns Whether it still existed. Only one of two concurrent requests can end it. */
export async function endPendingSignIn(factorContext: FactorContext, pending: PendingSignIn): Promise<boolean> {
  clearAttempt(factorContext.context, pendingSignInSlot)
  return removePendingSignIn(factorContext, pending)
}

async function removePendingSignIn({ store }: FactorContext, { id, data }: PendingSignIn): Promise<boolean> {
  return (await store.remove({ userId: data.userId, id: pendingRecordId(id) })) > 0
}

/** Checks whether this was the last try. */
export function isLastTry({ tries }: PendingSignIn): boolean {
  return tries >= maxTries
}

/** Returns the id of a record, of at most 64 characters. */
function pendingRecordId(attempt: string): string {
  return `held:${attempt}`
}

/**
 * Checks whether a pending sign-in names its user as this version does. An older version named users without a stored
 * record by their id. They sign in again.
 */
function hasCurrentOwnerName({ of }: Record<string, unknown>, { signedIn: { isNewUser } }: PendingSignInData): boolean {
  return isNewUser !== undefined || hasOwnerNameMark(of)
}

/* Serialization. */

const dateMark = '$date'

/**
 * Serializes a pending sign-in as JSON, with marked dates. Values that JSON cannot represent, such as functions, are
 * left out.
 */
function serializePendingSignIn(data: PendingSignInData): string {
  return JSON.stringify(data, function mark(this: Record<string, unknown>, key, value) {
    const original = this[key]
    return original instanceof Date ? { [dateMark]: original.getTime() } : value
  })
}

function parsePendingSignIn(text: unknown): PendingSignInData | undefined {
  if (typeof text !== 'string') return undefined
  const data = JSON.parse(text, (_key, value: unknown) => {
    const time = typeof value === 'object' && value !== null ? Reflect.get(value, dateMark) : undefined
    return typeof time === 'number' ? new Date(time) : value
  }) as PendingSignInData
  // Pending sign-ins of an older version have no proofs. The user signs in again.
  return Array.isArray(data.identity.proofs) ? { ...data, to: safeRedirect(new URL(data.to)) } : undefined
}
