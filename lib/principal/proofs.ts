/** The proofs of a session: each act of authentication, and its text form in sessions. */
import { nowInSeconds } from '../base/time.js'
import type { StatedProof } from '../types/calls.js'
import type { Account } from '../types/identity.js'

/**
 * The method of a proof. `provider`: an account at an OAuth or OpenID Connect provider. `application`: the
 * application's own code (`startSession`). `unknown`: a session of an earlier version, without proofs.
 */
export type ProofMethod =
  | 'password'
  | 'email'
  | 'passkey'
  | 'totp'
  | 'recovery'
  | 'provider'
  | 'application'
  | 'unknown'

/** One act of authentication. */
export interface Proof {
  readonly method: ProofMethod
  /** The time, in seconds since the epoch. */
  readonly at: number
  /**
   * `user`: the user of the session was authenticated. `attached`: a sign-in method was attached to the user. That
   * proves control of the method, and does not authenticate the user.
   */
  readonly of: 'user' | 'attached'
  /** The id of the provider, or the type of the second factor; empty for the application. */
  readonly by: string
  /**
   * The authentication method references (RFC 8176 §2): proved to this library, or to a provider trusted for them
   * (`trustAcr`, `trustAmr`).
   */
  readonly amr: readonly string[]
  /** The methods that a provider reports without being trusted for them. */
  readonly reported?: readonly string[] | undefined
  /** Set when this proof alone is treated as two factors. */
  readonly aal?: 2 | undefined
}

/** The parts of an identity that say how it was proved. */
export interface ProvedIdentity {
  readonly account: Pick<Account, 'provider'> & { readonly type: Account['type'] | 'application' }
  readonly amr: readonly string[]
  readonly aal?: 2 | undefined
  readonly authenticatedAt?: number
  readonly byMail?: boolean
  readonly reportedAmr?: readonly string[]
  /** The proofs that the application states, instead of `amr`, `aal` and `authenticatedAt`. */
  readonly stated?: readonly StatedProof[] | undefined
}

/**
 * Returns the proofs of an identity for its user: one, or those that the application states. Stated proofs have one
 * method, so together they reach level 2 only if one of them states it.
 *
 * @param options See {@link identityProof}.
 */
export function identityProofs(
  identity: ProvedIdentity,
  options: { readonly passkeyIsEnough?: boolean } = {},
): readonly Proof[] {
  const { stated, ...rest } = identity
  if (!stated) return [identityProof(rest, options)]
  return stated.map(({ amr, aal, at }) => identityProof({ ...rest, amr, aal, authenticatedAt: at }, options))
}

/**
 * Returns the proof of an identity for its user.
 *
 * @param options `passkeyIsEnough`: whether a passkey with user verification (PIN or biometrics) is treated as two
 *   factors. Default: `true`.
 */
export function identityProof(identity: ProvedIdentity, options: { readonly passkeyIsEnough?: boolean } = {}): Proof {
  const { amr, reportedAmr: reported, authenticatedAt, account } = identity
  const method = proofMethodOf(identity)
  const isBoth = method === 'passkey' && amr.includes('mfa') && options.passkeyIsEnough !== false
  const aal = isBoth ? 2 : identity.aal
  const now = nowInSeconds()
  return {
    method,
    // The provider's own time (`auth_time`, OpenID Connect Core §2). Its clock may be ahead.
    at: authenticatedAt === undefined ? now : Math.min(now, Math.max(0, Math.floor(authenticatedAt))),
    of: 'user',
    by: account.provider,
    amr: [...amr],
    ...(aal && { aal }),
    ...(reported && { reported: [...reported] }),
  }
}

/** The clock difference allowed to providers, in seconds. */
const providerClockTolerance = 15

/**
 * Checks whether an identity proves that the user was present within this many seconds.
 *
 * A provider must report when it authenticated the user. OAuth 2 does not report it, and an OpenID Connect provider may
 * have reused an older session (OpenID Connect Core §3.1.2.1, `max_age`).
 */
export function provesPresence({ account, authenticatedAt }: ProvedIdentity, maxAge: number): boolean {
  if (methodByAccountType[account.type] !== 'provider') return true
  return authenticatedAt !== undefined && nowInSeconds() - authenticatedAt <= maxAge + providerClockTolerance
}

function proofMethodOf({ account: { type }, byMail }: ProvedIdentity): ProofMethod {
  if (byMail) return 'email'
  return methodByAccountType[type]
}

const methodByAccountType: Readonly<Record<ProvedIdentity['account']['type'], ProofMethod>> = {
  application: 'application',
  credentials: 'password',
  email: 'email',
  oauth: 'provider',
  oidc: 'provider',
  passkey: 'passkey',
  webauthn: 'passkey',
}

/**
 * Returns the proof of a second factor that was verified now.
 *
 * @param type The type of the factor.
 */
export function factorProof(type: 'totp' | 'recovery' | 'email' | 'passkey', amr: readonly string[]): Proof {
  return { method: type, at: nowInSeconds(), of: 'user', by: type, amr: [...amr] }
}

