/**
 * The principal: one value that describes whose session it is and what was proved in it, and the one decision about what it may do.
 * No other folder interprets times of proofs, levels, methods or the origin of a session.
 */
import { meets } from './authentication.js'
import type { Proof } from './proofs.js'

export { authenticationOf, meets, passwordTime, type SingleFactor, singleFactorOf } from './authentication.js'
export {
  asAttached,
  factorProof,
  type Proof,
  type ProvedIdentity,
  proofOf,
  proofsBefore,
  provesPresence,
  readProofs,
  withProof,
  writeProofs,
} from './proofs.js'
export {
  type AuthenticationRequirement,
  hasRequirement,
  keptRequirement,
  requirementIn,
  requirementParams,
  wantsTwo,
} from './requirement.js'

/** Whose session it is, and what was proved in it. The same for sessions in a token and in a database. */
export interface Principal {
  /** The id of the stored user; absent where no user is stored. */
  readonly userId?: string | undefined
  /** Stays the same for as long as the session lives, and tells nobody anything. */
  readonly key: string
  /** The id of the session in events and lists (`session/session-id`). */
  readonly id: string
  /** With JWT sessions: the claim `sid`. */
  readonly sid?: string
  /** Empty where the session was taken over from another library. */
  readonly proofs: readonly Proof[]
  /** Seconds since the epoch at which the user signed in. Absent where that is not known. */
  readonly startedAt?: number | undefined
  /** Whether the browser proves that the session began in it. Somebody may have planted, or copied, the cookie of another one. */
  readonly beganHere: boolean
  /** Whether the session was given an end of its own when it began (`startSession({ maxAge })`). */
  readonly hasOwnEnd: boolean
}

/** The principal of a stored user. */
export type StoredPrincipal = Principal & { readonly userId: string }

/** Checks whether the user of a principal is stored. */
export function isStored(principal: Principal): principal is StoredPrincipal {
  return principal.userId !== undefined
}

/**
 * What somebody may want to do in a session:
 *
 * - `link`: an account, or a verified email, becomes theirs.
 * - `attach`: a passkey or another email is added.
 * - `manageFactors`: second factors are added and removed.
 * - `enrol`: a first second factor is added in a sign-in that needs one.
 * - `changePassword`: without the current password.
 * - `stepUp`: more is proved, for this session only.
 * - `manageAccount`: sign-in methods are removed.
 */
export type Action = 'link' | 'attach' | 'manageFactors' | 'enrol' | 'changePassword' | 'stepUp' | 'manageAccount'

/**
 * Why it may not be done. `session`: this session may not change anything that outlives it. `stale`: the user has to prove again who they
 * are, with everything that they have.
 */
export type Refusal = 'session' | 'stale'

/** Seconds after a proof for which the user counts as present. */
const freshFor = 5 * 60

/** What an action asks for. */
interface Rule {
  /** Whether what is changed outlives the session. */
  readonly isLasting: boolean
  readonly needsFresh: 'always' | 'withFactors' | 'never'
}

const rules: Readonly<Record<Action, Rule>> = {
  link: { isLasting: true, needsFresh: 'withFactors' },
  attach: { isLasting: true, needsFresh: 'withFactors' },
  manageFactors: { isLasting: true, needsFresh: 'always' },
  enrol: { isLasting: true, needsFresh: 'never' },
  changePassword: { isLasting: true, needsFresh: 'always' },
  stepUp: { isLasting: false, needsFresh: 'never' },
  manageAccount: { isLasting: true, needsFresh: 'never' },
}

/**
 * Decides whether a principal may do something. A session with an end of its own, such as a look into somebody's account, and one that is
 * used in another browser than it began in change nothing that lasts. Nothing is proved in a copy of a session either.
 *
 * @param isEnrolled Whether the user has a second factor; `undefined` where none are configured.
 * @returns Why not; `undefined` where it may be done.
 */
export function refusalOf(
  { proofs, beganHere, hasOwnEnd }: Pick<Principal, 'proofs' | 'beganHere' | 'hasOwnEnd'>,
  action: Action,
  isEnrolled: boolean | undefined,
): Refusal | undefined {
  const { isLasting, needsFresh } = rules[action]
  if (!beganHere || (isLasting && hasOwnEnd)) return 'session'
  const isAsked = needsFresh === 'always' || (needsFresh === 'withFactors' && isEnrolled !== undefined)
  if (!isAsked) return undefined
  return meets(proofs, { maxAge: freshFor, aal: isEnrolled ? 2 : undefined }) ? undefined : 'stale'
}
