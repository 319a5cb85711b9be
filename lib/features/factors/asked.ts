/** The subject of a request to `two-factor`: a pending sign-in, or the session of a signed-in user. */
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, FactorKind, SessionReading, TokenHolder } from '../../contracts/index.js'
import { ReauthenticationRequired, SecondFactorFailed } from '../../errors.js'
import { type AuthResponse, asksForJson, type SafeRedirect } from '../../http/message.js'
import { type Principal, type Proof, refusalOf, requirementIn } from '../../principal/index.js'
import { findHeld, type Pending } from './held.js'
import { guardedStore } from './store.js'
import { factorsOf, isAnother, isEnrolled, type Scene, type Subject, sceneOf, storedIdOf } from './subject.js'

interface Common {
  readonly scene: Scene
  /** The URL to which the user is redirected afterwards. */
  readonly to: SafeRedirect
}

/** A pending sign-in: the first factor is verified, and there is no session yet. */
export interface AskedToSignIn extends Common {
  readonly kind: 'held'
  readonly pending: Pending
}

/** The session of a signed-in user. */
export interface AskedInSession extends Common {
  readonly kind: 'session'
  readonly reading: SessionReading
  /** The owner and the id of the session. */
  readonly holder: TokenHolder
  readonly principal: Principal
}

/** The pending sign-in or the session that a request is about. */
export type Asked = AskedToSignIn | AskedInSession

/** Returns the pending sign-in of this browser. */
export async function askedToSignIn(context: AuthContext): Promise<AskedToSignIn | undefined> {
  const pending = await findHeld(context, guardedStore(factorsOf(context)))
  if (!pending) return undefined
  const { userId, to, identity, signedIn } = pending.held
  const told = signedIn.user.id ?? userId
  const subject: Subject = { userId, told, key: `held ${pending.id}`, proofs: identity.proofs }
  const scene = await sceneOf(context, subject)
  return { kind: 'held', scene, to, pending }
}

/** Returns the session of this browser. */
export async function askedInSession(context: AuthContext): Promise<AskedInSession | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  const { holder } = reading ?? {}
  const principal = holder && (await reading?.principal())
  if (!reading || !holder || !principal) return undefined
  const { userId, id } = holder
  const told = reading.userId ?? userId
  const scene = await sceneOf(context, { userId, told, key: `session ${id}`, sid: id, proofs: principal.proofs })
  return { kind: 'session', scene, to: await readCallbackUrl(context), reading, holder, principal }
}

/** Returns the session of this browser. @throws {@link ReauthenticationRequired} if there is none. */
export async function askedNow(context: AuthContext): Promise<AskedInSession> {
  const asked = await askedInSession(context)
  if (asked) return asked
  throw new ReauthenticationRequired('This browser has no session and no pending sign-in. Send the user to sign in.')
}

/**
 * Checks whether the user may change their second factors. In a session this needs a recent sign-in with all factors of
 * the user. A stolen cookie or an unlocked browser therefore changes nothing (MF-07). A pending sign-in may add the
 * first factor.
 */
export function mayManage(asked: Asked): boolean {
  const enrolled = isEnrolled(asked.scene.rows)
  if (asked.kind === 'session') return refusalOf(asked.principal, 'manageFactors', enrolled) === undefined
  const { identity, wish } = asked.pending.held
  const begins = { proofs: identity.proofs, beganHere: true, hasOwnEnd: wish.maxAge !== undefined }
  return !enrolled && refusalOf(begins, 'enrol', false) === undefined
}

/** Throws unless the user may change their second factors. @throws {@link ReauthenticationRequired} */
export function assertMayManage(asked: Asked): void {
  if (mayManage(asked)) return
  const mayLast = asked.kind === 'held' || refusalOf(asked.principal, 'manageFactors', undefined) !== 'session'
  throw new ReauthenticationRequired(
    mayLast
      ? 'Second factors can be changed only within five minutes of a sign-in with all factors of the user. Send the user to sign in again.'
      : 'This session cannot change second factors, because it has its own `maxAge` or did not begin in this browser. Send the user to sign in.',
  )
}

/** Checks whether a kind proves one of the methods (RFC 8176) that a guard requires. */
function gives({ type }: FactorKind, wanted: readonly string[]): boolean {
  const methods = type === 'passkey' ? ['hwk', 'swk', 'user', 'mfa'] : ['otp', 'mfa']
  return wanted.length === 0 || wanted.some((method) => methods.includes(method))
}

/**
 * Returns the kinds that the user has, that may follow this first factor, and that the guard accepts.
 *
 * They are in the order of the configuration. Recovery codes replace another factor, so they need one. Passkeys and
 * email codes need a stored user.
 */
export function kindsFor({ scene }: Asked): FactorKind[] {
  const { context, options, rows } = scene
  if (!isEnrolled(rows)) return []
  const { amr: wanted = [] } = requirementIn(context.request.url.searchParams)
  const isStored = storedIdOf(scene) !== undefined
  return [...options.kinds.values()].filter((kind) => {
    const { type } = kind
    const canBeTheirs = isStored || (type !== 'passkey' && type !== 'email')
    return canBeTheirs && rows.some((row) => row.type === type) && isAnother(scene, type) && gives(kind, wanted)
  })
}

/**
 * Returns the kind that the path names, or the first usable kind if it names none. @throws {@link SecondFactorFailed}
 */
export function kindAsked(asked: Asked, name: string | undefined): FactorKind {
  const usable = kindsFor(asked)
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
  readonly asked: Asked
  readonly proof: Proof
  /** Creates the response. Called after the sign-in, because its forms need the new CSRF token. */
  readonly next: () => AuthResponse
  /** Removes the factors that were added. Called if the session that should follow is rejected. */
  readonly undo?: () => Promise<void>
}

/** Checks whether a script sent the request. Scripts get JSON instead of a page. */
export function wantsData({ request }: Pick<AuthContext, 'request'>): boolean {
  return asksForJson(request.headers)
}
