/** What a request to `two-factor` is about: a sign-in that waits for its second factor, or somebody who is signed in. */
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
  /** Where the person goes afterwards. */
  readonly to: SafeRedirect
}

/** The first factor is proved, and nobody is signed in by it. */
export interface AskedToSignIn extends Common {
  readonly kind: 'held'
  readonly pending: Pending
}

/** Somebody is signed in. */
export interface AskedInSession extends Common {
  readonly kind: 'session'
  readonly reading: SessionReading
  /** Whose session it is, and which one. */
  readonly holder: TokenHolder
  readonly principal: Principal
}

/** Who asks, and for what. */
export type Asked = AskedToSignIn | AskedInSession

/** The sign-in that waits in this browser. */
export async function askedToSignIn(context: AuthContext): Promise<AskedToSignIn | undefined> {
  const pending = await findHeld(context, guardedStore(factorsOf(context)))
  if (!pending) return undefined
  const { userId, to, identity, signedIn } = pending.held
  const told = signedIn.user.id ?? userId
  const subject: Subject = { userId, told, key: `held ${pending.id}`, proofs: identity.proofs }
  const scene = await sceneOf(context, subject)
  return { kind: 'held', scene, to, pending }
}

/** The person who is signed in. */
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

/** Returns the signed-in user. @throws {@link ReauthenticationRequired} where there is none. */
export async function askedNow(context: AuthContext): Promise<AskedInSession> {
  const asked = await askedInSession(context)
  if (asked) return asked
  throw new ReauthenticationRequired('Nobody is signed in, and no sign-in waits for a second factor in this browser.')
}

/**
 * Checks whether the user may change what they have. In a session they have just proved who they are, by as much as they can: whoever finds a
 * browser unlocked, or steals a cookie, changes nothing (MF-07). A pending sign-in may add the first factor.
 */
export function mayManage(asked: Asked): boolean {
  const enrolled = isEnrolled(asked.scene.rows)
  if (asked.kind === 'session') return refusalOf(asked.principal, 'manageFactors', enrolled) === undefined
  const { identity, wish } = asked.pending.held
  const begins = { proofs: identity.proofs, beganHere: true, hasOwnEnd: wish.maxAge !== undefined }
  return !enrolled && refusalOf(begins, 'enrol', false) === undefined
}

/** @throws {@link ReauthenticationRequired} */
export function assertMayManage(asked: Asked): void {
  if (mayManage(asked)) return
  const mayLast = asked.kind === 'held' || refusalOf(asked.principal, 'manageFactors', undefined) !== 'session'
  throw new ReauthenticationRequired(
    mayLast
      ? 'Second factors change only within five minutes of a sign-in with everything that the user has. Send the user to sign in again.'
      : 'This session cannot change second factors: it has an end of its own (`maxAge`), or did not begin in this browser. The user has to sign in.',
  )
}

/** What proves one of these methods (RFC 8176), where a guard wants one. */
function gives({ type }: FactorKind, wanted: readonly string[]): boolean {
  const methods = type === 'passkey' ? ['hwk', 'swk', 'user', 'mfa'] : ['otp', 'mfa']
  return wanted.length === 0 || wanted.some((method) => methods.includes(method))
}

/**
 * The kinds that the person has and can use after this first factor, and that a guard is content with, in the order of the configuration.
 * Recovery codes stand in for another factor: without one they prove nothing. Passkeys and email codes rest on the record of a user.
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

/** The kind that the path names, if the person can use it; without a name the first that they can use. @throws {@link SecondFactorFailed} */
export function kindAsked(asked: Asked, name: string | undefined): FactorKind {
  const usable = kindsFor(asked)
  const first = usable.find(({ type }) => type !== 'recovery') ?? usable[0]
  const kind = name === undefined ? first : usable.find(({ type }) => type === name)
  if (kind) return kind
  // Nothing fails open: who has enrolled, and cannot use what they have after this first factor, is not let in without.
  throw new SecondFactorFailed(
    'The person has no second factor that can be used after this way to sign in: a mailed code adds nothing to a mailed link.',
  )
}

/* ---- what it comes to --------------------------------------------------------------------------------------- */

/** The answer; or a proof with which the pending sign-in, or the session, continues. */
export type FactorResult = AuthResponse | ProvedFactor

/** A second factor was proved. */
export interface ProvedFactor {
  readonly kind: 'proved'
  readonly asked: Asked
  readonly proof: Proof
  /** Where the person goes, or what they see; made once they are signed in, since its forms need the new CSRF token. */
  readonly next: () => AuthResponse
  /** Removes the factors that were added. Called where the session is refused that was to follow. */
  readonly undo?: () => Promise<void>
}

/** Checks whether a script asks, which gets data and no page. */
export function wantsData({ request }: Pick<AuthContext, 'request'>): boolean {
  return asksForJson(request.headers)
}
