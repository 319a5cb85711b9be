/** When, how and how strongly a user was authenticated: derived from the proofs of the session, and from nothing else. */
import type { Authentication } from '../types/config.js'
import type { Proof } from './proofs.js'
import type { AuthenticationRequirement } from './requirement.js'

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
