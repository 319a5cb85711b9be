/**
 * `server-auth/errors`: every error the library throws or logs.
 *
 * An error's `type` is its stable code. `kind` says on which page a person reads about it; only the types in
 * {@link clientErrorTypes} are named to the outside, the others appear there as `Configuration`.
 */

/** The stable codes of all errors. */
export type ErrorType =
  | 'AuthError'
  | 'AccessDenied'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'CallbackRouteError'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCallbackUrl'
  | 'InvalidCheck'
  | 'InvalidConfiguration'
  | 'InvalidEndpoints'
  | 'InvalidProvider'
  | 'InvalidRequest'
  | 'JWTSessionError'
  | 'MissingAdapter'
  | 'MissingAdapterMethods'
  | 'MissingAuthorize'
  | 'MissingCSRF'
  | 'MissingSecret'
  | 'MissingWebAuthnAutocomplete'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'SessionTokenError'
  | 'SessionTooLarge'
  | 'SignInError'
  | 'SignOutError'
  | 'TooManyRequests'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

/** On which page a person reads about the error. */
export type ErrorKind = 'error' | 'signIn'

/** What led to an error: the original under `err`, and details for the log. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/** Base class of all errors of the library. Made to print well through `logger.error`. */
export class AuthError extends Error {
  static readonly type: ErrorType = 'AuthError'
  static readonly kind: ErrorKind = 'error'

  /** Stable code, for comparing and for reading logs. */
  readonly type: ErrorType
  readonly kind: ErrorKind
  // Declared only: an error without a cause has no such property, and prints without one.
  declare readonly cause?: ErrorCause

  /**
   * @param message What happened, or the original error, or details.
   * @param options The original error, or details for the log. Put no secret, token or address in either.
   */
  constructor(message?: string | Error | ErrorCause, options?: Error | ErrorCause) {
    super(typeof message === 'string' ? message : message instanceof Error ? message.message : '')
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
    const original = message instanceof Error ? message : options instanceof Error ? options : undefined
    const details = {
      ...(typeof message === 'object' && !(message instanceof Error) ? message : undefined),
      ...(options instanceof Error ? undefined : options),
    }
    const cause: ErrorCause = original ? { ...details, err: original } : details
    if (Object.keys(cause).length > 0) this.cause = cause
  }
}

/** Base class of errors that send the person back to the sign-in page. */
export class SignInError extends AuthError {
  static override readonly type: ErrorType = 'SignInError'
  static override readonly kind: ErrorKind = 'signIn'
}

/** The `signIn` callback refused, or threw. `message` is the original one; the person sees a generic text. */
export class AccessDenied extends AuthError {
  static override readonly type: ErrorType = 'AccessDenied'
}

/** A passkey belongs to another user, `authorize` returned the address of one, or linking was not safe. */
export class AccountNotLinked extends SignInError {
  static override readonly type: ErrorType = 'AccountNotLinked'
}

/** A method of the adapter threw. Nobody is signed out by it. */
export class AdapterError extends AuthError {
  static override readonly type: ErrorType = 'AdapterError'
}

/** Code of yours that runs in a callback route (`authorize`, `jwt`, `session` …) threw; `cause.err` has the original. */
export class CallbackRouteError extends AuthError {
  static override readonly type: ErrorType = 'CallbackRouteError'
}

/**
 * Throw it from `authorize` to refuse a sign-in and say why by a `code`.
 *
 * @example
 * ```ts
 * class TooManyAttempts extends CredentialsSignin { override code = 'too_many_attempts' }
 * ```
 */
export class CredentialsSignin extends SignInError {
  static override readonly type: ErrorType = 'CredentialsSignin'
  /** Appears in the URL, so it must not hint at anything sensitive. */
  code = 'credentials'
}

/** Two providers have the conditional passkey UI enabled. */
export class DuplicateConditionalUI extends AuthError {
  static override readonly type: ErrorType = 'DuplicateConditionalUI'
}

/** A sign-in mail could not be sent, or the address is none that we send one to. */
export class EmailSignInError extends SignInError {
  static override readonly type: ErrorType = 'EmailSignInError'
}

/** `pages.error` itself leads back to the error page. */
export class ErrorPageLoop extends AuthError {
  static override readonly type: ErrorType = 'ErrorPageLoop'
}

/** An event handler of yours threw. Only logged; the request went on. */
export class EventError extends AuthError {
  static override readonly type: ErrorType = 'EventError'
}

/** An experimental feature is used that the configuration does not enable. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override readonly type: ErrorType = 'ExperimentalFeatureNotEnabled'
}

/** A callback URL cannot be used. */
export class InvalidCallbackUrl extends AuthError {
  static override readonly type: ErrorType = 'InvalidCallbackUrl'
}

/** The answer of a provider does not belong to a sign-in that this browser started, or comes too late. */
export class InvalidCheck extends AuthError {
  static override readonly type: ErrorType = 'InvalidCheck'
}

/** An option has a value that cannot work. The message names the option and what to write. */
export class InvalidConfiguration extends AuthError {
  static override readonly type: ErrorType = 'InvalidConfiguration'
}

