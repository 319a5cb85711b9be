/**
 * The errors of the library (`server-auth/errors`). Each class determines its response: its stable code (`type`), the
 * page about it (`kind`), its public parts (`shown`), and how the user can try again (`retry`). The texts for users are
 * in `i18n`. Add a new class to the list at the end, and its code to `auth-error`.
 */
import {
  AuthError,
  type ErrorCause,
  type ErrorClass,
  type ErrorType,
  type ExpectedErrorKind,
  errorBase,
  OutageError,
  type PublicErrorOptions,
  type Retry,
  SignInError,
  setErrorStatus,
} from './auth-error.js'

export type {
  ErrorCause,
  ErrorClass,
  ErrorDetails,
  ErrorKind,
  ErrorType,
  ExpectedErrorKind,
  PublicErrorOptions,
  Retry,
} from './auth-error.js'
export { AuthError, SignInError } from './auth-error.js'

/**
 * The `signIn` callback rejected the sign-in, or threw. `message` is the original one; the user sees a generic text.
 */
export class AccessDenied extends errorBase(AuthError, 'AccessDenied', { status: 403, shown: {} }) {}

/** The user had to confirm their identity and signed in as another user. The session did not change. */
export class AccountMismatch extends errorBase(AuthError, 'AccountMismatch', {
  status: 403,
  shown: { signIn: false },
}) {}

/** A passkey belongs to another user, `authorize` returned another user's email address, or linking was not safe. */
export class AccountNotLinked extends errorBase(SignInError, 'AccountNotLinked', { status: 403, shown: {} }) {}

/** A method of the adapter threw. Users stay signed in. */
export class AdapterError extends errorBase(OutageError, 'AdapterError') {}

/** The attempt needs a captcha, or its captcha was rejected. */
export class CaptchaRequired extends errorBase(SignInError, 'CaptchaRequired', {
  status: 403,
  shown: {},
  routine: 'refusal',
  retry: 'form',
}) {
  /** @param siteKey The public key of the widget, as configured. */
  constructor(
    message?: string,
    readonly siteKey?: string,
  ) {
    super(message)
  }

  override facts() {
    return { siteKey: this.siteKey }
  }
}

/** The captcha service could not be reached. The attempt was rejected, and not counted. */
export class CaptchaUnavailable extends errorBase(OutageError, 'CaptchaUnavailable', { shown: {} }) {}

/**
 * A function of the application threw in a callback route (`authorize`, `jwt`, `session` …); `cause.err` is the
 * original error.
 */
export class CallbackRouteError extends errorBase(AuthError, 'CallbackRouteError') {}

const consentMessages = {
  account: 'the user chose a different account than the one to connect',
  denied: 'the user or the provider has just denied access',
  expired: 'the stored token has expired, and there is no refresh token',
  refused: 'the provider no longer accepts the refresh token',
  scope: 'the user has not agreed to all of `scope`',
  unreadable: 'no secret decrypts the stored tokens (was the old secret removed too early?)',
}
/** The reason for which a user must agree again. */
export type ConsentReason = keyof typeof consentMessages

/** The user must agree at the provider again: redirect them to the URL of `auth.tokens.connectUrl`. */
export class ConsentRequired extends errorBase(AuthError, 'ConsentRequired', {
  status: 403,
  shown: { signIn: false },
}) {
  /** @param provider The id in the configuration. @param reason The reason. */
  constructor(
    readonly provider: string,
    readonly reason: ConsentReason,
    options?: ErrorCause,
  ) {
    super(
      `No access token of "${provider}" (${reason}): ${consentMessages[reason]}. Redirect the user to tokens.connectUrl().`,
      options,
    )
  }
}

/**
 * The name or password is wrong. Throw it from `authorize` to reject a sign-in with a `code`: `class Locked extends
 * CredentialsSignin { override code = 'locked' }`.
 */
export class CredentialsSignin extends errorBase(SignInError, 'CredentialsSignin', {
  status: 401,
  shown: {},
  routine: 'refusal',
  retry: 'form',
}) {
  /** The reason. It is in the URL, so it must not reveal anything sensitive. */
  code = 'credentials'

  override facts() {
    return { code: this.code }
  }
}

