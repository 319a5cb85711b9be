/**
 * `server-auth/errors`: every error the library throws or logs. Each class says how it is answered: its stable code (`type`), the page about
 * it (`kind`), whether the outside may know of it (`shown`), and how the user can try again (`retry`). The words for users are in `i18n`. A new
 * class is named at the end, and its code in `auth-error`.
 */
import {
  AuthError,
  answered,
  type ErrorCause,
  type ErrorClass,
  type ErrorType,
  OutageError,
  type Retry,
  type Routine,
  type ShownText,
  SignInError,
  setStatus,
} from './auth-error.js'

export type {
  ErrorCause,
  ErrorClass,
  ErrorFacts,
  ErrorKind,
  ErrorType,
  Retry,
  Routine,
  ShownText,
} from './auth-error.js'
export { AuthError, SignInError } from './auth-error.js'

/** The `signIn` callback refused, or threw. `message` is the original one; the person sees a generic text. */
export class AccessDenied extends answered(AuthError, 'AccessDenied', { status: 403, shown: {} }) {}

/** Somebody was asked to prove that it is them, and signed in as somebody else. Nobody was signed in or out by it. */
export class AccountMismatch extends answered(AuthError, 'AccountMismatch', {
  status: 403,
  shown: { signIn: false },
}) {}

/** A passkey belongs to another user, `authorize` returned the address of one, or linking was not safe. */
export class AccountNotLinked extends answered(SignInError, 'AccountNotLinked', { status: 403, shown: {} }) {}

/** A method of the adapter threw. Nobody is signed out by it. */
export class AdapterError extends answered(OutageError, 'AdapterError') {}