/** A provider has neither `issuer` nor the endpoints it needs. */
export class InvalidEndpoints extends AuthError {
  static override readonly type: ErrorType = 'InvalidEndpoints'
}

/** The URL names a provider that is not configured, or one of another kind. */
export class InvalidProvider extends AuthError {
  static override readonly type: ErrorType = 'InvalidProvider'
}

/** The request cannot be understood: malformed path, host, body or method. `status` is the answer's. */
export class InvalidRequest extends AuthError {
  static override readonly type: ErrorType = 'InvalidRequest'
  readonly status: number

  constructor(message: string, status = 400, options?: Error | ErrorCause) {
    super(message, options)
    this.status = status
  }
}

/** The route is there, but not for this method. `allow` lists those it has (RFC 9110 §15.5.6). */
export class MethodNotAllowed extends InvalidRequest {
  readonly allow: readonly string[]

  constructor(allow: readonly string[]) {
    super(`This address takes ${allow.join(' and ')} only.`, 405)
    this.allow = allow
  }
}

/** The client asks for more than the limits allow. `retryAfter` is the time to wait, in seconds (RFC 6585 §4). */
export class TooManyRequests extends InvalidRequest {
  static override readonly type: ErrorType = 'TooManyRequests'
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(`Too many requests. Try again in ${Math.ceil(retryAfter / 60)} minutes.`, 429)
    this.retryAfter = retryAfter
  }
}

/** A session token could not be made or read. */
export class JWTSessionError extends AuthError {
  static override readonly type: ErrorType = 'JWTSessionError'
}

/** A feature is used that needs an adapter. */
export class MissingAdapter extends AuthError {
  static override readonly type: ErrorType = 'MissingAdapter'
}

/** The adapter lacks methods that a feature needs. */
export class MissingAdapterMethods extends AuthError {
  static override readonly type: ErrorType = 'MissingAdapterMethods'
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override readonly type: ErrorType = 'MissingAuthorize'
}

/** A POST came without the right CSRF token, or from another site. */
export class MissingCSRF extends SignInError {
  static override readonly type: ErrorType = 'MissingCSRF'
}

/** No secret is configured in production, or one that is too short. */
export class MissingSecretError extends AuthError {
  static override readonly type: ErrorType = 'MissingSecret'
}

/** Conditional passkey UI needs a form field with `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override readonly type: ErrorType = 'MissingWebAuthnAutocomplete'
}

/** The address belongs to a user who signed in another way. */
export class OAuthAccountNotLinked extends SignInError {
  static override readonly type: ErrorType = 'OAuthAccountNotLinked'
}

/** The provider refused, or its answer is not valid. */
export class OAuthCallbackError extends SignInError {
  static override readonly type: ErrorType = 'OAuthCallbackError'
}

/** The provider's `profile` function threw, or gave no usable id. */
export class OAuthProfileParseError extends AuthError {
  static override readonly type: ErrorType = 'OAuthProfileParseError'
}

/** The sign-in could not be started: the provider cannot be reached or its metadata is wrong. */
export class OAuthSignInError extends SignInError {
  static override readonly type: ErrorType = 'OAuthSignInError'
}

/** A database session could not be read or written. */
export class SessionTokenError extends AuthError {
  static override readonly type: ErrorType = 'SessionTokenError'
}

/** The session does not fit into cookies. The message names the size; the old session stays. */
export class SessionTooLarge extends AuthError {
  static override readonly type: ErrorType = 'SessionTooLarge'
}

/** The session could not be ended where it is stored. The browser is signed out all the same, and it is tried again. */
export class SignOutError extends AuthError {
  static override readonly type: ErrorType = 'SignOutError'
}

/** The path is not one of the library's. */
export class UnknownAction extends AuthError {
  static override readonly type: ErrorType = 'UnknownAction'
}

/** The session strategy does not go with the providers. */
export class UnsupportedStrategy extends AuthError {
  static override readonly type: ErrorType = 'UnsupportedStrategy'
}

/** The site's URL is not known and the `Host` header may not be believed. */
export class UntrustedHost extends AuthError {
  static override readonly type: ErrorType = 'UntrustedHost'
}

/** The link is wrong, used or too old. */
export class Verification extends AuthError {
  static override readonly type: ErrorType = 'Verification'
}

/** The passkey's answer is not valid. */
export class WebAuthnVerificationError extends AuthError {
  static override readonly type: ErrorType = 'WebAuthnVerificationError'
}

/** Types that a page's URL and a JSON answer may name. All others read `Configuration` there. */
export const clientErrorTypes: ReadonlySet<string> = new Set<ErrorType>([
  'AccessDenied',
  'AccountNotLinked',
  'CredentialsSignin',
  'EmailSignInError',
  'InvalidCheck',
  'InvalidProvider',
  'InvalidRequest',
  'MissingCSRF',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'OAuthSignInError',
  'SignOutError',
  'TooManyRequests',
  'Verification',
  'WebAuthnVerificationError',
])

/** Anything thrown, as an Error: `throw undefined` and `throw 'text'` included. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a non-error was thrown (${typeof thrown})`)
}