/** Two providers have the conditional passkey UI enabled. */
export class DuplicateConditionalUI extends errorBase(AuthError, 'DuplicateConditionalUI') {}

/** A sign-in mail could not be sent, or the email address is not allowed. */
export class EmailSignInError extends errorBase(SignInError, 'EmailSignInError', {
  status: 400,
  shown: {},
  retry: 'form',
}) {}

/** `pages.error` redirects back to the error page. */
export class ErrorPageLoop extends errorBase(AuthError, 'ErrorPageLoop') {}

/** An event handler threw. Only logged; the request continued. */
export class EventError extends errorBase(AuthError, 'EventError') {}

/** A feature is used that must be enabled in `experimental`. */
export class ExperimentalFeatureNotEnabled extends errorBase(AuthError, 'ExperimentalFeatureNotEnabled') {}

/**
 * The session is impersonated (`auth.impersonation`), and the function or route is not allowed in it. Nothing was
 * changed.
 */
export class ImpersonatedSession extends errorBase(AuthError, 'ImpersonatedSession', {
  status: 403,
  shown: { signIn: false },
}) {
  /** @param by The id of the user who uses the session. */
  constructor(readonly by: string) {
    super('The session is impersonated: it cannot be used for this. End it with `auth.impersonation.end` first.')
  }
}

/** The response of a provider does not belong to a sign-in that this browser started, or is too late. */
export class InvalidCheck extends errorBase(AuthError, 'InvalidCheck', { status: 400, shown: {} }) {}

/** The code of a second factor is wrong, already used, or too old. */
export class InvalidCode extends errorBase(AuthError, 'InvalidCode', {
  status: 401,
  shown: {},
  routine: 'refusal',
  retry: 'code',
}) {}

/** An option has an invalid value. The message names the option and the fix. */
export class InvalidConfiguration extends errorBase(AuthError, 'InvalidConfiguration') {}

/** A provider has neither `issuer` nor the required endpoints. */
export class InvalidEndpoints extends errorBase(AuthError, 'InvalidEndpoints') {}

/** The URL names a provider that is not configured, or has another type. */
export class InvalidProvider extends errorBase(AuthError, 'InvalidProvider', {
  status: 404,
  shown: {},
  routine: 'wrongAddress',
  inPlace: true,
}) {}

/** The request is malformed: path, host, body or method. `status` is that of the response. */
export class InvalidRequest extends errorBase(AuthError, 'InvalidRequest', {
  status: 400,
  shown: { ownMessage: true, signIn: false },
  routine: 'wrongAddress',
  inPlace: true,
}) {
  constructor(message: string, status = 400, options?: Error | ErrorCause) {
    super(message, options)
    setErrorStatus(this, status)
  }

  override responseStatus() {
    return this.status
  }
}

/** The route does not support this method. `allow` lists the supported ones (RFC 9110 §15.5.6). */
export class MethodNotAllowed extends InvalidRequest {
  constructor(/** The methods of the route, for the header `Allow`. */ readonly allow: readonly string[]) {
    super(`This URL allows ${allow.join(' and ')} only.`, 405)
  }

  override headers() {
    return { allow: this.allow.join(', ') }
  }
}

/** The client exceeded a rate limit. `retryAfter` is the time to wait, in seconds (RFC 6585 §4). */
export class TooManyRequests extends InvalidRequest {
  static override readonly type: ErrorType = 'TooManyRequests'
  static override readonly status: number = 429
  static override readonly shown: PublicErrorOptions = { ownMessage: true }
  static override readonly routine: ExpectedErrorKind = 'refusal'
  static override readonly retry: Retry = 'later'
  constructor(/** Seconds to wait, for the header `Retry-After`. */ readonly retryAfter: number) {
    super(`Too many requests. Try again in ${formatWait(retryAfter)}.`, 429)
  }

  override headers() {
    return { 'retry-after': String(Math.ceil(this.retryAfter)) }
  }
}

/** Returns a time to wait as text. @param seconds Rounded up. */
function formatWait(seconds: number): string {
  const [count, unit] = seconds > 60 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds), 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** No tenant has the host, path or id of the request. The message names no tenant. */
