/**
 * The principal: the user of a session and the proofs of their identity. It decides which actions a session allows. No
 * other folder interprets times of proofs, levels, methods or the origin of a session.
 */

import type { Authentication } from '../types/config.js'
import type { Actor, ProviderOrigin } from './actor.js'
import type { Proof } from './proofs.js'

export { type Actor, type ProviderOrigin, readActor, reasonOfActor, writeActor } from './actor.js'
export {
  asAttachedProof,
  factorProof,
  identityProof,
  identityProofs,
  type Proof,
  type ProvedIdentity,
  proofsOfPreviousVersion,
  provesPresence,
  readProofs,
  withProof,
  writeProofs,
} from './proofs.js'

/** The user of a session and what was proved in it. The same for JWT and database sessions. */
export interface Principal {
  /** The id of the stored user. Absent when no user is stored. */
  readonly userId?: string | undefined
  /** An opaque key that stays the same for the life of the session. */
  readonly key: string
  /** The id of the session in events and lists (`session/session-id`). */
  readonly id: string
  /** The name under which the session is stored or ended: the claim `sid`, or the stored token. */
  readonly name: string
  /** With JWT sessions: the claim `sid`. */
  readonly sid?: string
  /** The proofs. Empty when the session was taken over from another library. */
  readonly proofs: readonly Proof[]
  /** The time of sign-in, in seconds since the epoch. Absent when it is not known. */
  readonly startedAt?: number | undefined
  /** True if the browser proves that the session started in it. Otherwise the cookie may be copied or planted. */
  readonly startedInThisBrowser: boolean
  /** True if the session has its own end, set when it started (`startSession({ maxAge })`). */
  readonly hasOwnExpiry: boolean
  /** That end, in seconds since the epoch. */
  readonly end?: number | undefined
  /** The user who uses the session in place of its user. */
  readonly actor?: Actor | undefined
  /** The user and session at the provider, which may end this one. */
  readonly provider?: ProviderOrigin | undefined
  /** The id of the active organization. */
  readonly organization?: string | undefined
}

/** The principal of a stored user. */
export type StoredPrincipal = Principal & { readonly userId: string }

/** Checks whether the user of a principal is stored. */
export function isStored(principal: Principal): principal is StoredPrincipal {
  return principal.userId !== undefined
}

/**
 * The actions in a session that are subject to rules:
 *
 * - `link`: an account, or a verified email, is linked to the user.
 * - `attach`: a passkey or another email is added.
 * - `manageFactors`: second factors are added and removed.
 * - `enrol`: a first second factor is added during a sign-in that needs one.
 * - `changePassword`: the password is changed without the current one.
 * - `stepUp`: more is proved, for this session only.
 * - `manageAccount`: sign-in methods are removed.
 * - `impersonate`: a session of another user begins.
 * - `deleteAccount`: the user, or an organization of the user, is deleted.
 * - `createApiKey`: an API key of the user is created.
 * - `authorizeApp`: an app gets a session, which continues when this one ends.
 * - `manageConnections`: the identity provider of an organization is changed.
 */
export type SessionAction =
  | 'link'
  | 'attach'
  | 'manageFactors'
  | 'enrol'
  | 'changePassword'
  | 'stepUp'
  | 'manageAccount'
  | 'impersonate'
  | 'deleteAccount'
  | 'createApiKey'
  | 'authorizeApp'
  | 'manageConnections'

/**
 * The reason for rejecting an action. `session`: this session may not make lasting changes. `stale`: the user has to
 * authenticate again with all factors.
 */
export type RejectionReason = 'session' | 'stale'

/** The seconds after a proof for which the user is treated as present. */
const freshnessSeconds = 5 * 60

/** The rule of an action. */
interface ActionRule {
  /** True if the change outlives the session. */
  readonly isLasting: boolean
  readonly requiresFreshProof: 'always' | 'withFactors' | 'never'
}

