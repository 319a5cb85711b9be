/** Calls the application's functions: the callbacks `signIn` and `redirect`, events, and telemetry. */
import type { AuthContext, EndedSession, ResolvedConfig, SignInResult } from '../contracts/index.js'
import { AccessDenied, AuthError, CallbackRouteError, EventError, toError } from '../errors.js'
import { cookieBudget } from '../http/cookie-budget.js'
import type { SafeRedirect } from '../http/message.js'
import { parseWebUrl, safeRedirect } from '../http/urls.js'
import type { EventCallbacks, SessionEndedMessage, SignInCallbackParams } from '../types/config.js'
import type { Account } from '../types/identity.js'
import type { TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

/**
 * Calls the `signIn` callback. Returns `true`, or the URL to which the user goes without being signed in.
 * @throws {@link AccessDenied} if the callback rejects the sign-in or throws.
 */
export async function callSignInCallback(
  context: AuthContext,
  params: SignInCallbackParams,
): Promise<true | SafeRedirect> {
  let result: unknown
  try {
    result = await context.config.callbacks.signIn(params)
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new AccessDenied(toError(error).message, toError(error))
  }
  if (typeof result === 'string' && result !== '') return signInRedirect(context, result)
  if (result) return true
  throw new AccessDenied('The `signIn` callback rejected the sign-in.')
}

/** Returns the URL from the callback. The application may redirect to any http(s) URL or path. */
function signInRedirect(context: AuthContext, decided: string): SafeRedirect {
  const target = parseWebUrl(decided, context.urls.origin)
  if (target) return safeRedirect(target)
  throw new CallbackRouteError('The `signIn` callback returned a string that is neither an http(s) URL nor a path.')
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/**
 * Calls an event handler and waits for it. Never throws: an error of the handler is logged, and does not fail the
 * request.
 */
export async function emitEvent<E extends keyof EventCallbacks>(
  config: ResolvedConfig,
  event: E,
  message: Parameters<EventCallbacks[E]>[0],
): Promise<void> {
  const handler = config.events[event] as ((message: Parameters<EventCallbacks[E]>[0]) => unknown) | undefined
  try {
    await handler?.(message)
  } catch (error) {
    config.logger.error(new EventError(`The event handler \`events.${event}\` threw.`, toError(error)))
  }
}

/* ---- session ended ----------------------------------------------------------------------------------------------- */

/**
 * Emits `sessionEnded` for sessions that ended other than by their own sign-out. Call it when they have ended and the
 * transaction is committed. Never throws.
 */
export async function emitSessionsEnded(
  config: ResolvedConfig,
  sessions: readonly EndedSession[],
  facts: Omit<SessionEndedMessage, keyof EndedSession>,
): Promise<void> {
  for (const session of sessions) await emitEvent(config, 'sessionEnded', { ...session, ...facts })
}

/* ---- account ----------------------------------------------------------------------------------------------------- */

/**
 * Returns the account for callbacks and events: a provider's account, or `null` if the application's own code
 * identified the user.
 */
export function publicAccount({ account }: Pick<SignInResult, 'account'>): Account | null {
  return account.type === 'application' ? null : account
}

/* ---- telemetry --------------------------------------------------------------------------------------------------- */

// The only place that calls `telemetry`: for requests to the routes, calls by the application's code, and token
// refreshes.

/** A function that reports an outcome other than success. */
export type ReportOutcome = (outcome: TelemetryOutcome) => void

const ignoreOutcome: ReportOutcome = () => {}

/**
 * Runs the work, reported to `telemetry` if it is configured. The work runs once and its result goes to the caller,
 * even if the developer's `telemetry` throws, never calls `run`, or calls it twice.
 * @param work If it rejects, a failure is reported, unless it has reported another outcome before.
 */
export function traced<T>(
  { telemetry, logger }: ResolvedConfig,
  operation: TelemetryOperation,
  work: (tell: ReportOutcome) => Promise<T>,
): Promise<T> {
  if (!telemetry) return work(ignoreOutcome)
  let outcome: TelemetryOutcome = { result: 'success' }
  let started: Promise<T> | undefined
  const once = () => {
    started ??= work((reported) => {
      outcome = reported
    })
    return started
  }
  const run = () =>
    once().then(
      () => outcome,
      (): TelemetryOutcome => (outcome.result === 'success' ? { result: 'failure' } : outcome),
    )
  try {
    telemetry.observe(operation, run)
  } catch (error) {
    logger.error(toError(error))
  }
  return once()
}

/* ---- callback url ------------------------------------------------------------------------------------------------ */

// The URLs after sign-in and sign-out. URLs from clients are checked here (open redirects, RFC 9700 §4.11).

/**
 * The maximum number of characters of a URL before it is parsed, and of the cookie's value. The time to parse a long
 * host grows quadratically.
 */
const maxUrlLength = 1024

/** The bytes of a sealed sign-in attempt without its callback URL. */
const sealedAttemptSize = 1024

/**
 * Returns the URL from the body, the query or the cookie, in this order, after the `redirect` callback; or the site's
 * root if it is not allowed. Writes it to the callback-url cookie, which browser clients read.
 */
export async function readCallbackUrl(context: AuthContext): Promise<SafeRedirect> {
  const { request, cookies, cookiePolicy } = context
  const remembered = cookies.get(cookiePolicy.callbackUrl.name)
  const requested = firstText(request.body.callbackUrl, request.url.searchParams.get('callbackUrl'), remembered)
  const allowed = await allowedUrl(context, requested)
  if (allowed !== remembered && request.method !== 'HEAD') cookies.set(cookiePolicy.callbackUrl, allowed)
  return allowed
}

/** Returns the URL of the body, as {@link readCallbackUrl} does, without writing the cookie. */
export function checkedCallbackUrl(context: AuthContext): Promise<SafeRedirect> {
  return allowedUrl(context, firstText(context.request.body.callbackUrl))
}

/** Returns a client's URL after the `redirect` callback. URLs of the authentication routes are not allowed. */
async function allowedUrl(context: AuthContext, requested: string | undefined): Promise<SafeRedirect> {
  const { urls, config } = context
  const tooLong = (characters: number): SafeRedirect => {
    config.logger.debug('callback URL too long, the default is used', { characters })
    return urls.home
  }
  if (requested !== undefined && requested.length > maxUrlLength) return tooLong(requested.length)
  const clean = requested === undefined ? undefined : parseWebUrl(requested, urls.origin)
  if (requested === undefined || !clean || urls.isOwnEndpoint(clean)) return urls.home
  const decided = await callRedirectCallback(context, requested)
  const target = typeof decided === 'string' ? parseWebUrl(decided, urls.origin) : undefined
  if (!target) return urls.home
  if (target.href !== urls.home && !fitsCookieBudget(context, target.href)) return tooLong(target.href.length)
  return safeRedirect(target)
}

/**
 * Checks whether the URL fits into its own cookie and into a sealed attempt, beside the browser's other cookies.
 * Servers reject requests with too long headers, so with too many cookies users could not even sign out. Other attempts
 * are not counted, because they are dropped to make room.
 */
function fitsCookieBudget({ cookies, cookiePolicy }: AuthContext, href: string): boolean {
  const { callbackUrl, transaction } = cookiePolicy
  const length = encodeURIComponent(href).length
  const others = cookies.size((name) => name !== callbackUrl.name && !name.startsWith(`${transaction.name}.`))
  const sealed = sealedAttemptSize + Math.ceil((href.length * 4) / 3)
  return length <= maxUrlLength && others + callbackUrl.name.length + length + sealed <= cookieBudget
}

async function callRedirectCallback(context: AuthContext, url: string): Promise<unknown> {
  const { config, urls } = context
  try {
    return await config.callbacks.redirect({ url, baseUrl: urls.origin })
  } catch (error) {
    config.logger.error(
      new CallbackRouteError('The `redirect` callback threw; the default page is used.', toError(error)),
    )
    return undefined
  }
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}
