/** The subject of a request to `two-factor`: a pending sign-in, or the session of a signed-in user. */
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, FactorKind, SessionReading, TokenHolder } from '../../contracts/index.js'
import { ReauthenticationRequired, SecondFactorFailed } from '../../errors.js'
import { type AuthResponse, prefersJson, type SafeRedirect } from '../../http/message.js'
import { type Principal, type Proof, readRequirement, rejectionReasonOf } from '../../principal/index.js'
import {
  createFactorContext,
  differsFromFirstFactor,
  type FactorContext,
  type FactorSubject,
  isEnrolled,
  requireFactorsOption,
  storedUserIdOf,
} from './factor-context.js'
import { findPendingSignIn, type PendingSignIn } from './pending-sign-in.js'
import { guardFactors } from './store.js'

interface FactorTargetBase {
  readonly factorContext: FactorContext
  /** The URL to which the user is redirected afterwards. */
  readonly to: SafeRedirect
}

/** A pending sign-in: the first factor is verified, and there is no session yet. */
export interface PendingSignInTarget extends FactorTargetBase {
  readonly kind: 'held'
  readonly pending: PendingSignIn
}

/** The session of a signed-in user. */
export interface SessionTarget extends FactorTargetBase {
  readonly kind: 'session'
  readonly reading: SessionReading
  /** The owner and the id of the session. */
  readonly holder: TokenHolder
  readonly principal: Principal
}

/** The pending sign-in or the session that a request is about. */
export type FactorTarget = PendingSignInTarget | SessionTarget

/** Returns the pending sign-in of this browser. */
export async function findPendingSignInTarget(context: AuthContext): Promise<PendingSignInTarget | undefined> {
  const pending = await findPendingSignIn(context, guardFactors(requireFactorsOption(context)))
  if (!pending) return undefined
  const { userId, to, identity, signedIn } = pending.data
  const reportedUserId = signedIn.user.id ?? userId
  const subject: FactorSubject = { userId, reportedUserId, purposeKey: `held ${pending.id}`, proofs: identity.proofs }
  const factorContext = await createFactorContext(context, subject)
  return { kind: 'held', factorContext, to, pending }
}

/** Returns the session of this browser. */
export async function findSessionTarget(context: AuthContext): Promise<SessionTarget | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  const { holder } = reading ?? {}
  const principal = holder && (await reading?.principal())
  if (!reading || !holder || !principal) return undefined
  const { userId, id } = holder
  const reportedUserId = reading.userId ?? userId
  const factorContext = await createFactorContext(context, {
    userId,
    reportedUserId,
    purposeKey: `session ${id}`,
    sid: id,
    proofs: principal.proofs,
  })
  return { kind: 'session', factorContext, to: await readCallbackUrl(context), reading, holder, principal }
}

/** Returns the session of this browser. @throws {@link ReauthenticationRequired} if there is none. */
export async function requireSessionTarget(context: AuthContext): Promise<SessionTarget> {
  const target = await findSessionTarget(context)
  if (target) return target
  throw new ReauthenticationRequired('This browser has no session and no pending sign-in. Send the user to sign in.')
}

/**
 * Checks whether the user may change their second factors. In a session this needs a recent sign-in with all factors of
 * the user. A stolen cookie or an unlocked browser therefore changes nothing (MF-07). A pending sign-in may add the
 * first factor.
 */
export function mayManageFactors(target: FactorTarget): boolean {
  const enrolled = isEnrolled(target.factorContext.records)
  if (target.kind === 'session') return rejectionReasonOf(target.principal, 'manageFactors', enrolled) === undefined
  const { identity, wish } = target.pending.data
  const hasOwnExpiry = wish.maxAge !== undefined || identity.end !== undefined
  const begins = { proofs: identity.proofs, startedInThisBrowser: true, hasOwnExpiry }
  return !enrolled && rejectionReasonOf(begins, 'enrol', false) === undefined
}

/** Throws unless the user may change their second factors. @throws {@link ReauthenticationRequired} */
export function assertMayManageFactors(target: FactorTarget): void {
  if (mayManageFactors(target)) return
  const mayLast =
    target.kind === 'held' || rejectionReasonOf(target.principal, 'manageFactors', undefined) !== 'session'
  throw new ReauthenticationRequired(
    mayLast
      ? 'Second factors can be changed only within five minutes of a sign-in with all factors of the user. Send the user to sign in again.'
      : 'This session cannot change second factors, because it has its own `maxAge` or did not begin in this browser. Send the user to sign in.',
  )
}

/** Checks whether a kind proves one of the methods (RFC 8176) that a guard requires. */
function provesOneOf({ type }: FactorKind, wanted: readonly string[]): boolean {
  const methods = type === 'passkey' ? ['hwk', 'swk', 'user', 'mfa'] : ['otp', 'mfa']
  return wanted.length === 0 || wanted.some((method) => methods.includes(method))
}

/**
 * Returns the kinds that the user has, that may follow this first factor, and that the guard accepts.
 *
 * They are in the order of the configuration. Recovery codes replace another factor, so they need one. Passkeys and
 * email codes need a stored user.
 */
export function usableKinds({ factorContext }: FactorTarget): FactorKind[] {
  const { context, options, records } = factorContext
  if (!isEnrolled(records)) return []
  const { amr: wanted = [] } = readRequirement(context.request.url.searchParams)
  const isStored = storedUserIdOf(factorContext) !== undefined
  return [...options.kinds.values()].filter((kind) => {
    const { type } = kind
    const canBeTheirs = isStored || (type !== 'passkey' && type !== 'email')
    return (
      canBeTheirs &&
      records.some((row) => row.type === type) &&
      differsFromFirstFactor(factorContext, type) &&
      provesOneOf(kind, wanted)
    )
  })
}

/**
 * Returns the kind that the path names, or the first usable kind if it names none. @throws {@link SecondFactorFailed}
 */
export function selectKind(target: FactorTarget, name: string | undefined): FactorKind {
  const usable = usableKinds(target)
  const first = usable.find(({ type }) => type !== 'recovery') ?? usable[0]
  const kind = name === undefined ? first : usable.find(({ type }) => type === name)
  if (kind) return kind
  // Fails closed: an enrolled user without a usable factor is rejected.
  throw new SecondFactorFailed(
    'The user has no second factor that can be used after this sign-in method. An email code adds nothing to an email link.',
  )
}

/* Results. */

/** A response, or a proof with which the pending sign-in or the session continues. */
export type FactorResult = AuthResponse | ProvedFactor

/** A verified second factor, before the session is created or changed. */
export interface ProvedFactor {
  readonly kind: 'proved'
  readonly target: FactorTarget
  readonly proof: Proof
  /** Creates the response. Called after the sign-in, because its forms need the new CSRF token. */
  readonly next: () => AuthResponse
  /** Removes the factors that were added. Called if the session that should follow is rejected. */
  readonly undo?: () => Promise<void>
}

/** Checks whether a script sent the request. Scripts get JSON instead of a page. */
export function wantsJson({ request }: Pick<AuthContext, 'request'>): boolean {
  return prefersJson(request.headers)
}