const actionRules: Readonly<Record<SessionAction, ActionRule>> = {
  link: { isLasting: true, requiresFreshProof: 'withFactors' },
  attach: { isLasting: true, requiresFreshProof: 'withFactors' },
  manageFactors: { isLasting: true, requiresFreshProof: 'always' },
  enrol: { isLasting: true, requiresFreshProof: 'never' },
  changePassword: { isLasting: true, requiresFreshProof: 'always' },
  stepUp: { isLasting: false, requiresFreshProof: 'never' },
  manageAccount: { isLasting: true, requiresFreshProof: 'never' },
  impersonate: { isLasting: true, requiresFreshProof: 'never' },
  deleteAccount: { isLasting: true, requiresFreshProof: 'always' },
  createApiKey: { isLasting: true, requiresFreshProof: 'always' },
  authorizeApp: { isLasting: true, requiresFreshProof: 'never' },
  manageConnections: { isLasting: true, requiresFreshProof: 'always' },
}

/**
 * Decides whether a principal may perform an action.
 *
 * A session with its own end, or one in another browser than it started in, allows no lasting change. A copied session
 * allows no new proofs either. An impersonated session allows nothing.
 *
 * @param isEnrolled Whether the user has a second factor; `undefined` when none are configured.
 * @returns The reason for rejecting the action; `undefined` when it is allowed.
 */
export function rejectionReasonOf(
  {
    proofs,
    startedInThisBrowser,
    hasOwnExpiry,
    actor,
  }: Pick<Principal, 'proofs' | 'startedInThisBrowser' | 'hasOwnExpiry' | 'actor'>,
  action: SessionAction,
  isEnrolled: boolean | undefined,
): RejectionReason | undefined {
  const { isLasting, requiresFreshProof } = actionRules[action]
  if (actor) return 'session'
  if (!startedInThisBrowser || (isLasting && hasOwnExpiry)) return 'session'
  const isAsked = requiresFreshProof === 'always' || (requiresFreshProof === 'withFactors' && isEnrolled !== undefined)
  if (!isAsked) return undefined
  return meetsRequirement(proofs, { maxAge: freshnessSeconds, aal: isEnrolled ? 2 : undefined }) ? undefined : 'stale'
}

/* ---- authentication ---------------------------------------------------------------------------------------------- */

// Time, methods and strength of a user's authentication, derived only from the proofs of the session.

/**
 * Returns the authentication facts for callbacks, guards and account pages. Without proofs only the lowest level is
 * known.
 */
export function authenticationOf(proofs: readonly Proof[]): Authentication {
  const own = userProofs(proofs)
  const reported = reportedMethods(own)
  return {
    ...(own.length > 0 && { auth_time: Math.max(...own.map(({ at }) => at)) }),
    ...(own.some(hasKnownMethod) && { amr: authenticationMethods(own) }),
    aal: levelTwoTime(own) === undefined ? 1 : 2,
    ...(reported.length > 0 && { reported_amr: reported }),
  }
}

/**
 * Checks whether a session meets a requirement. With `maxAge` each required part must be fresh by its own time: a fresh
 * second factor does not make an old passkey fresh.
 */
export function meetsRequirement(proofs: readonly Proof[], { aal, maxAge, amr }: AuthenticationRequirement): boolean {
  const since = maxAge === undefined ? Number.NEGATIVE_INFINITY : Date.now() / 1000 - maxAge
  const own = userProofs(proofs)
  const fresh = own.filter(({ at }) => at >= since)
  if (maxAge !== undefined && fresh.length === 0) return false
  const isTwo = (levelTwoTime(own) ?? Number.NEGATIVE_INFINITY) >= since && levelTwoTime(own) !== undefined
  if (aal === 2 && !isTwo) return false
  return !amr || amr.some((method) => (method === 'mfa' && isTwo) || trustedMethods(fresh).includes(method))
}

/** The only proved factor of a session or sign-in, when a second one may turn out to be the same factor. */
export type SingleFactor = 'mail' | 'password' | 'passkey'

/**
 * Returns the only proved factor; `undefined` when there are two, or when no second factor can be the same. Codes of
 * unknown origin may have been emailed.
 */
export function singleFactorOf(proofs: readonly Proof[]): SingleFactor | undefined {
  const own = userProofs(proofs)
  if (levelTwoTime(own) !== undefined) return undefined
  const factors = new Set(own.map(factorOf))
  for (const factor of ['mail', 'password', 'passkey'] as const) if (factors.has(factor)) return factor
  return undefined
}