export class UnknownTenant extends InvalidRequest {
  static override readonly type: ErrorType = 'UnknownTenant'
  static override readonly status: number = 404
  constructor() {
    super('There is no site at this address.', 404)
  }
}

/** The configuration of the tenant could not be loaded. The log has the reason. The message names no tenant. */
export class TenantUnavailable extends InvalidRequest {
  static override readonly type: ErrorType = 'TenantUnavailable'
  static override readonly status: number = 503
  static override readonly retry: Retry = 'later'
  constructor(/** Seconds to wait, for the header `Retry-After`. */ readonly retryAfter: number) {
    super(`This site is not available at the moment. Try again in ${formatWait(retryAfter)}.`, 503)
  }

  override headers() {
    return { 'retry-after': String(Math.ceil(this.retryAfter)) }
  }
}

/** A session token could not be created or read. */
export class JWTSessionError extends errorBase(AuthError, 'JWTSessionError') {}

/** A feature requires an adapter. */
export class MissingAdapter extends errorBase(AuthError, 'MissingAdapter') {}

/** The adapter lacks methods that a feature requires. */
export class MissingAdapterMethods extends errorBase(AuthError, 'MissingAdapterMethods') {}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends errorBase(AuthError, 'MissingAuthorize') {}

/** A POST has no valid CSRF token, or comes from another site. */
export class MissingCSRF extends errorBase(SignInError, 'MissingCSRF', { status: 403, shown: {}, retry: 'token' }) {}

/** No secret is configured in production, or it is too short. */
export class MissingSecretError extends errorBase(AuthError, 'MissingSecret') {}

/** The conditional passkey UI requires a form field with `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends errorBase(AuthError, 'MissingWebAuthnAutocomplete') {}

/** The email address belongs to a user with another sign-in method. */
export class OAuthAccountNotLinked extends errorBase(SignInError, 'OAuthAccountNotLinked', {
  status: 403,
  shown: {},
}) {}

/** The provider rejected the request, or its response is not valid. */
export class OAuthCallbackError extends errorBase(SignInError, 'OAuthCallbackError', { status: 400, shown: {} }) {}

const notConnectedMessages = {
  session: 'there is no signed-in user, or the session has no owner, such as a JWT session of credentials',
  account: 'the user has not connected an account. Redirect them to tokens.connectUrl()',
  several: 'the user has connected several accounts. Choose one by `providerAccountId`',
}

/**
 * There are no tokens: no signed-in user (`session`), no connected account (`account`), or several accounts and none is
 * named (`several`).
 */
export class NotConnected extends errorBase(AuthError, 'NotConnected', { status: 403, shown: {} }) {
  /** @param provider The id in the configuration. @param reason `session`, `account` or `several`. */
  constructor(
    readonly provider: string,
    readonly reason: keyof typeof notConnectedMessages,
  ) {
    super(`No tokens of "${provider}" (${reason}): ${notConnectedMessages[reason]}.`)
  }
}

/** The provider's `profile` function threw, or returned no usable id. */
export class OAuthProfileParseError extends errorBase(AuthError, 'OAuthProfileParseError') {}

/** The sign-in could not be started: the provider cannot be reached or its metadata is wrong. */
export class OAuthSignInError extends errorBase(SignInError, 'OAuthSignInError', { status: 502, shown: {} }) {}

/**
 * The reason for which a new password is rejected. `short`, `long`: too few or too many characters; `common`: it is
 * widely used; `breached`: it is in a data breach; `contextual`: it is made of the email address or the site's name;
 * `unavailable`: the breach check was not available.
 */
export type PasswordRejectionReason = 'short' | 'long' | 'common' | 'breached' | 'contextual' | 'unavailable'

/** A new password is rejected. `code` is the reason. */
export class PasswordRejected extends errorBase(AuthError, 'PasswordRejected', {
  status: 400,
  shown: { signIn: false },
  routine: 'refusal',
  retry: 'form',
}) {
  constructor(/** The reason. */ readonly code: PasswordRejectionReason) {
    super(`The new password was rejected (${code}).`)
  }

  override facts() {
    return { code: this.code }
  }
}

/** Too many passwords wait for a check in this process. Nothing was checked or counted. `retryAfter` is in seconds. */
export class PasswordsBusy extends errorBase(OutageError, 'PasswordsBusy', { shown: {} }) {
  /** Seconds to wait, for the header `Retry-After`. The queue is empty by then. */
  readonly retryAfter = 5

