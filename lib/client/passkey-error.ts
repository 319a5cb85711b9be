/** Errors of ceremonies: a reason for code, a sentence for users. */
import { page } from './page.js'

/** The kind of a ceremony: a sign-in with a passkey, or the creation of one. */
export type PasskeyAction = 'authenticate' | 'register'

/**
 * The reason of a failure:
 *
 * - `cancelled`: the user cancelled, or waited too long, or there is no passkey for this site here. Browsers report all
 *   three as one (`NotAllowedError`, WebAuthn Level 3 §14.5.1), so that a site cannot find out which passkeys a user
 *   has.
 * - `not-allowed`: the page may not use passkeys (its `Permissions-Policy`, or the frame that it is shown in).
 * - `already-registered`: this device has a passkey of this account already.
 * - `unsupported`: the browser or device does not support it.
 * - `insecure`: the page is not on https, or its domain does not match the passkeys.
 * - `aborted`: your signal, or another request that started after this one.
 * - `refused`: the server rejected it; `error` is its type.
 * - `network`: the server did not respond.
 * - `failed`: an error of the device, or another unexpected error.
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

/** The details of a rejection by the server. */
export interface RejectionDetails {
  /** The type of the error (`docs/reference/errors.md`). */
  readonly error?: string | undefined
  /** A sentence for users. */
  readonly message?: string | undefined
  /** The URL of the page that explains it. */
  readonly url?: string | undefined
  /** The status of the response. */
  readonly status?: number | undefined
}

/** A ceremony that failed. Its message is for users. */
export class PasskeyError extends Error {
  readonly reason: PasskeyFailureReason
  readonly rejection: RejectionDetails

  constructor(
    reason: PasskeyFailureReason,
    action: PasskeyAction,
    { cause, ...rejection }: RejectionDetails & ErrorOptions = {},
  ) {
    super(rejection.message ?? texts[reason](action === 'register'), { cause })
    this.name = 'PasskeyError'
    this.reason = reason
    this.rejection = rejection
  }
}

/** Converts any error to a {@link PasskeyError}. */
export function toPasskeyError(thrown: unknown, action: PasskeyAction): PasskeyError {
  return thrown instanceof PasskeyError
    ? thrown
    : new PasskeyError(failureReason(thrown, action), action, { cause: thrown })
}

/** Returns the reason for the error name of a browser (WebAuthn Level 3 §5.1.3, §5.1.4). */
function failureReason(thrown: unknown, action: PasskeyAction): PasskeyFailureReason {
  switch (thrown instanceof Error && thrown.name) {
    case 'NotAllowedError':
      return isForbidden(action) ? 'not-allowed' : 'cancelled'
    // Without our own signal it is the name that Firefox uses when the user cancels.
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

/** Chromium's API for the page's `Permissions-Policy`. */
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
