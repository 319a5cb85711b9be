/** The one place where errors become replies. Everything is logged; the outside learns only a type. */
import type { AuthContext } from '../contracts/index.js'
import {
  AuthError,
  CallbackRouteError,
  CaptchaRequired,
  CredentialsSignin,
  EmailSignInError,
  errorClasses,
  InvalidCode,
  InvalidRequest,
  MethodNotAllowed,
  MissingCSRF,
  PasswordRejected,
  PasswordsBusy,
  type ShownText,
  TooManyRequests,
  toError,
  UntrustedHost,
} from '../errors.js'
import { type AuthRequest, type AuthResponse, asksForJson, header, type SafeRedirect } from '../http/message.js'
import { routeRow } from '../http/routes.js'
import type { QueryParams } from '../http/urls.js'
import { hasSolved } from '../limits/captcha.js'
import { errorSentence, errorStatus, isEnglish, siteProblem } from '../pages/index.js'
import { keptRequirement } from '../principal/index.js'
import type { TelemetryOutcome } from '../types/telemetry.js'
import { createIncident, detailOf, isWrongAddress, tellFailure } from './incidents.js'
import { errorPageResponse } from './page-frame.js'
import { noteRemembered } from './remember.js'
import { keepTyped } from './typed-fields.js'

/** Logs an error, tells it to audit logs, and answers it: JSON where that is asked for, else a page or a redirect to one. */
export async function failure(context: AuthContext, thrown: unknown): Promise<AuthResponse> {
  const error = toAuthError(context.request, thrown)
  const reference = await note(context, error)
  const { request } = context
  const headers = headersOf(error)
  if (routeRow(request.action).json || (asksForJson(request.headers) && !wantsUrl(request))) {
    const data = {
      error: publicType(error),
      code: codeOf(error),
      // For whoever shows a widget of their own.
      siteKey: error instanceof CaptchaRequired ? error.siteKey : undefined,
      message: publicMessage(context, error, reference),
    }
    return { kind: 'json', status: statusOf(error), data, headers }
  }
  // A comfort: the refusal is answered without it, too.
  if (isTriedAgain(error)) {
    noteRemembered(context)
    await keepTyped(context).catch((fault) => context.config.logger.error(toError(fault)))
  }
  if (isAnsweredInPlace(request, error)) return { ...errorPage(context, error, reference), headers }
  // Whose captcha was good and whose password was not needs another captcha: the page shows it at once.
  const captcha = error instanceof CredentialsSignin && hasSolved(request) ? '1' : undefined
  const params = { error: publicType(error), code: codeOf(error), captcha, reference }
  const to = retryUrl(context, error, params) ?? context.urls.page(pageOf(context, error), params)
  // The published client reads the URL whatever the status is, and scripts see when to come again.
  if (isLater(error)) {
    const message = publicMessage(context, error, reference)
    return { kind: 'json', status: statusOf(error), data: { url: to, error: publicType(error), message }, headers }
  }
  return { kind: 'redirect', to }
}

/** Logs an error, and tells it to audit logs. Resolves to its reference, where the outside is not told what it is. */
export async function note(context: AuthContext, error: AuthError): Promise<string | undefined> {
  const reference = log(context, error)
  await tellFailure(context, error)
  return reference
}

/** Whether the person comes back to the form, at once or after a while. */
function isTriedAgain(error: AuthError): boolean {
  return (isLater(error) && shownOf(error) !== undefined) || mendable.some((each) => error instanceof each)
}

const mendable = [CaptchaRequired, CredentialsSignin, EmailSignInError]

/** Whether the same attempt can succeed in a while. */
function isLater(error: AuthError): boolean {
  return error instanceof TooManyRequests || isOutage(error)
}

/**
 * Whether a store or a service that the request needs does not answer, or the process has too much to do. Each client gets the status, whatever it
 * asks for: one that reads a success would take the attempt for refused, and nobody would come again.
 */
function isOutage(error: AuthError): boolean {
  return statusOf(error) === 503
}

/** The reason that `authorize` gave, or why a new password is not taken. */
function codeOf(error: AuthError): string | undefined {
  return error instanceof CredentialsSignin || error instanceof PasswordRejected ? error.code : undefined
}

/** What the status alone does not say. */
function headersOf(error: AuthError): Record<string, string> | undefined {
  if (error instanceof MethodNotAllowed) return { allow: error.allow.join(', ') }
  if (error instanceof TooManyRequests || error instanceof PasswordsBusy)
    return { 'retry-after': String(Math.ceil(error.retryAfter)) }
  return undefined
}

/** Where the person tries again: our own sign-out form, when it was out of date, is no reason to sign in. */
function pageOf({ config, request }: AuthContext, error: AuthError): 'signIn' | 'signOut' | 'error' {
  const isOwnForm = request.action === 'signout' && request.body.navigation === 'form'
  if (error instanceof MissingCSRF && isOwnForm && config.pages.signOut === undefined) return 'signOut'
  return error.kind === 'signIn' ? 'signIn' : 'error'
}

