/** Converts errors to replies, in this place only. Everything is logged; clients receive only a type. */

import { redact } from '../base/logger.js'
import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import { emitEvent } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { randomHex } from '../crypto/random.js'
import {
  AuthError,
  CallbackRouteError,
  type ErrorClass,
  type ExpectedErrorKind,
  errorClasses,
  toError,
} from '../errors.js'
import { hasSolved } from '../features/limits/captcha.js'
import { isLocalOrigin } from '../http/ip-addresses.js'
import {
  type AuthRequest,
  type AuthResponse,
  header,
  prefersJson,
  requestInfo,
  type SafeRedirect,
} from '../http/message.js'
import { routeRow } from '../http/routes.js'
import type { QueryParams } from '../http/urls.js'
import { errorSentence, errorStatus, isEnglish, siteProblem } from '../pages/index.js'
import { forwardedRequirement } from '../principal/index.js'
import type { TelemetryOutcome } from '../types/telemetry.js'
import { errorPageResponse } from './page-frame.js'
import { storeRemembered } from './remember.js'
import { storeTypedFields } from './typed-fields.js'
import { rejectedAgainPage } from './verify-request.js'

/**
 * Logs an error, emits it to audit logs, and answers it: with JSON if the client accepts it, otherwise with a page or a
 * redirect to one.
 */
export async function failure(context: AuthContext, thrown: unknown): Promise<AuthResponse> {
  const error = toAuthError(context.request, thrown)
  const reference = await recordFailure(context, error)
  const { request } = context
  const headers = error.headers()
  const { code, siteKey } = error.facts()
  if (routeRow(request.action).json || (prefersJson(request.headers) && !wantsUrl(request))) {
    const data = { error: publicType(error), code, siteKey, message: publicMessage(context, error, reference) }
    return { kind: 'json', status: errorStatusOf(error), data, headers }
  }
  // The error is answered even if this fails.
  const { retry, shown } = errorClassOf(error)
  if (retry === 'form' || (retry === 'later' && shown)) {
    storeRemembered(context)
    await storeTypedFields(context).catch((fault) => context.config.logger.error(toError(fault)))
  }
  if (isAnsweredInPlace(request, error)) {
    const page = (await rejectedAgainPage(context, error)) ?? errorPage(context, error, reference)
    return { ...page, headers: { ...page.headers, ...headers } }
  }
  // A captcha can be used once, so the page shows another one.
  const captcha = retry === 'form' && hasSolved(request) ? '1' : undefined
  const params = { error: publicType(error), code, captcha, reference }
  const to = retryUrl(context, error, params) ?? context.urls.page(retryPage(context, error), params)
  // The published client reads the URL with any status, and scripts read when to retry.
  if (retry === 'later') {
    const message = publicMessage(context, error, reference)
    return { kind: 'json', status: errorStatusOf(error), data: { url: to, error: publicType(error), message }, headers }
  }
  return { kind: 'redirect', to }
}

/** Logs an error, and emits it to audit logs. Resolves to its reference if clients do not receive its type. */
export async function recordFailure(context: AuthContext, error: AuthError): Promise<string | undefined> {
  const reference = logFailure(context, error)
  await emitFailure(context, error)
  return reference
}

/**
 * Checks whether a required store or service does not respond, or the process is overloaded. Each client gets the
 * status, even if it accepts only a page: with a success status, it would treat the attempt as rejected and not retry.
 */
function isOutage(error: AuthError): boolean {
  return errorStatusOf(error) === 503
}

/**
 * Returns the page on which the user retries. Our own expired sign-out form leads to the sign-out page, not to the
 * sign-in page.
 */
function retryPage({ config, request }: AuthContext, error: AuthError): 'signIn' | 'signOut' | 'error' {
  const isOwnForm = request.action === 'signout' && request.body.navigation === 'form'
  if (errorClassOf(error).retry === 'token' && isOwnForm && config.pages.signOut === undefined) return 'signOut'
  return error.kind === 'signIn' ? 'signIn' : 'error'
}

/** Returns the URL of the page for another code. */
function retryUrl({ request, urls }: AuthContext, error: AuthError, params: QueryParams): SafeRedirect | undefined {
  if (errorClassOf(error).retry !== 'code' || request.action !== 'two-factor') return undefined
  const { callbackUrl, intent } = request.body
  const sent = request.providerId === 'email' && intent === undefined ? '1' : undefined
  const back = typeof callbackUrl === 'string' && callbackUrl.length <= 2048 ? callbackUrl : undefined
  const kept = forwardedRequirement(request.url.searchParams)
  return urls.endpoint('two-factor', request.providerId, { ...params, sent, callbackUrl: back, ...kept })
}

/** Checks whether the published browser client expects a URL in a 200 response, even for errors. */
export function wantsUrl({ headers }: AuthRequest): boolean {
  return header(headers, 'x-auth-return-redirect') !== undefined
}

/** The pages whose errors are answered in place, because a redirect to a page could loop. */
const pageActions = ['signin', 'signout', 'error', 'verify-request', 'two-factor', 'signup', 'password']

function isAnsweredInPlace(request: AuthRequest, error: AuthError): boolean {
  if (wantsUrl(request)) return false
  if (isOutage(error) || errorClassOf(error).inPlace) return true
  return isSchemeMismatch(error) || (request.method !== 'POST' && pageActions.includes(request.action))
}

/** Returns an error of this library. Any other error is treated as one of the application's code. */
export function toAuthError({ action }: AuthRequest, thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown
  return new CallbackRouteError(`The action \`${action}\` failed: ${toError(thrown).message}`, toError(thrown))
}