/** Returns the time of the last proof by password, in seconds since the epoch. */
export function passwordTime(proofs: readonly Proof[]): number | undefined {
  const own = userProofs(proofs).filter(({ method }) => method === 'password')
  return own.length === 0 ? undefined : Math.max(...own.map(({ at }) => at))
}

/** Returns the time at which level 2 was last proved, in seconds since the epoch; `undefined` when it was not. */
function levelTwoTime(own: readonly Proof[]): number | undefined {
  const times = own.filter((proof) => proof.aal === 2 || isSecondFactorBeside(proof, own)).map(({ at }) => at)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Checks whether a proof is a second factor beside a proof of another factor. */
function isSecondFactorBeside(proof: Proof, own: readonly Proof[]): boolean {
  return secondFactors.has(proof.method) && own.some((other) => other !== proof && factorOf(other) !== factorOf(proof))
}

const secondFactors: ReadonlySet<Proof['method']> = new Set<Proof['method']>(['totp', 'recovery', 'email', 'passkey'])

/** Returns the factor of a proof. All messages to one mailbox are one factor. */
function factorOf({ method, amr }: Proof): string {
  if (method === 'email') return 'mail'
  if (method !== 'application' && method !== 'unknown') return method
  if (amr.length > 0 && amr.every((word) => word === 'otp')) return 'mail'
  if (amr.includes('pwd')) return 'password'
  return amr.includes('user') && (amr.includes('hwk') || amr.includes('swk')) ? 'passkey' : method
}

/** Checks whether the method is known. Sessions of earlier versions do not name it. */
function hasKnownMethod({ method, amr }: Proof): boolean {
  return method !== 'unknown' || amr.length > 0
}

function userProofs(proofs: readonly Proof[]): readonly Proof[] {
  return proofs.filter(({ of }) => of === 'user')
}

function trustedMethods(own: readonly Proof[]): readonly string[] {
  return own.flatMap(({ amr }) => amr)
}

function reportedMethods(own: readonly Proof[]): readonly string[] {
  return [...new Set(own.flatMap(({ reported = [] }) => reported))]
}

function authenticationMethods(own: readonly Proof[]): readonly string[] {
  const isTwo = levelTwoTime(own) !== undefined && own.length > 1
  return [...new Set([...trustedMethods(own), ...(isTwo ? ['mfa'] : [])])]
}

/* ---- requirement ------------------------------------------------------------------------------------------------- */

// The authentication that a route requires. It is checked against a session and passed between pages in the query.

/** The requirement of a guard. */
export interface AuthenticationRequirement {
  /** 2: two factors are required. */
  readonly aal?: 2 | undefined
  /** The longest time since the proofs, in seconds. */
  readonly maxAge?: number | undefined
  /** The accepted methods, of which one is required. */
  readonly amr?: readonly string[] | undefined
}

/** Checks whether two factors are required. */
export function requiresTwoFactors({ aal }: AuthenticationRequirement): boolean {
  return aal === 2
}

const requirementNames = ['aal', 'max_age', 'amr'] as const
type RequirementParams = { [name in (typeof requirementNames)[number]]?: string | undefined }

/** Returns the query parameters of a requirement. */
export function requirementParams({ aal, maxAge, amr }: AuthenticationRequirement): RequirementParams {
  return {
    ...(aal && { aal: String(aal) }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(amr && { amr: amr.join(' ') }),
  }
}

/** Returns the parameters of the query unchanged, for the next page. */
export function forwardedRequirement(query: URLSearchParams): RequirementParams {
  return Object.fromEntries(requirementNames.map((name) => [name, query.get(name) ?? undefined]))
}

/** Checks whether a query names a requirement. */
export function hasRequirement(query: URLSearchParams): boolean {
  return requirementNames.some((name) => query.has(name))
}

/**
 * Reads the requirement of a query. Clients can change it, so the guard checks the session again when the user returns.
 */
export function readRequirement(query: URLSearchParams): AuthenticationRequirement {
  const [seconds, methods] = [query.get('max_age'), query.get('amr')?.split(' ').filter(Boolean) ?? []]
  return {
    aal: query.get('aal') === '2' ? 2 : undefined,
    maxAge: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    amr: methods.length > 0 ? methods : undefined,
  }
}