/** The attempt needs a captcha, or the one that came was not accepted. */
export class CaptchaRequired extends answered(SignInError, 'CaptchaRequired', {
  status: 403,
  shown: {},
  routine: 'refusal',
  retry: 'form',
}) {
  /** @param siteKey The public key of the widget, as the configuration has it. */
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

/** Whether a captcha is needed or good could not be found out. The attempt was refused, and not counted. */
export class CaptchaUnavailable extends answered(OutageError, 'CaptchaUnavailable', { shown: {} }) {}

/** Code of yours that runs in a callback route (`authorize`, `jwt`, `session` …) threw; `cause.err` has the original. */
export class CallbackRouteError extends answered(AuthError, 'CallbackRouteError') {}

const why = {
  account: 'they chose another account there than the one that was to be connected',
  denied: 'they, or the provider, said no a moment ago',
  expired: 'the one there was has ended, and no refresh token came with it',
  refused: 'the provider does not take the refresh token any more',
  scope: 'they have not agreed to all of `scope`',
  unreadable: 'no secret opens what is stored (was the old one taken away too early?)',
}
/** Why a person must agree again: one word for each case, for code that decides by it. */
export type ConsentReason = keyof typeof why

/** The user must agree at the provider again: send them to the URL of `auth.tokens.connectUrl`. `reason` says why. */
export class ConsentRequired extends answered(AuthError, 'ConsentRequired', { status: 403, shown: { signIn: false } }) {
  /** @param provider Its id in the configuration. @param reason Why the stored tokens do not suffice. */
  constructor(
    readonly provider: string,
    readonly reason: ConsentReason,
    options?: ErrorCause,
  ) {
    super(`No access token of "${provider}" (${reason}): ${why[reason]}. Send them to tokens.connectUrl().`, options)
  }
}

/**
 * The name or password is wrong. Throw one from `authorize` to refuse a sign-in and say why by a `code`:
 * `class Locked extends CredentialsSignin { override code = 'locked' }`.
 */
export class CredentialsSignin extends answered(SignInError, 'CredentialsSignin', {
  status: 401,
  shown: {},
  routine: 'refusal',
  retry: 'form',
}) {
  /** Appears in the URL, so it must not hint at anything sensitive. */
  code = 'credentials'

  override facts() {
    return { code: this.code }
  }
}

/** Two providers have the conditional passkey UI enabled. */
export class DuplicateConditionalUI extends answered(AuthError, 'DuplicateConditionalUI') {}

/** A sign-in mail could not be sent, or the address is none that we send one to. */
export class EmailSignInError extends answered(SignInError, 'EmailSignInError', {
  status: 400,
  shown: {},
  retry: 'form',
}) {}

/** `pages.error` itself leads back to the error page. */
export class ErrorPageLoop extends answered(AuthError, 'ErrorPageLoop') {}

/** An event handler of yours threw. Only logged; the request went on. */
export class EventError extends answered(AuthError, 'EventError') {}

/** An experimental feature is used that the configuration does not enable. */
export class ExperimentalFeatureNotEnabled extends answered(AuthError, 'ExperimentalFeatureNotEnabled') {}

/** The answer of a provider does not belong to a sign-in that this browser started, or comes too late. */
export class InvalidCheck extends answered(AuthError, 'InvalidCheck', { status: 400, shown: {} }) {}

/** A code of a second factor is wrong, was used before, or is too old. */
export class InvalidCode extends answered(AuthError, 'InvalidCode', {
  status: 401,
  shown: {},
  routine: 'refusal',
  retry: 'code',
}) {}

/** An option has a value that cannot work. The message names the option and what to write. */
export class InvalidConfiguration extends answered(AuthError, 'InvalidConfiguration') {}

/** A provider has neither `issuer` nor the endpoints it needs. */
export class InvalidEndpoints extends answered(AuthError, 'InvalidEndpoints') {}

/** The URL names a provider that is not configured, or one of another kind. */
export class InvalidProvider extends answered(AuthError, 'InvalidProvider', {
  status: 404,
  shown: {},
  routine: 'wrongAddress',
  inPlace: true,
}) {}

/** The request cannot be understood: malformed path, host, body or method. `status` is the answer's. */
export class InvalidRequest extends answered(AuthError, 'InvalidRequest', {
  status: 400,
  shown: { ownMessage: true, signIn: false },
  routine: 'wrongAddress',
  inPlace: true,
}) {
  constructor(message: string, status = 400, options?: Error | ErrorCause) {
    super(message, options)
    setStatus(this, status)
  }

  override answerStatus() {
    return this.status
  }
}

/** The route is there, but not for this method. `allow` lists those it has (RFC 9110 §15.5.6). */
export class MethodNotAllowed extends InvalidRequest {
  constructor(/** The methods that the route has, for the header `Allow`. */ readonly allow: readonly string[]) {
    super(`This address takes ${allow.join(' and ')} only.`, 405)
  }

  override headers() {
    return { allow: this.allow.join(', ') }
  }
}

/** The client asks for more than the limits allow. `retryAfter` is the time to wait, in seconds (RFC 6585 §4). */
export class TooManyRequests extends InvalidRequest {
  static override readonly type: ErrorType = 'TooManyRequests'
  static override readonly status: number = 429
  static override readonly shown: ShownText = { ownMessage: true }
  static override readonly routine: Routine = 'refusal'
  static override readonly retry: Retry = 'later'
  constructor(/** Seconds to wait, for the header `Retry-After`. */ readonly retryAfter: number) {
    super(`Too many requests. Try again in ${waitOf(retryAfter)}.`, 429)
  }

  override headers() {
    return { 'retry-after': String(Math.ceil(this.retryAfter)) }
  }
}

/** A time to wait, in words. @param seconds Rounded up. */
function waitOf(seconds: number): string {
  const [count, unit] = seconds > 60 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds), 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A session token could not be made or read. */
export class JWTSessionError extends answered(AuthError, 'JWTSessionError') {}

/** A feature is used that needs an adapter. */
export class MissingAdapter extends answered(AuthError, 'MissingAdapter') {}

/** The adapter lacks methods that a feature needs. */
export class MissingAdapterMethods extends answered(AuthError, 'MissingAdapterMethods') {}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends answered(AuthError, 'MissingAuthorize') {}

/** A POST came without the right CSRF token, or from another site. */
export class MissingCSRF extends answered(SignInError, 'MissingCSRF', { status: 403, shown: {}, retry: 'token' }) {}

/** No secret is configured in production, or one that is too short. */
export class MissingSecretError extends answered(AuthError, 'MissingSecret') {}

/** Conditional passkey UI needs a form field with `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends answered(AuthError, 'MissingWebAuthnAutocomplete') {}

/** The address belongs to a user who signed in another way. */
export class OAuthAccountNotLinked extends answered(SignInError, 'OAuthAccountNotLinked', { status: 403, shown: {} }) {}

/** The provider refused, or its answer is not valid. */
export class OAuthCallbackError extends answered(SignInError, 'OAuthCallbackError', { status: 400, shown: {} }) {}

const missing = {
  session: 'nobody is signed in, or in a session without an owner, such as a JWT session of credentials',
  account: 'the person has connected no account there. Send them to tokens.connectUrl()',
  several: 'the person has connected several accounts there. Say which one by `providerAccountId`',
}

/** There are no tokens: nobody is signed in (`session`), no `account` has any, or `several` and none is named. */
export class NotConnected extends answered(AuthError, 'NotConnected', { status: 403, shown: {} }) {
  /** @param provider Its id in the configuration. @param reason `session`, `account` or `several`, as above. */
  constructor(
    readonly provider: string,
    readonly reason: keyof typeof missing,
  ) {
    super(`No tokens of "${provider}" (${reason}): ${missing[reason]}.`)
  }
}

/** The provider's `profile` function threw, or gave no usable id. */
export class OAuthProfileParseError extends answered(AuthError, 'OAuthProfileParseError') {}

/** The sign-in could not be started: the provider cannot be reached or its metadata is wrong. */
export class OAuthSignInError extends answered(SignInError, 'OAuthSignInError', { status: 502, shown: {} }) {}

/**
 * Why a new password is not taken. `short`, `long`: it has too few or too many characters; `common`: very many people have it;
 * `breached`: attackers know it; `contextual`: it is made of the address or the name of the site; `unavailable`: whether it is known
 * could not be found out.
 */
export type PasswordFault = 'short' | 'long' | 'common' | 'breached' | 'contextual' | 'unavailable'

/** A new password is not taken. `code` says why. */
export class PasswordRejected extends answered(AuthError, 'PasswordRejected', {
  status: 400,
  shown: { signIn: false },
  routine: 'refusal',
  retry: 'form',
}) {
  constructor(/** Why. */ readonly code: PasswordFault) {
    super(`A new password was not taken (${code}).`)
  }

  override facts() {
    return { code: this.code }
  }
}

/** Too many passwords wait to be checked in this process. Nothing was checked, and nothing counted. `retryAfter` is in seconds. */
export class PasswordsBusy extends answered(OutageError, 'PasswordsBusy', { shown: {} }) {
  /** Seconds to wait, for the header `Retry-After`: the queue is empty by then. */
  readonly retryAfter = 5

  override headers() {
    return { 'retry-after': String(this.retryAfter) }
  }
}

/** What was asked for needs a person who has just proved who they are: send them to sign in again, or to `two-factor`. */
export class ReauthenticationRequired extends answered(AuthError, 'ReauthenticationRequired', {
  status: 403,
  shown: {},
}) {}

/** An access token could not be renewed. `retryable`: the provider may do it in a while; nothing is lost. */
export class RefreshError extends answered(OutageError, 'RefreshError', { shown: {} }) {
  /** @param provider Its id in the configuration. @param retryable Whether a later attempt with the same tokens may do. */
  constructor(
    readonly provider: string,
    readonly retryable: boolean,
    message: string,
    options?: ErrorCause,
  ) {
    super(`No new access token of the provider "${provider}": ${message}.`, options)
  }
}

/** The second factor was not proved in time, or too often wrongly: the sign-in begins anew. */
export class SecondFactorFailed extends answered(SignInError, 'SecondFactorFailed', { status: 403, shown: {} }) {}

/** A database session could not be read or written. */
export class SessionTokenError extends answered(AuthError, 'SessionTokenError') {}

/** The session does not fit into cookies. The message names the size; the old session stays. */
export class SessionTooLarge extends answered(AuthError, 'SessionTooLarge') {}

/** The cookies of the browser would not fit into the requests that servers accept. Nothing was written, and the old session stays. */
export class TooManyCookies extends answered(AuthError, 'TooManyCookies', { status: 431, shown: { signIn: false } }) {}

/** The session could not be ended where it is stored. The browser is signed out all the same, and it is tried again. */
export class SignOutError extends answered(OutageError, 'SignOutError', { shown: { signIn: false } }) {}

/** The session strategy does not go with the providers. */
export class UnsupportedStrategy extends answered(AuthError, 'UnsupportedStrategy') {}

/** The site's URL is not known and the `Host` header may not be believed. */
export class UntrustedHost extends answered(AuthError, 'UntrustedHost', { inPlace: true }) {}

/** The link is wrong, used or too old. */
export class Verification extends answered(AuthError, 'Verification', { status: 403, shown: {} }) {}

/** The passkey's answer is not valid. */
export class WebAuthnVerificationError extends answered(AuthError, 'WebAuthnVerificationError', {
  status: 400,
  shown: {},
}) {}

/** All but the base classes, by type. */
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
  TooManyCookies,
  TooManyRequests,
  UnsupportedStrategy,
  UntrustedHost,
  Verification,
  WebAuthnVerificationError,
} satisfies Record<Exclude<ErrorType, 'AuthError' | 'SignInError'>, { readonly type: ErrorType }>

/** The classes by their type. A map, not an object: a type out of a query must not find `constructor`. */
export const errorClasses: ReadonlyMap<string, ErrorClass> = new Map(Object.entries(classes))

/** Anything thrown, as an Error: `throw undefined` and `throw 'text'` included. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a non-error was thrown (${typeof thrown})`)
}