  override headers() {
    return { 'retry-after': String(this.retryAfter) }
  }
}

/** The action requires a recent authentication: redirect the user to sign in again, or to `two-factor`. */
export class ReauthenticationRequired extends errorBase(AuthError, 'ReauthenticationRequired', {
  status: 403,
  shown: {},
}) {}

/** An access token could not be renewed. `retryable`: the provider may accept it later. */
export class RefreshError extends errorBase(OutageError, 'RefreshError', { shown: {} }) {
  /**
   * @param provider The id in the configuration. @param retryable `true` if a later attempt with the same tokens may
   *   succeed.
   */
  constructor(
    readonly provider: string,
    readonly retryable: boolean,
    message: string,
    options?: ErrorCause,
  ) {
    super(`The access token of the provider "${provider}" could not be renewed: ${message}.`, options)
  }
}

/** The second factor was not verified in time, or failed too often: the sign-in must start again. */
export class SecondFactorFailed extends errorBase(SignInError, 'SecondFactorFailed', { status: 403, shown: {} }) {}

/** A database session could not be read or written. */
export class SessionTokenError extends errorBase(AuthError, 'SessionTokenError') {}

/** The session does not fit into cookies. The message has the size; the old session stays. */
export class SessionTooLarge extends errorBase(AuthError, 'SessionTooLarge') {}

/**
 * The browser's cookies would exceed the header size that servers accept. Nothing was written, and the old session
 * stays.
 */
export class TooManyCookies extends errorBase(AuthError, 'TooManyCookies', { status: 431, shown: { signIn: false } }) {}

/** The store could not end the session. The browser is signed out, and the store is tried again. */
export class SignOutError extends errorBase(OutageError, 'SignOutError', { shown: { signIn: false } }) {}

/** The session strategy does not support the providers. */
export class UnsupportedStrategy extends errorBase(AuthError, 'UnsupportedStrategy') {}

/** The site's URL is not known and the `Host` header is not trusted. */
export class UntrustedHost extends errorBase(AuthError, 'UntrustedHost', { inPlace: true }) {}

/** The link is invalid, used or expired. */
export class Verification extends errorBase(AuthError, 'Verification', { status: 403, shown: {} }) {}

/** The response of the passkey is not valid. */
export class WebAuthnVerificationError extends errorBase(AuthError, 'WebAuthnVerificationError', {
  status: 400,
  shown: {},
}) {}

/** The classes by type, except the base classes. */
const classes = {
  AccessDenied,
  AccountMismatch,
  AccountNotLinked,
  AdapterError,
  CaptchaRequired,
  CaptchaUnavailable,
  CallbackRouteError,
  ConsentRequired,
  CredentialsSignin,
  DuplicateConditionalUI,
  EmailSignInError,
  ErrorPageLoop,
  EventError,
  ExperimentalFeatureNotEnabled,
  ImpersonatedSession,
  InvalidCheck,
  InvalidCode,
  InvalidConfiguration,
  InvalidEndpoints,
  InvalidProvider,
  InvalidRequest,
  JWTSessionError,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingCSRF,
  MissingSecret: MissingSecretError,
  MissingWebAuthnAutocomplete,
  NotConnected,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  PasswordRejected,
  PasswordsBusy,
  ReauthenticationRequired,
  RefreshError,
  SecondFactorFailed,
  SessionTokenError,
  SessionTooLarge,
  SignOutError,
  TenantUnavailable,
  TooManyCookies,
  TooManyRequests,
  UnknownTenant,
  UnsupportedStrategy,
  UntrustedHost,
  Verification,
  WebAuthnVerificationError,
} satisfies Record<Exclude<ErrorType, 'AuthError' | 'SignInError'>, { readonly type: ErrorType }>

/** The classes by type. A map, not an object, so that a type from a query cannot find `constructor`. */
export const errorClasses: ReadonlyMap<string, ErrorClass> = new Map(Object.entries(classes))

/** Returns any thrown value as an Error, including `throw undefined` and `throw 'text'`. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a non-error was thrown (${typeof thrown})`)
}
