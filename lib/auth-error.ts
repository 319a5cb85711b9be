/** The base classes of the library's errors, and the codes of all errors. */

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
  | 'ImpersonatedSession'
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
  | 'TenantUnavailable'
  | 'UnknownTenant'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

/** The page that describes the error to the user. */
export type ErrorKind = 'error' | 'signIn'

/** The public parts of an error. The texts for users are in `i18n`, by its type. */
export interface PublicErrorOptions {
  /**
   * `true` if English JSON responses contain the error's own message, which must then reveal nothing about the server.
   */
  readonly ownMessage?: true
  /** `false` if the error page does not offer a new sign-in. Default: `true`. */
  readonly signIn?: boolean
}

/**
 * The way in which the user can try again. `form`: fill in the form again. `code`: use another code. `token`: send the
 * form again, with a new CSRF token. `later`: repeat the attempt later.
 */
export type Retry = 'form' | 'code' | 'token' | 'later'

/**
 * The reason for which an error is not logged as an error. `refusal`: a failed attempt, which is normal; strangers
 * could fill the log. `wrongAddress`: any client can cause it by a URL.
 */
export type ExpectedErrorKind = 'refusal' | 'wrongAddress'

/** The values of a response in addition to the type of the error. */
export interface ErrorDetails {
  /** The reason, in JSON responses and in URLs. */
  readonly code?: string | undefined
  /** The public key of a captcha, in JSON responses. */
  readonly siteKey?: string | undefined
}

/** The cause of an error: the original error as `err`, and details for the log. */
export type ErrorCause = Record<string, unknown> & {
  /** The original error. */
  err?: Error
}

/** The base class of all errors of the library. It prints well through `logger.error`. */
export class AuthError extends Error {
  /** The stable code of the class, in JSON responses, URLs (`?error=<type>`) and the log. Each subclass has its own. */
  static readonly type: ErrorType = 'AuthError'
  /** The page that describes the error to the user. */
  static readonly kind: ErrorKind = 'error'
  /** The HTTP status of a response. */
  static readonly status: number = 500
  /** The public parts. Without it the type is hidden, and clients get `Configuration`. */
  static readonly shown?: PublicErrorOptions
  /** The way in which the user can try again. */
  static readonly retry?: Retry
  /** Present for errors that are not logged as errors. */
  static readonly routine?: ExpectedErrorKind
  /** `true` if the response is the error page itself, because a redirect might not work. */
  static readonly inPlace?: boolean
  /** The stable code, for comparisons and for the log. */
  readonly type: ErrorType
  /** The page that describes the error to the user. */
  readonly kind: ErrorKind
  /**
   * The original error and details. Only declared: an error without a cause has no such property, and prints without
   * one.
   */
  declare readonly cause?: ErrorCause
  /** The HTTP status of a response, for error handlers of Express and others. */
  declare readonly status: number

  /**
   * @param message The message, the original error, or details.
   * @param options The original error, or details for the log. Must not contain a secret, token or email address.
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
    setErrorStatus(this, new.target.status)
  }

  /** Returns the status of a response, if it differs from that of the class. */
  responseStatus(): number | undefined {
    return undefined
  }

  /** Returns additional headers of a response, by lower-case name. */
  headers(): Readonly<Record<string, string>> | undefined {
    return undefined
  }

  /** Returns additional values for clients. */
  facts(): ErrorDetails {
    return {}
  }
}

/** The properties of a class that determine the response to its errors. */
export type ErrorClass = Pick<typeof AuthError, 'kind' | 'status' | 'shown' | 'retry' | 'routine' | 'inPlace'>

/**
 * Sets the status as a hidden property, because the log already has the type. It is writable, because other parsers set
 * their own status on errors.
 */
export function setErrorStatus(error: AuthError, value: number): void {
  Object.defineProperty(error, 'status', { value, writable: true, configurable: true })
}

/** The base class of errors that redirect the user to the sign-in page. */
export class SignInError extends AuthError {
  static override readonly type: ErrorType = 'SignInError'
  static override readonly kind: ErrorKind = 'signIn'
}

/** The base class of errors of a store or a service that is not available. */
export class OutageError extends AuthError {
  static override readonly status: number = 503
  static override readonly retry: Retry = 'later'
}

/**
 * Returns the base of a class of errors, with the properties that determine the response.
 * @param type The code of the class. @param answer The properties that differ from those of the base.
 */
export function errorBase(base: typeof AuthError, type: ErrorType, answer: Partial<ErrorClass> = {}): typeof AuthError {
  return Object.assign(class extends base {}, { type, ...answer })
}
