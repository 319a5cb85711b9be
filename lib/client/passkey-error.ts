/** Why a ceremony did not succeed: a reason for programs, a sentence for people. */
import { page } from './page.js'

/** What a person is asked for: an answer by a passkey, or to make a new one. */
export type PasskeyAction = 'authenticate' | 'register'

/**
 * Why it did not work:
 *
 * - `cancelled`: the person cancelled, or waited too long, or there is no passkey for this site here. Browsers report all
 *   three as one (`NotAllowedError`, WebAuthn Level 3 §14.5.1), so that a site cannot find out which passkeys somebody has.
 * - `not-allowed`: the page may not use passkeys (its `Permissions-Policy`, or the frame that it is shown in).
 * - `already-registered`: this device has a passkey of this account already.
 * - `unsupported`: the browser or device cannot do it.
 * - `insecure`: the page is not on https, or its domain is not the one that the passkeys belong to.
 * - `aborted`: your signal, or another request that began after this one.
 * - `refused`: the server said no; `error` is its type.
 * - `network`: the server did not answer.
 * - `failed`: the device made a mistake, or something else that nobody can do much about.
 */
export type PasskeyFailureReason =
  | 'cancelled'
  | 'not-allowed'
  | 'already-registered'
  | 'unsupported'
  | 'insecure'
  | 'aborted'
  | 'refused'
  | 'network'
  | 'failed'

/** What the server told with a refusal. */
export interface Refusal {
  /** Type of the error (`docs/reference/errors.md`). */
  readonly error?: string | undefined
  /** A sentence for people. */
  readonly message?: string | undefined
  /** The page that tells about it. */
  readonly url?: string | undefined
  /** The status of the answer. */
  readonly status?: number | undefined
}

/** A ceremony that did not succeed. Its message is for people. */
export class PasskeyError extends Error {
  readonly reason: PasskeyFailureReason
  readonly refusal: Refusal

  constructor(reason: PasskeyFailureReason, action: PasskeyAction, { cause, ...refusal }: Refusal & ErrorOptions = {}) {
    super(refusal.message ?? texts[reason](action === 'register'), { cause })
    this.name = 'PasskeyError'
    this.reason = reason
    this.refusal = refusal
  }
}

/** Anything thrown, as what it means for the person. */
export function toPasskeyError(thrown: unknown, action: PasskeyAction): PasskeyError {
  return thrown instanceof PasskeyError ? thrown : new PasskeyError(reasonOf(thrown, action), action, { cause: thrown })
}

/** From the names that browsers give (WebAuthn Level 3 §5.1.3, §5.1.4). */
function reasonOf(thrown: unknown, action: PasskeyAction): PasskeyFailureReason {
  switch (thrown instanceof Error && thrown.name) {
    case 'NotAllowedError':
      return isForbidden(action) ? 'not-allowed' : 'cancelled'
    // Without a signal of ours: what Firefox calls a person's "cancel".
    case 'AbortError':
      return 'cancelled'
    case 'InvalidStateError':
      return action === 'register' ? 'already-registered' : 'failed'
    case 'SecurityError':
      return 'insecure'
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'unsupported'
    default:
      return 'failed'
  }
}

/** Chromium's view of the page's `Permissions-Policy`. */
type WithPolicy = Document & { readonly featurePolicy?: { allowsFeature(feature: string): boolean } }

function isForbidden(action: PasskeyAction): boolean {
  const document: WithPolicy | undefined = page.document
  const feature = action === 'register' ? 'publickey-credentials-create' : 'publickey-credentials-get'
  return document?.featurePolicy?.allowsFeature(feature) === false
}

const texts: Readonly<Record<PasskeyFailureReason, (registers: boolean) => string>> = {
  cancelled: (registers) =>
    registers
      ? 'No passkey was made: this was cancelled, took too long, or this device cannot keep one. Please try again.'
      : 'You are not signed in: this was cancelled, took too long, or found no passkey for this site. Please try again.',
  'not-allowed': () => 'This page is not allowed to use passkeys.',
  'already-registered': () => 'This device already has a passkey for this account. Please sign in with it.',
  unsupported: (registers) =>
    registers
      ? 'This browser or device cannot make the kind of passkey that this site needs.'
      : 'This browser or device does not support passkeys.',
  insecure: () =>
    'Passkeys do not work at this address. Please open the site at its own address, beginning with https.',
  aborted: () => 'The request was stopped.',
  refused: (registers) =>
    registers
      ? 'The site did not accept this passkey. Please try again.'
      : 'The site did not accept the answer of your passkey. Please try again.',
  network: () => 'The site could not be reached. Please check your connection, then try again.',
  failed: () => 'Your browser or device could not do this. Please try again.',
}