/** Where a wrong code is typed again. */
function retryUrl({ request, urls }: AuthContext, error: AuthError, params: QueryParams): SafeRedirect | undefined {
  if (!(error instanceof InvalidCode) || request.action !== 'two-factor') return undefined
  const { callbackUrl, intent } = request.body
  const sent = request.providerId === 'email' && intent === undefined ? '1' : undefined
  const back = typeof callbackUrl === 'string' && callbackUrl.length <= 2048 ? callbackUrl : undefined
  const kept = keptRequirement(request.url.searchParams)
  return urls.endpoint('two-factor', request.providerId, { ...params, sent, callbackUrl: back, ...kept })
}

/** Whether the published browser client wants an URL in a 200 answer, errors included. */
export function wantsUrl({ headers }: AuthRequest): boolean {
  return header(headers, 'x-auth-return-redirect') !== undefined
}

/** Where pages themselves fail, a redirect to a page could go round for ever. */
const pages = ['signin', 'signout', 'error', 'verify-request', 'two-factor', 'signup', 'password']

function isAnsweredInPlace(request: AuthRequest, error: AuthError): boolean {
  if (wantsUrl(request)) return false
  if (isOutage(error)) return true
  if (error instanceof UntrustedHost || error instanceof InvalidRequest || isWrongAddress(error)) return true
  return isSchemeMismatch(error) || (request.method !== 'POST' && pages.includes(request.action))
}

/** What was thrown, as an error of ours: what is none came out of the application's own code. */
export function toAuthError({ action }: AuthRequest, thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown
  return new CallbackRouteError(`The action \`${action}\` failed: ${toError(thrown).message}`, toError(thrown))
}

/** What an attempt came to that ended with an error, for `telemetry`: what is no error in the log is none there. */
export function outcomeOf(error: AuthError): TelemetryOutcome {
  return { result: isEveryday(error) || isWrongAddress(error) ? 'refused' : 'failure', errorType: error.type }
}

/**
 * What the outside is not told the type of gets a reference, so that a person's report and a line of the log find each
 * other.
 */
function log({ config, request }: AuthContext, error: AuthError): string | undefined {
  const { logger } = config
  if (!shownOf(error) && !isEveryday(error)) {
    const reference = createIncident(config, error)
    logger.error(error, { reference })
    return reference
  }
  if (isWrongAddress(error)) logger.debug(`refused: ${error.message}`, { action: request.action, type: error.type })
  else if (isEveryday(error)) logger.debug('a sign-in came to nothing', error)
  else logger.error(error)
  return undefined
}

/**
 * A wrong password, or "Cancel" at a provider: people do that every day, and nothing is out of order. Or one of many attempts that
 * a limit refused: a stranger could fill the log with them, and `events.denied` tells each.
 */
function isEveryday(error: AuthError): boolean {
  return error.cause?.cancelled === true || everyday.some((each) => error instanceof each)
}

const everyday = [CaptchaRequired, CredentialsSignin, InvalidCode, PasswordRejected, TooManyRequests]

function publicType(error: AuthError): string {
  return shownOf(error) ? error.type : 'Configuration'
}

/** What the outside reads; `undefined` where it may not know the type. */
function shownOf({ type }: AuthError): ShownText | undefined {
  return errorClasses.get(type)?.shown
}

function statusOf(error: AuthError): number {
  return error instanceof InvalidRequest ? error.status : (errorClasses.get(error.type)?.status ?? 500)
}

/** A sentence: the class's own in English, else the one of the page, for clients that show it. */
function publicMessage({ config, request }: AuthContext, error: AuthError, reference: string | undefined): string {
  const language = config.languages.of(request)
  if (!isEnglish(language)) return errorSentence(language, publicType(error)) ?? siteProblem(language, reference)
  const shown = shownOf(error)
  if (shown) return shown.message ?? error.message
  const later = isOutage(error) ? ' Try again later.' : ''
  return `The server could not answer.${later} Its log has the reason, by the reference ${reference}.`
}

function errorPage(context: AuthContext, error: AuthError, reference: string | undefined) {
  const type = publicType(error)
  const status = type === 'Configuration' && !isOutage(error) ? errorStatus(type) : statusOf(error)
  const detail = isSchemeMismatch(error) ? schemeHelp : detailOf(context, error)
  return errorPageResponse(context, status, { error: type, detail, reference })
}

const schemeHelp =
  'The browser used https, but the application sees http. Behind a proxy, tell Express to trust it with app.set("trust proxy", 1), or set AUTH_URL to the https URL of the site.'

function isSchemeMismatch(error: AuthError): boolean {
  return error instanceof MissingCSRF && error.cause?.schemeOnly === true
}
