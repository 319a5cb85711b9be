/** Calls the developer's functions: the callbacks `signIn` and `redirect`, events, and telemetry. */
import type { AuthContext, LostSession, ResolvedConfig, SignedIn } from '../contracts/index.js'
import { AccessDenied, AuthError, CallbackRouteError, EventError, toError } from '../errors.js'
import { cookieBudget } from '../http/cookie-budget.js'
import type { SafeRedirect } from '../http/message.js'
import { safeRedirect, toWebUrl } from '../http/urls.js'
import type { EventCallbacks, SessionEndedMessage, SignInCallbackParams } from '../types/config.js'
import type { Account } from '../types/identity.js'
import type { TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

/**
 * `true`: the person may come in; an URL: they go there instead, and are not signed in.
 *
 * @throws {@link AccessDenied} when the callback refuses or throws.
 */
export async function askSignIn(context: AuthContext, params: SignInCallbackParams): Promise<true | SafeRedirect> {
  let verdict: unknown
  try {
    verdict = await context.config.callbacks.signIn(params)
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new AccessDenied(toError(error).message, toError(error))
  }
  if (typeof verdict === 'string' && verdict !== '') return applicationUrl(context, verdict)
  if (verdict) return true
  throw new AccessDenied('The `signIn` callback refused.')
}

/** The URL that the callback returned. The application may send people to any http(s) URL or path. */
function applicationUrl(context: AuthContext, decided: string): SafeRedirect {
  const target = toWebUrl(decided, context.urls.origin)
  if (target) return safeRedirect(target)
  throw new CallbackRouteError('The `signIn` callback returned a string that is no http(s) URL and no path.')
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

// Tells the developer's event handlers. What they throw is logged, and does not fail the request.

/** Runs a handler and waits for it. Never throws. */
export async function emit<E extends keyof EventCallbacks>(
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

// Tells that sessions ended otherwise than by a sign-out of their own.

/** One event for each. To be called when they have ended, and the transaction in which they did is committed. Never throws. */
export async function tellEnded(
  config: ResolvedConfig,
  sessions: readonly LostSession[],
  facts: Omit<SessionEndedMessage, keyof LostSession>,
): Promise<void> {
  for (const session of sessions) await emit(config, 'sessionEnded', { ...session, ...facts })
}

/* ---- told account ------------------------------------------------------------------------------------------------ */

// The account as callbacks and events are told of it.

/** A provider's account; `null` where the application's own code said who somebody is. */
export function toldAccount({ account }: Pick<SignedIn, 'account'>): Account | null {
  return account.type === 'application' ? null : account
}

/* ---- observed ---------------------------------------------------------------------------------------------------- */

// The one place where the engine tells `telemetry` of its work: requests to our routes, calls of the application's own, refreshes.

/** Says what the work came to, where it was no success. */
export type Tell = (outcome: TelemetryOutcome) => void

const untold: Tell = () => {}

/**
 * Does the work, and tells of it where somebody wants to know. The work is done once and its outcome is the caller's, whatever
 * the developer's `telemetry` does: throw, never call it, call it twice.
 *
 * @param work What it rejects with is told as a failure, unless it has told something else before.
 */
export function observed<T>(
  { telemetry, logger }: ResolvedConfig,
  operation: TelemetryOperation,
  work: (tell: Tell) => Promise<T>,
): Promise<T> {
  if (!telemetry) return work(untold)
  let outcome: TelemetryOutcome = { result: 'success' }
  let begun: Promise<T> | undefined
  const once = () => {
    begun ??= work((told) => {
      outcome = told
    })
    return begun
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

// Where a person goes after sign-in and sign-out. What a client asks for is checked here (open redirects, RFC 9700 §4.11).

/** Characters: of a URL before it is parsed, and of the cookie's value. To parse a host of many letters takes time that grows by its square. */
const maxLength = 1024

/** Bytes of an attempt to sign in, without its callback URL. */
const attemptSize = 1024

/**
 * The URL that the client asked for, in the body, else the query, else the cookie, after the `redirect` callback; the site's
 * root where it is not allowed. It is written into the callback-url cookie, which browser clients read.
 */
export async function readCallbackUrl(context: AuthContext): Promise<SafeRedirect> {
  const { request, cookies, cookiePolicy } = context
  const remembered = cookies.get(cookiePolicy.callbackUrl.name)
  const wanted = firstText(request.body.callbackUrl, request.url.searchParams.get('callbackUrl'), remembered)
  const allowed = await allowedUrl(context, wanted)
  if (allowed !== remembered && request.method !== 'HEAD') cookies.set(cookiePolicy.callbackUrl, allowed)
  return allowed
}

/** A client's URL after the `redirect` callback. The authentication routes themselves are not allowed. */
async function allowedUrl(context: AuthContext, wanted: string | undefined): Promise<SafeRedirect> {
  const { urls, config } = context
  const tooLong = (characters: number): SafeRedirect => {
    config.logger.debug('callback URL too long, the default is used', { characters })
    return urls.home
  }
  if (wanted !== undefined && wanted.length > maxLength) return tooLong(wanted.length)
  const clean = wanted === undefined ? undefined : toWebUrl(wanted, urls.origin)
  if (wanted === undefined || !clean || urls.isOwnEndpoint(clean)) return urls.home
  const decided = await decide(context, wanted)
  const target = typeof decided === 'string' ? toWebUrl(decided, urls.origin) : undefined
  if (!target) return urls.home
  if (target.href !== urls.home && !fits(context, target.href)) return tooLong(target.href.length)
  return safeRedirect(target)
}

/**
 * Whether the URL fits into its own cookie and into a sealed attempt, beside the cookies that the browser has. Servers refuse
 * requests with too long headers; with too many cookies a person could not even sign out. Other attempts are not counted,
 * because they are dropped when there is no room.
 */
function fits({ cookies, cookiePolicy }: AuthContext, href: string): boolean {
  const { callbackUrl, transaction } = cookiePolicy
  const length = encodeURIComponent(href).length
  const others = cookies.size((name) => name !== callbackUrl.name && !name.startsWith(`${transaction.name}.`))
  const sealed = attemptSize + Math.ceil((href.length * 4) / 3)
  return length <= maxLength && others + callbackUrl.name.length + length + sealed <= cookieBudget
}

async function decide(context: AuthContext, url: string): Promise<unknown> {
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
