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

/** The parts of an error that the outside may know. The words for users are in `i18n`, by its type. */
export interface ShownText {
  /** Whether JSON answers in English have the error's own message, which then tells nothing about the server. */
  readonly ownMessage?: true
  /** Whether the error page offers to sign in again. Default: `true`. */
  readonly signIn?: boolean
}

/**
 * How the user can try again. `form`: by filling in the form again. `code`: by another code. `token`: by sending the form again, with a new CSRF
 * token. `later`: by the same attempt, in a while.
 */
export type Retry = 'form' | 'code' | 'token' | 'later'

/**
 * Why an error is nothing that the log should report as an error. `refusal`: an attempt came to nothing, as happens every day; strangers could
 * fill the log with them. `wrongAddress`: anybody can provoke it by a URL, and it is no attempt at anything.
 */
export type Routine = 'refusal' | 'wrongAddress'

/** Values that an answer has beside the type of an error. */
export interface ErrorFacts {
  /** A reason, in JSON answers and in URLs. */
  readonly code?: string | undefined
  /** The public key of a captcha, in JSON answers. */
  readonly siteKey?: string | undefined
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
  /** How the user can try again. */
  static readonly retry?: Retry
  /** Present for errors that are no errors of the log. */
  static readonly routine?: Routine
  /** Whether the request itself is answered by the error page: a redirect could lead nowhere. */
  static readonly inPlace?: boolean
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

  /** Returns the status of an answer, where it is not the one of the class. */
  answerStatus(): number | undefined {
    return undefined
  }

  /** Returns headers of an answer that say more than the status, by lower-case name. */
  headers(): Readonly<Record<string, string>> | undefined {
    return undefined
  }

  /** Returns values for clients beside the type. */
  facts(): ErrorFacts {
    return {}
  }
}

/** The properties of a class, which say how its errors are answered. */
export type ErrorClass = Pick<typeof AuthError, 'kind' | 'status' | 'shown' | 'retry' | 'routine' | 'inPlace'>

/** Hidden from the log, which says the type. Parsers of others write their own status on what was thrown at them. */
export function setStatus(error: AuthError, value: number): void {
  Object.defineProperty(error, 'status', { value, writable: true, configurable: true })
}

/** Base class of errors that send the person back to the sign-in page. */
export class SignInError extends AuthError {
  static override readonly type: ErrorType = 'SignInError'
  static override readonly kind: ErrorKind = 'signIn'
}

/** Base class of errors for a store or a service that does not answer now. */
export class OutageError extends AuthError {
  static override readonly status: number = 503
  static override readonly retry: Retry = 'later'
}

/**
 * Returns the base of a class of errors, with the properties that say how its errors are answered.
 *
 * @param type The code of the class. @param answer The properties that differ from those of the base.
 */
export function answered(base: typeof AuthError, type: ErrorType, answer: Partial<ErrorClass> = {}): typeof AuthError {
  return Object.assign(class extends base {}, { type, ...answer })
}
