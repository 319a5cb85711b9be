/** What all errors of the library have, and their codes. */

/** The stable codes of all errors. */
export type ErrorType =
  | 'AuthError'
  | 'SignInError'
  | 'AccessDenied'
  | 'AccountMismatch'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'CaptchaRequired'
  | 'CaptchaUnavailable'
  | 'CallbackRouteError'
  | 'ConsentRequired'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCheck'
  | 'InvalidCode'
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
  | 'NotConnected'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'PasswordRejected'
  | 'PasswordsBusy'
  | 'ReauthenticationRequired'
  | 'RefreshError'
  | 'SecondFactorFailed'
  | 'SessionTokenError'
  | 'SessionTooLarge'
  | 'SignOutError'
  | 'TooManyCookies'
  | 'TooManyRequests'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

/** On which page a person reads about the error. */
export type ErrorKind = 'error' | 'signIn'

/** What the outside may know of an error. The words that people read are in `i18n`, by its type. */
export interface ShownText {
  /** The message of a JSON answer. Default: the error's own, which then tells nothing about the server. */
  readonly message?: string
  /** Whether the error page offers to sign in again. Default: `true`. */
  readonly signIn?: boolean
}

/** What led to an error: the original under `err`, and details for the log. */
export type ErrorCause = Record<string, unknown> & {
  /** The error that was thrown first. */
  err?: Error
}

/** Base class of all errors of the library. Made to print well through `logger.error`. */
export class AuthError extends Error {
  /** Stable code of the class: in JSON answers, URLs (`?error=<type>`) and the log. Each subclass has its own. */
  static readonly type: ErrorType = 'AuthError'
  /** On which page a person reads about it. */
  static readonly kind: ErrorKind = 'error'
  /** The HTTP status of an answer that is about this error. */
  static readonly status: number = 500
  /** What the outside may know. Without it the type is kept from the outside, which reads `Configuration`. */
  static readonly shown?: ShownText
  /** Stable code, for comparing and for reading logs. */
  readonly type: ErrorType
  /** On which page a person reads about it. */
  readonly kind: ErrorKind
  /** The original error and details. Declared only: an error without a cause has no such property, and prints without one. */
  declare readonly cause?: ErrorCause
  /** The HTTP status of an answer that is about it: error handlers of Express and others read it where nobody else answers. */
  declare readonly status: number

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
    const cause: ErrorCause = {
      ...(typeof message === 'object' && !(message instanceof Error) ? message : undefined),
      ...(options instanceof Error ? undefined : options),
      ...(original && { err: original }),
    }
    if (Object.keys(cause).length > 0) this.cause = cause
    setStatus(this, new.target.status)
  }
}

/** Hidden from the log, which says the type. Parsers of others write their own status on what was thrown at them. */
export function setStatus(error: AuthError, value: number): void {
  Object.defineProperty(error, 'status', { value, writable: true, configurable: true })
}

/** Base class of errors that send the person back to the sign-in page. */
export class SignInError extends AuthError {
  static override readonly type: ErrorType = 'SignInError'
  static override readonly kind: ErrorKind = 'signIn'
}