/** Returns the proof of a sign-in method that was attached in a session. It does not authenticate the user. */
export function asAttachedProof(proof: Proof): Proof {
  const { method, at, by } = proof
  return { method, at, by, of: 'attached', amr: [] }
}

/**
 * Checks whether the user has proved an account at one of these providers in the session, at any time. It may be an account that was
 * linked in the session.
 */
export function isProvedBy(proofs: readonly Proof[], providers: ReadonlySet<string>): boolean {
  return proofs.some(({ method, by }) => method === 'provider' && providers.has(by))
}

/** Second factors, which begin no session. */
const secondFactors: ReadonlySet<ProofMethod> = new Set(['totp', 'recovery'])

/** Returns the providers by which the user was authenticated in a session; none if another method authenticated the user, too. */
export function beginningProviders(proofs: readonly Proof[]): readonly string[] {
  const beginnings = proofs.filter(({ of, method }) => of === 'user' && !secondFactors.has(method))
  return beginnings.every(({ method }) => method === 'provider') ? beginnings.map(({ by }) => by) : []
}

/** The maximum number of proofs in a session. */
const maxProofs = 8

/**
 * Adds a proof, replacing an older one of the same method and provider. When there are too many, attached ones are
 * removed first.
 */
export function withProof(proofs: readonly Proof[], proof: Proof): readonly Proof[] {
  const others = proofs.filter((each) => each.method !== proof.method || each.by !== proof.by || each.of !== proof.of)
  const all = [...others, proof]
  if (all.length <= maxProofs) return all
  const spare = all.findIndex(({ of }) => of === 'attached')
  return all.filter((_each, at) => at !== Math.max(spare, 0))
}

/* ---- as text -------------------------------------------------------------------------------------------------- */

const letters = {
  p: 'password',
  e: 'email',
  k: 'passkey',
  t: 'totp',
  r: 'recovery',
  o: 'provider',
  a: 'application',
} as const

type Letter = keyof typeof letters

/** The text for a session without proofs: it was taken over from another library, and its sign-in time is not known. */
const noProofsText = '-'

/** Writes proofs as text without control characters. */
export function writeProofs(proofs: readonly Proof[]): string {
  return proofs.length === 0 ? noProofsText : proofs.map(formatProof).join(' ')
}

function formatProof({ method, at, of, by, amr, aal, reported = [] }: Proof): string {
  const letter = Object.entries(letters).find(([, name]) => name === method)?.[0] ?? 'u'
  const marks = `${letter}${of === 'attached' ? '+' : ''}${aal ?? ''}`
  const fields = [marks, at.toString(36), encodeURIComponent(by), writeWords(amr)]
  return [...fields, ...(reported.length > 0 ? [`~${writeWords(reported)}`] : [])].join('|')
}

/** Reads the text of {@link writeProofs}. Malformed text proves nothing. */
export function readProofs(text: string): readonly Proof[] {
  if (text === noProofsText) return []
  try {
    return text.split(' ').flatMap(parseProof)
  } catch {
    // `decodeURIComponent` failed: this library did not write the text.
    return []
  }
}

function writeWords(words: readonly string[]): string {
  return words.map(encodeURIComponent).join(',')
}

const proofText = /^([a-z])(\+?)(2?)\|([0-9a-z]{1,9})\|([^|\s]*)\|([^|\s]*?)(?:\|~([^|\s]+))?$/

function parseProof(text: string): Proof[] {
  const [, letter = '', attached, aal, at = '', by = '', amr = '', reported] = proofText.exec(text) ?? []
  if (letter === '') return []
  return [
    {
      method: letters[letter as Letter] ?? 'unknown',
      at: Number.parseInt(at, 36),
      of: attached === '+' ? 'attached' : 'user',
      by: decodeURIComponent(by),
      amr: amr === '' ? [] : readWords(amr),
      ...(aal === '2' && { aal: 2 as const }),
      ...(reported !== undefined && { reported: readWords(reported) }),
    },
  ]
}

function readWords(text: string): readonly string[] {
  return text.split(',').map(decodeURIComponent)
}

/** The facts about a session's authentication in earlier versions, which had no proofs. */
export interface PreviousSessionFacts {
  /** Seconds since the epoch. */
  readonly at: number | undefined
  readonly amr?: readonly string[] | undefined
  readonly aal?: 2 | undefined
  /** The id of the provider, or another sign that this library signed the user in. */
  readonly provider?: string | undefined
}

/**
 * Returns the proofs of a session of an earlier version.
 *
 * That version also took over sessions of other libraries, with the takeover as their start. Such a session has neither
 * methods nor provider, so it has no proofs.
 */
export function proofsOfPreviousVersion({ at, amr = [], aal, provider }: PreviousSessionFacts): readonly Proof[] {
  if (at === undefined || (amr.length === 0 && aal === undefined && provider === undefined)) return []
  return [{ method: 'unknown', at, of: 'user', by: '', amr: [...amr], ...(aal && { aal }) }]
}