/** Returns the outcome of a failed attempt for `telemetry`. Routine errors of the log are no failures. */
export function telemetryOutcome(error: AuthError): TelemetryOutcome {
  return { result: routineReason(error) ? 'refused' : 'failure', errorType: error.type }
}

/**
 * Logs an error. Returns a reference if clients do not receive its type, so that a user's report can be matched with
 * the log.
 */
function logFailure({ config, request }: AuthContext, error: AuthError): string | undefined {
  const { logger } = config
  const routine = routineReason(error)
  if (!routine && !errorClassOf(error).shown) {
    const reference = createIncident(config, error)
    logger.error(error, { reference })
    return reference
  }
  if (routine === 'wrongAddress')
    logger.debug(`refused: ${error.message}`, { action: request.action, type: error.type })
  else if (routine) logger.debug('a sign-in failed', error)
  else logger.error(error)
  return undefined
}

/**
 * Returns the reason why an error is routine in the log. A cancelled sign-in at a provider is as common as a wrong
 * password.
 */
function routineReason(error: AuthError): ExpectedErrorKind | undefined {
  return error.cause?.cancelled === true ? 'refusal' : errorClassOf(error).routine
}

/**
 * Returns the class of an error by its type: subclasses of the application are answered like the class that they
 * extend.
 */
function errorClassOf({ type }: AuthError): ErrorClass {
  return errorClasses.get(type) ?? AuthError
}

function publicType(error: AuthError): string {
  return errorClassOf(error).shown ? error.type : 'Configuration'
}

function errorStatusOf(error: AuthError): number {
  return error.responseStatus() ?? errorClassOf(error).status
}

/** Returns a sentence for users, in their language; in English the error's own, where the class says so. */
function publicMessage({ config, request }: AuthContext, error: AuthError, reference: string | undefined): string {
  const language = config.languages.forRequest(request)
  if (errorClassOf(error).shown?.ownMessage && isEnglish(language)) return error.message
  return errorSentence(language, publicType(error)) ?? siteProblem(language, reference)
}

function errorPage(context: AuthContext, error: AuthError, reference: string | undefined) {
  const type = publicType(error)
  const status = type === 'Configuration' && !isOutage(error) ? errorStatus(type) : errorStatusOf(error)
  const detail = isSchemeMismatch(error) ? schemeHelp(context) : errorDetail(context, error)
  return errorPageResponse(context, status, { error: type, detail, reference })
}

/** Names the cause of http behind a proxy with TLS: the proxy does not report https, or is not trusted. */
function schemeHelp({ request }: AuthContext): string {
  const cause = /^\s*https\b/i.test(header(request.headers, 'x-forwarded-proto') ?? '')
    ? 'the proxy reports https, but the application does not trust it. Set app.set("trust proxy", 1) in Express'
    : 'the proxy does not send `X-Forwarded-Proto: https`. Let the proxy send it, with app.set("trust proxy", 1) in Express'
  return `The browser used https, but the application sees http: ${cause}, or set AUTH_URL to the https URL of the site.`
}

function isSchemeMismatch(error: AuthError): boolean {
  return error.cause?.schemeOnly === true
}

/* ---- incidents --------------------------------------------------------------------------------------------------- */

// References of failures, which are both on the error page and in the log.

/** The messages by reference, only outside production, for the error page. The number is bounded. */
const messagesOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(100))

/** Creates a reference of eight hexadecimal characters. */
export function createIncident(config: ResolvedConfig, error: AuthError): string {
  const reference = randomHex(4)
  if (!config.production) messagesOf(config.memory).set(reference, describeError(error))
  return reference
}

/** Returns a reference from a query, if it is well-formed. */
export function toReference(text: string | null): string | undefined {
  return text !== null && /^[0-9a-f]{8}$/.test(text) ? text : undefined
}

/** Returns the message of a failure for a page; `undefined` for clients that may not read it. */
export function readIncident(context: AuthContext, reference: string | undefined): string | undefined {
  return reference === undefined || !mayReadDetails(context)
    ? undefined
    : messagesOf(context.config.memory).get(reference)
}

/** Returns the description of an error for a page; `undefined` for clients that may not read it. */
export function errorDetail(context: AuthContext, error: AuthError): string | undefined {
  return mayReadDetails(context) ? describeError(error) : undefined
}

/**
 * Checks whether the client is a developer on this machine. A missing "production" does not prove development, because
 * a public site may lack the variable.
 */
function mayReadDetails({ config, request }: AuthContext): boolean {
  return !config.production && request.isFromThisMachine === true && isLocalOrigin(request.origin)
}

/** Returns type, message and cause, without secrets. */
function describeError(error: AuthError): string {
  const lines = [`${error.type}: ${error.message}`]
  const cause = error.cause?.err
  if (cause && !error.message.includes(cause.message)) lines.push(`Caused by ${cause.name}: ${cause.message}`)
  return lines.map(redact).join('\n')
}

/** Emits the `failure` event, except for a wrong URL, which is not an attempt. */
export async function emitFailure(context: AuthContext, error: AuthError): Promise<void> {
  if (errorClasses.get(error.type)?.routine === 'wrongAddress') return
  const { config, request } = context
  const { action, providerId } = request
  await emitEvent(config, 'failure', {
    type: error.type,
    error,
    action,
    ...(providerId !== undefined && config.providers.has(providerId) && { provider: providerId }),
    request: requestInfo(request),
  })
}
