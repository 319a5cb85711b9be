/** The proofs of a session: each act by which somebody was authenticated, and the text that sessions keep of them. */
import type { Account } from '../types/identity.js'

/**
 * The means of a proof. `provider`: an account at a provider of OAuth or OpenID Connect. `application`: the application's own code
 * (`startSession`). `unknown`: a session from before proofs were written.
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
  /** When it happened, in seconds since the epoch. */
  readonly at: number
  /**
   * `user`: the user of the session was authenticated. `attached`: a sign-in method was attached to the user. That proves control of the
   * method, and nothing about the user.
   */
  readonly of: 'user' | 'attached'
  /** The id of the provider, or the type of the second factor; empty for the application. */
  readonly by: string
  /** Authentication method references (RFC 8176 §2): proved here, or by a provider that is trusted for them (`trustAcr`, `trustAmr`). */
  readonly amr: readonly string[]
  /** The methods that a provider reports, and that it is not trusted for. */
  readonly reported?: readonly string[] | undefined
  /** Present where this proof alone counts for two factors. */
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
}

/**
 * Returns the proof that an identity brings for the user whose it is.
 *
 * @param options `passkeyIsEnough`: whether a passkey that asked for a PIN or a finger counts for two factors. Default: `true`.
 */
export function proofOf(identity: ProvedIdentity, options: { readonly passkeyIsEnough?: boolean } = {}): Proof {
  const { amr, reportedAmr: reported, authenticatedAt, account } = identity
  const method = methodOf(identity)
  const isBoth = method === 'passkey' && amr.includes('mfa') && options.passkeyIsEnough !== false
  const aal = isBoth ? 2 : identity.aal
  const now = nowInSeconds()
  return {
    method,
    // The time of the provider's own check (OpenID Connect Core §2, `auth_time`). Its clock may be ahead.
    at: authenticatedAt === undefined ? now : Math.min(now, Math.max(0, Math.floor(authenticatedAt))),
    of: 'user',
    by: account.provider,
    amr: [...amr],
    ...(aal && { aal }),
    ...(reported && { reported: [...reported] }),
  }
}

/** Seconds by which the clock of a provider may be off. */
const tolerance = 15

/**
 * Checks whether an identity proves that the user was present within so many seconds. A provider has to say when it authenticated the user:
 * OAuth 2 does not, and a provider of OpenID Connect may not have asked (OpenID Connect Core §3.1.2.1, `max_age`).
 */
export function provesPresence({ account, authenticatedAt }: ProvedIdentity, maxAge: number): boolean {
  if (methods[account.type] !== 'provider') return true
  return authenticatedAt !== undefined && nowInSeconds() - authenticatedAt <= maxAge + tolerance
}

function methodOf({ account: { type }, byMail }: ProvedIdentity): ProofMethod {
  if (byMail) return 'email'
  return methods[type]
}

const methods: Readonly<Record<ProvedIdentity['account']['type'], ProofMethod>> = {
  application: 'application',
  credentials: 'password',
  email: 'email',
  oauth: 'provider',
  oidc: 'provider',
  passkey: 'passkey',
  webauthn: 'passkey',
}

/** Returns the proof of a second factor that was verified now. @param type Of the factor. */
export function factorProof(type: 'totp' | 'recovery' | 'email' | 'passkey', amr: readonly string[]): Proof {
  return { method: type, at: nowInSeconds(), of: 'user', by: type, amr: [...amr] }
}

/** Returns the proof of a sign-in method that was attached in a session. It authenticates nobody. */
export function asAttached(proof: Proof): Proof {
  const { method, at, by } = proof
  return { method, at, by, of: 'attached', amr: [] }
}

/** The most proofs that a session keeps. */
const most = 8

/** Returns the proofs with one more. It replaces an older one of the same means; where there are too many, attached ones go first. */
export function withProof(proofs: readonly Proof[], proof: Proof): readonly Proof[] {
  const others = proofs.filter((each) => each.method !== proof.method || each.by !== proof.by || each.of !== proof.of)
  const all = [...others, proof]
  if (all.length <= most) return all
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

/** The text of a session without proofs: its sign-in was taken over from another library, and its time is not known. */
const none = '-'

/** Writes proofs as text without control characters; empty where a session from before proofs were written goes on. */
export function writeProofs(proofs: readonly Proof[]): string {
  return proofs.length === 0 ? none : proofs.map(writeProof).join(' ')
}

function writeProof({ method, at, of, by, amr, aal, reported = [] }: Proof): string {
  const letter = Object.entries(letters).find(([, name]) => name === method)?.[0] ?? 'u'
  const marks = `${letter}${of === 'attached' ? '+' : ''}${aal ?? ''}`
  const fields = [marks, at.toString(36), encodeURIComponent(by), writeWords(amr)]
  return [...fields, ...(reported.length > 0 ? [`~${writeWords(reported)}`] : [])].join('|')
}

/** Reads the text that {@link writeProofs} wrote. What it cannot have written proves nothing. */
export function readProofs(text: string): readonly Proof[] {
  if (text === none) return []
  try {
    return text.split(' ').flatMap(readProof)
  } catch {
    // `decodeURIComponent`: none of it is ours then.
    return []
  }
}

function writeWords(words: readonly string[]): string {
  return words.map(encodeURIComponent).join(',')
}

const proofText = /^([a-z])(\+?)(2?)\|([0-9a-z]{1,9})\|([^|\s]*)\|([^|\s]*?)(?:\|~([^|\s]+))?$/

function readProof(text: string): Proof[] {
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

/** What the version before proofs were written said of a session. */
export interface FactsBefore {
  /** Seconds since the epoch. */
  readonly at: number | undefined
  readonly amr?: readonly string[] | undefined
  readonly aal?: 2 | undefined
  /** The id of the provider, or another sign of a sign-in of ours. */
  readonly provider?: string | undefined
}

/**
 * Returns the proofs of a session from before they were written. That version took sessions of other libraries over, and said that they had
 * begun then: such a session names neither methods nor a provider, and nothing is known of its proofs.
 */
export function proofsBefore({ at, amr = [], aal, provider }: FactsBefore): readonly Proof[] {
  if (at === undefined || (amr.length === 0 && aal === undefined && provider === undefined)) return []
  return [{ method: 'unknown', at, of: 'user', by: '', amr: [...amr], ...(aal && { aal }) }]
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
