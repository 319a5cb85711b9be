/**
 * The principal: one value that describes whose session it is and what was proved in it, and the one decision about what it may do.
 * No other folder interprets times of proofs, levels, methods or the origin of a session.
 */

import type { Authentication } from '../types/config.js'
import type { Proof } from './proofs.js'

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

/* ---- authentication ---------------------------------------------------------------------------------------------- */

// When, how and how strongly a user was authenticated: derived from the proofs of the session, and from nothing else.

/** The facts that callbacks, guards and account pages see. Without proofs nothing is known but the level of any session. */
export function authenticationOf(proofs: readonly Proof[]): Authentication {
  const own = ofUser(proofs)
  const reported = reportedBy(own)
  return {
    ...(own.length > 0 && { auth_time: Math.max(...own.map(({ at }) => at)) }),
    ...(own.some(saysHow) && { amr: methodsOf(own) }),
    aal: levelTime(own) === undefined ? 1 : 2,
    ...(reported.length > 0 && { reported_amr: reported }),
  }
}

/**
 * Checks whether a session meets a requirement. With `maxAge` each demanded part must be that fresh by its own time: a fresh second factor
 * does not make an old passkey fresh.
 */
export function meets(proofs: readonly Proof[], { aal, maxAge, amr }: AuthenticationRequirement): boolean {
  const since = maxAge === undefined ? Number.NEGATIVE_INFINITY : Date.now() / 1000 - maxAge
  const own = ofUser(proofs)
  const fresh = own.filter(({ at }) => at >= since)
  if (maxAge !== undefined && fresh.length === 0) return false
  const isTwo = (levelTime(own) ?? Number.NEGATIVE_INFINITY) >= since && levelTime(own) !== undefined
  if (aal === 2 && !isTwo) return false
  return !amr || amr.some((method) => (method === 'mfa' && isTwo) || trusted(fresh).includes(method))
}

/** The factor of a session or sign-in that proved one factor only, where a second one may turn out to be the same. */
export type SingleFactor = 'mail' | 'password' | 'passkey'

/**
 * Returns the one factor that was proved; `undefined` where there are two, or where no second factor can be the same. Codes of which
 * nobody knows where they came from may have been emailed.
 */
export function singleFactorOf(proofs: readonly Proof[]): SingleFactor | undefined {
  const own = ofUser(proofs)
  if (levelTime(own) !== undefined) return undefined
  const factors = new Set(own.map(factorOf))
  for (const factor of ['mail', 'password', 'passkey'] as const) if (factors.has(factor)) return factor
  return undefined
}

/** Returns when the user last proved to know their password, in seconds since the epoch. */
export function passwordTime(proofs: readonly Proof[]): number | undefined {
  const own = ofUser(proofs).filter(({ method }) => method === 'password')
  return own.length === 0 ? undefined : Math.max(...own.map(({ at }) => at))
}

/** Returns when level 2 was last proved, in seconds since the epoch; `undefined` where it was not. */
function levelTime(own: readonly Proof[]): number | undefined {
  const times = own.filter((proof) => proof.aal === 2 || completes(proof, own)).map(({ at }) => at)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Whether a second factor stands beside a proof of another factor. */
function completes(proof: Proof, own: readonly Proof[]): boolean {
  return secondFactors.has(proof.method) && own.some((other) => other !== proof && factorOf(other) !== factorOf(proof))
}

const secondFactors: ReadonlySet<Proof['method']> = new Set<Proof['method']>(['totp', 'recovery', 'email', 'passkey'])

/** The factor that a proof is of: one mailbox is one factor, whatever is sent there. */
function factorOf({ method, amr }: Proof): string {
  if (method === 'email') return 'mail'
  if (method !== 'application' && method !== 'unknown') return method
  if (amr.length > 0 && amr.every((word) => word === 'otp')) return 'mail'
  if (amr.includes('pwd')) return 'password'
  return amr.includes('user') && (amr.includes('hwk') || amr.includes('swk')) ? 'passkey' : method
}

/** Sessions from before methods were written do not say how they began. */
function saysHow({ method, amr }: Proof): boolean {
  return method !== 'unknown' || amr.length > 0
}

function ofUser(proofs: readonly Proof[]): readonly Proof[] {
  return proofs.filter(({ of }) => of === 'user')
}

function trusted(own: readonly Proof[]): readonly string[] {
  return own.flatMap(({ amr }) => amr)
}

function reportedBy(own: readonly Proof[]): readonly string[] {
  return [...new Set(own.flatMap(({ reported = [] }) => reported))]
}

function methodsOf(own: readonly Proof[]): readonly string[] {
  const isTwo = levelTime(own) !== undefined && own.length > 1
  return [...new Set([...trusted(own), ...(isTwo ? ['mfa'] : [])])]
}

/* ---- requirement ------------------------------------------------------------------------------------------------- */

// The authentication that a route requires: checked against a session, and carried from page to page in the query.

/** The requirement of a guard. */
export interface AuthenticationRequirement {
  /** 2: two factors. */
  readonly aal?: 2 | undefined
  /** Seconds since they were proved. */
  readonly maxAge?: number | undefined
  /** One of these methods. */
  readonly amr?: readonly string[] | undefined
}

/** Whether two factors are required. */
export function wantsTwo({ aal }: AuthenticationRequirement): boolean {
  return aal === 2
}

const names = ['aal', 'max_age', 'amr'] as const

type RequirementParams = { [name in (typeof names)[number]]?: string | undefined }

/** Returns the query parameters of a requirement. */
export function requirementParams({ aal, maxAge, amr }: AuthenticationRequirement): RequirementParams {
  return {
    ...(aal && { aal: String(aal) }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(amr && { amr: amr.join(' ') }),
  }
}

/** Returns the parameters as they came, for the next page. */
export function keptRequirement(query: URLSearchParams): RequirementParams {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]))
}

/** Checks whether a query names a requirement. */
export function hasRequirement(query: URLSearchParams): boolean {
  return names.some((name) => query.has(name))
}

/** Reads the requirement of a query. Anybody can write it: the guard checks the session again when the user comes back. */
export function requirementIn(query: URLSearchParams): AuthenticationRequirement {
  const [seconds, methods] = [query.get('max_age'), query.get('amr')?.split(' ').filter(Boolean) ?? []]
  return {
    aal: query.get('aal') === '2' ? 2 : undefined,
    maxAge: seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    amr: methods.length > 0 ? methods : undefined,
  }
}
